// How a thread lets a time pass where sleeps end in steps of the system's clock.

#include "platform/timer.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace synchro::platform {
namespace {

/// A clock whose sleeps end when it ticks, as Windows's by default.
struct stepping_clock {
  static constexpr double step_ns = 15.625e6;
  double now = 3e6;  // somewhere between two ticks
  int sleeps = 0;

  void sleep(double ns) {
    now = std::ceil((now + ns) / step_ns) * step_ns;
    ++sleeps;
  }
  void watch() { now += 1e3; }

  /// How long it has waited.
  double let(double ns, double too_long_ns) {
    const double began = now;
    let_pass([&] { return ns - (now - began); }, too_long_ns, [&](double left) { sleep(left); }, [&] { watch(); });
    return now - began;
  }
};

TEST(LetPass, WaitsNoLongerThanAskedThoughSleepsEndInSteps) {
  for (const double ns : {0.2e6, 1e6, 10e6, 15e6, 100e6}) {
    stepping_clock clock;
    EXPECT_NEAR(clock.let(ns, 2 * stepping_clock::step_ns), ns, 2e3) << ns;
    EXPECT_EQ(clock.sleeps > 0, ns == 100e6) << "what a step would stretch is watched";
  }
}

TEST(LetPass, WithoutKnowingTheStepsItWouldBeStretched) {
  stepping_clock clock;
  EXPECT_GT(clock.let(1e6, 100e3), 10e6);
}

TEST(LetPass, SleepsMostOfATimeThatIsLong) {
  double slept = 0, now = 0;
  let_pass([&] { return 1e9 - now; }, oversleep_ns(), [&](double ns) { slept += ns, now += ns; }, [&] { now += 1e3; });
  EXPECT_GT(slept, 0.9e9);
}

}  // namespace
}  // namespace synchro::platform
