// What shared_mutex offers beside the locks' common tests: the shared side with a deadline, upgradable, upgrade, downgrade;
// and all of it together on more threads than processors.

#include "synchro/locks/shared_mutex.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace synchro {
namespace {

using namespace std::chrono_literals;

static_assert(sizeof(shared_mutex) == 8 + 2 * sizeof(void*));
static_assert(shared_lockable<shared_mutex> && timed_lockable<shared_mutex>);
[[maybe_unused]] constinit shared_mutex made_by_the_compiler;

/// What another thread finds, so that a lock that knew its owner would be found out, too.
template <class F>
auto elsewhere(F f) {
  decltype(f()) result{};
  std::thread{[&] { result = f(); }}.join();
  return result;
}

bool is_free(shared_mutex& m) {
  return elsewhere([&] { return m.try_lock() && (m.unlock(), true); });
}
bool can_be_read(shared_mutex& m) {
  return elsewhere([&] { return m.try_lock_shared() && (m.unlock_shared(), true); });
}
bool can_be_upgraded(shared_mutex& m) {
  return elsewhere([&] { return m.try_lock_upgrade() && (m.unlock_upgrade(), true); });
}

TEST(shared_mutex, serves_the_standards_guards) {
  shared_mutex m;
  {
    const std::shared_lock one{m};
    const std::shared_lock two{m, 1ms};
    EXPECT_TRUE(two.owns_lock());
    EXPECT_FALSE(is_free(m));
    EXPECT_TRUE(can_be_read(m));
  }
  {
    const std::unique_lock one{m};
    EXPECT_FALSE(can_be_read(m));
    EXPECT_FALSE(elsewhere([&] { return std::shared_lock{m, 1ms}.owns_lock(); }));
    EXPECT_FALSE(elsewhere([&] { return std::unique_lock{m, 1ms}.owns_lock(); }));
    EXPECT_FALSE(elsewhere([&] { return m.try_lock_shared_until(std::chrono::system_clock::now() + 1ms); }));
  }
  EXPECT_TRUE(is_free(m));
}

TEST(shared_mutex, one_is_upgradable_beside_readers) {
  shared_mutex m;
  m.lock_upgrade();
  EXPECT_TRUE(can_be_read(m));
  EXPECT_FALSE(can_be_upgraded(m));
  EXPECT_FALSE(is_free(m));
  EXPECT_FALSE(elsewhere([&] { return m.try_lock_upgrade_for(1ms); }));
  EXPECT_FALSE(elsewhere([&] { return m.try_lock_for(1ms); }));
  EXPECT_TRUE(can_be_read(m)) << "a writer that gave up still holds off readers";
  m.unlock_upgrade();
  EXPECT_TRUE(is_free(m));
}

TEST(shared_mutex, upgrades_when_the_readers_have_gone) {
  shared_mutex m;
  m.lock_shared();
  EXPECT_TRUE(elsewhere([&] {
    m.lock_upgrade();
    const bool too_early = m.try_unlock_upgrade_and_lock() || m.try_unlock_upgrade_and_lock_for(1ms);
    m.unlock_upgrade();
    return !too_early;
  }));
  EXPECT_TRUE(can_be_read(m)) << "an upgrade that was given up still holds off readers";
  m.unlock_shared();
  m.lock_upgrade();
  EXPECT_TRUE(m.try_unlock_upgrade_and_lock());
  EXPECT_FALSE(can_be_read(m));
  m.unlock();
  EXPECT_TRUE(is_free(m));
}

TEST(shared_mutex, goes_down_without_letting_a_writer_in) {
  shared_mutex m;
  m.lock();
  m.unlock_and_lock_upgrade();
  EXPECT_TRUE(can_be_read(m));
  EXPECT_FALSE(is_free(m));
  m.unlock_upgrade_and_lock();
  EXPECT_FALSE(can_be_read(m));
  m.unlock_and_lock_upgrade();
  m.unlock_upgrade_and_lock_shared();
  EXPECT_TRUE(can_be_upgraded(m));
  EXPECT_FALSE(is_free(m));
  m.unlock_shared();
  m.lock();
  m.unlock_and_lock_shared();
  EXPECT_TRUE(can_be_read(m));
  EXPECT_FALSE(is_free(m));
  m.unlock_shared();
  EXPECT_TRUE(is_free(m));
}

TEST(shared_mutex, the_only_reader_may_become_the_writer) {
  shared_mutex m;
  m.lock_shared();
  m.lock_shared();
  EXPECT_FALSE(m.try_unlock_shared_and_lock());
  m.unlock_shared();
  EXPECT_TRUE(m.try_unlock_shared_and_lock());
  EXPECT_FALSE(can_be_read(m));
  m.unlock();
  EXPECT_TRUE(is_free(m));
}

/// Who goes up and down again leaves a writer that waits where it is: in front of the readers that come.
TEST(shared_mutex, an_upgrade_lets_no_reader_pass_the_writer_that_waits) {
  for (const bool as_reader : {false, true}) {
    shared_mutex m;
    as_reader ? m.lock_shared() : m.lock_upgrade();
    std::thread writer{[&m] {
      m.lock();
      m.unlock();
    }};
    while (can_be_read(m)) std::this_thread::yield();
    EXPECT_TRUE(as_reader ? m.try_unlock_shared_and_lock() : m.try_unlock_upgrade_and_lock());
    EXPECT_FALSE(can_be_read(m));
    m.unlock_and_lock_upgrade();
    EXPECT_FALSE(can_be_read(m));
    m.unlock_upgrade();
    writer.join();
    EXPECT_TRUE(is_free(m));
  }
}

/// A writer comes in though readers take turns so that there always is one.
TEST(shared_mutex, readers_without_pause_do_not_starve_a_writer) {
  shared_mutex m;
  std::atomic<bool> written{false};
  std::atomic<int> reading{0};
  std::vector<std::thread> readers;
  for (int i = 0; i != 4; ++i)
    readers.emplace_back([&] {
      while (!written.load()) {
        m.lock_shared();
        reading.fetch_add(1);
        // Stays until another one has come in, or the writer holds off whoever would.
        for (int looks = 0; reading.load() < 2 && looks != 20; ++looks) std::this_thread::yield();
        reading.fetch_sub(1);
        m.unlock_shared();
      }
    });
  while (reading.load() == 0) std::this_thread::yield();
  m.lock();
  written = true;
  m.unlock();
  for (auto& r : readers) r.join();
  SUCCEED() << "a writer that starves would never write";
}

/// Where a thread runs is the test's choice, and so is whether there is memory.
struct placed : hardware {
  static inline thread_local unsigned at = 0;
  static inline std::atomic<bool> has_memory{true};
  static unsigned processor() noexcept { return at; }
  template <class T>
  static T* make() {
    if (!has_memory) throw std::bad_alloc{};
    return new T;
  }
};
using placed_lock = basic_shared_mutex_lock<placed>;

/// What stands in its second word, where readers are counted who do not count apart.
std::uint32_t state_of(const placed_lock& m) {
  return reinterpret_cast<const std::atomic<std::uint32_t>*>(&m)[1].load(std::memory_order_relaxed);
}
constexpr std::uint32_t readers = 0x00ff'ffff;
constexpr std::uint32_t spread = 0x0080'0000;
bool is_spread(const placed_lock& m) { return (state_of(m) & readers) >= spread / 2; }
std::uint32_t meetings_to_pass(const placed_lock& m) { return state_of(m) >> 24 & 15; }

/// A reader that meets the calling thread, which is one.
void meets_on(placed_lock& m, unsigned processor) {
  std::thread{[&, processor] {
    placed::at = processor;
    m.lock_shared();
    m.unlock_shared();
  }}.join();
}

TEST(shared_mutex, readers_that_have_met_write_words_of_their_own) {
  placed_lock m;
  m.lock_shared();
  for (const unsigned processor : {1U, 2U}) {
    meets_on(m, processor);
    const std::uint32_t before = state_of(m);
    placed::at = processor;
    m.lock_shared();
    EXPECT_EQ(state_of(m), before) << "a reader that has a word has written the state";
    placed::at = 3 - processor;  // by another, or by the state where that is closed still
    m.unlock_shared();
    EXPECT_FALSE(m.try_lock()) << "a writer is let in beside a reader";
    meets_on(m, processor);
  }
  placed::at = 0;
  m.unlock_shared();
  ASSERT_TRUE(m.try_lock()) << "one who has left is counted still";
  placed::at = 1;
  EXPECT_FALSE(m.try_lock_shared()) << "a reader is let in beside a writer";
  m.unlock();
  EXPECT_EQ(state_of(m) & (spread - 1), 0U) << "a reader is left";
}

/// Until they are spread, and so many more come then; and a writer gathers them. Returns how many it takes to spread them.
unsigned round_of_readers(placed_lock& m, unsigned more) {
  m.lock_shared();
  unsigned met = 0;
  for (; !is_spread(m) && met != 100; ++met) meets_on(m, 1);
  for (unsigned i = 0; i != more; ++i) meets_on(m, 1);
  m.unlock_shared();
  m.lock();
  m.unlock();
  return met;
}

TEST(shared_mutex, readers_are_spread_again_when_that_pays) {
  placed_lock m;
  EXPECT_EQ(round_of_readers(m, 0), 1U) << "the first who meet are spread";
  for (const unsigned patience : {1U, 3U, 7U, 15U, 15U}) {
    EXPECT_EQ(meetings_to_pass(m), patience);
    EXPECT_EQ(round_of_readers(m, 0), patience + 1);
  }
  for (const unsigned patience : {15U, 7U, 3U, 1U}) {
    EXPECT_EQ(meetings_to_pass(m), patience);
    EXPECT_EQ(round_of_readers(m, 8), patience + 1);
  }
  EXPECT_TRUE(is_spread(m)) << "a writer does not open the words, which has paid";
  EXPECT_EQ(meetings_to_pass(m), 0U);
  EXPECT_EQ(round_of_readers(m, 8), 0U);
  EXPECT_EQ(round_of_readers(m, 0), 0U);
  EXPECT_FALSE(is_spread(m)) << "a writer opens the words, which has not paid";
  EXPECT_EQ(meetings_to_pass(m), 1U);
}

TEST(shared_mutex, a_writer_between_them_has_readers_meet_from_the_beginning) {
  placed_lock m;
  for (int i = 0; i != 3; ++i) round_of_readers(m, 0);
  ASSERT_EQ(meetings_to_pass(m), 7U);
  m.lock_shared();
  meets_on(m, 1);
  meets_on(m, 2);
  EXPECT_EQ(meetings_to_pass(m), 5U);
  m.unlock_shared();
  m.lock();
  m.unlock();
  EXPECT_EQ(meetings_to_pass(m), 7U);
  EXPECT_FALSE(is_spread(m));
}

TEST(shared_mutex, who_goes_down_to_upgradable_opens_no_words) {
  placed_lock m;
  EXPECT_EQ(round_of_readers(m, 8), 1U);
  ASSERT_TRUE(is_spread(m));
  for (int i = 0; i != 8; ++i) meets_on(m, 1);
  m.lock();
  m.unlock_and_lock_upgrade();
  EXPECT_FALSE(is_spread(m)) << "readers are spread beside one who may upgrade";
  EXPECT_EQ(meetings_to_pass(m), 0U);
  EXPECT_TRUE(m.try_unlock_upgrade_and_lock());
  m.unlock();
  EXPECT_TRUE(m.try_lock());
  m.unlock();
}

TEST(shared_mutex, who_goes_down_to_upgradable_forgets_no_meetings) {
  placed_lock m;
  for (int i = 0; i != 3; ++i) round_of_readers(m, 0);
  ASSERT_EQ(meetings_to_pass(m), 7U);
  m.lock();
  m.unlock_and_lock_upgrade();
  EXPECT_EQ(meetings_to_pass(m), 7U);
  m.unlock_upgrade();
  EXPECT_EQ(meetings_to_pass(m), 7U);
}

TEST(shared_mutex, readers_go_on_where_there_is_no_memory_for_words) {
  placed::has_memory = false;
  placed_lock m;
  m.lock_shared();
  meets_on(m, 1);
  EXPECT_EQ(state_of(m), 1U);
  EXPECT_FALSE(m.try_lock());
  placed::has_memory = true;
  meets_on(m, 1);
  EXPECT_NE(state_of(m), 1U) << "it does not ask for memory again";
  m.unlock_shared();
  EXPECT_TRUE(m.try_lock());
  m.unlock();
}

/// As threads do that go on while the static objects of a program are destroyed.
TEST(shared_mutex, can_be_used_where_one_was_destroyed) {
  alignas(placed_lock) std::array<std::byte, sizeof(placed_lock)> room{};
  auto* const m = new (room.data()) placed_lock;
  m->lock_shared();
  meets_on(*m, 1);
  m->unlock_shared();
  m->~basic_shared_mutex_lock();
  EXPECT_EQ(state_of(*m) & readers, 0U);
  meets_on(*m, 1);
  ASSERT_TRUE(m->try_lock());
  m->unlock();
}

TEST(shared_mutex, who_may_upgrade_sees_all_readers_and_no_others_come_apart) {
  placed_lock m;
  m.lock_shared();
  meets_on(m, 1);
  placed::at = 1;
  m.lock_shared();
  m.lock_upgrade();
  EXPECT_FALSE(m.try_unlock_upgrade_and_lock());
  meets_on(m, 1);
  EXPECT_EQ(state_of(m) & readers, 2U) << "readers spread beside one who may upgrade";
  m.unlock_shared();
  m.unlock_shared();
  EXPECT_TRUE(m.try_unlock_upgrade_and_lock());
  m.unlock();
  placed::at = 0;
}

TEST(shared_mutex, the_only_reader_that_counts_apart_may_become_the_writer) {
  placed_lock m;
  m.lock_shared();
  meets_on(m, 1);
  placed::at = 1;
  m.lock_shared();
  EXPECT_FALSE(m.try_unlock_shared_and_lock());
  m.unlock_shared();
  meets_on(m, 1);
  EXPECT_TRUE(m.try_unlock_shared_and_lock());
  m.unlock();
  placed::at = 0;
}

struct book {
  shared_mutex m;
  long one = 0;
  long two = 0;

  void write() { one = ++two; }
  [[nodiscard]] bool consistent() const { return one == two; }
};

/// Does one of ten things, by number; tells whether what it read was consistent. Counts what it wrote.
bool use(book& b, unsigned what, long& wrote) {
  bool consistent = true;
  const auto read = [&] { consistent = consistent && b.consistent(); };
  const auto write = [&] {
    read();
    b.write();
    ++wrote;
  };
  switch (what) {
    case 0:
      b.m.lock();
      write();
      b.m.unlock();
      break;
    case 1:
      if (!b.m.try_lock_for(50us)) break;
      write();
      b.m.unlock();
      break;
    case 2:
      b.m.lock_upgrade();
      read();
      b.m.unlock_upgrade_and_lock();
      write();
      b.m.unlock();
      break;
    case 3:
      if (!b.m.try_lock_upgrade_for(50us)) break;
      if (b.m.try_unlock_upgrade_and_lock_for(50us)) {
        write();
        b.m.unlock_and_lock_shared();
      } else {
        b.m.unlock_upgrade_and_lock_shared();
      }
      read();
      b.m.unlock_shared();
      break;
    case 4:
      b.m.lock();
      write();
      b.m.unlock_and_lock_upgrade();
      read();
      b.m.unlock_upgrade();
      break;
    case 5:
      b.m.lock_shared();
      read();
      if (b.m.try_unlock_shared_and_lock()) {
        write();
        b.m.unlock();
      } else {
        b.m.unlock_shared();
      }
      break;
    case 6:
      if (!b.m.try_lock_shared_for(50us)) break;
      read();
      b.m.unlock_shared();
      break;
    default:
      b.m.lock_shared();
      read();
      b.m.unlock_shared();
  }
  return consistent;
}

TEST(shared_mutex, stands_all_uses_at_once) {
  constexpr unsigned threads = 6;
  constexpr unsigned times = 2000;
  book b;
  std::atomic<long> written{0};
  std::atomic<bool> torn{false};
  std::vector<std::thread> team;
  for (unsigned t = 0; t != threads; ++t)
    team.emplace_back([&, t] {
      long wrote = 0;
      for (unsigned i = 0; i != times; ++i)
        if (!use(b, (i * 7 + t * 3) % 10, wrote)) torn = true;
      written += wrote;
    });
  for (auto& each : team) each.join();
  EXPECT_FALSE(torn);
  EXPECT_EQ(b.one, written.load());
  EXPECT_TRUE(is_free(b.m));
}

}  // namespace
}  // namespace synchro
