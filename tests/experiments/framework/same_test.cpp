// Runs of one program against each other, and against one that is slower: simulated through the real runner, on processors
// that a hypervisor moves, with the noise that machines have.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fakes.hpp"
#include "results/comparison.hpp"

namespace synchro::experiments {
namespace {

constexpr std::int64_t cells = 60;
constexpr std::int64_t quiet_cell = 7;  // noise of 0.8 %

/// What one run meets.
struct world {
  std::uint64_t seed;
  double slower = 1;  ///< By how much the quiet cell takes longer.

  [[nodiscard]] double normal(std::uint64_t what) const {
    std::mt19937_64 numbers{seed * 1'000'003 + what};
    return std::normal_distribution<double>{}(numbers);
  }
};

/// From 0.5 to 20 %, evenly on the logarithmic scale.
double noise_of(std::int64_t cell) {
  if (cell == quiet_cell) return 0.008;
  return 0.005 * std::pow(40.0, static_cast<double>(cell) / static_cast<double>(cells - 1));
}

/// Hand-off time while repetition `n` of the run goes on: a third of the runs stay near, a third far, a third moves.
double distance(const world& w, std::size_t n) {
  const std::uint64_t kind = w.seed % 3;
  const bool far = kind == 1 || (kind == 2 && w.normal(1'000'000 + n / 50) > 0.3);
  return far ? 190 : 45;
}

double value(const world& w, std::int64_t cell, double ns, std::uint64_t seed) {
  constexpr double between_runs = 0.01;
  std::mt19937_64 numbers{seed ^ (w.seed << 20)};
  const double z = std::normal_distribution<double>{}(numbers);
  const double disturbed = std::uniform_real_distribution<double>{}(numbers) < 0.02 ? 1.5 : 1;
  const double drift = std::exp(between_runs * w.normal(static_cast<std::uint64_t>(cell)));
  const double skewed = cell % 2 == 0 ? z : (std::exp(0.6 * z) - 1) / 0.8;
  return (cell == quiet_cell ? w.slower : 1) * drift * ns * disturbed * std::max(0.05, 1 + noise_of(cell) * skewed);
}

results::document measured(const world& w) {
  fake f;
  f.what.axes = {{"number", "a number", [](const setting&) {
                    std::vector<coordinate> all;
                    for (std::int64_t i = 0; i < cells; ++i) all.emplace_back(i);
                    return all;
                  }}};
  f.what.processors = [](const setting&, const coordinates& at) {
    return at.number("number") % 2 == 0 ? std::vector<unsigned>{0, 1} : std::vector<unsigned>{1, 0};
  };
  std::size_t made = 0;
  f.what.measure = [&](const setting&, const coordinates& at, std::uint64_t seed) {
    return fake::repetition_of(value(w, at.number("number"), distance(w, made++), seed));
  };
  run_control control;
  std::size_t probes = 0;
  control.probe = [&](unsigned, unsigned) {
    return std::optional{distance(w, made) * std::exp(0.05 * w.normal(2'000'000 + probes++))};
  };
  setting s = quick_setting();
  s.seed = w.seed;
  results::document d;
  d.complete = true;
  d.tool = d.invocation = d.machine = d.topology = d.os = d.clock = nlohmann::ordered_json::object();
  d.cells = run_fake(f, s, control).cells;
  return d;
}

const results::compared* find_compared(const results::comparison& c, std::int64_t cell) {
  for (const results::compared& x : c.cells)
    if (x.a->at.number("number") == cell) return &x;
  return nullptr;
}

TEST(Same, OfAHundredComparisonsOfOneProgramAtMostFiveEndWithStatus5) {
  unsigned wrong = 0, alike = 0, apart = 0;
  for (std::uint64_t pair = 0; pair < 100; ++pair) {
    const results::document a = measured({2 * pair + 1}), b = measured({2 * pair + 2});
    const results::comparison c = results::compare(a, b);
    const auto slower = [](const results::compared& x) { return x.worse_than(0); };
    wrong += std::any_of(c.cells.begin(), c.cells.end(), slower) ? 1U : 0U;
    alike += c.cells.size() >= cells / 2 ? 1U : 0U;
    apart += c.cells.empty() && c.not_comparable.size() >= cells ? 1U : 0U;
  }
  EXPECT_LE(wrong, 5U);
  EXPECT_GE(alike, 40U);  // there is something to compare
  EXPECT_GE(apart, 10U);  // and runs that met one mode each, another one
}

TEST(Same, AQuietCellThatIsTenPercentSlowerIsOftenFoundBySingleRuns) {
  unsigned found = 0, compared = 0;
  for (std::uint64_t pair = 0; pair < 30; ++pair) {
    const std::uint64_t seed = 3 * pair + 1;  // runs of one kind each, so that they meet the same mode
    const results::document a = measured({seed}), b = measured({seed + 300, 1.1});
    const results::comparison c = results::compare(a, b);
    const results::compared* const x = find_compared(c, quiet_cell);
    if (x == nullptr) continue;
    ++compared;
    found += x->worse_than(0.05) ? 1U : 0U;
  }
  EXPECT_EQ(compared, 30U);
  EXPECT_GE(found,
            12U);  // 17: single runs are allowed to differ by 5 % and more; several runs find it (comparison_runs_test)
}

}  // namespace
}  // namespace synchro::experiments
