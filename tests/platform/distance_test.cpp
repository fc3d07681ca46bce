// How far processors are apart, on machines of every shape.

#include <gtest/gtest.h>

#include <stdexcept>

#include "platform/machines.hpp"
#include "platform/topology.hpp"

namespace synchro::platform {
namespace {

using enum distance;
using distances = std::vector<distance>;
using pair = std::optional<std::pair<unsigned, unsigned>>;

TEST(Distance, NamesAreReadBack) {
  for (std::size_t d = 0; d < distance_count; ++d) {
    const std::string name = to_string(static_cast<distance>(d));
    EXPECT_FALSE(name.empty());
    EXPECT_EQ(distance_from(name), static_cast<distance>(d)) << name;
  }
  EXPECT_EQ(to_string(same_package_other_node), "same_package_other_node");
  EXPECT_EQ(distance_from("next_door"), std::nullopt);
}

TEST(Distance, OneProcessorHasNoOther) {
  const topology t = machines::one_cpu();
  ASSERT_EQ(t.processors.size(), 1U);
  EXPECT_EQ(t.between(0, 0), same_cpu);
  EXPECT_EQ(t.distances(), distances{});
  EXPECT_EQ(t.pair_at(same_core), std::nullopt);
  EXPECT_EQ(t.pair_at(same_cpu), pair(std::in_place, 0, 0));
}

TEST(Distance, TwoSocketsWithTwoThreadsACore) {
  const topology t = machines::two_sockets_smt();
  ASSERT_EQ(t.processors.size(), 16U);
  EXPECT_EQ(t.between(3, 3), same_cpu);
  EXPECT_EQ(t.between(0, 8), same_core);
  EXPECT_EQ(t.between(0, 1), same_cache);
  EXPECT_EQ(t.between(8, 3), same_cache);
  EXPECT_EQ(t.between(0, 4), other_package);
  EXPECT_EQ(t.between(12, 0), other_package);
  EXPECT_EQ(t.distances(), (distances{same_core, same_cache, other_package}));
  EXPECT_EQ(t.pair_at(same_core), pair(std::in_place, 0, 8));
  EXPECT_EQ(t.pair_at(same_cache), pair(std::in_place, 0, 1));
  EXPECT_EQ(t.pair_at(other_package), pair(std::in_place, 0, 4));
  EXPECT_EQ(t.pair_at(same_die), std::nullopt);
}

TEST(Distance, ManyDies) {
  const topology t = machines::many_dies();
  ASSERT_EQ(t.processors.size(), 64U);
  EXPECT_TRUE(t.tells_dies);
  EXPECT_EQ(t.between(0, 3), same_cache);
  EXPECT_EQ(t.between(0, 4), same_die);
  EXPECT_EQ(t.between(0, 8), same_package);
  EXPECT_EQ(t.between(0, 31), same_package);
  EXPECT_EQ(t.between(31, 32), other_package);
  EXPECT_EQ(t.distances(), (distances{same_cache, same_die, same_package, other_package}));
  EXPECT_EQ(t.pair_at(same_die), pair(std::in_place, 0, 4));
  EXPECT_EQ(t.pair_at(same_package), pair(std::in_place, 0, 8));
  EXPECT_EQ(t.pair_at(other_package), pair(std::in_place, 0, 32));
}

TEST(Distance, PerformanceAndEfficiencyCores) {
  const topology t = machines::hybrid();
  ASSERT_EQ(t.processors.size(), 16U);
  EXPECT_EQ(t.between(0, 1), same_core);
  EXPECT_EQ(t.between(0, 2), same_cache);
  EXPECT_EQ(t.between(8, 11), same_cluster);
  EXPECT_EQ(t.between(11, 12), same_cache);
  EXPECT_EQ(t.between(7, 8), same_cache);
  EXPECT_EQ(t.distances(), (distances{same_core, same_cluster, same_cache}));
  EXPECT_EQ(t.pair_at(same_cluster), pair(std::in_place, 8, 9));
  EXPECT_EQ(t.find(7)->core_class, "performance");
  EXPECT_EQ(t.find(8)->core_class, "efficiency");
}

TEST(Distance, FiveHundredAndSeventySixProcessors) {
  const topology t = machines::cpus_576();
  ASSERT_EQ(t.processors.size(), 576U);
  EXPECT_EQ(t.between(0, 1), same_core);
  EXPECT_EQ(t.between(0, 71), same_cache);
  EXPECT_EQ(t.between(0, 72), other_package);
  EXPECT_EQ(t.between(575, 574), same_core);
  EXPECT_EQ(t.between(575, 0), other_package);
  EXPECT_EQ(t.distances(), (distances{same_core, same_cache, other_package}));
  EXPECT_EQ(t.pair_at(other_package), pair(std::in_place, 0, 72));
  EXPECT_EQ(t.find(575)->node, 7U);
}

TEST(Distance, PackagesDividedIntoNumaNodes) {
  const topology t = machines::from_file("epyc_nps4.xml");
  EXPECT_FALSE(t.tells_dies);
  EXPECT_EQ(t.nearest_remote, 32U) << "12 leads to another node, but not to another package";
  EXPECT_EQ(t.between(0, 1), same_cache);
  EXPECT_EQ(t.between(0, 2), same_package);
  EXPECT_EQ(t.between(0, 4), same_package_other_node);
  EXPECT_EQ(t.between(0, 16), other_package);
  EXPECT_EQ(t.distances(), (distances{same_cache, same_package, same_package_other_node, other_package}));
}

TEST(Distance, PackagesAtSeveralNumaDistances) {
  const topology t = machines::from_file("ring_of_four.xml");
  EXPECT_EQ(t.nearest_remote, 21U);
  EXPECT_EQ(t.between(0, 2), other_package);
  EXPECT_EQ(t.between(0, 4), other_package_far);
  EXPECT_EQ(t.between(0, 6), other_package);
  EXPECT_EQ(t.distances(), (distances{same_cache, other_package, other_package_far}));
}

TEST(Distance, DoesNotDependOnWhatElseIsAllowed) {
  const topology ring = machines::from_file("ring_of_four.xml").restricted_to({0, 4});
  EXPECT_EQ(ring.between(0, 4), other_package_far) << "there is no nearer one left";
  const topology dies = machines::many_dies().restricted_to({0, 4});
  EXPECT_EQ(dies.between(0, 4), same_die) << "only one die is left";
}

TEST(Distance, OfAProcessorThatIsNotThere) {
  EXPECT_THROW(static_cast<void>(machines::one_cpu().between(0, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace synchro::platform
