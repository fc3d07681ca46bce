// What the flag `ok` promises, by simulation: the runner repeats cells of a known true value and a known noise, and the
// intervals of those that end as ok are counted that hold it.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fakes.hpp"

namespace synchro::experiments {
namespace {

constexpr std::int64_t cells = 400;

struct noise {
  std::string shape;
  double size;
};

/// Around a median of 1.
double drawn(const noise& n, std::uint64_t seed) {
  std::mt19937_64 numbers{seed};
  const double z = std::normal_distribution<double>{}(numbers);
  constexpr double skew = 0.8;
  const double spread = std::sqrt((std::exp(skew * skew) - 1) * std::exp(skew * skew));  // of exp(skew z)
  return 1 + n.size * (n.shape == "normal" ? z : (std::exp(skew * z) - 1) / spread);
}

struct count {
  std::size_t ok = 0, covered = 0;
};

count ok_cells(const noise& n, unsigned planned) {
  fake f;
  f.what.axes = {{"number", "a number", [](const setting&) {
                    std::vector<coordinate> all;
                    for (std::int64_t i = 0; i < cells; ++i) all.emplace_back(i);
                    return all;
                  }}};
  f.what.repetitions = [=](level) { return planned; };
  f.what.measure = [&](const setting&, const coordinates&, std::uint64_t seed) {
    return fake::repetition_of(drawn(n, seed));
  };
  run_control control = quietly();
  control.repair = 1000;
  count c;
  for (const results::cell& cell : run_fake(f, quick_setting(), control).cells) {
    if (cell.quality != results::flag::ok) continue;
    ++c.ok;
    c.covered += cell.ci->first <= 1 && cell.ci->second >= 1 ? 1U : 0U;
  }
  return c;
}

/// At least 93 % hold the true value, up to what so many cells may be short of it by chance (two standard deviations).
bool holds(const count& c) {
  const auto n = static_cast<double>(c.ok);
  return static_cast<double>(c.covered) >= 0.93 * n - 2 * std::sqrt(0.93 * 0.07 * n);
}

class Coverage : public testing::TestWithParam<std::tuple<const char*, unsigned>> {};

TEST_P(Coverage, OfCellsThatEndAsOkIsAtLeast93Percent) {
  const auto& [shape, planned] = GetParam();
  count all;
  for (const double size : {0.03, 0.05, 0.08, 0.12, 0.2, 0.3}) {
    const count c = ok_cells({shape, size}, planned);
    all.ok += c.ok;
    all.covered += c.covered;
    SCOPED_TRACE(std::to_string(size) + ": " + std::to_string(c.covered) + " of " + std::to_string(c.ok));
    if (size < 0.04) {
      EXPECT_GT(c.ok, static_cast<std::size_t>(0.9 * cells));  // the flag can still be had
    }
    if (c.ok >= static_cast<std::size_t>(0.03 * cells)) {
      EXPECT_TRUE(holds(c));
    }
  }
  EXPECT_GE(all.covered, all.ok * 95 / 100);
}

INSTANTIATE_TEST_SUITE_P(Plans, Coverage,
                         testing::Combine(testing::Values("normal", "skewed"), testing::Values(7U, 11U)),
                         [](const auto& plan) {
                           return std::string{std::get<0>(plan.param)} + std::to_string(std::get<1>(plan.param));
                         });

}  // namespace
}  // namespace synchro::experiments
