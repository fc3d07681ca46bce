// Where the threads of a team go, and whether they get there.

#include "platform/placement.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstring>
#include <utility>

#include "platform/child.hpp"
#include "platform/machines.hpp"
#include "synchro/domains.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {
namespace {

using cpus = std::vector<unsigned>;

TEST(Placement, NamesAreReadBack) {
  for (const placement p : {placement::compact, placement::spread, placement::unpinned})
    EXPECT_EQ(placement_from(to_string(p)), p);
  EXPECT_EQ(placement_from("scattered"), std::nullopt);
}

TEST(Placement, CompactFillsCoresThenTheirThreadsThenTheNextCache) {
  const topology t = machines::two_sockets_smt();
  EXPECT_EQ(place(t, placement::compact, 1), (cpus{0}));
  EXPECT_EQ(place(t, placement::compact, 4), (cpus{0, 1, 2, 3}));
  EXPECT_EQ(place(t, placement::compact, 6), (cpus{0, 1, 2, 3, 8, 9}));
  EXPECT_EQ(place(t, placement::compact, 10), (cpus{0, 1, 2, 3, 8, 9, 10, 11, 4, 5}));
}

TEST(Placement, SpreadAlternatesBetweenPackagesThenCachesThenCores) {
  const topology t = machines::two_sockets_smt();
  EXPECT_EQ(place(t, placement::spread, 3), (cpus{0, 4, 1}));
  EXPECT_EQ(place(t, placement::spread, 10), (cpus{0, 4, 1, 5, 2, 6, 3, 7, 8, 12}));
  EXPECT_EQ(place(machines::many_dies(), placement::spread, 18),
            (cpus{0, 32, 8, 40, 16, 48, 24, 56, 4, 36, 12, 44, 20, 52, 28, 60, 1, 33}));
}

TEST(Placement, FastCoresComeFirst) {
  const topology t = machines::hybrid();
  EXPECT_EQ(place(t, placement::compact, 6), (cpus{0, 2, 4, 6, 8, 9}));
  EXPECT_EQ(place(t, placement::compact, 16), (cpus{0, 2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 1, 3, 5, 7}));
  EXPECT_EQ(place(t, placement::spread, 8), (cpus{0, 2, 4, 6, 8, 12, 9, 13}));
}

TEST(Placement, BigMachines) {
  const topology t = machines::cpus_576();
  EXPECT_EQ(place(t, placement::compact, 3), (cpus{0, 2, 4}));
  EXPECT_EQ(place(t, placement::compact, 73)[72], 72U) << "the second package only when the first is full";
  EXPECT_EQ(place(t, placement::spread, 9), (cpus{0, 72, 144, 216, 288, 360, 432, 504, 2}));
  cpus all = place(t, placement::spread, 576);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end()) << "each once";
}

TEST(Placement, MoreThreadsThanProcessorsWrapAround) {
  EXPECT_EQ(place(machines::one_cpu(), placement::spread, 3), (cpus{0, 0, 0}));
  const topology part = machines::two_sockets_smt().restricted_to({5, 13});
  EXPECT_EQ(place(part, placement::compact, 5), (cpus{5, 13, 5, 13, 5}));
  EXPECT_EQ(place(part, placement::unpinned, 5), cpus{});
  EXPECT_EQ(place(part, placement::compact, 0), cpus{});
}

TEST(Pinning, ToEachAllowedProcessorAndBack) {
  EXPECT_EQ(in_child([] {
              const auto allowed = os::allowed_cpus();
              for (const unsigned cpu : allowed) {
                if (!pin_this_thread(cpu)) return 1;
                if (sched_getcpu() != static_cast<int>(cpu)) return 2;
                if (os::allowed_cpus() != cpus{cpu}) return 3;
              }
              return unpin_this_thread(allowed) && os::allowed_cpus() == allowed ? 0 : 4;
            }),
            0);
}

TEST(Pinning, IsRefusedWhereThereIsNoProcessor) {
  const auto before = os::allowed_cpus();
  EXPECT_FALSE(pin_this_thread(900));
  EXPECT_FALSE(pin_this_thread(5000)) << "beyond cpu_set_t";
  EXPECT_FALSE(pin_this_thread(~0U));
  EXPECT_FALSE(unpin_this_thread({}));
  EXPECT_EQ(os::allowed_cpus(), before);
}

TEST(FreshMemory, IsZeroPresentAndAligned) {
  fresh_memory m{10'000};
  ASSERT_NE(m.data(), nullptr);
  EXPECT_EQ(m.size(), 10'000U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.data()) % 4096, 0U);
  const auto* bytes = static_cast<const unsigned char*>(m.data());
  EXPECT_TRUE(std::all_of(bytes, bytes + m.size(), [](unsigned char b) { return b == 0; }));
  std::memset(m.data(), 1, m.size());
}

TEST(FreshMemory, MovesAndEnds) {
  fresh_memory a{4096};
  void* const data = a.data();
  fresh_memory b{std::move(a)};
  EXPECT_EQ(b.data(), data);
  a = fresh_memory{8192};
  std::swap(a, b);
  EXPECT_EQ(a.data(), data);
  EXPECT_EQ(a.size(), 4096U);
  EXPECT_EQ(b.size(), 8192U);
}

TEST(FreshMemory, IsOnTheNodeAskedForIfTheSystemTells) {
  if (!fresh_memory{4096}.node()) GTEST_SKIP() << "the system does not tell where memory is";
  for (const unsigned node : read_topology().nodes) EXPECT_EQ((fresh_memory{4096, node}.node()), node);
}

TEST(FreshMemory, ANodeThatIsNotThereIsNoReasonToGiveNone) {
  const fresh_memory m{4096, 1000};
  EXPECT_NE(m.data(), nullptr);
}

TEST(FreshMemory, TooMuchIsBadAlloc) { EXPECT_THROW(fresh_memory{std::size_t{1} << 60}, std::bad_alloc); }

}  // namespace
}  // namespace synchro::platform
