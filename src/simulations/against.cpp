#include "simulations/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "experiments/framework/protocol.hpp"
#include "results/experiment_names.hpp"
#include "simulations/simulated_locks.hpp"
#include "simulations/simulations.hpp"
#include "simulator/from_results.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulations {

using namespace experiments;

namespace {

/// What is predicted of an experiment: its rate.
const std::map<std::string, std::string> predicted_metrics{{results::experiment_names::atomics_throughput, "successes"},
                                                           {results::experiment_names::locks_throughput, "throughput"}};

bool is_predicted(const results::cell& c) {
  const auto found = predicted_metrics.find(c.experiment);
  return found != predicted_metrics.end() && c.metric == found->second && c.value;
}

std::optional<std::string> word(const results::cell& c, const char* axis) {
  const auto* const value = c.at.find(axis);
  return value == nullptr ? std::nullopt : std::optional{results::to_string(*value)};
}

bool is_simulated(const std::string& lock) {
  const auto& rows = simulated_locks();
  return std::any_of(rows.begin(), rows.end(), [&](const lock_bodies& row) { return row.name == lock; });
}

bool can_be_predicted(const results::cell& c, const simulator::model& m) {
  if (!is_predicted(c) || is_paused(c.at)) return false;  // the model's pause would be another
  const std::int64_t threads = c.at.number("threads");
  if (threads < 2 || threads > std::int64_t{m.processors()} || word(c, "placement") == "unpinned") return false;
  const auto lock = word(c, "lock");
  return !lock || is_simulated(*lock);
}

forecast predict(const experiment& e, const setting& s, const results::cell& c) {
  forecast f{c.experiment, c.at, *c.value, {}};
  results::coordinates at;
  for (const auto& [axis, value] : c.at.entries())
    if (axis != "mode") at.set(axis, value);
  for (unsigned i = 0; i < seeds_at(s.thoroughness); ++i) {
    const repetition r = e.measure(s, at, s.seed + i);
    for (const observation& o : r.observations)
      if (o.metric == c.metric) f.predicted.push_back(o.value);
  }
  return f;
}

/// Of the cells that were measured in this mode; empty: in no particular one.
void predict_mode(const results::document& d, const std::string& mode, std::uint64_t seed, std::vector<forecast>& all) {
  const auto m = std::make_shared<const simulator::model>(simulator::model_from_results(d, mode));
  const setting s = setting_of(*m, level::standard, seed);
  const std::vector<experiment> known = experiments_on(m);
  for (const results::cell& c : d.cells) {
    if (word(c, "mode").value_or("") != mode || !can_be_predicted(c, *m)) continue;
    const auto e =
        std::find_if(known.begin(), known.end(), [&](const experiment& k) { return k.name == c.experiment; });
    all.push_back(predict(*e, s, c));
  }
}

}  // namespace

double forecast::median() const { return results::median(predicted); }

std::vector<forecast> held_against(const results::document& d, std::uint64_t seed) {
  if (const auto why = results::why_no_evidence(d)) throw std::runtime_error("the file " + *why);
  std::set<std::string> modes;
  for (const results::cell& c : d.cells)
    if (is_predicted(c)) modes.insert(word(c, "mode").value_or(""));
  if (modes.empty())
    throw std::runtime_error(fmt::format("the results have no cell of {} or {}",
                                         results::experiment_names::atomics_throughput,
                                         results::experiment_names::locks_throughput));
  std::vector<forecast> all;
  std::optional<std::string> why;
  for (const std::string& mode : modes) try {
      predict_mode(d, mode, seed, all);
    } catch (const std::runtime_error& e) {  // a mode without coherence cells of its own
      why = e.what();
    }
  if (all.empty() && why) throw std::runtime_error(*why);
  if (all.empty())
    throw std::runtime_error("the results have no throughput of two threads or more, each on a processor of its own");
  return all;
}

double median_error(const std::vector<forecast>& all, const std::string& experiment) {
  std::vector<double> errors;
  for (const forecast& f : all)
    if (f.experiment == experiment) errors.push_back(std::abs(f.error()));
  return results::median(errors);
}

std::optional<double> error_of_most(const std::vector<forecast>& all, const std::string& experiment) {
  constexpr std::size_t fewest = 20;
  std::vector<double> times;
  for (const forecast& f : all)
    if (f.experiment == experiment) times.push_back(std::max(f.median() / f.measured, f.measured / f.median()));
  if (times.size() < fewest) return std::nullopt;
  std::sort(times.begin(), times.end());
  return times[(9 * times.size() + 9) / 10 - 1];
}

}  // namespace synchro::simulations
