// How messages.pair is shown.

#include <fmt/format.h>

#include "experiments/messages/messages.hpp"
#include "statistics/look.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// ", 68.0 cycles (67.5 to 68.4)": the figure begins with cycles, as the paper tells them; nothing where they are unknown.
std::string in_cycles(const own_cells& own, const cell& c) {
  for (const cell* other : only_precise(own.of_any_mode(c.metric + "_cycles")))
    if (other->at == c.at) return ", " + with_interval(*other);
  return "";
}

/// "ring, 26.0 ns (25.7 to 26.3), 68.0 cycles (67.5 to 68.4), not distinguishable from channel"
std::string cheapest(const own_cells& own, const cells& all, std::size_t looked_at) {
  const cell& best = *least(all);
  return fmt::format("{}{}, {}{}{}", name_at(best, "means"),
                     of_the_sure(own.left_out(best, {"means"}), extreme::least, best), with_interval(best),
                     in_cycles(own, best), rivals(tied_with(best, all, looked_at), "means"));
}

/// Of the nearest processors that were measured, in lines: the first distance in the file.
cells nearest(const cells& all) {
  const cells lines = only_precise(where(all, "size", "line"));
  return lines.empty() ? lines : where(lines, "distance", lines.front()->at.word("distance"));
}

sentences pair_findings(const own_cells& own) {
  const cells there = nearest(own.of("one_way")), back = nearest(own.of("round_trip"));
  if (there.empty() || back.empty()) return {};
  // Two contests in one sentence: each pays for the pairs of both.
  const std::size_t looked_at =
      statistics::fewest_with_pairs(statistics::pairs_among(there.size()) + statistics::pairs_among(back.size()));
  return {fmt::format(
      "A message between two processors at distance {} costs least, in a stream, with {}; a request with its answer "
      "with {}.",
      name_at(*there.front(), "distance"), cheapest(own, there, looked_at), cheapest(own, back, looked_at))};
}

std::optional<views::headline> pair_headline(const own_cells& own) {
  const cells back = nearest(own.of_any_mode("round_trip"));
  if (back.empty()) return std::nullopt;
  const cell& best = *least(back);
  return views::headline{
      figure_of(best), "to send a request to another thread and receive its answer",
      details({"by " + name_at(best, "means") + rivals(tied_with(best, back), "means"), interval_of(best)}, best),
      "distance"};
}

}  // namespace

void present_messages_pair(experiment& e) {
  e.view = {{},
            pair_findings,
            pair_headline,
            {{"distance",
              "A message from thread to thread",
              "Instead of sharing memory under a lock, threads can send each other messages. A message travels in one "
              "cache line, which comes back empty; a ring has room for several, so that lines travel less often.",
              bars("means", {"distance"}),
              "Fig. 9",
              {"one_way_cycles", "round_trip_cycles", "one_way", "round_trip"},
              {},
              {{"size", "line"}},
              {},
              false,
              {},
              over_coherence}}};
  e.view.about = "message";
}

}  // namespace synchro::experiments
