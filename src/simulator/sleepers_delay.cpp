#include "simulator/sleepers_delay.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/statistics.hpp"

namespace synchro::simulator {

namespace {

/// Means over all sleepers: how many calls have been made when the own one has been, and how many of the own group are
/// woken before.
struct waits {
  double calls = 0, before = 0;
};

waits waits_of(unsigned sleepers, unsigned group) {
  waits sum;
  for (unsigned i = 0; i < sleepers; ++i) sum.calls += i / group + 1, sum.before += i % group;
  return {sum.calls / sleepers, sum.before / sleepers};
}

}  // namespace

std::optional<delay_fit> delay_of(unsigned sleepers, double call, const std::vector<mean_wake>& by_group) {
  constexpr std::size_t least_sizes = 4;
  constexpr double outside = 0.05;
  if (by_group.size() < least_sizes) return std::nullopt;
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const mean_wake& m : by_group) {
    const waits w = waits_of(sleepers, std::max(1U, m.group));
    const double late = m.mean - call * w.calls;
    x += w.before, y += late, xx += w.before * w.before, xy += w.before * late, yy += late * late;
  }
  const auto n = static_cast<double>(by_group.size());
  const double sxx = xx - x * x / n, sxy = xy - x * y / n, syy = yy - y * y / n;
  if (!(sxx > 0)) return std::nullopt;
  const double slope = sxy / sxx, freedom = n - 2;
  const double error = std::sqrt(std::max(0.0, syy - slope * sxy) / freedom / sxx);
  const double reach = results::student_limit(outside, freedom) * error;
  return delay_fit{slope, slope - reach, slope + reach};
}

}  // namespace synchro::simulator
