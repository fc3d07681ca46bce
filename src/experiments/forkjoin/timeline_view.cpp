// How forkjoin.timeline is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/forkjoin/forkjoin.hpp"
#include "experiments/framework/tour.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

sentences timeline_findings(const own_cells& own) {
  const cells all = only_precise(own.of_any_mode("invocation_delay"));
  if (all.empty()) return {};
  const cell& delay = *all.front();
  const auto work = number_at(delay, "work");
  if (!work) return {};
  std::string text = fmt::format(
      "Work of {} shared by {} threads that are started with {}: the last one starts {} after the first trigger",
      time_text(static_cast<double>(*work)), name_at(delay, "threads"), name_at(delay, "primitive"),
      with_interval(delay));
  if (const cell* const share = own.beside(delay, "parallel_share"); share != nullptr && is_precise(*share))
    text += fmt::format(", and two or more run at the same time for {:.0f} % of it", 100 * *share->value);
  return {text + far_note(delay) + "."};
}

}  // namespace

void present_forkjoin_timeline(experiment& e) {
  e.tour = [](const setting& s) {
    const std::vector<coordinate> crowds = tour_crowds(s);
    return tour_stop{
        {{"primitive", {"event"}}, {"threads", {std::max<coordinate>(std::int64_t{2}, crowds[crowds.size() - 2])}}}};
  };
  e.view = {
      grouped_tables(
          {{"invocation_delay", "elapsed", "parallel", "parallel_begin", "parallel_end", "parallel_share", "gap"},
           {"trigger", "wake", "done"}}),
      timeline_findings,
      {},
      {{"timeline",
        "Who ran when",
        "From the first trigger to the last worker: threads start one after another. Where the band is, two or more "
        "truly ran at the same moment; on too few processors bars overlap and there is little of that.",
        gantt({.row = "thread",
               .moments = {"trigger", "wake", "done"},
               .phases = {"on its way", "working"},
               .delay = "invocation_delay",
               .parallel = {"parallel_begin", "parallel_end", "parallel"}}),
        "",
        {},
        {},
        {{"primitive", "event"}}}}};
  // Thread 0 starts the others.
  e.view.charts.front().drawing["starter"] = {{"row", 0}, {"phase", "starting the others"}};
  e.view.about = "work";
}

}  // namespace synchro::experiments
