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

/// What measures an instruction by itself and no access to a line.
bool is_instruction(const cell& c) { return at_or_blank(c, "state") == coordinate{"none"}; }

/// A line that another processor has modified, in the requester's memory, by the operation that costs least and the one
/// that costs most.
std::string at_distance(const cells& all, const coordinate& distance) {
  const cells there = contest(where(all, "distance", distance), "operation");
  if (there.empty()) return "";
  const cell &low = *least(there), &high = *most(there);
  std::string text =
      fmt::format("On a line that another processor has modified ({}), {} takes {}{}", name_at(low, "distance"),
                  name_at(low, "operation"), with_interval(low), rivals(tied_with(low, there), "operation"));
  if (differ(low, high, there.size()))
    text += fmt::format("; {} takes {}{}", name_at(high, "operation"), with_interval(high),
                        rivals(tied_with(high, there), "operation"));
  return text + ".";
}

/// At the nearest and at the farthest distance that was measured.
sentences states_findings(const own_cells& own) {
  cells all = only_precise(where(own.of("latency"), "state", "modified"));
  std::erase_if(all, [](const cell* c) {
    const coordinate home = at_or_blank(*c, "home");
    return at_or_blank(*c, "distance") == coordinate{"same_cpu"} ||
           (home != coordinate{"requester"} && home != coordinate{""});
  });
  if (all.empty()) return {};
  const coordinate near = at_or_blank(*least(all), "distance"), far = at_or_blank(*most(all), "distance");
  sentences out{at_distance(all, near)};
  if (far != near) out.push_back(at_distance(all, far));
  std::erase(out, "");
  return out;
}

/// A paper's numbers have no intervals: they are shown as they were printed.
std::optional<views::headline> states_headline(const own_cells& own) {
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

std::vector<laid_out> states_tables(const cells& all, const style& s) {
  if (!all_have(all, {"operation", "state"})) return generic_tables(all, s);
  return {states_table(all, s)};
}

}  // namespace

void present_coherence_states(experiment& e) {
  e.tour = [](const setting&) {
    return tour_stop{{{"operation", {"load", "cas", "fai"}}, {"state", {"modified", "shared"}}}};
  };
  e.view = {
      states_tables,
      states_findings,
      states_headline,
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
        {{"home", "requester"}}}},
      is_instruction};
  e.view.about = "line";
}

}  // namespace synchro::experiments
