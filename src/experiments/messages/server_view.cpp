// How messages.server is shown.

#include <fmt/format.h>

#include "experiments/messages/messages.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// Lines, and a server that does nothing but answer, close to its clients.
cells usual(cells all) {
  all = where(where(all, "size", "line"), "work", std::int64_t{0});
  return only_precise(where(all, "placement", "compact"));
}

sentences findings(const own_cells& own) {
  std::vector<std::string> out;
  for (const auto& [protocol, words] : {std::pair{"one_way", "takes"}, std::pair{"round_trip", "answers"}}) {
    const cells all = where(usual(own.of("messages")), "protocol", protocol);
    if (all.empty()) continue;
    const cell& busiest = *most(all);
    const std::int64_t clients = busiest.at.number("threads");
    out.push_back(fmt::format("One server {} messages {}, with {} client{} ({}).", words, with_interval(busiest),
                              clients, clients == 1 ? "" : "s", name_at(busiest, "means")));
  }
  return out;
}

std::optional<views::headline> headline(const own_cells& own) {
  const cells all = where(usual(own.of_any_mode("messages")), "protocol", "round_trip");
  if (all.empty()) return std::nullopt;
  const cell& busiest = *most(all);
  const std::int64_t clients = busiest.at.number("threads");
  return views::headline{
      rate_words(*busiest.value) + " / s",
      fmt::format("requests that one server answers, with {} client{}", clients, clients == 1 ? "" : "s"),
      fmt::format("{}{}", interval_of(busiest), far_note(busiest)), "threads"};
}

}  // namespace

void present_messages_server(experiment& e) {
  e.view = {
      {},
      findings,
      headline,
      {{"threads",
        "One server, many clients",
        "All clients send to one thread, which takes their messages in turn. It does nothing else, so this is the "
        "most that a single server can do.",
        lines("threads", {"protocol"}),
        "Fig. 10",
        {"messages", "fairness"},
        {},
        {{"means", "mailbox"}, {"size", "line"}, {"work", std::int64_t{0}}, {"placement", "compact"}}}}};
}

}  // namespace synchro::experiments
