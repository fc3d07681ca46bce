#include "results/paired.hpp"

#include <algorithm>
#include <map>
#include <vector>

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

}  // namespace

std::optional<ratio> paired_ratio(const cell& a, const cell& b, double confidence) {
  std::vector<double> left;
  std::vector<double> right;
  const auto others = by_repetition(b);
  for (const auto& [repetition, value] : by_repetition(a))
    if (const auto found = others.find(repetition); found != others.end() && found->second > 0 && value > 0) {
      left.push_back(value);
      right.push_back(found->second);
    }
  if (left.empty()) return std::nullopt;
  ratio r = paired_ratio(left, right);
  std::transform(left.begin(), left.end(), right.begin(), left.begin(), [](double x, double y) { return x / y; });
  r.ci = median_interval(left, confidence);
  return r;
}

}  // namespace synchro::results
