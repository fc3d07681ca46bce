// Transactions of many threads, more than most machines have processors.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "stm/kinds.hpp"
#include "stm/list_set.hpp"
#include "synchro/stm/stm.hpp"

namespace synchro {
namespace {

constexpr unsigned crowd = 12;

void on_threads(unsigned n, const std::function<void(unsigned)>& body) {
  std::vector<std::thread> team;
  for (unsigned t = 0; t != n; ++t) team.emplace_back(body, t);
  for (std::thread& t : team) t.join();
}

template <class Stm>
class Crowds : public testing::Test {
 protected:
  Stm memory{{.stripes = 256, .attempts = 8}};
};
TYPED_TEST_SUITE(Crowds, stm_kinds);

TYPED_TEST(Crowds, KeepTheTotalOfABank) {
  constexpr std::size_t accounts = 8;
  constexpr long each = 1000;
  std::array<tvar<long>, accounts> bank;
  for (auto& a : bank) a.set_alone(each);
  std::atomic<unsigned> wrong{0};
  const auto total = [&](auto& tx) {
    long sum = 0;
    for (auto& a : bank) sum += tx.read(a);
    if (sum != long{accounts} * each) ++wrong;  // of attempts that begin again, too
  };
  on_threads(crowd, [&](unsigned t) {
    std::minstd_rand random{t + 1};
    for (int i = 0; i != 400; ++i) {
      const std::size_t from = random() % accounts, to = random() % accounts;
      const long amount = static_cast<long>(random() % 50);
      if (i % 8 == 0) this->memory.read_only(total);
      if (i % 8 == 4) this->memory.atomically(total);
      this->memory.atomically([&](auto& tx) {
        tx.write(bank[from], tx.read(bank[from]) - amount);
        tx.write(bank[to], tx.read(bank[to]) + amount);
      });
    }
  });
  EXPECT_EQ(wrong, 0U);
  this->memory.atomically(total);
  EXPECT_EQ(wrong, 0U);
}

TYPED_TEST(Crowds, LoseNoUpdate) {
  tvar<std::uint64_t> count{0};
  on_threads(crowd, [&](unsigned) {
    for (int i = 0; i != 300; ++i) this->memory.atomically([&](auto& tx) { tx.write(count, tx.read(count) + 1); });
  });
  EXPECT_EQ(count.alone(), std::uint64_t{crowd} * 300);
}

/// A thread that is held up between two reads has the best chance to see two moments.
TYPED_TEST(Crowds, SeeNoZombies) {
  alignas(64) tvar<long> x{0};
  alignas(64) tvar<long> y{0};
  std::atomic<unsigned> zombies{0};
  on_threads(crowd, [&](unsigned t) {
    for (int i = 0; i != 200; ++i) {
      const auto compare = [&](auto& tx) {
        const long seen = tx.read(x);
        if (i % 20 == 0) std::this_thread::yield();
        if (seen != tx.read(y)) ++zombies;
        return seen;
      };
      if (t % 3 == 0)
        this->memory.read_only(compare);
      else
        this->memory.atomically([&](auto& tx) {
          const long next = compare(tx) + 1;
          tx.write(x, next);
          tx.write(y, next);
        });
    }
  });
  EXPECT_EQ(zombies, 0U);
  EXPECT_EQ(x.alone(), 8 * 200);
  EXPECT_EQ(y.alone(), 8 * 200);
}

TYPED_TEST(Crowds, RunIrrevocableOnesOnceAndAlone) {
  tvar<long> x{0};
  std::atomic<unsigned> effects{0}, inside{0}, met{0};
  on_threads(crowd, [&](unsigned t) {
    for (int i = 0; i != 100; ++i) {
      const auto with_effect = [&](auto& tx) {
        const long before = tx.read(x);
        tx.become_irrevocable();
        if (inside.fetch_add(1) != 0) ++met;
        ++effects;
        if (i % 20 == 0) std::this_thread::yield();
        if (tx.read(x) != before) ++met;
        tx.write(x, before + 1);
        inside.fetch_sub(1);
      };
      if (t % 3 == 0)
        this->memory.irrevocably(with_effect);
      else if (t % 3 == 1)
        this->memory.atomically(with_effect);
      else
        this->memory.atomically([&](auto& tx) { tx.write(x, tx.read(x) + 1); });
    }
  });
  EXPECT_EQ(effects, 8U * 100);
  EXPECT_EQ(met, 0U);
  EXPECT_EQ(x.alone(), long{crowd} * 100);
}

/// Who finds nothing to take waits until somebody has put something there.
TYPED_TEST(Crowds, RetryUntilThereIsSomething) {
  for (const unsigned attempts : {0U, 8U}) {
    TypeParam own{{.stripes = 64, .attempts = attempts}};
    tvar<int> slot{0};
    std::array<std::vector<int>, 3> taken;
    on_threads(6, [&](unsigned t) {
      for (int i = 1; i <= 20; ++i)
        if (t < 3)
          taken[t].push_back(own.atomically([&](auto& tx) {
            const int found = tx.read(slot);
            if (found == 0) tx.retry();
            tx.write(slot, 0);
            return found;
          }));
        else
          own.atomically([&](auto& tx) {
            if (tx.read(slot) != 0) tx.retry();
            tx.write(slot, static_cast<int>(t) * 1000 + i);
          });
    });
    std::set<int> all;
    for (const auto& each : taken) all.insert(each.begin(), each.end());
    EXPECT_EQ(all.size(), 60U) << "something was lost or taken twice";
    EXPECT_EQ(slot.alone(), 0);
  }
}

TYPED_TEST(Crowds, KeepAListASet) {
  constexpr unsigned keys = 24;
  list_set<TypeParam> list{this->memory, keys};
  std::array<std::array<int, keys>, crowd> balance{};
  std::atomic<unsigned> unsorted{0};
  on_threads(crowd, [&](unsigned t) {
    std::minstd_rand random{t + 1};
    for (int i = 0; i != 200; ++i) {
      const auto key = static_cast<unsigned>(random() % keys);
      switch (random() % 4) {
        case 0:
          balance[t][key] += list.insert(key) ? 1 : 0;
          break;
        case 1:
          balance[t][key] -= list.erase(key) ? 1 : 0;
          break;
        case 2:
          (void)list.contains(key);
          break;
        default:
          unsorted += list.is_sorted() ? 0U : 1U;
      }
    }
  });
  EXPECT_EQ(unsorted, 0U);
  for (unsigned key = 0; key != keys; ++key) {
    int sum = 0;
    for (const auto& each : balance) sum += each[key];
    EXPECT_EQ(sum, list.contains(key) ? 1 : 0) << "key " << key;
  }
}

TEST(ListSet, IsWhatASetIs) {
  stm memory;
  list_set<stm> list{memory, 64};
  std::set<unsigned> model;
  std::minstd_rand random{7};
  for (int i = 0; i != 5000; ++i) {
    const auto key = static_cast<unsigned>(random() % 64);
    switch (random() % 3) {
      case 0:
        ASSERT_EQ(list.insert(key), model.insert(key).second);
        break;
      case 1:
        ASSERT_EQ(list.erase(key), model.erase(key) == 1);
        break;
      default:
        ASSERT_EQ(list.contains(key), model.contains(key));
    }
    ASSERT_TRUE(list.is_sorted());
  }
}

}  // namespace
}  // namespace synchro
