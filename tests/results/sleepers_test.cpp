#include "results/sleepers.hpp"

#include <gtest/gtest.h>

#include "results/samples.hpp"

namespace synchro::results {
namespace {

cell metric(const std::string& name, double value, double half_width = 0.01) {
  return samples::made("wake.broadcast", {{"primitive", "any"}}, name, "1", samples::around(value, half_width));
}
cell share(double value, double half_width = 0.01) { return metric("cpu_share", value, half_width); }
cell switches(double value, double half_width = 0.01) { return metric("switches", value, half_width); }

TEST(Sleepers, AreKnownByTheCatalogsOfAllSystems) {
  for (const char* name : {"event", "event/park", "cascade", "rendezvous", "std/atomic_wait", "pthread/cond_spin",
                           "linux/futex", "win32/event", "omp/microsoft"})
    EXPECT_EQ(sleeps_by_catalog(name), true) << name;
  for (const char* name : {"event/spin", "auto_event/yield", "rendezvous/spin", "spin/pause", "spin/zero_sleep",
                           "pthread/spin_flag", "spin/switch_to_thread"})
    EXPECT_EQ(sleeps_by_catalog(name), false) << name;
  for (const char* name : {"", "mine", "event/", "spin/", "broadcast_interrupt"})
    EXPECT_EQ(sleeps_by_catalog(name), std::nullopt) << name;
}

TEST(Sleepers, AreNotKnownByTheirShareOfAProcessorWhereACatalogHasThem) {
  const cell low = share(0.1), high = share(0.9), none = switches(0), one = switches(1), many = switches(40);
  EXPECT_EQ(slept("event", nullptr, &high), true);
  EXPECT_EQ(slept("event", &one, &high), true);
  EXPECT_EQ(slept("spin/pause", nullptr, &low), false);
  EXPECT_EQ(slept("spin/pause", &many, &low), false) << "others want its processor";
  EXPECT_EQ(slept("spin/pause", &none, &high), false);
}

TEST(Sleepers, AreSwitched) {
  const cell none = switches(0), unsure = switches(0.3, 0.6), low = share(0.1);
  EXPECT_EQ(slept("event", &none, &low), std::nullopt);
  EXPECT_EQ(slept("event", &unsure, &low), true) << "what is not sure refutes nothing";
  EXPECT_EQ(slept("mine", &none, &low), std::nullopt);
}

TEST(Sleepers, OfNoCatalogAreKnownBySureCellsOnly) {
  const cell low = share(0.1), high = share(0.9), between = share(0.5), unsure = share(0.1, 0.6), one = switches(1);
  EXPECT_EQ(slept("mine", nullptr, &low), true);
  EXPECT_EQ(slept("mine", &one, &low), true);
  EXPECT_EQ(slept("mine", &one, &high), false);
  EXPECT_EQ(slept("mine", &one, &between), std::nullopt);
  EXPECT_EQ(slept("mine", &one, &unsure), std::nullopt);
  EXPECT_EQ(slept("mine/spin", nullptr, nullptr), std::nullopt) << "not by its name";
  cell broken = low;
  broken.valid = false;
  EXPECT_EQ(slept("mine", nullptr, &broken), std::nullopt);
}

}  // namespace
}  // namespace synchro::results
