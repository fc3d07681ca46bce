#include "statistics/race.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace synchro::statistics {

namespace {

struct moments {
  double mean = 0, deviation = 0;
};

moments moments_of(std::span<const double> values) {
  moments m;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) m.mean += (v - values.front()) / n;
  if (!values.empty()) m.mean += values.front();  // so that equal values have no deviation
  double squares = 0;
  for (const double v : values) squares += (v - m.mean) * (v - m.mean);
  if (values.size() > 1) m.deviation = std::sqrt(squares / (n - 1));
  return m;
}

}  // namespace

/// With the likelihood ratio of an effect (mean over deviation) that has a normal distribution of variance 1 / g, n values
/// whose t is given, and u = t^2 / (n - 1):
///
///   E = sqrt(g / (n + g)) * ((1 + u) / (1 + u g / (n + g)))^(n / 2)
///
/// E stays below 1 / miss up to a certain u, for which this is solved.
bounded_mean anytime_mean(std::span<const double> values, double miss, double least_scatter) {
  if (!(miss > 0 && miss < 1)) throw std::invalid_argument("a chance lies between 0 and 1");
  constexpr double g = 0.1;  // most is won where means lie three deviations apart: clear losers
  bounded_mean found;
  found.n = values.size();
  if (values.empty()) return found;
  const moments m = moments_of(values);
  found.value = m.mean;
  if (values.size() < 2) return found;
  const auto n = static_cast<double>(values.size());
  const double shrunk = g / (n + g);
  const double ratio = std::pow(1 / (miss * std::sqrt(shrunk)), 2 / n);
  const double left = 1 - ratio * shrunk;
  if (left <= 0) return found;  // so few values prove nothing, however large their t
  const double t = std::sqrt((ratio - 1) / left * (n - 1));
  found.reach = t * std::max(m.deviation, least_scatter) / std::sqrt(n);
  return found;
}

race::race(std::size_t contestants, double miss)
    : contestants_{contestants},
      miss_{miss / static_cast<double>(std::max<std::size_t>(2, contestants) - 1)},
      beaten_(contestants),
      disqualified_(contestants) {
  if (contestants == 0) throw std::invalid_argument("a race has contestants");
}

void race::add(const round_of_race& round, double control) {
  if (round.size() != contestants_) throw std::invalid_argument("a round has a place for each contestant");
  if (!round[0]) throw std::invalid_argument("the yardstick runs in each round");
  rounds_.push_back(round);
  controls_.push_back(control - *round[0]);
  drop_those_behind();
}

void race::disqualify(std::size_t i) { disqualified_.at(i) = true; }

/// All by what was known before the first of them is dropped.
void race::drop_those_behind() {
  std::vector<std::optional<defeat>> found(contestants_);
  for (std::size_t i = 0; i < contestants_; ++i)
    for (std::size_t j = 0; j < contestants_ && in(i) && !found[i]; ++j)
      if (j != i && in(j) && difference(i, j).above_zero()) found[i] = defeat{rounds(), j};
  for (std::size_t i = 0; i < contestants_; ++i)
    if (found[i]) beaten_[i] = found[i];
}

bool race::over() const {
  std::size_t left = 0;
  for (std::size_t i = 0; i < contestants_; ++i) left += in(i) ? 1U : 0U;
  return left < 2;
}

std::vector<double> race::differences(std::size_t a, std::size_t b) const {
  std::vector<double> all;
  for (const round_of_race& round : rounds_)
    if (round[a] && round[b]) all.push_back(*round[a] - *round[b]);
  return all;
}

bounded_mean race::difference(std::size_t a, std::size_t b) const {
  const moments noise = moments_of(controls_);
  bounded_mean found = anytime_mean(differences(a, b), miss_, noise.deviation);
  found.reach += std::abs(noise.mean);
  return found;
}

bounded_mean race::control() const { return anytime_mean(controls_, miss_); }

}  // namespace synchro::statistics
