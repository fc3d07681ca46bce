// How coherence.states is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/coherence/coherence.hpp"
#include "results/units.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

namespace {

using views::cell;
using views::cells;
using views::own_cells;
using views::with_interval;
using sentences = std::vector<std::string>;

constexpr const char* ssync =
    "In cycles of each machine’s own clock. The paper: David, Guerraoui, Trigonakis, “Everything You Always Wanted to "
    "Know About Synchronization but Were Afraid to Ask”, SOSP 2013.";

/// A paper's numbers have no intervals: they are shown as they were printed.
std::optional<views::headline> headline(const own_cells& own) {
  if (!own.published()) return std::nullopt;
  cells loads = views::where(views::where(own.of("latency_cycles"), "operation", "load"), "state", "modified");
  std::erase_if(loads, [](const cell* c) { return !c->value; });
  if (loads.empty()) return std::nullopt;
  std::string distance = views::name_at(*loads.front(), "distance");
  std::replace(distance.begin(), distance.end(), '_', ' ');
  return views::headline{results::digits(*loads.front()->value) + " cycles",
                         fmt::format("to load a line that the nearest core has changed ({}); the farthest takes {}",
                                     distance, results::digits(*loads.back()->value)),
                         "as published, Table 2", "operations"};
}

std::vector<views::laid_out> tables(const cells& all, const views::style& s) {
  if (!views::all_have(all, {"operation", "state"})) return views::generic_tables(all, s);
  return {views::states_table(all, s)};
}

}  // namespace

void present_coherence_states(experiment& e) {
  e.tour = [](const setting&) {
    return tour_stop{{{"operation", {"load", "cas", "fai"}}, {"state", {"modified", "shared"}}}};
  };
  e.view = {
      tables,
      {},
      headline,
      {{"operations",
        "What one access to a shared line costs",
        "The cost depends on what the caches know about the line (its state) and on how far away its holder is. An "
        "atomic operation must own the line alone, as a store must.",
        views::bars("operation", {"distance"}),
        "",
        {},
        {"event"},
        {{"state", "modified"}, {"home", "requester"}}},
       {"paper",
        "Beside Table 2 of the paper",
        "Cycles of one access by operation, state of the line and distance to its holder, here and on the four "
        "machines of the paper.",
        views::beside_published({"operation", "state"}, "distance", ssync),
        "",
        {"latency_cycles"},
        {"event"},
        {{"home", "requester"}}}}};
}

}  // namespace synchro::experiments
