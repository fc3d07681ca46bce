#include "results/paired.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "statistics/look.hpp"

namespace synchro::results {

namespace {

/// The repetitions of a cell by their number in the run.
std::map<std::size_t, double> by_repetition(const cell& c) {
  std::map<std::size_t, double> samples;
  const auto numbers = c.noise.is_object() ? c.noise.find("repetition") : c.noise.end();
  const bool numbered =
      c.noise.is_object() && numbers != c.noise.end() && numbers->is_array() && numbers->size() == c.samples.size() &&
      std::all_of(numbers->begin(), numbers->end(), [](const auto& n) { return n.is_number_unsigned(); });
  for (std::size_t i = 0; i < c.samples.size(); ++i)
    samples[numbered ? (*numbers)[i].get<std::size_t>() : i] = c.samples[i];
  return samples;
}

/// Values of both in the same repetition, each above zero.
struct paired_values {
  std::vector<double> left, right;

  paired_values(const cell& a, const cell& b) {
    const auto others = by_repetition(b);
    for (const auto& [repetition, value] : by_repetition(a))
      if (const auto found = others.find(repetition); found != others.end() && found->second > 0 && value > 0) {
        left.push_back(value);
        right.push_back(found->second);
      }
  }

  [[nodiscard]] std::vector<double> ratios() const {
    std::vector<double> all(left.size());
    std::transform(left.begin(), left.end(), right.begin(), all.begin(), [](double x, double y) { return x / y; });
    return all;
  }
};

}  // namespace

std::optional<ratio> paired_ratio(const cell& a, const cell& b, double confidence) {
  const paired_values both{a, b};
  if (both.left.empty()) return std::nullopt;
  ratio r = paired_ratio(both.left, both.right);
  r.ci = median_interval(both.ratios(), confidence);
  return r;
}

std::optional<ratio> paired_ratio_among(const cell& a, const cell& b, std::size_t k) {
  const paired_values both{a, b};
  if (both.left.empty()) return std::nullopt;
  ratio r = paired_ratio(both.left, both.right);
  r.ci = statistics::interval_among(both.ratios(), k);
  return r;
}

bool differ_among(const cell& a, const cell& b, std::size_t k) {
  return statistics::resolved_among(paired_values{a, b}.ratios(), k);
}

}  // namespace synchro::results
