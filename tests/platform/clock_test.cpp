// The clock: that it goes forward at the rate it says, on every processor, and is not trusted where it must not be.

#include "platform/clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "platform/clock_step.hpp"
#include "platform/fake_root.hpp"
#include "platform/offset.hpp"
#include "platform/placement.hpp"
#include "platform/system_clock.hpp"
#include "synchro/domains.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {
namespace {

/// What a clock that moves by `step` ticks tells of intervals of many lengths, one in a hundred of them interrupted.
std::vector<std::uint64_t> intervals_by(double step) {
  std::vector<std::uint64_t> told;
  for (std::uint64_t i = 0; i != 4000; ++i) {
    const auto tick_at = [step](double time) { return static_cast<std::uint64_t>(std::floor(time / step) * step); };
    const double begin = 1e6 + 1237.3 * static_cast<double>(i), took = 60 + static_cast<double>(i * 37 % 101);
    const std::uint64_t interrupted = i % 100 == 0 ? 5000 + i : 0;
    if (const std::uint64_t ticks = tick_at(begin + took) - tick_at(begin) + interrupted; ticks >= 2)
      told.push_back(ticks);
  }
  return told;
}

TEST(ClockStep, IsFoundWhetherItIsAWholeNumberOfTicksOrNot) {
  for (const double step : {24.45427, 26.0, 41.6667, 100.0, 8.25, 1.0})
    EXPECT_NEAR(step_of(intervals_by(step)), step, 0.01 * step) << step;
}

TEST(ClockStep, OfTooFewIntervalsIsATick) { EXPECT_EQ(step_of({24, 49, 73}), 1); }

TEST(Clock, GoesForwardOnEveryProcessorAndBetweenThem) {
  const auto allowed = os::allowed_cpus();
  const tick_clock& clock = tick_clock::calibrate(allowed);
  if (!clock.facts().warnings.empty()) GTEST_SKIP() << clock.facts().warnings[0];
  std::thread{[&] {
    std::uint64_t last = clock.now();
    for (int round = 0; round < 20; ++round)
      for (const unsigned cpu : allowed) {
        ASSERT_TRUE(pin_this_thread(cpu));
        for (int i = 0; i < 1000; ++i) {
          const std::uint64_t now = clock.now();
          ASSERT_GE(now, last);
          last = now;
        }
      }
  }}.join();
}

// Not a matter of speed: both clocks are read around the same interval, however long it becomes.
TEST(Clock, AgreesWithTheStandardClock) {
  const tick_clock& clock = tick_clock::get();
  using clock_of_library = std::chrono::steady_clock;
  using nanoseconds = std::chrono::duration<double, std::nano>;
  const auto outer = clock_of_library::now();
  const std::uint64_t begin = clock.now();
  const auto inner = clock_of_library::now();
  std::this_thread::sleep_for(std::chrono::milliseconds{100});
  const auto inner_end = clock_of_library::now();
  const std::uint64_t end = clock.now();
  const auto outer_end = clock_of_library::now();
  const double ns = clock.to_ns(end - begin);
  EXPECT_GT(ns, nanoseconds(inner_end - inner).count() * 0.995);
  EXPECT_LT(ns, nanoseconds(outer_end - outer).count() * 1.005);
}

TEST(Clock, ConvertsBothWays) {
  const tick_clock& clock = tick_clock::get();
  EXPECT_NEAR(clock.to_ns(clock.from_ns(1e9)), 1e9, 10);
  EXPECT_EQ(clock.to_ns(0), 0);
  EXPECT_NEAR(clock.to_ns(static_cast<std::uint64_t>(clock.facts().hz)), 1e9, 10);
}

TEST(Clock, TellsWhatItIs) {
  const clock_facts f = tick_clock::calibrate(os::allowed_cpus()).facts();
  EXPECT_TRUE(f.source == "tsc" || f.source == "cntvct" || f.source == system_clock_name()) << f.source;
  EXPECT_GT(f.hz, 1e6);
  EXPECT_GT(f.read_cost_ns, 0);
  EXPECT_GT(f.resolution_ns, 0);
  if (f.source == system_clock_name())
    EXPECT_EQ(f.calibration_ppm, 0) << "it is not calibrated";
  else
    EXPECT_LT(f.calibration_ppm, 1e6) << "no two calibrations may differ by as much as they tell";
  if (os::allowed_cpus().size() > 1 && f.warnings.empty()) {
    ASSERT_TRUE(f.cross_cpu_offset_ns);
    EXPECT_GT(*f.cross_cpu_offset_ns, 0) << "a bound, never a certainty";
  }
}

TEST(Clock, OneProcessorIsNotCompared) {
  const clock_facts f = tick_clock::calibrate({os::allowed_cpus()[0]}).facts();
  EXPECT_EQ(f.cross_cpu_offset_ns, std::nullopt);
}

TEST(Clock, EarlierOnesStayValid) {
  const tick_clock& first = tick_clock::get();
  const double hz = first.facts().hz;
  const std::vector<unsigned> nobody;
  const tick_clock& second = tick_clock::calibrate(nobody);
  EXPECT_NE(&first, &second);
  EXPECT_EQ(&tick_clock::get(), &second);
  EXPECT_EQ(first.facts().hz, hz);
}

TEST(Clock, OfAnotherProcessTellsTheSameTimes) {
  const std::vector<unsigned> here{os::current_cpu()};
  const tick_clock& own = tick_clock::calibrate(here);
  clock_facts told{};
  told.source = own.facts().source;
  told.hz = own.facts().hz;
  const tick_clock& adopted = tick_clock::adopt(told);
  EXPECT_EQ(&adopted, &tick_clock::get());
  const std::uint64_t before = own.now(), within = adopted.now(), after = own.now();
  EXPECT_LE(before, within);
  EXPECT_LE(within, after);
  EXPECT_EQ(adopted.to_ns(1'000'000), own.to_ns(1'000'000));
  told.source = system_clock_name();
  told.hz = 1e9;
  const std::uint64_t ns_before = system_clock_ns(), ns = tick_clock::adopt(told).now(), ns_after = system_clock_ns();
  EXPECT_LE(ns_before, ns);
  EXPECT_LE(ns, ns_after);
  tick_clock::calibrate({os::current_cpu()});
}

TEST(Clock, ProcessorsThatCannotBeComparedAreTold) {
  const unsigned here = os::allowed_cpus()[0];
  const clock_facts f = tick_clock::calibrate({here, 5000}).facts();
  ASSERT_FALSE(f.warnings.empty());
  EXPECT_NE(f.warnings.back().find("could not be compared"), std::string::npos);
  EXPECT_EQ(f.cross_cpu_offset_ns, std::nullopt);
}

TEST(CoreClock, IsOfThisCentury) {
  const double hz = core_hz();
  EXPECT_GT(hz, 1e7) << "even an emulator under valgrind";
  EXPECT_LT(hz, 2e10);
}

TEST(AdditionsAtOnce, AreAFewOfEachCore) {
  const double n = additions_at_once();
  EXPECT_GT(n, 0.2) << "even while another hardware thread takes most of the core";
  EXPECT_LT(n, 64);
}

TEST(Counter, KeepsTimeForTheKernel) {
  fake_root root;
  root.with("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu constant_tsc nonstop_tsc rdtscp\n");
  root.with("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
  root.with("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet");
  const counter_opinion o = opinion_on_counter(root.path());
  EXPECT_EQ(o.steady, true);
  EXPECT_TRUE(o.keeps_time);
  EXPECT_EQ(o.reject, std::nullopt);
}

TEST(Counter, IsRejectedWhereTheKernelGaveItUp) {
  fake_root root;
  root.with("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu constant_tsc rdtscp\n");
  root.with("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet");
  root.with("sys/devices/system/clocksource/clocksource0/available_clocksource", "hpet acpi_pm");
  const counter_opinion o = opinion_on_counter(root.path());
  EXPECT_EQ(o.steady, false) << "it stops in deep sleep";
  EXPECT_FALSE(o.keeps_time);
  ASSERT_TRUE(o.reject);
  EXPECT_NE(o.reject->find("hpet"), std::string::npos);
}

TEST(Counter, UnderAHypervisorsClockIsNotRejected) {
  fake_root root;
  root.with("sys/devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock");
  root.with("sys/devices/system/clocksource/clocksource0/available_clocksource", "kvm-clock tsc acpi_pm");
  const counter_opinion o = opinion_on_counter(root.path());
  EXPECT_EQ(o.reject, std::nullopt);
  EXPECT_FALSE(o.keeps_time);
  EXPECT_EQ(o.steady, std::nullopt) << "nothing is said of it";
}

TEST(Counter, OfASilentSystemIsNotJudged) {
  const fake_root root;
  const counter_opinion o = opinion_on_counter(root.path());
  EXPECT_EQ(o.steady, std::nullopt);
  EXPECT_EQ(o.reject, std::nullopt);
  EXPECT_FALSE(o.keeps_time);
}

TEST(Offset, IsBoundedByTheExchanges) {
  // The second clock is 100 ahead; messages take 10 and 30, then 40 and 5.
  const offset_bounds b = bounds_of({{1000, 1110, 1040}, {2000, 2140, 2045}});
  EXPECT_EQ(b.low, 95);
  EXPECT_EQ(b.high, 110);
  EXPECT_TRUE(b.possible());
  EXPECT_FALSE(b.includes_zero());
  EXPECT_EQ(b.largest(), 110U);
}

TEST(Offset, OfClocksThatAgree) {
  const offset_bounds b = bounds_of({{1000, 1010, 1040}, {2000, 2040, 2045}});
  EXPECT_TRUE(b.includes_zero());
  EXPECT_EQ(b.low, -5);
  EXPECT_EQ(b.high, 10);
}

TEST(Offset, ThatChangesIsImpossible) { EXPECT_FALSE(bounds_of({{1000, 1110, 1040}, {2000, 2010, 2040}}).possible()); }

/// Measurements that come out as given, the last one time and again.
std::function<std::optional<offset_bounds>()> made_up(std::vector<std::optional<offset_bounds>> outcomes,
                                                      std::size_t& asked) {
  return [=, &asked] { return outcomes[std::min(asked++, outcomes.size() - 1)]; };
}

TEST(Offset, IsMeasuredAgainUntilItsBoundsMeanSomething) {
  std::size_t asked = 0;
  const offset_estimate e = estimate_offset(
      made_up({offset_bounds{-8'000'000, 200}, std::nullopt, offset_bounds{-150, 9'000'000}}, asked), 5000, 1e9);
  ASSERT_TRUE(e.bounds) << "each alone is too wide, but no offset other than -150 to 200 suits both";
  EXPECT_EQ(e.bounds->low, -150);
  EXPECT_EQ(e.bounds->high, 200);
  EXPECT_EQ(asked, 3U);
}

TEST(Offset, OfProcessorsThatOthersHoldIsNotKnown) {
  std::size_t asked = 0;
  const offset_estimate e = estimate_offset(made_up({offset_bounds{-8'264'292, 120}}, asked), 5000, 1e9);
  EXPECT_EQ(e.bounds, std::nullopt);
  EXPECT_EQ(e.doubt, "their messages took 8.26 ms at least");
  EXPECT_GT(asked, 1U);
  asked = 0;
  EXPECT_EQ(estimate_offset(made_up({std::nullopt}, asked), 5000, 1e9).doubt,
            "their threads did not run at the same time");
}

TEST(Offset, ThatIsImpossibleIsKnownAtOnce) {
  std::size_t asked = 0;
  const offset_estimate e = estimate_offset(made_up({offset_bounds{10, -10}}, asked), 5000, 1e9);
  ASSERT_TRUE(e.bounds);
  EXPECT_FALSE(e.bounds->possible());
}

/// Again if other programs held one of the processors all the time.
std::optional<offset_bounds> offset_between(unsigned first, unsigned second,
                                            const std::function<std::uint64_t()>& now) {
  for (int tries = 0; tries < 10; ++tries)
    if (const auto bounds = measure_offset(first, second, now)) return bounds;
  return std::nullopt;
}

TEST(Offset, IsMeasuredBetweenTwoProcessors) {
  const auto allowed = os::allowed_cpus();
  if (allowed.size() < 2) GTEST_SKIP() << "one processor";
  const auto same = offset_between(allowed[0], allowed[1], system_clock_ns);
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->includes_zero());

  const int ahead = 1'000'000'000;
  const unsigned second = allowed[1];
  const auto skewed = offset_between(
      allowed[0], second, [second] { return system_clock_ns() + (os::current_cpu() == second ? ahead : 0); });
  ASSERT_TRUE(skewed);
  EXPECT_LE(skewed->low, ahead);
  EXPECT_GE(skewed->high, ahead);
  EXPECT_FALSE(skewed->includes_zero());
}

TEST(Offset, WithAProcessorThatIsNotThere) {
  EXPECT_EQ(measure_offset(os::allowed_cpus()[0], 5000, system_clock_ns), std::nullopt);
}

TEST(Offset, PairsAreBounded) {
  using pairs = std::vector<std::pair<unsigned, unsigned>>;
  EXPECT_EQ(pairs_to_compare({}), pairs{});
  EXPECT_EQ(pairs_to_compare({3}), pairs{});
  EXPECT_EQ(pairs_to_compare({3, 5, 9}), (pairs{{3, 5}, {3, 9}, {5, 9}}));
  std::vector<unsigned> many(576);
  for (unsigned i = 0; i < many.size(); ++i) many[i] = i;
  const pairs some = pairs_to_compare(many);
  EXPECT_EQ(some.size(), 16U);
  EXPECT_EQ(some.back(), (std::pair{0U, 575U}));
  for (const auto& [first, second] : some) EXPECT_NE(first, second);
}

}  // namespace
}  // namespace synchro::platform
