// How coherence.states is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/coherence/coherence.hpp"
#include "results/units.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// A paper's numbers have no intervals: they are shown as they were printed.
std::optional<views::headline> headline(const own_cells& own) {
  if (!own.published()) return std::nullopt;
  cells loads = where(where(own.of("latency_cycles"), "operation", "load"), "state", "modified");
  std::erase_if(loads, [](const cell* c) { return !c->value; });
  if (loads.empty()) return std::nullopt;
  std::string distance = name_at(*loads.front(), "distance");
  std::replace(distance.begin(), distance.end(), '_', ' ');
  return views::headline{results::digits(*loads.front()->value) + " cycles",
                         fmt::format("to load a line that the nearest core has changed ({}); the farthest takes {}",
                                     distance, results::digits(*loads.back()->value)),
                         "as published, Table 2", "operations"};
}

std::vector<laid_out> tables(const cells& all, const style& s) {
  if (!all_have(all, {"operation", "state"})) return generic_tables(all, s);
  return {states_table(all, s)};
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
        bars("operation", {"distance"}),
        "",
        {},
        {"event"},
        {{"state", "modified"}, {"home", "requester"}}},
       {"paper",
        "Beside Table 2 of the paper",
        "Cycles of one access by operation, state of the line and distance to its holder, here and on the four "
        "machines of the paper.",
        beside_published({"operation", "state"}, "distance", beside_the_paper),
        "",
        {"latency_cycles"},
        {"event"},
        {{"home", "requester"}}}}};
}

}  // namespace synchro::experiments
