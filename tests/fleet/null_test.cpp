// The rate of false alarms, where nobody is ill: as often as docs/fleet.md says, and no more.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "made_hosts.hpp"

namespace synchro::fleet {
namespace {

using random_numbers = statistics::random_numbers;

struct shape {
  const char* name;
  made::draw next;
  /// Fleets with an alarm among the first `pinned`, by the number of hosts.
  std::array<std::size_t, 3> known;
  made::shared_draw shared = made::normal;
  std::size_t days = 1;
};

constexpr std::array<std::size_t, 3> hosts_of_a_fleet{8, 20, 100};

/// So many fleets of each kind are judged at each call, the same ones everywhere: their seeds are fixed.
constexpr std::size_t pinned = 80;
/// Two machines' logarithms may differ in the last bit, so a fleet that is at the edge may go the other way.
constexpr std::size_t edge = 1;

/// FLEETS=1000 gives the figures of docs/fleet.md; fewer than `pinned` there are never.
std::size_t fleets() {
  const char* const asked = std::getenv("FLEETS");
  return std::max<std::size_t>(pinned, asked == nullptr ? 0 : std::strtoul(asked, nullptr, 10));
}

bool alarms(const shape& kind, std::size_t hosts, std::uint64_t seed) {
  gathered all;
  made::fill(all, {hosts, 6, 10}, seed, kind.next, kind.shared, kind.days);
  return !judge(all, {}).called.empty();
}

double normal_cell(random_numbers& r, std::size_t) { return made::normal(r); }

/// Student's distribution of so many degrees of freedom in every cell.
made::draw student_cells(int freedom) {
  return [freedom](random_numbers& r, std::size_t) { return made::student(r, freedom); };
}

/// The most that is asked of the rate: tails as heavy as Student's of 3. One kind is beyond that, and docs/fleet.md says so.
const std::vector<shape>& shapes() {
  static const std::vector<shape> all{
      {"normal", normal_cell, {0, 0, 0}},
      {"student_8", student_cells(8), {0, 0, 0}},
      {"student_5", student_cells(5), {0, 0, 0}},
      {"student_3", student_cells(3), {0, 0, 3}},
      {"student_2", student_cells(2), {0, 3, 15}},
      // Most cells are normal, and do not tell of the others' tails.
      {"mixed",
       [](random_numbers& r, std::size_t cell) { return cell % 4 == 3 ? made::student(r, 5) : made::normal(r); },
       {0, 0, 2}},
      // Slow hosts farther from the middle than fast ones.
      {"skewed", [](random_numbers& r, std::size_t) { return -std::log(made::uniform(r)) - 1; }, {0, 0, 0}},
      // One host in five in a slower state.
      {"two_states",
       [](random_numbers& r, std::size_t) { return made::normal(r) + (made::uniform(r) < 0.2 ? 5 : 0); },
       {0, 0, 0}},
      // What a host's cells have in common is heavy-tailed, too.
      {"shared_3", student_cells(5), {0, 0, 2}, [](random_numbers& r) { return made::student(r, 3); }},
      // Two files of each host, so that changes are compared as well.
      {"two_files", student_cells(5), {0, 0, 0}, made::normal, 2}};
  return all;
}

class Null : public testing::TestWithParam<shape> {};

TEST_P(Null, RateIsKept) {
  constexpr std::uint64_t first_seed = 1000;
  const std::size_t n = fleets();
  for (std::size_t size = 0; size < hosts_of_a_fleet.size(); ++size) {
    std::size_t among_pinned = 0, found = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (alarms(GetParam(), hosts_of_a_fleet[size], first_seed + i)) {
        ++found;
        if (i < pinned) ++among_pinned;
      }
    std::printf("%s, %zu hosts: in %zu of %zu fleets somebody is called, in %zu of the first %zu\n", GetParam().name,
                hosts_of_a_fleet[size], found, n, among_pinned, pinned);
    EXPECT_LE(among_pinned, GetParam().known[size] + edge) << hosts_of_a_fleet[size] << " hosts";
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Null, testing::ValuesIn(shapes()), [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace synchro::fleet
