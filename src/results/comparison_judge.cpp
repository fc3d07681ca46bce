#include "results/comparison_judge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "statistics/statistics.hpp"

namespace synchro::results {

namespace {

// The tails of the tests are not exact for six or seven repetitions, nor for a few runs: in all it stays below 5 %.
constexpr double level = 0.02;

bool is_finite(double v) { return std::isfinite(v); }

/// Whether the samples are those that the value was made from; files may be edited by hand.
bool has_own_samples(const cell& c) {
  if (c.samples.empty() || !std::all_of(c.samples.begin(), c.samples.end(), is_finite)) return false;
  return std::abs(median(c.samples) - *c.value) <= 1e-9 * std::abs(*c.value);
}

bool positive(const cell& c) {
  return *c.value > 0 && std::all_of(c.samples.begin(), c.samples.end(), [](double v) { return v > 0; }) &&
         (!c.ci || c.ci->first > 0);
}

/// Positive values are compared by logarithms, whose differences are ratios; others by the values.
using view = double (*)(double);
view view_of(bool as_ratio) {
  return as_ratio ? +[](double v) { return std::log(v); } : +[](double v) { return v; };
}

std::vector<double> seen(const std::vector<double>& values, view as) {
  std::vector<double> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(), as);
  return out;
}

/// The test of one cell.
struct tested {
  bool as_ratio;
  std::optional<shift> by;  ///< Nothing if it is not known.
  double allowed = 0;       ///< What two runs may differ by without a cause, in units of `by`.
  double between_runs = 0;  ///< The same in parts of the value.
};
using tests = std::vector<tested>;

/// Which cells show what runs of the others differ by.
using kind = std::tuple<std::string, std::string, std::string, bool, bool>;

bool has_several_processors(const cell& c) {
  if (c.noise.is_object() && c.noise.contains("processors") && c.noise.at("processors").is_array())
    return c.noise.at("processors").size() > 1;
  if (const coordinate* const threads = c.at.find("threads"))
    if (const auto* const n = std::get_if<std::int64_t>(threads)) return *n > 1;
  return c.probe_ns.has_value();
}

kind kind_of(const compared& c, bool as_ratio) {
  return {c.a->experiment, c.a->metric, c.a->unit, has_several_processors(*c.a), as_ratio};
}

// One run of each side.

/// How far the middles are apart by the intervals, for files without samples.
std::optional<shift> shift_of_intervals(const cell& a, const cell& b, view as) {
  if (!a.ci || !b.ci) return std::nullopt;
  constexpr double errors_in_95_percent = 1.96;
  const auto error = [&](const cell& c) { return (as(c.ci->second) - as(c.ci->first)) / 2 / errors_in_95_percent; };
  return shift{as(*b.value) - as(*a.value), std::hypot(error(a), error(b)),
               static_cast<double>(std::min(a.n, b.n) - 1)};
}

std::optional<shift> shift_of_repetitions(const cell& a, const cell& b, view as) {
  if (a.n < fewest_for_an_interval || b.n < fewest_for_an_interval) return std::nullopt;
  if (has_own_samples(a) && has_own_samples(b)) return shift_between(seen(a.samples, as), seen(b.samples, as));
  return shift_of_intervals(a, b, as);
}

/// How much two runs of one program were found to differ at most, in cells of one processor and of several, where
/// noise inside the runs did not show it; and what single runs may differ by in any case. As ratios.
constexpr double most_of_one_processor = 1.5;
constexpr double most_of_several = 4;
constexpr double least_between_runs = 1.05;

double most_between_runs(const cell& c) { return has_several_processors(c) ? most_of_several : most_of_one_processor; }

/// With fewer cells, nine in ten say nothing about the tenth.
constexpr std::size_t enough_of_a_kind = 20;
/// Fewer cells say nothing of each other's scatter.
constexpr std::size_t some_of_a_kind = 8;

/// What this share of them is at most.
double at_most(double share, std::vector<double> values) {
  const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

/// For each kind's values what `share` of them are at most, and how many there are.
struct quantile {
  double value = 0;
  std::size_t cells = 0;
};
std::map<kind, quantile> quantiles(const std::map<kind, std::vector<double>>& values, double share) {
  std::map<kind, quantile> found;
  for (const auto& [of, all] : values) found[of] = {at_most(share, all), all.size()};
  return found;
}

/// What one repetition scatters by, from how sure a shift between so many of them is.
double variance_of_one(const compared& c, const shift& by) {
  return by.error * by.error / (1 / static_cast<double>(c.a->n) + 1 / static_cast<double>(c.b->n));
}

/// Seven repetitions that happen to agree are no proof that a cell does not scatter. So its variance is the mean of its own
/// and of what two of five cells of its kind have at most, which counts for one degree of freedom (after Smyth 2004, as with
/// several runs).
void moderate(const std::vector<compared>& cells, tests& all) {
  constexpr double gained = 1, usual = 0.4;  // more would hide what a quiet cell shows among noisy ones
  std::map<kind, std::vector<double>> variances;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (all[i].by && all[i].as_ratio)
      variances[kind_of(cells[i], true)].push_back(variance_of_one(cells[i], *all[i].by));
  const auto usual_of = quantiles(variances, usual);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto found = usual_of.find(kind_of(cells[i], all[i].as_ratio));
    if (!all[i].by || found == usual_of.end() || found->second.cells < enough_of_a_kind) continue;
    shift& by = *all[i].by;
    const double own = variance_of_one(cells[i], by);
    const double moderated = (own * by.freedom + found->second.value * gained) / (by.freedom + gained);
    by.error = std::sqrt(moderated * (1 / static_cast<double>(cells[i].a->n) + 1 / static_cast<double>(cells[i].b->n)));
    by.freedom += gained;
  }
}

/// What nine of ten cells of a kind differ by at most beyond their noise: from 1, and from what is common to all of them.
struct usual {
  double from_none, from_common;
};

usual usual_of(const std::vector<shift>& shifts) {
  std::vector<double> values, from_none, from_common;
  for (const shift& s : shifts) values.push_back(s.value);
  const double common = median(values);
  for (const shift& s : shifts) {
    from_none.push_back(std::max(0.0, std::abs(s.value) - 2 * s.error));
    from_common.push_back(std::max(0.0, std::abs(s.value - common) - 2 * s.error));
  }
  return {at_most(0.9, std::move(from_none)), at_most(0.9, std::move(from_common))};
}

/// The scatter of kinds that have enough cells.
std::map<kind, usual> usual_differences(const std::vector<compared>& cells, const tests& all) {
  std::map<kind, std::vector<shift>> shifts;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (all[i].by && all[i].as_ratio) shifts[kind_of(cells[i], true)].push_back(*all[i].by);
  std::map<kind, usual> found;
  for (const auto& [of, those] : shifts)
    if (those.size() >= enough_of_a_kind) found.emplace(of, usual_of(those));
  return found;
}

/// What single runs may differ by in this cell without a cause, as the logarithm of a ratio. What moves all cells of a
/// kind together is believed to have a cause if it is larger than runs were ever seen to differ; what scatters is not.
double allowance(const compared& c, const std::map<kind, usual>& known) {
  const double most = std::log(most_between_runs(*c.a));
  const auto found = known.find(kind_of(c, true));
  if (found == known.end()) return most;
  const double together = std::clamp(2 * found->second.from_none, std::log(least_between_runs), most);
  return std::max(together, 2 * found->second.from_common);
}

/// As far as two repetitions are apart: what scatters so inside a run does so between runs.
double one_repetition(const compared& c, const shift& by) {
  return by.error * std::sqrt(static_cast<double>(std::min(c.a->n, c.b->n)));
}

tests of_repetitions(const std::vector<compared>& cells, bool runs_differ) {
  tests all;
  for (const compared& c : cells) {
    const bool as_ratio = positive(*c.a) && positive(*c.b);
    all.push_back({as_ratio, std::nullopt});
    if (!c.too_short) all.back().by = shift_of_repetitions(*c.a, *c.b, view_of(as_ratio));
  }
  if (!runs_differ) return all;
  moderate(cells, all);
  const std::map<kind, usual> known = usual_differences(cells, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    tested& t = all[i];
    if (!t.by) continue;
    const compared& c = cells[i];
    const double ratio = std::exp(t.as_ratio ? allowance(c, known) : std::log(most_between_runs(*c.a)));
    const double larger = std::max(std::abs(*c.a->value), std::abs(*c.b->value));
    t.allowed = (t.as_ratio ? std::log(ratio) : (1 - 1 / ratio) * larger) + one_repetition(c, *t.by);
    t.between_runs = ratio - 1;
  }
  return all;
}

// Several runs of each side.

tests of_runs(const std::vector<compared>& cells) {
  tests all;
  std::vector<std::pair<std::vector<double>, std::vector<double>>> sides;
  std::map<kind, std::vector<double>> of_kind;  // variances
  for (const compared& c : cells) {
    all.push_back({positive(*c.a) && positive(*c.b), std::nullopt});
    const view as = view_of(all.back().as_ratio);
    const auto& [a, b] = sides.emplace_back(seen(c.a->samples, as), seen(c.b->samples, as));
    if (const scatter own = scatter_within(a, b); own.freedom > 0)
      of_kind[kind_of(c, all.back().as_ratio)].push_back(own.squares / own.freedom);
  }
  const auto usual_of = quantiles(of_kind, 0.75);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const compared& c = cells[i];
    const auto& [a, b] = sides[i];
    tested& t = all[i];
    // Few very noisy cells (a mean) would hide what the others show; half of the cells scatter more than a median.
    const auto usual = usual_of.find(kind_of(c, t.as_ratio));
    const bool known = usual != usual_of.end() && usual->second.cells >= some_of_a_kind;
    t.by = moderated_shift(a, b, known ? std::optional{usual->second.value} : std::nullopt);
    if (c.too_short) t.by.reset();
    if (!t.by) continue;
    const auto runs = [](const std::vector<double>& side) { return 1 / static_cast<double>(side.size()); };
    const double of_one = t.by->error / std::sqrt(runs(a) + runs(b));
    t.between_runs =
        t.as_ratio ? std::exp(of_one) - 1 : of_one / std::max(std::abs(*c.a->value), std::abs(*c.b->value));
  }
  return all;
}

// All cells.

verdict judged(const std::pair<double, double>& interval, better direction) {
  const bool rises = interval.first > 0;
  const bool falls = interval.second < 0;
  if (!rises && !falls) return verdict::unresolved;
  if (direction == better::neither) return verdict::different;
  return rises == (direction == better::higher) ? verdict::better : verdict::worse;
}

void judge_cell(compared& c, const tested& t, double confidence) {
  c.p = t.by->p_value(t.allowed);
  c.between_runs = t.between_runs;
  std::pair<double, double> interval = t.by->interval(confidence, t.allowed);
  // The table shows medians; where the interval around the means does not hold their ratio, it is widened.
  const double shown = t.as_ratio ? std::log(*c.b->value / *c.a->value) : *c.b->value - *c.a->value;
  interval = {std::min(interval.first, shown), std::max(interval.second, shown)};
  if (t.as_ratio) c.ratio_ci = {std::exp(interval.first), std::exp(interval.second)};
  c.what = judged(interval, c.a->direction);
  c.as_runs_differ = c.what == verdict::unresolved && t.by->p_value() <= 1 - confidence;
}

}  // namespace

void judge(comparison& c) {
  const auto limited = [](const cell* one) { return one->quality == flag::clock_limited; };
  for (compared& x : c.cells) x.too_short = limited(x.a) || limited(x.b);  // where the clock's steps fall is chance
  const tests all = c.of == sample::runs ? of_runs(c.cells) : of_repetitions(c.cells, c.of == sample::repetitions);
  std::vector<double> p_values;
  for (const tested& t : all)
    if (t.by) p_values.push_back(t.by->p_value(t.allowed));
  c.confidence = 1 - false_discovery_limit(std::move(p_values), level);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].by) judge_cell(c.cells[i], all[i], c.confidence);
}

}  // namespace synchro::results
