// Read-modify-writes in each of the processor's own forms. Of x86, which has one, there is nothing to see: ./dev cross runs it.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <tuple>

#include "cpu/this_cpu.hpp"

namespace {

using namespace synchro;

constexpr std::uint64_t times = 300'000;

template <class Body>
void by_two_threads(Body body) {
  std::atomic<unsigned> here{0};
  const auto meet = [&] {
    for (++here; here != 2;) std::this_thread::yield();
  };
  std::thread one{[&] { meet(), body(1); }}, two{[&] { meet(), body(2); }};
  one.join(), two.join();
}

template <class Form>
void loses_no_addition() {
  std::uint64_t word = 0;
  by_two_threads([&](std::uint64_t n) {
    for (std::uint64_t i = 0; i != times; ++i) Form::fetch_add(word, n);
  });
  EXPECT_EQ(word, 3 * times) << Form::name;
  EXPECT_EQ(Form::fetch_add(word, 5), 3 * times) << Form::name;
  EXPECT_EQ(word, 3 * times + 5) << Form::name;
}

/// What was put and what was found agree with what is there in the end.
template <class Form>
void finds_what_was_put_once() {
  std::uint64_t word = 0;
  std::uint64_t put[3] = {}, found[3] = {};
  by_two_threads([&](std::uint64_t n) {
    for (std::uint64_t i = 1; i <= times; ++i) {
      const std::uint64_t value = n << 32 | i;
      put[n] += value;
      found[n] += Form::exchange(word, value);
    }
  });
  EXPECT_EQ(put[1] + put[2] - found[1] - found[2], word) << Form::name;
}

template <class Form>
void swaps_only_what_was_expected() {
  std::uint64_t word = 7;
  EXPECT_EQ(Form::compare_exchange(word, 8, 9), 7U) << Form::name;
  EXPECT_EQ(word, 7U) << Form::name;
  EXPECT_EQ(Form::compare_exchange(word, 7, 9), 7U) << Form::name;
  EXPECT_EQ(word, 9U) << Form::name;
  word = 0;
  by_two_threads([&](std::uint64_t n) {
    std::uint64_t seen = 0;
    for (std::uint64_t i = 0; i != times; seen += n, ++i)
      for (std::uint64_t found; (found = Form::compare_exchange(word, seen, seen + n)) != seen;) seen = found;
  });
  EXPECT_EQ(word, 3 * times) << Form::name;
}

template <class Form>
void look_at_form() {
  if (Form::unavailable()) return;
  loses_no_addition<Form>();
  finds_what_was_put_once<Form>();
  if constexpr (requires(std::uint64_t & word) { Form::compare_exchange(word, word, 0); })
    swaps_only_what_was_expected<Form>();
}

template <class... Forms>
void look_at(std::tuple<Forms...>) {
  (look_at_form<Forms>(), ...);
}

TEST(AtomicForms, LoseNothing) {
  if constexpr (std::tuple_size_v<this_cpu::atomic_forms> == 0)
    GTEST_SKIP() << "this processor has one form only";
  else
    look_at(this_cpu::atomic_forms{});
}

}  // namespace
