// How messages.server is shown.

#include <fmt/format.h>

#include "experiments/messages/messages.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// Lines, and a server that does nothing but answer, close to its clients.
cells server_usual(cells all) {
  all = where(where(all, "size", "line"), "work", std::int64_t{0});
  return only_precise(where(all, "placement", "compact"));
}

/// ", not distinguishable from mailbox/yield": those that differ from the busiest on this axis only.
std::string busiest_on(const std::string& axis, const std::string& other, const cell& busiest, const cells& all) {
  return rivals(tied_with(busiest, where(all, other, at_or_blank(busiest, other))), axis);
}

sentences server_findings(const own_cells& own) {
  std::vector<std::string> out;
  for (const auto& [protocol, words] :
       {std::pair{"one_way", "takes messages"}, std::pair{"round_trip", "answers requests"}}) {
    const cells all = where(server_usual(own.of("messages")), "protocol", protocol);
    if (all.empty()) continue;
    const cell& busiest = *most(all);
    const std::int64_t clients = busiest.at.number("threads");
    const bool at_most = holds_for(own.left_out(busiest, {"threads", "means"}), extreme::most, busiest);
    out.push_back(fmt::format("A single server {} {}{}: with {} client{}{}, by {}{}.", words, at_most ? "at most " : "",
                              with_interval(busiest), clients, clients == 1 ? "" : "s",
                              busiest_on("threads", "means", busiest, all), name_at(busiest, "means"),
                              busiest_on("means", "threads", busiest, all)));
  }
  return out;
}

std::optional<views::headline> server_headline(const own_cells& own) {
  const cells all = where(server_usual(own.of_any_mode("messages")), "protocol", "round_trip");
  if (all.empty()) return std::nullopt;
  const cell& busiest = *most(all);
  const std::int64_t clients = busiest.at.number("threads");
  return views::headline{
      rate_words(*busiest.value) + " / s",
      fmt::format("requests that one server answers, with {} client{}", clients, clients == 1 ? "" : "s"),
      details({interval_of(busiest)}, busiest), "threads"};
}

}  // namespace

void present_messages_server(experiment& e) {
  e.view = {
      {},
      server_findings,
      server_headline,
      {{"threads",
        "One server, many clients",
        "All clients send to one thread, which takes their messages in turn and does nothing else. Its mailbox has "
        "room for 1, 4, 16 or 64 clients, and it looks at as many words: one made for fewer would do more.",
        lines("threads", {"protocol"}, {.called = "clients"}),
        "Fig. 10",
        {"messages", "fairness"},
        {},
        {{"means", "mailbox"}, {"size", "line"}, {"work", std::int64_t{0}}, {"placement", "compact"}},
        {},
        false,
        {},
        over_coherence}}};
  e.view.about = "server";
}

}  // namespace synchro::experiments
