#include "advice/known.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "advice/recommendation.hpp"
#include "results/doubt.hpp"
#include "results/origin.hpp"
#include "results/paired.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "views/findings.hpp"

namespace synchro::advice {

using claims::cells;
using results::cell;

namespace {

constexpr double usual_cycle_ns = 0.4;  // where a document does not say its clock's rate

double cycle_of(const results::document& d) {
  const auto hz = d.clock.is_object() ? d.clock.find("hz") : d.clock.end();
  if (!d.clock.is_object() || hz == d.clock.end() || !hz->is_number()) return usual_cycle_ns;
  const double rate = hz->get<double>();
  return rate > 1e6 && rate < 1e12 ? 1e9 / rate : usual_cycle_ns;
}

}  // namespace

confidence no_surer_than(const std::vector<cell>& figures, confidence c) {
  if (figures.empty() || !results::is_precise(figures.front())) return confidence::low;
  return std::all_of(figures.begin(), figures.end(), results::is_precise) ? c : std::max(c, confidence::medium);
}

std::string to_string(confidence c) {
  switch (c) {
    case confidence::high:
      return "high";
    case confidence::medium:
      return "medium";
    case confidence::low:
      return "low";
    case confidence::rule:
      break;
  }
  return "a rule";
}

cell without_samples(const cell& c) {
  cell kept = c;
  kept.samples.clear();
  kept.quantiles.clear();
  kept.noise = nullptr;
  return kept;
}

results::document taken_together(const std::vector<results::document>& all) {
  if (all.empty()) throw std::runtime_error{"there are no results"};
  for (const results::document& d : all) {
    if (const auto why = results::why_no_evidence(d)) throw std::runtime_error{"a file " + *why};
    if (results::runs_of(d).size() > 1)
      throw std::runtime_error{
          "a file holds several simulated machines, and advice is for one: simulate each into its own file"};
    if (const auto other = results::other_machine(all.front(), d); !other.empty())
      throw std::runtime_error{"the files are of different machines: " + results::printable(other.front(), 200)};
  }
  results::document whole = all.front();
  for (auto d = all.begin() + 1; d != all.end(); ++d)
    for (const cell& c : d->cells) whole.cells.push_back(c);
  whole.cells = results::runs_of(whole).front().cells;  // without the coordinate `machine`, if they have it
  // Where a cell was measured twice, the first is asked.
  std::reverse(whole.cells.begin(), whole.cells.end());
  if (claims::evidence{whole}.processors() == 0)
    throw std::runtime_error{"the results do not say how many processors they are of"};
  return whole;
}

known::known(const results::document& d) : document_{d}, cells_{d}, cycle_ns_{cycle_of(d)} {}

std::string known::how_to_repeat(const std::string& what) const { return results::how_to_repeat(document_, what); }

cells with_about(const cells& all, std::int64_t threads, const known& k, std::int64_t more) {
  const auto far = [&](std::int64_t n) {
    return std::abs(std::log2(static_cast<double>(n) / static_cast<double>(threads)));
  };
  std::int64_t best = 0;
  for (const std::int64_t n : claims::numbers_of(all, "threads"))
    if (n > 0 && k.shares_processors(n + more) == k.shares_processors(threads + more) &&
        (best == 0 || far(n) < far(best)))
      best = n;
  return best == 0 ? cells{} : claims::those(all, {claims::is("threads", best)});
}

std::optional<claims::estimate> lead_of(const cell& a, const cell& b, std::size_t among) {
  const cell &over = a.direction == results::better::higher ? a : b, &under = &over == &a ? b : a;
  if (!over.value || !under.value || !(*under.value > 0)) return std::nullopt;
  if (const auto paired = results::paired_ratio_among(over, under, among); paired && paired->ci)
    return claims::estimate{paired->value, paired->ci};
  return claims::estimate{*over.value / *under.value, std::nullopt};
}

bool is_ahead(const std::optional<claims::estimate>& lead, double least) {
  return lead && lead->ci && lead->ci->first > least;
}

bool is_at_most(const std::optional<claims::estimate>& lead, double most) {
  return lead && lead->ci && lead->ci->second <= most;
}

bool are_equal(const std::optional<claims::estimate>& lead, double most) {
  return is_at_most(lead, most) && lead->ci->first >= 1 / most;
}

bool says_nothing(const std::optional<claims::estimate>& lead) {
  constexpr double large = 1.5;
  return !is_ahead(lead) && !is_at_most(lead, large);
}

std::string figure(const cell& c) {
  if (!c.value) return "not measured";
  if (c.ci) return views::with_interval(c);
  return results::quantity(*c.value, results::printable_ascii(c.unit, 12), false) + " (no interval)";
}

std::string bare_figure(const cell& c) { return figure(c).substr(0, figure(c).find(" (")); }

std::string word(const cell& c, const char* axis) { return results::printable_ascii(claims::word_at(c, axis), 40); }

}  // namespace synchro::advice
