// How wake.groups is shown.

#include <fmt/format.h>

#include "experiments/wakes/wakes.hpp"
#include "results/interval.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

sentences groups_findings(const own_cells& own) {
  for (const cell* c : only_telling(own.of_any_mode("best_group"))) {
    const cell* const gain = own.sure_beside(*c, "gain");
    const auto sleepers = number_at(*c, "threads");
    if (gain == nullptr || !sleepers) continue;
    const std::string name = name_at(*c, "primitive");
    if (gain->ci->first > 1)
      return {fmt::format(
          "To wake {} threads with {}, one object for each {} is best: on average {:.0f} % faster than one "
          "for all or one for each.",
          *sleepers, name,
          with_doubt(*c, fmt::format("{:.0f} of them", *c->value),
                     results::from_to(fmt::format("{:.0f}", c->ci->first), fmt::format("{:.0f}", c->ci->second))),
          100 * (*gain->value - 1))};
    return {
        fmt::format("To wake {} threads with {}, no group size measurably beat one shared event or one event per "
                    "thread.",
                    *sleepers, name)};
  }
  return {};
}

sentences groups_doubts(const own_cells& own) {
  return too_uncertain("how many times as fast the best groups of sleepers are", own.of_any_mode("gain"),
                       results::is_precise);
}

}  // namespace

void present_wake_groups(experiment& e) {
  e.tour = [](const setting&) { return tour_stop{{{"primitive", {"event"}}}}; };
  e.view = {
      grouped_tables({{"best_group", "predicted_group", "gain", "wake_best", "best_group_last"}}),
      groups_findings,
      {},
      {{"size",
        "How many sleepers to an object",
        "One object for all is woken by one call, one object each by many calls. The lowest point is the best size; "
        "what a call and a wake cost decides whether it lies between.",
        lines("group", {"primitive"}),
        "",
        {"wake_mean", "wake_last", "trigger"}},
       {"best",
        "The best size of a group",
        "As measured, by the mean wake time and by that of the last sleeper, and as predicted from what a call, a "
        "thread and a wake cost here.",
        bars("primitive", {}, {.compare = "sleepers per object"}),
        "",
        {"best_group", "predicted_group", "best_group_last"}},
       {"gain",
        "What the best size gains",
        "The mean wake time with one object for all or one for each, whichever is less, divided by that with the "
        "best size. At 1 splitting gains nothing.",
        bars("primitive"),
        "",
        {"gain"}}}};
  e.view.doubts = groups_doubts;
  e.view.about = "wake";
}

}  // namespace synchro::experiments
