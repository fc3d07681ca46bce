#include "simulations/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "experiments/framework/protocol.hpp"
#include "experiments/framework/runner.hpp"
#include "experiments/framework/usage_error.hpp"
#include "results/comparable.hpp"
#include "results/comparison.hpp"
#include "results/experiment_names.hpp"
#include "simulator/from_results.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulations {

using namespace experiments;
namespace experiment_names = results::experiment_names;

namespace {

/// What is predicted of an experiment; docs/simulation.md says why nothing is of others.
const std::set<std::pair<std::string, std::string>> predicted_metrics{
    {experiment_names::coherence_states, "latency"},       {experiment_names::atomics_throughput, "successes"},
    {experiment_names::locks_throughput, "throughput"},    {experiment_names::messages_pair, "one_way"},
    {experiment_names::messages_pair, "round_trip"},       {experiment_names::messages_server, "messages"},
    {experiment_names::hashtable_throughput, "throughput"}};

bool is_predicted(const results::cell& c) {
  return c.value && *c.value > 0 && predicted_metrics.contains({c.experiment, c.metric});
}

bool is_single_access(const results::cell& c) { return c.experiment == experiment_names::coherence_states; }

// ---- the models

/// The model of a mode, and how far apart the processors were in it.
struct mode_model {
  std::string mode;
  std::optional<double> probe_ns;
  model_ptr machine;
  std::vector<experiment> known;
  setting its;
};

/// How far apart processors were in a mode of a run; nothing if no cell of it was probed.
std::optional<double> probe_of(const results::document& d, const std::string& mode) {
  std::vector<double> probes;
  for (const results::cell& c : d.cells)
    if (c.probe_ns && *c.probe_ns > 0 && results::mode_of(c) == mode) probes.push_back(*c.probe_ns);
  return probes.empty() ? std::nullopt : std::optional{results::median(probes)};
}

/// Of each mode whose single accesses were measured well enough.
std::vector<mode_model> models_of(const results::document& d, std::uint64_t seed) {
  std::set<std::string> modes;
  for (const results::cell& c : d.cells)
    if (is_predicted(c) && is_single_access(c)) modes.insert(results::mode_of(c));
  if (modes.empty()) modes.insert("near");  // for the sentence that says what is missing
  std::vector<mode_model> all;
  std::optional<std::string> why;
  for (const std::string& mode : modes) try {
      const auto m =
          std::make_shared<const simulator::model>(simulator::model_from_results(d, mode == "near" ? "" : mode));
      all.push_back({mode, probe_of(d, mode), m, experiments_on(m), setting_of(*m, level::standard, seed)});
    } catch (const std::runtime_error& e) {
      why = e.what();
    }
  if (all.empty()) throw no_model(*why);
  return all;
}

/// For a mode of another run. Where processors have one distance only, how far apart they were decides, for the names
/// of modes hold inside one run; elsewhere that says more of the cells than of the mode, and the name decides.
const mode_model* model_for(const results::document& d, const std::string& mode,
                            const std::vector<mode_model>& models) {
  const auto probe = probe_of(d, mode);
  const mode_model* best = nullptr;
  double least = std::log(results::modes_apart);
  for (const mode_model& m : models) {
    const bool probed = probe && m.probe_ns && m.machine->distances().size() == 1;
    const double apart = probed ? std::abs(std::log(*probe / *m.probe_ns)) : mode == m.mode ? 0 : least;
    if (apart < least) best = &m, least = apart;
  }
  return best;
}

// ---- the cells

coordinates without_mode(const coordinates& at) {
  coordinates same;
  for (const auto& [axis, value] : at.entries())
    if (axis != "mode") same.set(axis, value);
  return same;
}

/// The experiment's cell of this place on the model, nothing if it has none.
std::optional<planned_cell> cell_at(const experiment& e, setting s, const coordinates& at) {
  for (const auto& [axis, value] : at.entries()) s.chosen[axis] = {value};
  try {
    plan p = make_plan(s, {&e});
    if (p.cells.size() == 1 && p.cells.front().at.entries().size() == at.entries().size() &&
        !p.cells.front().unavailable)
      return std::move(p.cells.front());
  } catch (const usage_error&) {  // a primitive of another library, an axis of another version
  }
  return std::nullopt;
}

/// Two processors or more, one for each thread, and no pause: the model's would be another.
bool is_contended(const planned_cell& cell, const setting& s) {
  if (is_paused(cell.at)) return false;
  const auto* const threads = cell.at.find("threads");
  if (threads != nullptr && std::get<std::int64_t>(*threads) > std::ssize(s.machine.processors)) return false;
  const std::vector<unsigned> cpus = cell.what->processors(s, cell.at);
  return std::set<unsigned>(cpus.begin(), cpus.end()).size() >= 2;
}

std::optional<planned_cell> predictable(const results::cell& c, const mode_model& m) {
  const auto e = std::find_if(m.known.begin(), m.known.end(), [&](const auto& k) { return k.name == c.experiment; });
  auto cell = cell_at(*e, m.its, without_mode(c.at));
  return cell && is_contended(*cell, m.its) ? std::move(cell) : std::nullopt;
}

forecast predict(const planned_cell& cell, const results::cell& c, const mode_model& m) {
  forecast f{c.experiment, c.at, *c.value, {}, c.metric, c.unit, m.mode};
  f.direction = c.direction;
  if (m.probe_ns) f.mode += fmt::format(", {:.0f} ns", *m.probe_ns);
  for (unsigned i = 0; i < seeds_at(m.its.thoroughness); ++i)
    for (const observation& o : cell.what->measure(m.its, cell.at, m.its.seed + i).observations)
      if (o.metric == c.metric) f.predicted.push_back(o.value);
  return f;
}

/// The places that set constants, in whichever mode.
std::set<std::string> places_fitted(const results::document& d) {
  std::set<std::string> all;
  for (const results::cell& c : d.cells)
    if (simulator::sets_a_constant(c)) all.insert(results::place_of(c));
  return all;
}

/// Where the smallest value stands that nine of ten do not exceed, of so many in order.
std::size_t nine_of_ten(std::size_t n) { return (9 * n + 9) / 10 - 1; }

}  // namespace

double forecast::median() const { return results::median(predicted); }

held held_against(const results::document& fit, const results::document& judged, std::uint64_t seed) {
  if (const auto why = results::why_no_evidence(judged)) throw std::runtime_error("the file " + *why);
  const auto is_asked_for = [](const results::cell& c) { return is_predicted(c) && !is_single_access(c); };
  if (std::none_of(judged.cells.begin(), judged.cells.end(), is_asked_for))
    throw std::runtime_error(fmt::format("the results have no cell of {}, {}, {}, {} or {}",
                                         experiment_names::atomics_throughput, experiment_names::locks_throughput,
                                         experiment_names::messages_pair, experiment_names::messages_server,
                                         experiment_names::hashtable_throughput));
  const std::vector<mode_model> models = models_of(fit, seed);
  const std::set<std::string> fitted = places_fitted(fit);
  std::map<std::string, const mode_model*> by_mode;
  held all;
  for (const mode_model& m : models) all.models.push_back(m.machine);
  for (const results::cell& c : judged.cells) {
    if (!is_predicted(c)) continue;
    const auto [found, is_new] = by_mode.try_emplace(results::mode_of(c), nullptr);
    if (is_new) found->second = model_for(judged, found->first, models);
    const mode_model* const m = found->second;
    const auto cell = predictable(c, m == nullptr ? models.front() : *m);
    if (!cell) continue;
    if (m == nullptr)
      ++all.elsewhere;
    else
      all.cells.push_back(predict(*cell, c, *m)), all.cells.back().fitted = fitted.contains(results::place_of(c));
  }
  if (all.elsewhere == 0 && std::all_of(all.cells.begin(), all.cells.end(), [](const forecast& f) {
        return f.experiment == experiment_names::coherence_states;
      }))
    throw std::runtime_error(
        "the results have no cell of two threads or more that can be predicted: without a pause, "
        "each on a processor of its own, with a primitive of this library");
  return all;
}

std::vector<error_row> errors_of(const std::vector<forecast>& all) {
  constexpr std::size_t fewest = 10;
  std::map<std::tuple<bool, std::string, std::string>, std::vector<double>> groups;
  for (const forecast& f : all) groups[{f.fitted, f.experiment, f.mode}].push_back(std::abs(f.error()));
  std::vector<error_row> rows;
  for (auto& [key, errors] : groups) {
    const auto& [fitted, experiment, mode] = key;
    std::sort(errors.begin(), errors.end());
    const auto ninth = errors.size() < fewest ? std::nullopt : std::optional{errors[nine_of_ten(errors.size())]};
    rows.push_back({fitted, experiment, mode, errors.size(), results::median(errors), ninth});
  }
  return rows;
}

std::optional<double> error_of_most(const std::vector<forecast>& all, const std::string& experiment) {
  constexpr std::size_t fewest = 20;
  std::vector<double> times;
  for (const forecast& f : all)
    if (f.experiment == experiment) times.push_back(std::max(f.median() / f.measured, f.measured / f.median()));
  if (times.size() < fewest) return std::nullopt;
  std::sort(times.begin(), times.end());
  return times[nine_of_ten(times.size())];
}

}  // namespace synchro::simulations
