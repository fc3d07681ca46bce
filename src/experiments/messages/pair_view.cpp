// How messages.pair is shown.

#include <fmt/format.h>

#include "experiments/messages/messages.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

std::string near_text(const cell& c) { return fmt::format("{}, {}", name_at(c, "means"), with_interval(c)); }

/// Of the nearest processors that were measured, in lines: the first distance in the file.
cells nearest(const cells& all) {
  const cells lines = only_precise(where(all, "size", "line"));
  return lines.empty() ? lines : where(lines, "distance", lines.front()->at.word("distance"));
}

sentences findings(const own_cells& own) {
  const cells there = nearest(own.of("one_way")), back = nearest(own.of("round_trip"));
  if (there.empty() || back.empty()) return {};
  const cell &stream = *least(there), &answer = *least(back);
  return {
      fmt::format("In a stream from one processor to another ({}), a message costs least with {}; a message with its "
                  "answer with {}.",
                  name_at(stream, "distance"), near_text(stream), near_text(answer))};
}

std::optional<views::headline> headline(const own_cells& own) {
  const cells back = nearest(own.of_any_mode("round_trip"));
  if (back.empty()) return std::nullopt;
  const cell& best = *least(back);
  return views::headline{figure_of(best), "to ask another thread and have its answer",
                         fmt::format("by {}; {}{}", name_at(best, "means"), interval_of(best), far_note(best)),
                         "distance"};
}

}  // namespace

void present_messages_pair(experiment& e) {
  e.view = {{},
            findings,
            headline,
            {{"distance",
              "A message from thread to thread",
              "Instead of sharing memory under a lock, threads can send each other messages. A message travels in one "
              "cache line, which comes back empty; a ring has room for several, so that lines travel less often.",
              bars("means", {"distance"}),
              "Fig. 9",
              {"one_way", "round_trip"},
              {},
              {{"size", "line"}}}}};
}

}  // namespace synchro::experiments
