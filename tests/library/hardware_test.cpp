// The verbs of the hardware machine, and what it keeps for each thread.

#include "synchro/hardware.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "locks/teams.hpp"
#include "synchro/deadline.hpp"
#include "synchro/domains.hpp"

namespace synchro::tests {
namespace {

using namespace std::chrono_literals;
using word = hardware::atomic<std::uint32_t>;

using answer = attempt<std::uint32_t>;

const auto in_an_hour = [] { return hardware::clock::now() + 1h; };
const auto is_seven = [](std::uint32_t v) { return v == 7; };

/// Sets the word to 7 once told.
class setter {
 public:
  explicit setter(word& w)
      : thread_{[&] {
          told_.arrive_and_wait();
          w.store(7, memory_order::release);
        }} {}
  ~setter() { thread_.join(); }
  void go() { told_.arrive_and_wait(); }

 private:
  start_line told_{2};
  std::thread thread_;
};

TEST(await, returns_the_value_that_contents) {
  word w{7};
  EXPECT_EQ(hardware::await(w, memory_order::acquire, is_seven), 7U);
}

TEST(await, waits_for_another_thread) {
  word w{0};
  setter other{w};
  std::atomic<std::uint32_t> rounds{0};
  const auto step = [&](std::uint32_t v, std::uint32_t round) {
    if (round == 3) other.go();
    rounds = round;
    return v == 7 ? look::done() : round % 2 == 0 ? look::retry(10) : look::after_yield();
  };
  EXPECT_EQ(hardware::await(w, memory_order::acquire, step), 7U);
  EXPECT_GE(rounds, 3U);
}

TEST(await, fetches_when_asked) {
  word w{0};
  setter other{w};
  const auto step = [&](std::uint32_t v, std::uint32_t round) {
    if (round == 1) other.go();
    return v == 7 ? look::done() : look::retry().fetching();
  };
  EXPECT_EQ(hardware::await(w, memory_order::acquire, step), 7U);
}

TEST(await_until, stops_at_the_deadline) {
  word w{0};
  const auto deadline = hardware::clock::now() + 2ms;
  EXPECT_FALSE(hardware::await_until(w, memory_order::acquire, is_seven, deadline));
  EXPECT_GE(hardware::clock::now(), deadline);
}

TEST(await_until, a_limit_in_the_past_does_not_hide_success) {
  word w{7};
  const auto past = hardware::clock::now() - 1h;
  EXPECT_EQ(hardware::await_until(w, memory_order::acquire, is_seven, past), 7U);
  EXPECT_EQ(hardware::await_until(w, memory_order::acquire, is_seven, looks{0}), 7U);
}

/// Whether a look is taken after the time is up, which passes behind the first look; so it does unless the thread is stopped for
/// that long before it.
bool looks_once_more(hardware::clock::duration patience) {
  word w{0};
  const auto until = hardware::clock::now() + patience;
  const auto stopped_behind_its_look = [&](std::uint32_t v) {
    if (v == 7) return true;
    while (!hardware::expired(until)) {
    }
    w.store(7, memory_order::relaxed);
    return false;
  };
  return hardware::await_until(w, memory_order::relaxed, stopped_behind_its_look, until) == 7U;
}

TEST(await_until, looks_once_more_when_the_time_is_up) {
  hardware::clock::duration patience = 1ms;
  while (patience < 10s && !looks_once_more(patience)) patience *= 2;
  EXPECT_LT(patience, 10s);
}

TEST(await_until, counts_looks) {
  word w{0};
  std::uint32_t asked = 0;
  const auto step = [&](std::uint32_t) {
    ++asked;
    return false;
  };
  EXPECT_FALSE(hardware::await_until(w, memory_order::acquire, step, looks{5}));
  EXPECT_EQ(asked, 6U) << "five looks, and the last one after the limit was found to be reached";
}

/// Those who ask are told how often they have been asked before.
TEST(await_until, counts_rounds_from_nothing) {
  word w{0};
  std::vector<std::uint32_t> rounds;
  const auto step = [&](std::uint32_t, std::uint32_t round) {
    rounds.push_back(round);
    return look::retry();
  };
  const std::vector<std::uint32_t> all{0, 1, 2, 3};
  EXPECT_FALSE(hardware::await_until(w, memory_order::acquire, step, looks{3}));
  EXPECT_EQ(rounds, all);
  rounds.clear();
  EXPECT_FALSE(hardware::exchange_until(w, 1, step, memory_order::acquire, looks{3}));
  EXPECT_EQ(rounds, all);
  rounds.clear();
  const auto wait = [&](std::uint32_t v, std::uint32_t round) { return answer::retry(step(v, round)); };
  EXPECT_FALSE(hardware::update_until(w, wait, memory_order::acquire, memory_order::relaxed, looks{3}));
  EXPECT_EQ(rounds, all);
}

TEST(pause, of_no_length_ends) {
  std::uint32_t ended = 0;
  for (const std::uint32_t n : {0U, 1U, 2U, 3U}) hardware::pause(n), ++ended;
  EXPECT_EQ(ended, 4U);
}

TEST(await_any, sees_either_word) {
  word a{0};
  word b{3};
  const auto [seen_a, seen_b] = hardware::await_any(
      memory_order::acquire, [](std::uint32_t x, std::uint32_t y) { return x == 7 || y == 3; }, a, b);
  EXPECT_EQ(seen_a, 0U);
  EXPECT_EQ(seen_b, 3U);
}

TEST(await_any, waits_for_another_thread) {
  word a{0};
  hardware::atomic<bool> b{false};
  setter other{a};
  other.go();
  const auto seen = hardware::await_any_until(
      memory_order::acquire, [](std::uint32_t x, bool y, std::uint32_t) -> look { return x == 7 || y; }, in_an_hour(),
      a, b);
  ASSERT_TRUE(seen);
  EXPECT_EQ(std::get<0>(*seen), 7U);
}

TEST(await_any_until, stops_at_its_limits) {
  word a{0};
  word b{0};
  const auto never_content = [](std::uint32_t, std::uint32_t) { return false; };
  EXPECT_FALSE(hardware::await_any_until(memory_order::acquire, never_content, looks{3}, a, b));
  const auto deadline = hardware::clock::now() + 1ms;
  EXPECT_FALSE(hardware::await_any_until(memory_order::acquire, never_content, deadline, a, b));
  EXPECT_GE(hardware::clock::now(), deadline);
}

TEST(update, writes_what_the_callback_says) {
  word w{5};
  const auto done = hardware::update(
      w, [](std::uint32_t v) { return answer::write(v + 1); }, memory_order::acq_rel, memory_order::relaxed);
  EXPECT_TRUE(done.written);
  EXPECT_EQ(done.seen, 5U);
  EXPECT_EQ(w.load(), 6U);
}

TEST(update, declines) {
  word w{5};
  const auto done = hardware::update(
      w, [](std::uint32_t) { return answer::decline(); }, memory_order::acq_rel, memory_order::relaxed);
  EXPECT_FALSE(done.written);
  EXPECT_EQ(done.seen, 5U);
}

TEST(update, loses_no_increment) {
  word w{0};
  constexpr std::uint32_t each = 2000;
  const auto count = [&] {
    for (std::uint32_t i = 0; i != each; ++i)
      hardware::update(
          w, [](std::uint32_t v) { return answer::write(v + 1); }, memory_order::relaxed, memory_order::relaxed);
  };
  std::thread other{count};
  count();
  other.join();
  EXPECT_EQ(w.load(), 2 * each);
}

TEST(update, looks_again_until_it_may_write) {
  word w{0};
  setter other{w};
  const auto done = hardware::update(
      w,
      [&](std::uint32_t v, std::uint32_t round) {
        if (round == 2) other.go();
        return v == 7 ? answer::write(8) : answer::retry(look::retry(3));
      },
      memory_order::acquire, memory_order::relaxed);
  EXPECT_TRUE(done.written);
  EXPECT_EQ(w.load(), 8U);
}

TEST(update_until, stops_at_its_limits) {
  word w{0};
  const auto wait = [](std::uint32_t) { return answer::retry(); };
  EXPECT_FALSE(hardware::update_until(w, wait, memory_order::acquire, memory_order::relaxed, looks{4}));
  const auto deadline = hardware::clock::now() + 1ms;
  EXPECT_FALSE(hardware::update_until(w, wait, memory_order::acquire, memory_order::relaxed, deadline));
  EXPECT_GE(hardware::clock::now(), deadline);
}

TEST(exchange_until, exchanges_until_the_old_value_is_accepted) {
  word w{7};
  EXPECT_EQ(hardware::exchange_until(w, 9, is_seven, memory_order::acq_rel), 7U);
  EXPECT_EQ(w.load(), 9U);
  EXPECT_FALSE(hardware::exchange_until(w, 2, is_seven, memory_order::acq_rel, looks{3}));
  EXPECT_EQ(w.load(), 2U);
  EXPECT_FALSE(hardware::exchange_until(w, 2, is_seven, memory_order::acq_rel, hardware::clock::now() + 1ms));
}

TEST(look, rests_are_capped) {
  EXPECT_EQ(look::retry(0xffff'ffff).pauses(), 1'000'000U);
  EXPECT_FALSE(look::retry(0xffff'ffff).is_done());
  EXPECT_FALSE(look::retry(0xffff'ffff).yields());
  EXPECT_EQ(look::retry(5).pauses(), 5U);
}

TEST(look, fetches_if_it_is_to) {
  EXPECT_FALSE(look::retry().fetches());
  EXPECT_TRUE(look::retry().fetching().fetches());
}

TEST(slots, are_dense_and_one_for_each_thread_alive) {
  const unsigned mine = hardware::slot();
  EXPECT_EQ(hardware::slot(), mine);
  constexpr unsigned others = 20;
  std::vector<unsigned> slots(others);
  std::atomic<unsigned> ready{0};
  std::vector<std::thread> team;
  for (unsigned i = 0; i != others; ++i)
    team.emplace_back([&, i] {
      slots[i] = hardware::slot();
      ++ready;
      while (ready != others) std::this_thread::yield();
    });
  for (std::thread& one : team) one.join();
  slots.push_back(mine);
  EXPECT_EQ(std::set<unsigned>(slots.begin(), slots.end()).size(), slots.size());
  EXPECT_LT(*std::max_element(slots.begin(), slots.end()), others + 1);
}

TEST(slots, come_back_when_threads_end) {
  hardware::slot();
  for (int i = 0; i != 3000; ++i) std::thread{[] { EXPECT_LT(hardware::slot(), 2U); }}.join();
}

/// More threads than it has bits for: those beyond share numbers, and give nothing back.
TEST(slots, of_threads_beyond_the_register_are_nobody_s_bits) {
  constexpr std::uint64_t untouched = ~std::uint64_t{0};
  struct {
    detail::slot_register all;
    std::array<std::uint64_t, 1000> behind{};
  } memory;
  memory.behind.fill(untouched);
  unsigned beyond = memory.all.claim();  // in the end: the first number that two threads have
  for (std::set<unsigned> given; given.insert(beyond).second;) beyond = memory.all.claim();
  for (unsigned slot = beyond; slot != 2 * beyond; ++slot) memory.all.release(slot);
  EXPECT_EQ(std::set<std::uint64_t>(memory.behind.begin(), memory.behind.end()), std::set{untouched});
  EXPECT_GE(memory.all.claim(), beyond) << "the number of a thread that is alive";
  memory.all.release(beyond / 2);
  EXPECT_EQ(memory.all.claim(), beyond / 2);
}

/// Where threads are more than bits, they share numbers beyond these.
TEST(slots, of_more_threads_than_bits) {
  detail::slot_register all;
  const auto claim_all = [&](unsigned from) {
    for (unsigned i = from; i != 1024; ++i) EXPECT_EQ(all.claim(), i);
  };
  claim_all(0);
  for (unsigned i = 0; i != 1024; ++i) ASSERT_EQ(all.claim(), 1024 + i);
  for (unsigned i = 0; i != 2; ++i) EXPECT_EQ(all.claim(), 1024 + i) << "they are shared";
  all.release(1024);
  for (const unsigned slot : {0U, 64U, 1023U}) {
    all.release(slot);
    EXPECT_EQ(all.claim(), slot);
  }
  all.keep_only(1024);
  for (unsigned i = 0; i != 1023; ++i) EXPECT_EQ(all.claim(), i);
  all.keep_only(1025);  // of one that shares
  claim_all(0);
  EXPECT_EQ(all.claim(), 1026U);
  all.keep_only(1);
  claim_all(1);
  all.keep_only(0);
  claim_all(0);
}

TEST(shape, says_how_many_threads_and_domains_it_has) {
  EXPECT_EQ(shape{}.threads(), 1U);
  EXPECT_EQ(shape{}.domains(), 1U);
  EXPECT_EQ((shape{{0, 0, 0}}.threads()), 3U);
  EXPECT_EQ((shape{{0, 0, 0}}.domains()), 1U);
  EXPECT_EQ((shape{{0, 2, 3, 1}}.domains()), 4U);
  EXPECT_EQ((shape{{0, 3, 2}}.domains()), 4U);
  EXPECT_EQ((shape{{0, 1}}.domains()), 2U);
}

TEST(here, has_a_domain_for_every_processor) {
  const shape machine = hardware::here();
  EXPECT_GE(machine.threads(), 1U);
  EXPECT_LT(hardware::domain(), machine.domains());
}

/// `beyond`: what the table has behind its end.
std::vector<unsigned> numbered(const std::set<unsigned>& allowed, unsigned processors, unsigned beyond = 99) {
  // 0 and 1, 2 and 3, and 4 share a cache; of 5 nothing is known; 6 and 7 name one that is not there.
  const auto lowest = [](unsigned cpu) { return cpu == 5 ? os::detail::unknown : cpu > 5 ? 8 : cpu / 2 * 2; };
  std::vector<unsigned> domains(processors);
  std::vector<unsigned> scratch(processors + 1, beyond);
  os::detail::number_domains(
      domains.data(), scratch.data(), processors, [&](unsigned cpu) { return allowed.contains(cpu); }, lowest);
  return domains;
}

TEST(domains, are_numbered_for_processors_that_the_first_to_ask_may_not_use) {
  EXPECT_EQ(numbered({0, 1, 2, 3, 4}, 6), (std::vector<unsigned>{0, 0, 1, 1, 2, 0}));
  EXPECT_EQ(numbered({3}, 5), (std::vector<unsigned>{1, 1, 0, 0, 2}));
  EXPECT_EQ(numbered({4}, 5), (std::vector<unsigned>{1, 1, 2, 2, 0}));
  for (const unsigned beyond : {99U, os::detail::unknown})
    EXPECT_EQ(numbered({7}, 8, beyond), (std::vector<unsigned>{0, 0, 1, 1, 2, 0, 0, 0}));
}

TEST(calibrate, sets_the_looks_before_sleeping) {
  const looks before = hardware::spin_looks();
  hardware::calibrate(looks{17});
  EXPECT_EQ(hardware::spin_looks().count, 17U);
  hardware::calibrate(before);
}

TEST(deadline, is_never_when_the_clock_cannot_count_so_far) {
  EXPECT_EQ(deadline_of<hardware>(std::chrono::hours::max()), hardware::never);
  EXPECT_EQ(deadline_of<hardware>(std::chrono::duration<double>{1e300}), hardware::never);
  EXPECT_FALSE(hardware::expired(hardware::never));
}

TEST(deadline, is_rounded_up_and_may_lie_in_the_past) {
  const auto before = hardware::clock::now();
  EXPECT_GT(deadline_of<hardware>(std::chrono::duration<double, std::nano>{0.5}), before);
  EXPECT_TRUE(hardware::expired(deadline_of<hardware>(-1h)));
  EXPECT_TRUE(hardware::expired(deadline_of<hardware>(std::chrono::system_clock::now() - 1s)));
  EXPECT_FALSE(hardware::expired(deadline_of<hardware>(std::chrono::system_clock::now() + 1h)));
}

TEST(deadline, has_passed_however_long_ago) {
  EXPECT_TRUE(hardware::expired(deadline_of<hardware>(std::chrono::system_clock::time_point::min())));
  EXPECT_TRUE(hardware::expired(deadline_of<hardware>(std::chrono::steady_clock::time_point::min())));
  EXPECT_TRUE(hardware::expired(deadline_of<hardware>(std::chrono::hours::min())));
  EXPECT_TRUE(hardware::expired(deadline_of<hardware>(std::chrono::seconds{-5'000'000'000'000'000})));
  EXPECT_TRUE(hardware::expired(deadline_of<hardware>(std::chrono::duration<double>{-1e300})));
}

}  // namespace
}  // namespace synchro::tests
