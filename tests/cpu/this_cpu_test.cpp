// The processor's own instructions, as far as a program sees what they do.

#include "cpu/this_cpu.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

using namespace synchro;

TEST(ThisCpu, HasACounterThatNeverGoesBackAndMoves) {
  if constexpr (!this_cpu::has_counter) GTEST_SKIP() << "no counter of this processor is known";
  const std::uint64_t first = this_cpu::counter();
  std::uint64_t before = first;
  for (int i = 0; i != 100'000; ++i) {
    const std::uint64_t now = this_cpu::counter();
    ASSERT_GE(now, before);
    before = now;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds{2});
  EXPECT_GT(this_cpu::counter(), first);
}

TEST(ThisCpu, FlushesALineWithoutAnyLoss) {
  if (!this_cpu::can_flush_lines()) GTEST_SKIP() << "programs cannot evict a line here";
  alignas(256) volatile std::uint64_t line[32] = {};
  for (std::uint64_t i = 0; i != 32; ++i) {
    line[i] = i;
    this_cpu::flush_line(const_cast<const std::uint64_t*>(&line[i]));
  }
  for (std::uint64_t i = 0; i != 32; ++i) EXPECT_EQ(line[i], i);
}

TEST(ThisCpu, HasFences) {
  this_cpu::load_fence();
  this_cpu::store_fence();
  this_cpu::full_fence();
  this_cpu::no_operation();
  EXPECT_EQ(*this_cpu::counter_name == 0, !this_cpu::has_counter);
}

}  // namespace
