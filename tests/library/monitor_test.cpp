// Waiting by the processor's own instruction: what rests ends, and what is made of it excludes. UMWAIT and MWAITX end after a time,
// and without an instruction there is a pause: a write that they overlook shows in no test on such processors.

#include <gtest/gtest.h>

#include <cstdint>
#include <mutex>
#include <thread>

#include "library/recorder.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/waiting.hpp"

namespace synchro::tests {
namespace {

using word = hardware::atomic<std::uint32_t>;

TEST(rest_until_written, returns_at_once_when_the_word_holds_something_else) {
  for (const std::uint32_t held : {1U, 0x8000'0000U, 0xffff'ffffU}) {
    const word w{held};
    cpu::rest_until_written(w, held - 1);
  }
  SUCCEED() << "WFE or WRS without a look first would hang";
}

TEST(rest_until_written, ends_when_the_word_is_written) {
  for (const std::uint32_t held : {0U, 0x8000'0000U, 0xffff'ffffU}) {
    word w{held};
    std::thread other{[&] { w.store(held + 1, memory_order::release); }};
    while (w.load(memory_order::acquire) == held) cpu::rest_until_written(w, held);
    other.join();
    EXPECT_EQ(w.load(memory_order::relaxed), held + 1);
  }
}

TEST(spin_monitor, misses_no_hand_over) {
  word ping{0};
  word pong{0};
  constexpr std::uint32_t rounds = 500;
  std::thread other{[&] {
    for (std::uint32_t i = 0; i != rounds; ++i) {
      EXPECT_EQ(spin_monitor::wait<hardware>(ping, i), i + 1);
      spin_monitor::hand_over<hardware>(pong, i + 1, memory_order::release);
    }
  }};
  for (std::uint32_t i = 0; i != rounds; ++i) {
    spin_monitor::hand_over<hardware>(ping, i + 1, memory_order::release);
    EXPECT_EQ(spin_monitor::wait<hardware>(pong, i), i + 1);
  }
  other.join();
}

TEST(spin_monitor, is_a_look_like_others_on_a_machine_without_processors) {
  recorder::atomic<std::uint32_t> w{9};
  EXPECT_EQ(spin_monitor::wait<recorder>(w, 0), 9U);
  EXPECT_EQ(spin_monitor::step(0)(0).pauses(), look::retry().pauses());
}

template <class Lock>
class monitored : public testing::Test {};
using locks = testing::Types<basic_mcs_lock<hardware, spin_monitor>, basic_clh_lock<hardware, spin_monitor>>;
TYPED_TEST_SUITE(monitored, locks);

TYPED_TEST(monitored, excludes) {
  TypeParam lock;
  unsigned count = 0;
  constexpr unsigned rounds = 2000;
  const auto work = [&] {
    for (unsigned i = 0; i != rounds; ++i) {
      const std::scoped_lock hold{lock};
      ++count;
    }
  };
  std::thread one{work}, two{work};
  one.join(), two.join();
  EXPECT_EQ(count, 2 * rounds);
}

}  // namespace
}  // namespace synchro::tests
