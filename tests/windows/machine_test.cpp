// Machines of several processor groups, which are not here: what is made of the system's records. And what the calls say here.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "platform/placement.hpp"
#include "platform/windows/cpu_sets.hpp"
#include "platform/windows/processor_records.hpp"
#include "platform/windows/system.hpp"
#include "windows/described_machine.hpp"

namespace synchro::platform::windows {
namespace {

using tests::described_machine;

std::vector<unsigned> first_numbers(unsigned n) {
  std::vector<unsigned> all(n);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

topology large_machine(const described_machine& nodes) {
  const auto parts = parts_of(tests::of_192_processors().bytes, nodes.bytes);
  return described_by(parts, all_cpus(parts));
}

TEST(LargeMachine, IsKnownWhole) {
  const topology machine = large_machine(tests::nodes_of_192_processors());
  ASSERT_EQ(machine.processors.size(), 192U);
  std::set<unsigned> cores, packages;
  for (const processor& p : machine.processors) cores.insert(p.core), packages.insert(p.package);
  EXPECT_EQ(cores.size(), 96U);
  EXPECT_EQ(packages.size(), 2U);
}

TEST(LargeMachine, ACacheReachesBeyondAGroup) {
  const topology machine = large_machine(tests::nodes_of_192_processors());
  EXPECT_EQ(machine.caches.back().sharers, 128U);
  EXPECT_EQ(machine.between(0, 64), distance::same_cache);
  EXPECT_EQ(machine.between(64, 65), distance::same_core);
  EXPECT_EQ(machine.between(64, 128), distance::other_package);
}

TEST(LargeMachine, ANodeReachesBeyondItsPrimaryGroup) {
  const topology machine = large_machine(tests::nodes_of_192_processors());
  EXPECT_EQ(machine.nodes, (std::vector<unsigned>{0, 1}));
  for (const processor& p : machine.processors) EXPECT_EQ(p.node, p.cpu < 128 ? 1U : 0U) << p.cpu;
}

/// Before Windows 11 there was one mask, and 0 in the place of their number.
TEST(LargeMachine, OfAnOlderSystemHasOneMaskAnObject) {
  described_machine older;
  for (std::uint16_t group = 0; group != 2; ++group)
    older.processors(0, {{group, 3}}).node(1, group, {{group, 3}}, 0).cache(3, 1U << 20, {{group, 3}}, 0);
  const auto parts = parts_of(older.bytes);
  const topology machine = described_by(parts, all_cpus(parts));
  ASSERT_EQ(machine.processors.size(), 4U);
  ASSERT_NE(machine.find(65), nullptr);
  EXPECT_EQ(machine.find(65)->node, 1U);
  ASSERT_FALSE(machine.caches.empty());
  EXPECT_EQ(machine.caches.back().groups.size(), 2U);
}

TEST(LargeMachine, RecordsThatEndEarlyEndTheList) {
  auto bytes = tests::of_192_processors().bytes;
  bytes.resize(bytes.size() - 1);
  EXPECT_FALSE(parts_of(bytes).empty());
  EXPECT_TRUE(parts_of(std::vector<std::byte>(7)).empty());
  EXPECT_TRUE(parts_of(std::vector<std::byte>(64)).empty()) << "of size 0";
}

GROUP_AFFINITY affinity(WORD group, std::uint64_t mask) {
  GROUP_AFFINITY a{};
  a.Group = group;
  a.Mask = static_cast<KAFFINITY>(mask);
  return a;
}

TEST(Groups, AThreadWithoutAChoiceMayUseAll) {
  const std::vector<unsigned> all = numbers_of({64, 64, 64});
  EXPECT_EQ(all, first_numbers(192));
  EXPECT_EQ(usable_cpus(all, affinity(1, ~0ULL)), all) << "whichever group it was started in";
  EXPECT_EQ(usable_cpus(all, affinity(1, 0b101)), (std::vector<unsigned>{64, 66}));
  const std::vector<unsigned> uneven = numbers_of({3, 2});
  EXPECT_EQ(uneven, (std::vector<unsigned>{0, 1, 2, 64, 65}));
  EXPECT_EQ(usable_cpus(uneven, affinity(1, 0b11)), uneven);
}

TEST(Groups, AnAffinityIsOfOne) {
  const std::vector<unsigned> cpus{1, 2, 64, 67, 128};
  const auto in_group = [&](unsigned present) { return affinity_in_one_group(cpus, present); };
  EXPECT_EQ(in_group(1).Group, 1);
  EXPECT_EQ(in_group(1).Mask, 0b1001U) << "where the thread is";
  EXPECT_EQ(in_group(7).Group, 0);
  EXPECT_EQ(in_group(7).Mask, 0b110U) << "where none of them is, that of the first";
}

TEST(Groups, TheRegistryCountsThemWithoutGaps) {
  EXPECT_EQ(dense_number(5, {36, 36, 20}), 5U);
  EXPECT_EQ(dense_number(64, {36, 36, 20}), 36U);
  EXPECT_EQ(dense_number(2 * 64 + 5, {36, 36, 20}), 77U);
  EXPECT_EQ(dense_number(2 * 64 + 5, {64, 64, 64}), 133U);
}

TEST(CpuSets, TellWhoseAProcessorIs) {
  described_machine sets;
  sets.cpu_set(0, 256, 0, 0, 0).cpu_set(0, 257, 1, 3, 0b001).cpu_set(9, 1, 0, 1, 0b111);
  sets.cpu_set(0, 258, 2, 63, 0b010, 40).cpu_set(0, 259, 2, 62, 0b110);
  const auto found = cpu_sets_of(sets.bytes);
  ASSERT_EQ(found.size(), 4U) << "and none of the kind that nobody knows";
  EXPECT_EQ(found.at(67).id, 257U);
  EXPECT_TRUE(found.at(67).parked);
  EXPECT_FALSE(found.at(0).parked);
  EXPECT_TRUE(found.at(191).of_others());
  EXPECT_FALSE(found.at(190).of_others()) << "it is this process's";
}

TEST(ThisMachine, IsTheSameByAllItsCalls) {
  const topology machine = read_topology();
  std::vector<unsigned> cpus;
  for (const processor& p : machine.processors) cpus.push_back(p.cpu);
  std::sort(cpus.begin(), cpus.end());
  EXPECT_EQ(cpus, numbers_of(processors_of_groups()));
  const auto sets = cpu_sets();
  for (const unsigned cpu : cpus) EXPECT_TRUE(sets.empty() || sets.contains(cpu)) << cpu;
  EXPECT_GE(clock_step_ns(), 1e5);
}

/// Nobody binds what was not bound: a thread that may run everywhere is not put into one group.
TEST(ThisMachine, AThreadIsBoundAndLetGo) {
  const topology machine = read_topology();
  std::vector<unsigned> all;
  for (const processor& p : machine.processors) all.push_back(p.cpu);
  const auto own = [] {
    GROUP_AFFINITY now{};
    GetThreadGroupAffinity(GetCurrentThread(), &now);
    return now.Mask;
  };
  const KAFFINITY before = own();
  EXPECT_TRUE(unpin_this_thread(all));
  EXPECT_EQ(own(), before);
  ASSERT_TRUE(pin_this_thread(all.back()));
  EXPECT_EQ(own(), KAFFINITY{1} << all.back() % group_size);
  EXPECT_TRUE(unpin_this_thread(all));
  EXPECT_EQ(own(), before);
}

}  // namespace
}  // namespace synchro::platform::windows
