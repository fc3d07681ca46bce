// A fork-join pool for which there is no memory.

#include <gtest/gtest.h>

#include <atomic>
#include <new>

#include "library/failing_new.hpp"
#include "synchro/pool/fork_join_pool.hpp"

namespace synchro::tests {
namespace {

/// Which allocation fails, the test does not know: each in turn, until none does. Those of the threads that are made are the last.
TEST(Pool, OfFewerThreadsThanAskedForIsNone) {
  std::atomic<unsigned> begun{0};
  const auto begins = [&begun](unsigned) { ++begun; };
  int failed = 0;
  for (bool made = false; !made;) {
    allocations_left = failed;
    try {
      fork_join_pool pool{4, begins};
      allocations_left = -1;
      made = true;
    } catch (const std::bad_alloc&) {
      allocations_left = -1;
      ++failed;
      EXPECT_EQ(begun, 0U) << "a worker began that was to go home";
    }
  }
  EXPECT_GE(failed, 3) << "each of three threads takes memory";
  EXPECT_EQ(begun, 3U);
}

}  // namespace
}  // namespace synchro::tests
