#include "statistics/race.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

namespace synchro::statistics {
namespace {

using numbers = std::vector<double>;

// ---- the interval

/// The likelihood ratio as it is defined: the t-density of each effect over that of none, averaged over effects that have a
/// normal distribution of variance 10. By sums, for the formula in race.cpp is that integral solved.
double mixture(double t, int n) {
  // Of n values with mean m and mean square q, scale-free: the likelihood of an effect e is the integral over w, one over the
  // deviation, of w^(n-1) exp(-n/2 (w^2 q - 2 w e m + e^2)).
  const double m = t / std::sqrt(n);
  const double q = m * m + (n - 1.0) / n;
  const auto likelihood = [&](double e) {
    double sum = 0;
    for (double w = 0.005; w < 10; w += 0.01)
      sum += std::exp((n - 1) * std::log(w) - n / 2.0 * (w * w * q - 2 * w * e * m + e * e)) * 0.01;
    return sum;
  };
  const double none = likelihood(0);
  double mixed = 0;
  for (double e = -25; e < 25; e += 0.1)
    mixed += likelihood(e) * std::exp(-e * e / 20) / std::sqrt(20 * 3.14159265358979) * 0.1;
  return mixed / none;
}

TEST(AnytimeMean, ReachesToWhereTheMixtureOfLikelihoodRatiosIsOneOverTheChance) {
  for (const int n : {4, 8, 20}) {
    numbers values;
    for (int i = 0; i < n; ++i) values.push_back(i % 2 == 0 ? 1 : -1);
    const double deviation = std::sqrt(n / (n - 1.0));
    const bounded_mean found = anytime_mean(values, 0.05);
    EXPECT_NEAR(found.value, 0, 1e-12);
    EXPECT_NEAR(mixture(found.reach / deviation * std::sqrt(n), n), 20, 0.1) << n;
  }
}

TEST(AnytimeMean, HasNoEndsWhereValuesAreTooFew) {
  EXPECT_EQ(anytime_mean({}, 0.05).reach, std::numeric_limits<double>::infinity());
  EXPECT_EQ(anytime_mean(numbers{3}, 0.05).value, 3);
  EXPECT_EQ(anytime_mean(numbers{3}, 0.05).reach, std::numeric_limits<double>::infinity());
  EXPECT_EQ(anytime_mean(numbers{3, 3}, 0.05).reach, std::numeric_limits<double>::infinity());
  EXPECT_EQ(anytime_mean(numbers{3, 3, 3}, 0.05).reach, 0);
  EXPECT_EQ(anytime_mean(numbers{3, 3, 3}, 0.001).reach, std::numeric_limits<double>::infinity());
  EXPECT_THROW((void)anytime_mean(numbers{1, 2}, 0), std::invalid_argument);
}

TEST(AnytimeMean, CountsNoLessScatterThanItIsTold) {
  const numbers equal(9, 2.0);
  EXPECT_EQ(anytime_mean(equal, 0.05).reach, 0);
  EXPECT_GT(anytime_mean(equal, 0.05, 0.5).reach, 0.5 / 3);
  const numbers wide{1, 3, 1, 3, 1, 3, 1, 3, 2};
  EXPECT_EQ(anytime_mean(wide, 0.05, 0.5).reach, anytime_mean(wide, 0.05).reach);
}

// ---- the rule

TEST(Race, DropsWhoIsBehindAndKeepsTheBest) {
  race r{3};
  for (int i = 0; i < 4 && !r.over(); ++i) r.add({1.0, 0.5, 2.0}, 1.0);
  EXPECT_EQ(r.rounds(), 4U);  // three could not be sure enough among so many
  EXPECT_FALSE(r.in(0));
  EXPECT_TRUE(r.in(1));
  EXPECT_FALSE(r.in(2));
  EXPECT_TRUE(r.over());
  EXPECT_TRUE(r.runs(0));  // the yardstick
  EXPECT_FALSE(r.runs(2));
  EXPECT_EQ(r.beaten(2)->round, r.rounds());
  EXPECT_EQ(r.difference(1, 0).value, -0.5);
}

TEST(Race, EqualOnesStayIn) {
  race r{3};
  for (int i = 0; i < 50; ++i) r.add({i % 2 + 1.0, (i + 1) % 2 + 1.0, i % 2 + 1.0}, i % 2 + 1.0);
  EXPECT_TRUE(r.in(0) && r.in(1) && r.in(2));
  EXPECT_FALSE(r.over());
}

TEST(Race, WhatRoundsHaveInCommonCancels) {
  race r{2};
  for (int i = 0; i < 5; ++i) r.add({i * 10.0, i * 10.0 + 0.1}, i * 10.0);
  EXPECT_FALSE(r.in(1));
}

TEST(Race, WhatIsLessThanTheControlDiffersByIsNoDifference) {
  race quiet{2}, noisy{2};
  for (int i = 0; i < 30; ++i) {
    quiet.add({0.0, 0.1}, 0.0);
    noisy.add({0.0, 0.1}, -0.2);
  }
  EXPECT_FALSE(quiet.in(1));
  EXPECT_TRUE(noisy.in(1));
  EXPECT_DOUBLE_EQ(noisy.control().value, -0.2);
}

TEST(Race, NoDifferenceScattersLessThanTheControl) {
  race r{2};
  for (int i = 0; i < 6; ++i) r.add({0.0, 0.1}, i % 2 == 0 ? 1.0 : -1.0);
  EXPECT_TRUE(r.in(1));
}

TEST(Race, DisqualifiedOnesBeatNobody) {
  race r{3};
  r.disqualify(1);
  for (int i = 0; i < 10; ++i) r.add({1.0, std::nullopt, 1.0}, 1.0);
  EXPECT_FALSE(r.in(1));
  EXPECT_FALSE(r.runs(1));
  EXPECT_TRUE(r.in(0) && r.in(2));
  EXPECT_FALSE(r.beaten(1));
  r.disqualify(2);
  EXPECT_TRUE(r.over());
}

/// While the control was bad nothing was resolved; when it is good again the values from then would resolve it.
TEST(Race, WhatOneHadBeforeItWasDisqualifiedBeatsNobody) {
  race r{3}, without{3};
  for (race* each : {&r, &without}) {
    for (int i = 0; i < 20; ++i) each->add({1.0, -9.0, 1.0}, -11.0);
    ASSERT_TRUE(each->in(0));
  }
  r.disqualify(1);
  for (race* each : {&r, &without})
    for (int i = 0; i < 380; ++i) each->add({1.0, std::nullopt, 1.0}, 1.0);
  EXPECT_TRUE(r.in(0));
  EXPECT_FALSE(without.in(0));
}

TEST(Race, RefusesRoundsThatAreNone) {
  EXPECT_THROW(race{0}, std::invalid_argument);
  race r{2};
  EXPECT_THROW(r.add({1.0}, 1.0), std::invalid_argument);
  EXPECT_THROW(r.add({std::nullopt, 1.0}, 1.0), std::invalid_argument);
}

// ---- how often it is wrong, in simulated races

using noise = std::function<double(std::mt19937_64&)>;

double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 12) + 0.5) * 0x1p-52; }
double normal(std::mt19937_64& random) {
  return std::sqrt(-2 * std::log(uniform(random))) * std::cos(6.283185307179586 * uniform(random));
}
/// A run is never much faster than usual, and sometimes much slower.
double skewed(std::mt19937_64& random) { return -std::log(uniform(random)); }
/// One run in ten met something else on the machine.
double contaminated(std::mt19937_64& random) { return normal(random) + (uniform(random) < 0.1 ? 8.0 : 0.0); }

struct outcome {
  int best_dropped = 0, losers_dropped = 0, rounds = 0;
};

/// Races of contestants with these true values, the first of them the best; the yardstick is in the middle.
outcome races(int many, numbers truth, const noise& of_a_run, int rounds) {
  outcome all;
  std::mt19937_64 random{42};
  const std::size_t best = truth.size() / 2;
  std::swap(truth[0], truth[best]);
  for (int k = 0; k < many; ++k) {
    race r{truth.size()};
    for (int i = 0; i < rounds && !r.over(); ++i) {
      const double drift = 20 * normal(random);
      round_of_race values(truth.size());
      for (std::size_t c = 0; c < truth.size(); ++c)
        if (const double v = drift + truth[c] + of_a_run(random); r.runs(c)) values[c] = v;
      r.add(values, drift + truth[0] + of_a_run(random));
    }
    all.best_dropped += r.in(best) ? 0 : 1;
    for (std::size_t c = 0; c < truth.size(); ++c) all.losers_dropped += r.in(c) || c == best ? 0 : 1;
    all.rounds += static_cast<int>(r.rounds());
  }
  return all;
}

TEST(SimulatedRaces, TheBestIsDroppedInOneOfTwentyAtMost) {
  constexpr int many = 200;
  for (const noise& kind : {noise{normal}, noise{skewed}, noise{contaminated}})
    for (const numbers& truth : {numbers(2, 0.0), numbers(8, 0.0), numbers{0, 0.02, 0.02, 0.02, 0.02, 0.02}})
      EXPECT_LE(races(many, truth, kind, 40).best_dropped, many / 20) << truth.size();
}

TEST(SimulatedRaces, ClearLosersAreDroppedEarly) {
  constexpr int many = 100;
  const numbers truth{0, 10, 10, 10, 10, 10};
  const outcome seen = races(many, truth, normal, 60);
  EXPECT_EQ(seen.best_dropped, 0);
  EXPECT_EQ(seen.losers_dropped, 5 * many);
  EXPECT_LT(seen.rounds, 10 * many);
}

/// The control of these tests: a rule that looks at an ordinary t after every round drops the best far too often.
TEST(SimulatedRaces, AnOrdinaryIntervalWouldBeWrongFarMoreOften) {
  constexpr int many = 300;
  std::mt19937_64 random{7};
  int wrong = 0;
  for (int k = 0; k < many; ++k) {
    numbers values;
    for (int i = 0; i < 60; ++i) {
      values.push_back(normal(random));
      double mean = 0, squares = 0;
      for (const double v : values) mean += v / static_cast<double>(values.size());
      for (const double v : values) squares += (v - mean) * (v - mean);
      const auto n = static_cast<double>(values.size());
      if (values.size() > 3 && std::abs(mean) > 3.2 * std::sqrt(squares / (n - 1) / n)) {
        ++wrong;
        break;
      }
    }
  }
  EXPECT_GT(wrong, many / 20);
}

}  // namespace
}  // namespace synchro::statistics
