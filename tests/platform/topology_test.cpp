// What is read of a machine, and what is left of it.

#include "platform/topology.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "platform/child.hpp"
#include "platform/machines.hpp"
#include "platform/placement.hpp"
#include "synchro/domains.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {
namespace {

std::vector<unsigned> cpus_of(const topology& t) {
  std::vector<unsigned> cpus;
  for (const processor& p : t.processors) cpus.push_back(p.cpu);
  return cpus;
}

TEST(Topology, GroupsAreNumberedDenselyInTopologyOrder) {
  const topology t = machines::two_sockets_smt();
  EXPECT_EQ(cpus_of(t), (std::vector<unsigned>{0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15}));
  const processor& p = *t.find(13);  // second thread of core 5, the second of package 1
  EXPECT_EQ(p.core, 5U);
  EXPECT_EQ(p.smt, 1U);
  EXPECT_EQ(p.cluster, 5U);
  EXPECT_EQ(p.cache, 1U);
  EXPECT_EQ(p.package, 1U);
  EXPECT_EQ(p.core_class, "");
}

TEST(Topology, CachesAreToldInnerFirst) {
  const topology t = machines::hybrid();
  ASSERT_EQ(t.caches.size(), 5U) << "two kinds of L1 and L2, one L3";
  EXPECT_EQ(t.caches.front().level, 1U);
  EXPECT_EQ(t.caches[0].bytes, 49152U);
  EXPECT_EQ(t.caches[2].bytes, 1310720U);
  EXPECT_EQ(t.caches[2].sharers, 2U);
  EXPECT_EQ(t.caches[3].bytes, 2097152U);
  EXPECT_EQ(t.caches[3].sharers, 4U);
  EXPECT_EQ(t.caches[3].groups, (std::vector<std::vector<unsigned>>{{8, 9, 10, 11}, {12, 13, 14, 15}}));
  EXPECT_EQ(t.caches.back().level, 3U);
  EXPECT_EQ(t.caches.back().sharers, 16U);
  EXPECT_EQ(t.caches.back().line_bytes, 64U);
}

TEST(Topology, MemoryNodesAndTheirDistances) {
  const topology t = machines::from_file("ring_of_four.xml");
  EXPECT_EQ(t.nodes, (std::vector<unsigned>{0, 1, 2, 3}));
  ASSERT_EQ(t.node_distance.size(), 4U);
  EXPECT_EQ(t.node_distance[0], (std::vector<std::uint64_t>{10, 21, 31, 21}));
  EXPECT_EQ(t.memory_bytes, 4ULL << 34);
  EXPECT_TRUE(machines::cpus_576().node_distance.empty()) << "not told, so not known";
}

TEST(Topology, RestrictedKeepsOrderAndNumbersAnew) {
  const topology t = machines::two_sockets_smt().restricted_to({13, 4, 12, 9});
  EXPECT_EQ(cpus_of(t), (std::vector<unsigned>{9, 4, 12, 13}));
  EXPECT_EQ(t.find(9)->smt, 0U) << "its sibling is not allowed";
  EXPECT_EQ(t.find(12)->smt, 1U);
  EXPECT_EQ(t.find(13)->core, 2U);
  EXPECT_EQ(t.find(13)->package, 1U);
  EXPECT_EQ(t.find(0), nullptr);
  EXPECT_EQ(t.caches.back().groups, (std::vector<std::vector<unsigned>>{{9}, {4, 12, 13}}));
  EXPECT_EQ(t.caches.back().sharers, 3U);
  EXPECT_EQ(t.distances(), (std::vector<distance>{distance::same_core, distance::same_cache, distance::other_package}));
}

TEST(Topology, RestrictedToWhatIsNotThere) {
  EXPECT_THROW(static_cast<void>(machines::hybrid().restricted_to({0, 16})), std::invalid_argument);
}

TEST(Topology, BadDescriptionsAreOneSentence) {
  EXPECT_THROW(static_cast<void>(topology_from_synthetic("teapots:3")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(topology_from_xml("/nowhere/machine.xml")), std::runtime_error);
  try {
    static_cast<void>(machines::from_file("README.md"));
    FAIL() << "it is not XML";
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string{e.what()}.find("README.md is not a topology"), std::string::npos) << e.what();
  }
}

TEST(Topology, ThisMachineHasTheProcessorsThisProcessMayUse) {
  const topology t = read_topology();
  const auto allowed = os::allowed_cpus();
  const auto found = cpus_of(t);
  EXPECT_EQ(std::set<unsigned>(found.begin(), found.end()), std::set<unsigned>(allowed.begin(), allowed.end()));
  EXPECT_EQ(t.source, "hwloc");
  EXPECT_GT(t.memory_bytes, 0U);
  EXPECT_GT(t.usable_memory(), 0U);
  EXPECT_LE(t.usable_memory(), t.memory_bytes);
}

TEST(Topology, ARestrictedProcessSeesOnlyItsProcessors) {
  const auto allowed = os::allowed_cpus();
  const unsigned last = allowed.back();
  EXPECT_EQ(in_child([&] {
              if (!unpin_this_thread({last})) return 1;
              return cpus_of(read_topology()) == std::vector<unsigned>{last} ? 0 : 2;
            }),
            0);
}

}  // namespace
}  // namespace synchro::platform
