// How much of what a thread counted was in the window: from readings that are given, without a clock.

#include "experiments/locks/tally.hpp"

#include <gtest/gtest.h>

namespace synchro::experiments::locks::detail {
namespace {

constexpr std::uint64_t opened = 1000, closed = 9000;

/// One acquisition a tick from 0 on, each third shared, each sixth handed over.
counts after(std::uint64_t ticks) { return {ticks, ticks / 3, ticks / 6, 0}; }

reading at(std::uint64_t ticks) { return {ticks, after(ticks)}; }

/// The acquisition that a reading times is not yet done.
reading just_before(std::uint64_t ticks) { return {ticks, after(ticks - 1)}; }

TEST(a_tally, counts_what_was_done_between_the_opening_and_the_first_reading) {
  const tally t{at(400), just_before(1601), at(closed), at(9012)};
  const share seen = within(t, opened, closed);
  EXPECT_NEAR(seen.exclusive + seen.shared, closed - opened, 1);
  EXPECT_NEAR(seen.shared, (closed - opened) / 3.0, 1);
  EXPECT_NEAR(seen.hand_offs, (closed - opened) / 6.0, 1);
}

TEST(a_tally, ends_when_the_team_ends) {
  const tally t{at(999), just_before(1000), at(6000), at(12000)};
  const share seen = within(t, opened, closed);
  EXPECT_NEAR(seen.exclusive + seen.shared, closed - opened, 1) << "not what it did until it stopped";
}

TEST(a_tally, of_a_thread_that_was_never_timed_in_the_window_is_not_nothing) {
  const tally t{at(400), at(12400), at(400), at(12400)};
  const share seen = within(t, opened, closed);
  EXPECT_NEAR(seen.exclusive + seen.shared, closed - opened, 1);
}

TEST(a_tally, of_a_thread_that_waited_all_the_while_is_nothing) {
  const reading before = at(900);
  const tally t{before, {9500, before.so_far}, before, {9500, before.so_far}};
  const share seen = within(t, opened, closed);
  EXPECT_EQ(seen.exclusive + seen.shared + seen.hand_offs, 0);
}

TEST(a_tally, in_which_all_was_timed_is_exact) {
  const tally t{{998, {10, 0, 5, 0}}, {1003, {10, 0, 5, 0}}, {closed, {110, 0, 15, 0}}, {9001, {111, 0, 16, 0}}};
  const share seen = within(t, opened, closed);
  EXPECT_EQ(seen.exclusive, 100) << "the first one that was got in the window counts whole";
  EXPECT_EQ(seen.hand_offs, 10);
}

TEST(a_tally, of_an_instant_divides_by_nothing) {
  const tally t{at(1000), at(1000), at(1000), at(1000)};
  EXPECT_EQ(within(t, opened, closed).exclusive, 0);
}

}  // namespace
}  // namespace synchro::experiments::locks::detail
