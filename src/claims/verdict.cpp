#include "claims/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/interval.hpp"
#include "results/paired.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "statistics/statistics.hpp"

namespace synchro::claims {

using results::cell;

std::string to_string(verdict v) {
  switch (v) {
    case verdict::holds:
      return "holds";
    case verdict::fails:
      return "does not hold";
    case verdict::unresolved:
      return "not resolved";
    case verdict::unmeasured:
      return "not measured";
    case verdict::none:
      break;
  }
  return "no verdict";
}

std::string in_words(const estimate& e) {
  const std::string value = results::quantity(e.value, e.unit, false);
  if (!e.ci) return value + " (no interval)";
  return results::with_interval(value, results::interval(e.ci->first, e.ci->second, e.unit, false));
}

namespace {

bool is_sure(const cell& c) { return c.valid && (c.quality == results::flag::ok || c.quality == results::flag::noisy); }

/// The logarithms of a sample; empty unless all are above zero.
std::vector<double> logs_of(const std::vector<double>& samples) {
  std::vector<double> logs;
  for (const double v : samples) {
    if (!(v > 0)) return {};
    logs.push_back(std::log(v));
  }
  return logs;
}

/// Two samples on their own.
std::optional<std::pair<double, double>> independent_ratio(const cell& a, const cell& b, double confidence) {
  const bool enough = std::min(a.samples.size(), b.samples.size()) >= results::fewest_for_an_interval;
  const auto shift = results::shift_between(logs_of(b.samples), logs_of(a.samples));
  if (enough && shift && shift->error > 0) {  // equal values say nothing of how far others might be
    // The interval is of trimmed means, and the medians are what is shown.
    const auto [low, high] = shift->interval(confidence);
    const double shown = *a.value / *b.value;
    return std::pair{std::min(std::exp(low), shown), std::max(std::exp(high), shown)};
  }
  if (confidence != usual_confidence || !a.ci || !b.ci || b.ci->first <= 0) return std::nullopt;
  return std::pair{a.ci->first / b.ci->second, a.ci->second / b.ci->first};
}

}  // namespace

std::optional<estimate> estimate_of(const cell& c, double confidence) {
  if (!c.valid || !c.value) return std::nullopt;
  estimate e{*c.value, std::nullopt, results::printable_ascii(c.unit, 12)};
  if (!is_sure(c)) return e;
  e.ci = confidence == usual_confidence ? c.ci : results::median_interval(c.samples, confidence);
  return e;
}

std::optional<estimate> ratio_of(const cell& a, const cell& b, double confidence) {
  if (!a.valid || !b.valid || !a.value || !b.value || *b.value <= 0) return std::nullopt;
  const bool sure = is_sure(a) && is_sure(b);
  if (const auto paired = results::paired_ratio(a, b, confidence); paired && paired->ci)
    return estimate{paired->value, sure ? paired->ci : std::nullopt};
  return estimate{*a.value / *b.value, sure ? independent_ratio(a, b, confidence) : std::nullopt};
}

estimate quotient(const estimate& a, const estimate& b) {
  estimate e{a.value / b.value, std::nullopt};
  if (a.ci && b.ci && b.ci->first > 0) e.ci = std::pair{a.ci->first / b.ci->second, a.ci->second / b.ci->first};
  return e;
}

verdict within(const estimate& e, const range& r) {
  if (!e.ci || !std::isfinite(e.ci->first) || !std::isfinite(e.ci->second)) return verdict::unresolved;
  const auto [low, high] = *e.ci;
  if ((r.least == 1 && low == 1) || (r.most == 1 && high == 1)) return verdict::unresolved;
  if (low >= r.least && high <= r.most) return verdict::holds;
  return high < r.least || low > r.most ? verdict::fails : verdict::unresolved;
}

std::optional<deviation> off_number(double found, double claimed) {
  if (!(found > 0) || !(claimed > 0)) return std::nullopt;
  return deviation{found / claimed, false};
}

std::optional<deviation> off_range(double found, const range& r) {
  if (!(found > 0)) return std::nullopt;
  return deviation{found / std::clamp(found, r.least, r.most), true};
}

std::optional<deviation> farthest(const std::vector<std::optional<deviation>>& all) {
  std::optional<deviation> most;
  for (const auto& d : all)
    if (d && (!most || d->factor() > most->factor())) most = d;
  return most;
}

finding missing(std::string what) { return {verdict::unmeasured, std::move(what)}; }

finding of_other_machines(std::string why) {
  finding f = missing(std::move(why));
  f.is_of_others = true;
  return f;
}

finding judged(const std::optional<estimate>& e, const range& r, const std::string& what, const std::string& nothing) {
  if (!e) return missing(nothing);
  return {within(*e, r), what + in_words(*e), *e, off_range(e->value, r)};
}

namespace {

verdict worst_of(const std::vector<finding>& parts) {
  for (const verdict v : {verdict::fails, verdict::unmeasured, verdict::unresolved})
    if (std::any_of(parts.begin(), parts.end(), [&](const finding& f) { return f.is == v; })) return v;
  return verdict::holds;
}

std::optional<deviation> farthest_of(const std::vector<finding>& parts) {
  std::vector<std::optional<deviation>> all;
  for (const finding& f : parts) {
    if (f.measured && !f.off) return std::nullopt;
    all.push_back(f.off);
  }
  return farthest(all);
}

std::string counted(const std::vector<finding>& parts) {
  const auto count = [&](verdict v) {
    return std::count_if(parts.begin(), parts.end(), [&](const finding& f) { return f.is == v; });
  };
  const std::size_t measured = parts.size() - static_cast<std::size_t>(count(verdict::unmeasured));
  if (measured == 0) return "";
  const auto in_words = [&](verdict v, const char* one, const char* many) {
    const auto n = count(v);
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  return fmt::format("of {} comparison{} {}, {}, {}; for example ", measured, measured == 1 ? "" : "s",
                     in_words(verdict::holds, "agrees", "agree"), in_words(verdict::fails, "disagrees", "disagree"),
                     in_words(verdict::unresolved, "is not resolved", "are not resolved"));
}

}  // namespace

finding all_of(const std::vector<finding>& parts, const std::string& nothing) {
  if (parts.empty()) return missing(nothing);
  if (parts.size() == 1) return parts.front();
  constexpr std::size_t few = 3;
  finding whole{worst_of(parts), parts.size() > few ? counted(parts) : ""};
  std::vector<std::string> told;  // two parts may miss the same
  for (const finding& f : parts) {
    if (f.is != whole.is || told.size() == (parts.size() > few ? 1 : few)) continue;
    if (!whole.measured) whole.measured = f.measured;
    if (std::find(told.begin(), told.end(), f.sentence) == told.end()) told.push_back(f.sentence);
  }
  std::string names;
  for (const std::string& one : told) names = results::joined(names, "; ", one);
  whole.sentence += names;
  whole.by_the_protocol =
      std::all_of(parts.begin(), parts.end(), [&](const finding& f) { return f.is != whole.is || f.by_the_protocol; });
  whole.off = farthest_of(parts);
  return whole;
}

}  // namespace synchro::claims
