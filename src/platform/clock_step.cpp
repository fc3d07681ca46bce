#include "platform/clock_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace synchro::platform {

namespace {

/// The step near `whole` of which the intervals, which rise, are multiples: by the sum of all so far, as the longer ones
/// tell its fraction, but only the shorter ones what multiple they are.
double fitted(double whole, const std::vector<std::uint64_t>& rising) {
  double step = whole, ticks = 0, steps = 0;
  for (const std::uint64_t interval : rising) {
    const double multiple = std::round(static_cast<double>(interval) / step);
    ticks += static_cast<double>(interval);
    steps += multiple;
    if (multiple > 0) step = ticks / steps;
  }
  return step;
}

/// Whether (nearly) all intervals are multiples, but for the rounding of a tick that scaling leaves.
bool divides(double step, const std::vector<std::uint64_t>& intervals) {
  const auto strays = std::count_if(intervals.begin(), intervals.end(), [step](std::uint64_t interval) {
    const auto ticks = static_cast<double>(interval);
    const double multiple = std::round(ticks / step);
    return multiple == 0 || std::abs(ticks - multiple * step) > 1;
  });
  return static_cast<std::size_t>(strays) * 50 <= intervals.size();
}

}  // namespace

double step_of(const std::vector<std::uint64_t>& intervals) {
  constexpr int largest = 1000, more_than_rounding = 4;
  constexpr std::size_t enough = 1000;
  if (intervals.size() < enough) return 1;
  std::vector<std::uint64_t> rising{intervals.begin(), intervals.begin() + enough};
  std::sort(rising.begin(), rising.end());
  rising.resize(enough - enough / 50);  // the longest were interrupted
  for (int whole = largest; whole >= more_than_rounding; --whole)
    if (const double step = fitted(whole, rising); divides(step, rising)) return step;
  return 1;
}

}  // namespace synchro::platform
