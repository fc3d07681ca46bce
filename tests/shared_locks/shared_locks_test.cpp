// Reader-writer locks: who shares, who excludes, and whose turn it is.

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <latch>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "hierarchical/staged_machine.hpp"
#include "synchro/locks/big_reader.hpp"
#include "synchro/locks/phase_fair.hpp"

namespace synchro::tests {
namespace {

using stage = staged_machine<3>;
using shared_locks = testing::Types<basic_phase_fair_lock<stage, spin>, basic_phase_fair_lock<stage, spin_yield>,
                                    basic_big_reader_lock<stage, spin>, basic_big_reader_lock<stage, spin_yield>>;

void join(std::vector<std::thread>& threads) {
  for (std::thread& t : threads) t.join();
  threads.clear();
}

template <class Lock>
bool is_free(Lock& lock) {
  if (!lock.try_lock()) return false;
  lock.unlock();
  return true;
}

/// A lock whose counters all wrap after `ahead` uses.
template <class Lock>
std::unique_ptr<Lock> about_to_wrap(std::uint32_t ahead) {
  const first_ticket first{0U - ahead};
  if constexpr (std::is_constructible_v<Lock, const shape&, first_ticket>)
    return std::make_unique<Lock>(stage::here(), first);
  else
    return std::make_unique<Lock>(first);
}

template <class Lock>
class SharedLock : public testing::Test {
 protected:
  void SetUp() override { my_role() = {}; }
};
TYPED_TEST_SUITE(SharedLock, shared_locks);

TYPED_TEST(SharedLock, ReadersAreInsideTogether) {
  TypeParam lock;
  std::barrier together{3};
  std::vector<std::thread> threads;
  for (const unsigned domain : {0U, 0U, 1U}) {
    threads.push_back(actor({domain}, [&] {
      for (int i = 0; i < 10; ++i) {
        lock.lock_shared();
        together.arrive_and_wait();  // all are inside, or this test does not end
        lock.unlock_shared();
      }
    }));
  }
  join(threads);
  EXPECT_TRUE(is_free(lock));
}

TYPED_TEST(SharedLock, TryingTellsWhoIsInside) {
  TypeParam lock;
  lock.lock_shared();
  actor({1}, [&lock] {
    EXPECT_FALSE(lock.try_lock());
    ASSERT_TRUE(lock.try_lock_shared());
    lock.unlock_shared();
  }).join();
  lock.unlock_shared();
  ASSERT_TRUE(lock.try_lock());
  actor({2}, [&lock] {
    EXPECT_FALSE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock_shared());
  }).join();
  lock.unlock();
  ASSERT_TRUE(lock.try_lock_shared());
  lock.unlock_shared();
  lock.lock();
  EXPECT_FALSE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock_shared());
  lock.unlock();
  EXPECT_TRUE(is_free(lock));
}

TYPED_TEST(SharedLock, TryingHoldsWhoeverComesInBetween) {
  for (const unsigned domain : {0U, 2U}) {
    for (int change = 0; change < 6; ++change) {
      for (const bool reads : {true, false}) {
        TypeParam lock;
        bool other_holds = false;
        my_role().changes_before_interlude = change;
        my_role().interlude = [&] {
          my_role().domain = domain;
          other_holds = reads ? lock.try_lock_shared() : lock.try_lock();
        };
        const bool holds = lock.try_lock();
        my_role() = {};
        EXPECT_FALSE(holds && other_holds);
        if (holds) lock.unlock();
        if (other_holds && reads) {
          EXPECT_TRUE(lock.try_lock_shared());
          lock.unlock_shared();
          lock.unlock_shared();
        }
        if (other_holds && !reads) lock.unlock();
        EXPECT_TRUE(is_free(lock));
      }
    }
  }
}

TYPED_TEST(SharedLock, AWaitingWriterComesAfterThePresentReadersAndBeforeNewOnes) {
  TypeParam lock;
  std::string order;  // writers and, one at a time, readers
  std::latch present_may_leave{1};
  std::latch present_is_in{1};
  std::thread present = actor({1}, [&] {
    lock.lock_shared();
    present_is_in.count_down();
    present_may_leave.wait();
    lock.unlock_shared();
  });
  present_is_in.wait();
  std::thread writer = waiting_actor({0}, [&] {
    lock.lock();
    order += 'w';
    lock.unlock();
  });
  std::vector<std::thread> late;
  std::mutex among_readers;
  for (const unsigned domain : {0U, 1U, 2U}) {
    EXPECT_FALSE(lock.try_lock_shared());
    late.push_back(waiting_actor({domain}, [&] {
      lock.lock_shared();
      {
        const std::lock_guard guard{among_readers};
        order += 'r';
      }
      lock.unlock_shared();
    }));
  }
  present_may_leave.count_down();
  present.join();
  writer.join();
  join(late);
  EXPECT_EQ(order, "wrrr");
}

TYPED_TEST(SharedLock, WaitingReadersComeAfterThePresentWriterAndBeforeTheNext) {
  TypeParam lock;
  std::string order;
  std::mutex among_readers;
  lock.lock();
  const auto write = [&] {
    lock.lock();
    order += 'w';
    lock.unlock();
  };
  std::vector<std::thread> threads;
  threads.push_back(waiting_actor({1}, write));
  for (const unsigned domain : {0U, 1U, 2U}) {
    threads.push_back(waiting_actor({domain}, [&] {
      lock.lock_shared();
      {
        const std::lock_guard guard{among_readers};
        order += 'r';
      }
      lock.unlock_shared();
    }));
  }
  threads.push_back(waiting_actor({2}, write));
  lock.unlock();
  join(threads);
  EXPECT_EQ(order, "rrrww");
}

TYPED_TEST(SharedLock, AReaderThatLooksLateDoesNotWaitForTheWriterThatWaitsForIt) {
  TypeParam lock;
  for (const int tries : {0, 1, 2, 3}) {
    std::latch curtain{1};
    lock.lock();
    role slow{1};
    slow.curtain = &curtain;
    std::thread reader = waiting_actor(slow, [&lock] {
      lock.lock_shared();
      lock.unlock_shared();
    });
    lock.unlock();  // which the reader does not see yet
    for (int i = 0; i < tries; ++i) EXPECT_FALSE(lock.try_lock());
    std::thread writer = waiting_actor({0}, [&lock] {
      lock.lock();
      lock.unlock();
    });
    curtain.count_down();
    reader.join();
    writer.join();
    EXPECT_TRUE(is_free(lock));
  }
}

TYPED_TEST(SharedLock, AWriterWaitsForTheLastReaderWhereverReadersLeave) {
  TypeParam lock;
  std::atomic<bool> writer_is_in{false};
  std::vector<unsigned> ways{0, 0, 1, 2, 2, 5};
  for (const unsigned domain : ways) {
    my_role().domain = domain;
    lock.lock_shared();
  }
  my_role().domain = 1;
  lock.unlock_shared();  // one has left by another domain before the writer comes
  std::thread writer = waiting_actor({0}, [&] {
    lock.lock();
    writer_is_in = true;
    lock.unlock();
  });
  for (const unsigned domain : {2U, 1U, 1U, 0U, 7U}) {
    EXPECT_FALSE(writer_is_in);
    my_role().domain = domain;
    lock.unlock_shared();
  }
  writer.join();
  EXPECT_TRUE(writer_is_in);
  EXPECT_TRUE(is_free(lock));
}

TYPED_TEST(SharedLock, WorksWithTheGuardsOfTheStandard) {
  TypeParam lock;
  TypeParam other;
  {
    std::shared_lock mine{lock};
    std::shared_lock another{other};
    actor({2}, [&] {
      std::shared_lock also{lock, std::try_to_lock};
      EXPECT_TRUE(also.owns_lock());
      const std::unique_lock writer{lock, std::try_to_lock};
      EXPECT_FALSE(writer.owns_lock());
    }).join();
    my_role().domain = 2;
  }
  {
    const std::scoped_lock both{lock, other};
    actor({1}, [&] { EXPECT_FALSE((std::shared_lock{lock, std::try_to_lock}.owns_lock())); }).join();
  }
  {
    std::shared_lock mine{lock};
    actor({1}, [taken = std::make_shared<std::shared_lock<TypeParam>>(std::move(mine))] { taken->unlock(); }).join();
  }
  {
    std::unique_lock mine{lock};
    actor({1}, [taken = std::make_shared<std::unique_lock<TypeParam>>(std::move(mine))] { taken->unlock(); }).join();
  }
  EXPECT_TRUE(is_free(lock));
  EXPECT_TRUE(is_free(other));
}

TYPED_TEST(SharedLock, ManyAreHeldSharedAtOnceAndReleasedOutOfOrder) {
  std::vector<std::unique_ptr<TypeParam>> locks;
  for (int i = 0; i < 20; ++i) locks.push_back(std::make_unique<TypeParam>());
  my_role().wandering = 3;
  for (const auto& lock : locks) lock->lock_shared();
  for (const auto& lock : locks) EXPECT_FALSE(is_free(*lock));
  for (std::size_t i = 0; i < locks.size(); ++i) {
    const std::size_t next = i * 7 % locks.size();
    locks[next]->unlock_shared();
    EXPECT_TRUE(is_free(*locks[next]));
  }
}

/// Readers and writers of these roles for a number of rounds; the data are plain.
template <class Lock>
void read_and_write_together(Lock& lock, const std::vector<role>& roles, int rounds) {
  struct {
    int first = 0, second = 0;
  } data;
  std::atomic<int> writes{0};
  std::vector<std::thread> threads;
  for (const role& part : roles) {
    threads.push_back(actor(part, [&, rounds] {
      for (int i = 0; i < rounds; ++i) {
        if (i % 4 == 0 || (i % 4 == 1 && lock.try_lock())) {
          if (i % 4 == 0) lock.lock();
          ++data.first;
          ++data.second;
          lock.unlock();
          ++writes;
        } else {
          if (i % 4 != 2 || !lock.try_lock_shared()) lock.lock_shared();
          EXPECT_EQ(data.first, data.second);
          lock.unlock_shared();
        }
      }
    }));
  }
  join(threads);
  EXPECT_EQ(data.first, writes);
  EXPECT_TRUE(is_free(lock));
}

std::vector<role> wanderers(std::uint32_t threads) {
  std::vector<role> roles(threads);
  for (std::uint32_t i = 0; i < threads; ++i) roles[i].wandering = 1000 + i;
  return roles;
}

TYPED_TEST(SharedLock, WritersExcludeEverybody) {
  TypeParam lock;
  read_and_write_together(lock, {{0}, {1}}, 2000);
}

TYPED_TEST(SharedLock, WritersExcludeThreadsThatMigrateAllTheTime) {
  TypeParam lock;
  read_and_write_together(lock, wanderers(2), 2000);
}

TYPED_TEST(SharedLock, ServesMoreThreadsThanProcessors) {
  TypeParam lock;
  const bool gives_way = std::is_same_v<TypeParam, basic_phase_fair_lock<stage, spin_yield>> ||
                         std::is_same_v<TypeParam, basic_big_reader_lock<stage, spin_yield>>;
  read_and_write_together(lock, wanderers(8), gives_way ? 400 : 8);
}

TYPED_TEST(SharedLock, CountsMayWrap) {
  for (const std::uint32_t ahead : {1U, 2U, 5U}) {
    const auto lock = about_to_wrap<TypeParam>(ahead);
    EXPECT_TRUE(is_free(*lock));
    for (unsigned i = 0; i < 8; ++i) {
      my_role().domain = i;
      lock->lock_shared();
      EXPECT_FALSE(lock->try_lock());
      EXPECT_TRUE(lock->try_lock_shared());
      my_role().domain = i + 1;
      lock->unlock_shared();
      lock->unlock_shared();
      lock->lock();
      EXPECT_FALSE(lock->try_lock_shared());
      lock->unlock();
    }
    EXPECT_TRUE(is_free(*lock));
  }
}

TYPED_TEST(SharedLock, CountsMayWrapWhileThreadsWait) {
  const auto lock = about_to_wrap<TypeParam>(3);
  int writes = 0;
  for (unsigned i = 0; i < 6; ++i) {
    lock->lock_shared();
    std::thread writer = waiting_actor({i}, [&] {
      lock->lock();
      ++writes;
      lock->unlock();
    });
    std::thread reader = waiting_actor({i + 1}, [&] {
      lock->lock_shared();
      lock->unlock_shared();
    });
    my_role().domain = i + 2;
    lock->unlock_shared();
    writer.join();
    reader.join();
  }
  EXPECT_EQ(writes, 6);
  read_and_write_together(*lock, wanderers(2), 200);
}

TEST(BigReaderLock, WorksOnTheHardwareAsItIs) {
  big_reader_lock lock;
  read_and_write_together(lock, {{}, {}}, 1000);
}

TEST(PhaseFairLock, WorksOnTheHardwareAsItIs) {
  phase_fair_lock lock;
  read_and_write_together(lock, {{}, {}}, 1000);
}

/// Counts how often a thread asks which of several lines is its own.
struct asking : hardware {
  static inline std::atomic<int> asked{0};
  static unsigned slot() noexcept {
    ++asked;
    return hardware::slot();
  }
};

TEST(BigReaderLock, ReadersGoApartWhenTheyHaveMet) {
  basic_big_reader_lock<asking> lock{shape{{0, 0}}};
  const auto read = [&] {
    lock.lock_shared();
    lock.unlock_shared();
  };
  read();
  EXPECT_EQ(asking::asked, 0) << "nobody was there";
  lock.lock_shared();
  std::thread{read}.join();
  lock.unlock_shared();
  asking::asked = 0;
  read();
  EXPECT_EQ(asking::asked, 2) << "one at coming, one at leaving";
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock_shared());
  lock.unlock();
}

TEST(BigReaderLock, IsMadeFromAnyShape) {
  for (const shape& team : {shape{}, shape{{0}}, shape{{0, 3}}}) {
    basic_big_reader_lock<stage, spin_yield> lock{team};
    read_and_write_together(lock, wanderers(3), 200);
  }
}

}  // namespace
}  // namespace synchro::tests
