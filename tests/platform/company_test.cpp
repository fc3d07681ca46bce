#include "platform/company.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "platform/fake_root.hpp"

namespace synchro::platform {
namespace {

std::string stat_of(const char* name, int user, int system) {
  return "7 (" + std::string{name} + ") R 1 1 1 0 -1 0 0 0 0 0 " + std::to_string(user) + " " + std::to_string(system) +
         " 0 0 20 0 1 0";
}

TEST(Company, IsWhatOthersTookBetweenTwoLooks) {
  const auto ticks = static_cast<int>(sysconf(_SC_CLK_TCK));
  fake_root before, after;
  before.with("proc/stat", "cpu  0 0 0 0 0 0 0 0\ncpu0 10 0 0 50 0 0 0 0\ncpu1 10 0 0 50 0 0 0 0\n");
  before.with("proc/11/stat", stat_of("a (b) c", 100, 0));
  before.with("proc/12/stat", stat_of("quiet", 5, 5));
  const int took = 10 + ticks;
  after.with("proc/stat",
             "cpu  0 0 0 0 0 0 0 0\ncpu0 " + std::to_string(took) + " 0 0 90 9 0 0 0\ncpu1 10 0 0 900 0 0 0 0\n");
  after.with("proc/11/stat", stat_of("a (b) c", 100 + ticks / 2, 0));
  after.with("proc/12/stat", stat_of("quiet", 5, 5));
  after.with("proc/13/stat", stat_of("a (b) c", 0, ticks / 4));
  const auto first = time_used_so_far({0, 1}, before.path()), second = time_used_so_far({0, 1}, after.path());
  ASSERT_TRUE(first && second);
  const company found = company_between(*first, *second, 1);
  EXPECT_DOUBLE_EQ(found.processors, 1);
  ASSERT_EQ(found.programs.size(), 1U);
  EXPECT_EQ(found.programs[0].name, "a (b) c");
  EXPECT_EQ(found.programs[0].processes, 2U);
  EXPECT_DOUBLE_EQ(found.programs[0].processors, 0.75);
  EXPECT_TRUE(disturbs(found, 2));
  EXPECT_FALSE(disturbs(found, 64));
  EXPECT_FALSE(disturbs(company_between(*first, *first, 1), 1));
}

TEST(Company, OnProcessorsThatAreNotUsedIsNone) {
  fake_root before, after;
  before.with("proc/stat", "cpu0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0\n");
  after.with("proc/stat", "cpu0 0 0 0 100 0 0 0 0\ncpu1 100 0 0 0 0 0 0 0\n");
  EXPECT_EQ(company_between(*time_used_so_far({0}, before.path()), *time_used_so_far({0}, after.path()), 1).processors,
            0);
}

TEST(Company, IsUnknownWhereTheSystemDoesNotTell) {
  const fake_root empty;
  EXPECT_FALSE(time_used_so_far({0}, empty.path()).has_value());
}

}  // namespace
}  // namespace synchro::platform
