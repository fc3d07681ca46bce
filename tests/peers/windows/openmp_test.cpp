// The OpenMP runtimes that Windows has: each thread of a team runs the body once, with its own number and in a thread of its own.

#include "peers/wakes/openmp.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace synchro::peers {
namespace {

template <class P>
class openmp_on_windows : public testing::Test {};

using runtimes = testing::Types<omp_gnu, omp_llvm, omp_microsoft>;
TYPED_TEST_SUITE(openmp_on_windows, runtimes);

TYPED_TEST(openmp_on_windows, every_thread_of_the_team_runs_once_in_every_region) {
  constexpr unsigned sleepers = 3;
  constexpr int regions = 50;
  try {
    TypeParam wake{sleepers};
    for (int region = 0; region != regions; ++region) {
      std::atomic<int> runs[sleepers + 1]{};
      std::vector<std::thread::id> by(sleepers + 1);
      wake.region([&](unsigned i) {
        ASSERT_LE(i, sleepers);
        runs[i].fetch_add(1);
        by[i] = std::this_thread::get_id();
      });
      for (const auto& n : runs) EXPECT_EQ(n.load(), 1);
      EXPECT_EQ(std::set<std::thread::id>(by.begin(), by.end()).size(), by.size());
      EXPECT_EQ(by[0], std::this_thread::get_id());
    }
  } catch (const std::runtime_error& why) {
    // Wine has Microsoft's, the compiler GCC's.
    if (!std::is_same_v<TypeParam, omp_llvm>) FAIL() << why.what();
    EXPECT_NE(std::string{why.what()}.find("is not installed"), std::string::npos) << why.what();
    GTEST_SKIP() << why.what();
  }
}

}  // namespace
}  // namespace synchro::peers
