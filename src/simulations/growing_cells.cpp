#include "simulations/growing_cells.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "experiments/framework/outcome.hpp"
#include "simulations/simulations.hpp"

namespace synchro::simulations {

void add_seeds(experiments::record& r, const experiments::setting& s, unsigned seeds) {
  const experiments::planned_cell& cell = *r.cell;
  if (cell.unavailable) return;
  if (r.trials.empty()) r.processors = cell.what->processors(s, cell.at);
  for (auto i = static_cast<unsigned>(r.trials.size()); i < seeds && !r.failed; ++i) {
    try {
      experiments::trial t;
      t.index = i;
      t.result = cell.what->measure(s, cell.at, seed_of(s, i));
      r.trials.push_back(std::move(t));
    } catch (const std::runtime_error& e) {
      r.failed = e.what();
    }
  }
}

/// What the framework notes of a real machine's noise does not exist here; the spread over seeds does.
std::vector<results::cell> cells_by_seeds(const experiments::record& r) {
  std::vector<results::cell> all = experiments::cells_of(r, experiments::probe_log{});
  for (results::cell& c : all) {
    nlohmann::ordered_json seeds = nlohmann::ordered_json::array();
    for (const experiments::trial& t : r.trials) seeds.push_back(t.index);
    c.noise = {{"processors", r.processors}, {"seeds", std::move(seeds)}};
  }
  return all;
}

growing_cells::growing_cells(experiments::plan p, experiments::setting s)
    : plan_{std::move(p)}, setting_{std::move(s)} {
  for (const experiments::planned_cell& cell : plan_.cells) records_.push_back({&cell});
}

std::vector<results::cell> growing_cells::with(unsigned seeds) {
  std::vector<results::cell> all;
  for (experiments::record& r : records_) {
    add_seeds(r, setting_, seeds);
    experiments::record first = r;
    first.trials.resize(std::min<std::size_t>(seeds, r.trials.size()));
    for (results::cell& c : cells_by_seeds(first)) all.push_back(std::move(c));
  }
  return all;
}

}  // namespace synchro::simulations
