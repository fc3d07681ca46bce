#include "measure/timing.hpp"

#include <array>
#include <utility>

#include "platform/clock.hpp"

namespace synchro::measure {

double clock_step_ns() { return platform::tick_clock::get().facts().resolution_ns; }

bool too_short_for_the_clock(double interval_ns) { return interval_ns < 20 * clock_step_ns(); }

std::map<std::string, double> tail_quantiles(const std::vector<double>& samples) {
  static constexpr std::array<std::pair<const char*, double>, 5> asked{
      {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}}};
  std::map<std::string, double> known;
  for (const auto& [name, q] : asked)
    if (const auto value = results::quantile(samples, q)) known[name] = *value;
  return known;
}

timed_singly time_singly(const std::vector<double>& ns, double step_ns) {
  constexpr double fewest_steps = 4;
  timed_singly told{results::median_in_steps(ns, step_ns), tail_quantiles(ns), false};
  told.quantiles["p50"] = told.median;
  told.too_short = told.median < fewest_steps * step_ns;
  return told;
}

}  // namespace synchro::measure
