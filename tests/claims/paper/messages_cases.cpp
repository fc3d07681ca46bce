#include <optional>

#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

/// The ring needs fewer transfers than the claim says, and is not what it is about; nor are words. Where there is a channel by the
/// paper's way, the others are not either.
results::document messages(const std::string& metric, double fetching, double plain = 9,
                           std::optional<double> by_the_paper = {}) {
  book b{4};
  b.add("coherence.states", {{"operation", "load"}, {"state", "modified"}, {"distance", "same_cache"}}, "latency", "ns",
        50);
  const auto add = [&](const char* means, const char* size, double transfers) {
    b.add("messages.pair", {{"means", means}, {"size", size}, {"distance", "same_cache"}}, metric, "ns",
          50 * transfers);
  };
  add("channel", "line", plain);
  add("channel/fetch", "line", fetching);
  add("channel", "word", 1);
  add("ring", "line", 0.5);
  if (by_the_paper) add("channel_paper", "line", *by_the_paper);
  return b;
}

/// Of threads of one core, whose load of each other's line is a hit: so many times a transfer from another core.
results::document within_a_core(const std::string& metric, double transfers) {
  book b{4};
  for (const auto& [distance, ns] : {std::pair{"same_core", 2.0}, {"other_core", 50.0}, {"same_cpu", 1.0}})
    b.add("coherence.states", {{"operation", "load"}, {"state", "modified"}, {"distance", distance}}, "latency", "ns",
          ns);
  for (const char* distance : {"same_core", "other_core"})
    b.add("messages.pair", {{"means", "channel"}, {"size", "line"}, {"distance", distance}}, metric, "ns",
          50 * transfers);
  return b;
}

/// Messages a second of one client and of 7.
results::document served(double one_answered, double many_answered) {
  constexpr std::int64_t many = 7;
  book b{8};
  const auto add = [&](const char* protocol, std::int64_t clients, double rate) {
    b.add("messages.server",
          {{"means", "mailbox"},
           {"protocol", protocol},
           {"size", "line"},
           {"threads", number(clients)},
           {"work", number(0)},
           {"placement", "compact"}},
          "messages", "op/s", rate);
  };
  add("one_way", 1, 10e6);
  add("one_way", many, 8e6);
  add("round_trip", 1, one_answered);
  add("round_trip", many, many_answered);
  return b;
}

}  // namespace

std::vector<judge_case> messages_cases() {
  return {{"S45",
           messages("one_way", 2),
           {messages("one_way", 1), messages("one_way", 4), within_a_core("one_way", 4), messages("one_way", 2, 9, 4)},
           {within_a_core("one_way", 2), messages("one_way", 4, 9, 2)}},
          {"S46",
           messages("round_trip", 4),
           {messages("round_trip", 2), messages("round_trip", 8), within_a_core("round_trip", 8),
            messages("round_trip", 4, 9, 8)},
           {within_a_core("round_trip", 4), messages("round_trip", 8, 9, 4)}},
          {"S50", served(5e6, 9e6), {served(5e6, 7e6), served(11e6, 9e6)}}};
}

}  // namespace synchro::tests
