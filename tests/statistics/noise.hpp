// Repetitions of what does not differ, for null studies.

#ifndef SYNCHRO_TESTS_STATISTICS_NOISE_HPP
#define SYNCHRO_TESTS_STATISTICS_NOISE_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "statistics/random.hpp"

namespace synchro::tests {

/// Repetitions of a cell whose true value is 100, with 3 % of noise.
class noise {
 public:
  explicit noise(std::uint64_t seed) : dice_{seed} {}
  std::vector<double> repetitions(std::size_t n, double times = 1) {
    std::vector<double> values(n);
    for (double& v : values) v = 100 * times * std::exp(0.03 * normal());
    return values;
  }

 private:
  /// Above 0 and below 1.
  double uniform() { return (static_cast<double>(dice_.next() >> 12) + 0.5) * std::ldexp(1, -52); }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  statistics::random_numbers dice_;
};

}  // namespace synchro::tests

#endif
