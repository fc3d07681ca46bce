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

sentences server_findings(const own_cells& own) {
  std::vector<std::string> out;
  for (const auto& [protocol, words] :
       {std::pair{"one_way", "took messages"}, std::pair{"round_trip", "answered requests"}}) {
    const cells all = where(server_usual(own.of("messages")), "protocol", protocol);
    if (all.empty()) continue;
    const cell& busiest = *most(all);
    const std::int64_t clients = busiest.at.number("threads");
    const bool at_best = holds_for(own.left_out(busiest, {"threads", "means"}), extreme::most, busiest);
    out.push_back(fmt::format("A single server {} {}{}: with {} client{}{}, by {}{}.", words, with_interval(busiest),
                              at_best ? " at its best" : "", clients, clients == 1 ? "" : "s",
                              rivals_on("threads", "means", busiest, all), name_at(busiest, "means"),
                              rivals_on("means", "threads", busiest, all)));
  }
  return out;
}

std::optional<views::headline> server_headline(const own_cells& own) {
  const cells all = where(server_usual(own.of_any_mode("messages")), "protocol", "round_trip");
  if (all.empty()) return std::nullopt;
  const cell& busiest = *most(all);
  const std::int64_t clients = busiest.at.number("threads");
  return views::headline{rate_words(*busiest.value) + " / s",
                         fmt::format("requests that one server answers, with {} client{}{}", clients,
                                     clients == 1 ? "" : "s", rivals_on("threads", "means", busiest, all)),
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
