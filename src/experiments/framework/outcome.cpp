#include "experiments/framework/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/comparable.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using json = nlohmann::ordered_json;

/// The energy metrics, which the runner adds to every cell where the meter can be read.
const metric power{"power", "W", better::lower, "Energy of all packages in a repetition, divided by its duration."};
const metric energy{"energy", "J", better::lower,
                    "Power divided by the first metric whose unit is op/s: energy of all packages for one operation."};

const observation* find_observation(const trial& t, const std::string& name, const coordinates& within = {}) {
  for (const observation& o : t.result.observations)
    if (o.metric == name && o.within == within) return &o;
  return nullptr;
}

std::optional<double> watts(const trial& t) {
  if (!t.joules || t.seconds <= 0) return std::nullopt;
  return *t.joules / t.seconds;
}

/// A repetition's value of a metric, its own or one of energy.
std::optional<double> value_of(const experiment& e, const trial& t, const std::string& name,
                               const coordinates& within = {}) {
  if (const observation* o = find_observation(t, name, within)) return o->value;
  if (!within.entries().empty()) return std::nullopt;
  if (name == power.name) return watts(t);
  if (name != energy.name) return std::nullopt;
  const auto rate = std::find_if(e.metrics.begin(), e.metrics.end(), [](const metric& m) { return m.unit == "op/s"; });
  if (rate == e.metrics.end()) return std::nullopt;
  const observation* o = find_observation(t, rate->name);
  const auto w = watts(t);
  if (o == nullptr || o->value <= 0 || !w) return std::nullopt;
  return *w / o->value;
}

/// The sum over the trials, null if a trial does not know.
template <class Get>
json sum_of(const std::vector<const trial*>& trials, Get get) {
  std::uint64_t sum = 0;
  for (const trial* t : trials) {
    const std::optional<std::uint64_t> one = get(*t);
    if (!one) return nullptr;
    sum += *one;
  }
  return sum;
}

template <class Get>
json list_of(const std::vector<const trial*>& trials, Get get) {
  json list = json::array();
  for (const trial* t : trials) {
    const auto one = get(*t);
    list.push_back(one ? json(*one) : json(nullptr));
  }
  return list;
}

/// Finer digits say nothing about a repetition.
std::optional<double> to_microseconds(double seconds) { return std::round(seconds * 1e6) / 1e6; }

std::optional<long long> to_megahertz(std::optional<double> hz) {
  return hz ? std::optional{std::llround(*hz / 1e6)} : std::nullopt;
}

json noise_of(const record& r, const std::vector<const trial*>& trials) {
  json noise = json::object();
  noise["processors"] = r.processors;
  noise["repetition"] = list_of(trials, [](const trial& t) { return std::optional{t.index}; });
  noise["involuntary_switches"] =
      sum_of(trials, [](const trial& t) { return std::optional{t.result.involuntary_switches}; });
  noise["run_delay_ns"] = sum_of(trials, [](const trial& t) { return std::optional{t.result.run_delay_ns}; });
  noise["migrations"] = sum_of(trials, [](const trial& t) { return std::optional{t.result.migrations}; });
  noise["steal_ns"] = sum_of(trials, [](const trial& t) { return t.steal_ns; });
  noise["core_mhz"] = list_of(trials, [](const trial& t) { return to_megahertz(t.core_hz); });
  noise["seconds"] = list_of(trials, [](const trial& t) { return to_microseconds(t.seconds); });
  if (std::any_of(trials.begin(), trials.end(), [](const trial* t) { return t->joules.has_value(); }))
    noise["joules"] = list_of(trials, [](const trial& t) { return t.joules; });
  if (r.probed && std::any_of(trials.begin(), trials.end(), [](const trial* t) { return t->before || t->after; }))
    noise["probes_ns"] = list_of(trials, [](const trial& t) -> std::optional<json> {
      if (!t.before || !t.after) return std::nullopt;
      return json::array({*t.before, *t.after});
    });
  return noise;
}

std::optional<double> probe_of(const std::vector<const trial*>& trials) {
  std::vector<double> probes;
  for (const trial* t : trials)
    if (t->before && t->after) probes.insert(probes.end(), {*t->before, *t->after});
  return probes.empty() ? std::nullopt : std::optional{results::median(probes)};
}

/// Those of trials that are all alike.
std::map<std::string, double> conditions_of(const std::vector<const trial*>& trials) {
  std::map<std::string, std::vector<double>> all;
  for (const trial* t : trials)
    for (const auto& [name, value] : t->result.conditions) all[name].push_back(value);
  std::map<std::string, double> medians;
  for (const auto& [name, values] : all) medians[name] = results::median(values);
  return medians;
}

/// Quantiles are taken inside repetitions; a cell has the median of each over the repetitions that may tell it.
std::map<std::string, double> quantiles_of(const std::vector<const trial*>& trials, const std::string& name,
                                           const coordinates& within) {
  std::map<std::string, std::vector<double>> all;
  for (const trial* t : trials)
    if (const observation* o = find_observation(*t, name, within))
      for (const auto& [q, value] : o->quantiles) all[q].push_back(value);
  std::map<std::string, double> medians;
  for (const auto& [q, values] : all) medians[q] = results::median(values);
  return medians;
}

results::cell empty_cell(const record& r, const metric& m) {
  results::cell c;
  c.experiment = r.cell->what->name;
  c.at = r.cell->at;
  c.metric = m.name;
  c.unit = m.unit;
  c.direction = m.direction;
  return c;
}

results::cell cell_without_value(const record& r, const metric& m, const std::string& reason, bool valid = true) {
  results::cell c = empty_cell(r, m);
  c.valid = valid;
  c.reason = reason;
  results::summarize(c);
  return c;
}

/// The first repetition's remark or reason, found by `get`.
template <class Get>
std::optional<std::string> first_word(const std::vector<const trial*>& trials, Get get) {
  for (const trial* t : trials)
    if (const std::optional<std::string> word = get(*t)) return word;
  return std::nullopt;
}

std::optional<std::string> remark_on(const record& r, const std::vector<const trial*>& trials) {
  auto remark = first_word(trials, [](const trial& t) { return t.result.bounded; });
  if (!r.failed) return remark;
  const std::string failure = ended_early(r.trials.size(), r.cell->repetitions, *r.failed);
  return remark ? *remark + "; " + failure : failure;
}

std::string why_unavailable(const std::vector<const trial*>& trials, const std::string& name) {
  const auto reason = first_word(trials, [&](const trial& t) -> std::optional<std::string> {
    const auto why = t.result.unavailable.find(name);
    return why == t.result.unavailable.end() ? std::nullopt : std::optional{why->second};
  });
  return reason.value_or("the experiment does not measure this here");
}

/// One metric of one mode's trials, at one place within the cell.
results::cell cell_of(const record& r, const metric& m, const std::vector<const trial*>& trials,
                      const coordinates& within) {
  results::cell c = empty_cell(r, m);
  for (const auto& [name, value] : within.entries()) c.at.set(name, value);
  std::vector<const trial*> used;
  for (const trial* t : trials)
    if (const auto value = value_of(*r.cell->what, *t, m.name, within)) {
      used.push_back(t);
      c.samples.push_back(*value);
    }
  c.noise = noise_of(r, used);
  c.probe_ns = probe_of(used);
  c.conditions = conditions_of(used);
  for (const auto& [name, value] : within.entries()) c.noise["within"].push_back(name);
  if (used.empty()) {
    c.reason = why_unavailable(trials, m.name);
    results::summarize(c);
    return c;
  }
  c.quantiles = quantiles_of(used, m.name, within);
  c.reason = remark_on(r, trials);
  results::summarize(c,
                     std::any_of(used.begin(), used.end(),
                                 [&](const trial* t) {
                                   const observation* o = find_observation(*t, m.name, within);
                                   return t->result.clock_limited || (o != nullptr && o->clock_limited);
                                 }),
                     confidence_of(*r.cell, used.size()));
  return c;
}

std::vector<metric> metrics_of(const experiment& e, const std::vector<const trial*>& trials) {
  std::vector<metric> metrics = e.metrics;
  for (const metric& extra : {power, energy})
    if (std::any_of(trials.begin(), trials.end(),
                    [&](const trial* t) { return value_of(e, *t, extra.name).has_value(); }))
      metrics.push_back(extra);
  return metrics;
}

/// The places within the cell at which a metric was measured, in the order in which they came; the cell itself if nowhere.
std::vector<coordinates> places_of(const metric& m, const std::vector<const trial*>& trials) {
  std::vector<coordinates> places;
  for (const trial* t : trials)
    for (const observation& o : t->result.observations)
      if (o.metric == m.name && std::find(places.begin(), places.end(), o.within) == places.end())
        places.push_back(o.within);
  if (places.empty()) places.emplace_back();
  return places;
}

std::vector<results::cell> one_reason(const record& r, const std::string& reason, bool valid = true) {
  std::vector<results::cell> cells;
  for (const metric& m : r.cell->what->metrics) cells.push_back(cell_without_value(r, m, reason, valid));
  return cells;
}

void add_mode(std::vector<results::cell>& cells, const record& r, const by_mode& sorted, std::size_t mode) {
  const std::vector<const trial*>& trials = sorted.groups[mode];
  for (const metric& m : metrics_of(*r.cell->what, trials))
    for (const coordinates& within : places_of(m, trials)) {
      results::cell c = cell_of(r, m, trials, within);
      if (!sorted.names.empty()) c.noise["mode"] = sorted.names[mode];
      if (!sorted.dropped.empty()) c.noise["dropped"] = sorted.dropped;
      if (mode != 0) c.at.set("mode", sorted.names[mode]);
      cells.push_back(std::move(c));
    }
}

std::string why_all_dropped(const by_mode& sorted) {
  std::string why;
  for (const auto& [reason, repetitions] : sorted.dropped)
    why += fmt::format("{}{} ({} repetition{})", why.empty() ? "" : "; ", reason, repetitions.size(),
                       repetitions.size() == 1 ? "" : "s");
  return why;
}

/// Of samples taken under different conditions, those under the most frequent ones stay.
void keep_one_condition(std::vector<const trial*>& group, std::map<std::string, std::vector<unsigned>>& dropped) {
  const auto as_first = [&](const trial* t) {
    return results::alike(t->result.conditions, group.front()->result.conditions);
  };
  if (std::all_of(group.begin(), group.end(), as_first)) return;
  const auto company = [&](const trial* t) {
    return std::count_if(group.begin(), group.end(), [&](const trial* other) {
      return results::alike(t->result.conditions, other->result.conditions);
    });
  };
  const trial* const typical = *std::max_element(
      group.begin(), group.end(), [&](const trial* a, const trial* b) { return company(a) < company(b); });
  std::erase_if(group, [&](const trial* t) {
    if (results::alike(t->result.conditions, typical->result.conditions)) return false;
    dropped["the protocol set something else than in most repetitions"].push_back(t->index);
    return true;
  });
}

}  // namespace

const measure::mode_map& probe_log::modes_of(platform::distance apart) const {
  static const std::vector<probe> none;
  const auto found = probes_.find(apart);
  const std::vector<probe>& all = found == probes_.end() ? none : found->second;
  const auto known = known_.find(apart);
  if (known != known_.end() && known->second.probes == all.size()) return known->second.modes;
  std::vector<double> values;
  for (const probe& p : all) values.push_back(p.one_way_ns);
  return known_.insert_or_assign(apart, known_modes{all.size(), measure::mode_map{values}}).first->second.modes;
}

const std::vector<const trial*>& by_mode::largest() const {
  return *std::max_element(groups.begin(), groups.end(),
                           [](const auto& a, const auto& b) { return a.size() < b.size(); });
}

by_mode sort_by_mode(const record& r, const probe_log& probes) {
  by_mode sorted;
  static const measure::mode_map no_modes{{}};
  const measure::mode_map& modes = r.probed ? probes.modes_of(r.probed->apart) : no_modes;
  if (modes.modes().size() > 1)
    for (const auto& mode : modes.modes()) sorted.names.push_back(mode.name);
  sorted.groups.resize(std::max<std::size_t>(1, sorted.names.size()));
  for (const trial& t : r.trials) {
    if (t.result.void_because) {
      sorted.dropped[*t.result.void_because].push_back(t.index);
    } else if (sorted.names.empty()) {
      sorted.groups[0].push_back(&t);
    } else if (!t.before || !t.after) {
      sorted.dropped["the distance of the processors could not be probed"].push_back(t.index);
    } else if (const auto mode = modes.of(*t.before, *t.after)) {
      sorted.groups[*mode].push_back(&t);
    } else {
      sorted.dropped["the processors moved meanwhile"].push_back(t.index);
    }
  }
  for (auto& group : sorted.groups) keep_one_condition(group, sorted.dropped);
  return sorted;
}

double confidence_of(const planned_cell& cell, std::size_t samples) { return samples > cell.repetitions ? 0.99 : 0.95; }

std::vector<double> samples_of(const std::vector<const trial*>& trials, const std::string& metric) {
  std::vector<double> samples;
  for (const trial* t : trials)
    if (const observation* o = find_observation(*t, metric)) samples.push_back(o->value);
  return samples;
}

std::vector<results::cell> cells_of(const record& r, const probe_log& probes) {
  for (const trial& t : r.trials)
    if (t.result.broken) return one_reason(r, *t.result.broken, false);
  if (r.trials.empty() && r.cell->unavailable) return one_reason(r, *r.cell->unavailable);
  if (r.trials.empty()) return r.failed ? one_reason(r, *r.failed) : std::vector<results::cell>{};
  const by_mode sorted = sort_by_mode(r, probes);
  std::vector<results::cell> cells;
  for (std::size_t m = 0; m < sorted.groups.size(); ++m)
    if (!sorted.groups[m].empty()) add_mode(cells, r, sorted, m);
  if (!cells.empty()) return cells;
  cells = one_reason(r, why_all_dropped(sorted));
  for (results::cell& c : cells) c.noise = {{"dropped", sorted.dropped}};
  return cells;
}

std::optional<results::warning> warning_about_modes(const probe_log& probes) {
  json distances = json::array();
  std::string first;
  for (const auto& [apart, all] : probes.all()) {
    const measure::mode_map& map = probes.modes_of(apart);
    if (map.modes().size() < 2) continue;
    json modes = json::array();
    for (const auto& mode : map.modes())
      modes.push_back({{"mode", mode.name}, {"one_way_ns", mode.probe_ns}, {"probes", mode.probes}});
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (const probe_log::probe& p : all) pairs.insert(std::minmax(p.first, p.second));
    if (first.empty())
      first = fmt::format("between processors {} and {} a hand-off took {:.0f} ns at times and {:.0f} ns at others",
                          pairs.begin()->first, pairs.begin()->second, map.modes().front().probe_ns,
                          map.modes().back().probe_ns);
    distances.push_back({{"distance", platform::to_string(apart)},
                         {"processors", pairs},
                         {"probes", all.size()},
                         {"modes", std::move(modes)}});
  }
  if (distances.empty()) return std::nullopt;
  return results::warning{
      "modes",
      {{"distances", std::move(distances)}},
      "The processors moved during the run, as those of a virtual machine do: " + first +
          ". The values shown are those of the near mode; the others are listed separately, marked by their mode."};
}

std::vector<results::warning> warnings_of(const std::vector<record>& records) {
  std::vector<std::pair<std::string, json>> sentences;
  for (const record& r : records)
    for (const trial& t : r.trials)
      for (const std::string& sentence : t.result.warnings) {
        auto known =
            std::find_if(sentences.begin(), sentences.end(), [&](const auto& s) { return s.first == sentence; });
        if (known == sentences.end())
          known = sentences.insert(
              known, {sentence, {{"repetitions", 0U}, {"first", key_of(r.cell->what->name, r.cell->at)}}});
        known->second["repetitions"] = known->second["repetitions"].get<unsigned>() + 1;
      }
  std::vector<results::warning> warnings;
  for (auto& [sentence, evidence] : sentences) warnings.push_back({"repetition", std::move(evidence), sentence});
  return warnings;
}

}  // namespace synchro::experiments
