// The rate of false alarms, where nobody is ill: as often as it says, and no more.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "made_hosts.hpp"

namespace synchro::fleet {
namespace {

using made::size;
using random_numbers = statistics::random_numbers;

/// In how many of these fleets, each of another seed, somebody is called.
std::size_t alarms(std::size_t fleets, const size& of, const made::draw& next, std::uint64_t first_seed) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < fleets; ++i) {
    gathered all;
    made::fill(all, of, first_seed + i, next);
    if (!judge(all, {}).called.empty()) ++count;
  }
  return count;
}

/// FLEETS=2000 gives the figures of docs/fleet.md.
std::size_t fleets() {
  const char* const asked = std::getenv("FLEETS");
  return asked == nullptr ? 200 : std::strtoul(asked, nullptr, 10);
}

/// At a rate of 5 % as many as this or fewer, but for one time in a thousand.
double most(std::size_t of) {
  const auto n = static_cast<double>(of);
  return 0.05 * n + 3.1 * std::sqrt(n * 0.05 * 0.95) + 1;
}

struct shape {
  const char* name;
  made::draw next;
};

const std::vector<shape>& shapes() {
  static const std::vector<shape> all{
      {"normal", [](random_numbers& r, std::size_t) { return made::normal(r); }},
      {"student_8", [](random_numbers& r, std::size_t) { return made::student(r, 8); }},
      {"student_5", [](random_numbers& r, std::size_t) { return made::student(r, 5); }},
      // Most cells are normal, and do not tell of the others' tails.
      {"mixed",
       [](random_numbers& r, std::size_t cell) { return cell % 4 == 3 ? made::student(r, 5) : made::normal(r); }},
      // Slow hosts farther from the middle than fast ones.
      {"skewed", [](random_numbers& r, std::size_t) { return -std::log(made::uniform(r)) - 1; }},
      // One host in five in a slower state.
      {"two_states",
       [](random_numbers& r, std::size_t) { return made::normal(r) + (made::uniform(r) < 0.2 ? 5 : 0); }}};
  return all;
}

class Null : public testing::TestWithParam<shape> {};

TEST_P(Null, RateIsKept) {
  for (const std::size_t hosts : {8U, 20U, 100U}) {
    const std::size_t found = alarms(fleets(), {hosts, 6, 10}, GetParam().next, 1000);
    std::printf("%s, %zu hosts: in %zu of %zu fleets somebody is called\n", GetParam().name, hosts, found, fleets());
    EXPECT_LE(static_cast<double>(found), most(fleets())) << hosts << " hosts";
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Null, testing::ValuesIn(shapes()), [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace synchro::fleet
