// What the tour tells has something that it is held against, or docs/truth.md says why not.

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/framework/tour.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/overhead/call_rows.hpp"
#include "results/temporary.hpp"
#include "truth/plain.hpp"

namespace synchro::tests {
namespace {

/// The rows of a table of docs/truth.md that has so many columns.
std::vector<std::vector<std::string>> rows_with(std::size_t columns) {
  std::istringstream page{results::samples::content_of(TRUTH_PAGE)};
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(page, line);) {
    std::vector<std::string> row;
    for (std::size_t at = line.starts_with("| ") ? 2 : line.size(), end = 0; at < line.size(); at = end + 3) {
      end = line.find(" |", at);
      if (end == std::string::npos) break;
      row.push_back(line.substr(at, end - at));
    }
    if (row.size() == columns) rows.push_back(std::move(row));
  }
  return rows;
}

constexpr std::size_t columns_of_what_is_held = 5, columns_of_what_is_not = 2;

bool is_held(const std::string& experiment) {
  for (const auto& row : rows_with(columns_of_what_is_held))
    if (row[1].find("`" + experiment + "`") != std::string::npos) return true;
  return false;
}

std::string why_not_held(const std::string& experiment) {
  for (const auto& row : rows_with(columns_of_what_is_not))
    if (row[0] == "`" + experiment + "`") return row[1];
  return "";
}

TEST(Truth, EveryExperimentOfTheTourIsHeldAgainstSomethingOrThePageSaysWhyNot) {
  const auto stops = experiments::tour_experiments();
  ASSERT_GE(stops.size(), 10U);
  std::set<std::string> not_held;
  for (const experiments::experiment* e : stops) {
    const bool has_reason = !why_not_held(e->name).empty();
    EXPECT_NE(is_held(e->name), has_reason) << e->name;
    if (has_reason) not_held.insert("`" + e->name + "`");
  }
  for (const auto& row : rows_with(columns_of_what_is_not))
    EXPECT_TRUE(row[0] == "experiment" || not_held.contains(row[0])) << row[0] << " is not in the tour";
}

TEST(Truth, EveryLockOfTheTourHasItsBareLoop) {
  const auto locks = experiments::tour_locks();
  EXPECT_GE(locks.size(), 2U);
  for (const experiments::coordinate& lock : locks)
    EXPECT_TRUE(plain::has_loop(results::to_string(lock))) << results::to_string(lock);
  EXPECT_FALSE(plain::has_loop("somebody's/lock"));
}

TEST(Truth, EveryCallHasItsBareThreadsOrLoop) {
  EXPECT_EQ(plain::timed_calls().size(), experiments::overhead::call_rows().size()) << "and none is left over";
  for (const experiments::overhead::call_row& row : experiments::overhead::call_rows())
    EXPECT_NE(plain::timed_call_of(row.call, row.primitive), nullptr) << row.call << ", " << row.primitive;
  EXPECT_EQ(plain::timed_call_of("SetEvent", "posix/sem"), nullptr);
}

}  // namespace
}  // namespace synchro::tests
