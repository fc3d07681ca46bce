#include "experiments/framework/tour.hpp"

#include <algorithm>
#include <set>

namespace synchro::experiments {

namespace {

constexpr double tour_seconds = 35;

/// As many that each mode may get what an interval needs; there are few cells to a stop.
void lengthen(plan& p) {
  constexpr unsigned enough = 11;
  for (planned_cell& cell : p.cells)
    if (cell.repetitions < enough) {
      cell.seconds *= static_cast<double>(enough) / cell.repetitions;
      cell.repetitions = enough;
    }
}

/// No more repetitions than an interval needs, then fewer cells, until the plan is short enough.
void shorten(plan& p, double seconds) {
  constexpr unsigned fewest = 6;
  if (p.seconds() > seconds)
    for (planned_cell& cell : p.cells)
      if (cell.repetitions > fewest) {
        cell.seconds *= static_cast<double>(fewest) / cell.repetitions;
        cell.repetitions = fewest;
      }
  while (p.seconds() > seconds && p.cells.size() > 1)
    p.cells.erase(std::max_element(p.cells.begin(), p.cells.end(),
                                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; }));
}

}  // namespace

std::vector<coordinate> tour_crowds(const setting& s) {
  const auto cpus = static_cast<std::int64_t>(s.machine.processors.size());
  const std::set<std::int64_t> counts{1, cpus, 4 * cpus};
  return {counts.begin(), counts.end()};
}

std::vector<const experiment*> tour_experiments(const std::vector<experiment>& all) {
  std::vector<const experiment*> stops;
  for (const experiment& e : all)
    if (e.tour) stops.push_back(&e);
  return stops;
}

plan tour_plan(const setting& base, const std::vector<experiment>& all) {
  plan whole;
  for (const experiment* e : tour_experiments(all)) {
    const tour_stop stop = e->tour(base);
    setting s = base;
    s.thoroughness = level::quick;
    s.chosen = stop.axes;
    plan part = make_plan(s, {e});
    for (planned_cell& cell : part.cells)
      if (!stop.skips || !stop.skips(base, cell.at)) whole.cells.push_back(std::move(cell));
  }
  lengthen(whole);
  shorten(whole, tour_seconds);
  return whole;
}

}  // namespace synchro::experiments
