// Transactions that ask servers: one client's view, where another comes in between at a known place; many clients; and what
// is refused.

#include "synchro/stm/served_stm.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace synchro {
namespace {

/// Servers of a memory, until its clients have left.
template <class Stm>
class serving {
 public:
  explicit serving(Stm& memory) : memory_{memory} {
    for (unsigned s = 0; s != memory.servers(); ++s) team_.emplace_back([&memory, s] { memory.serve(s); });
  }
  serving(const serving&) = delete;
  serving& operator=(const serving&) = delete;
  ~serving() {
    for (unsigned c = 0; c != memory_.clients(); ++c) memory_.join(c).leave();
    for (std::thread& t : team_) t.join();
  }

 private:
  Stm& memory_;
  std::vector<std::thread> team_;
};

using kinds = testing::Types<served_stm<>, served_stm<greedy>, served_stm<fair_commit>, served_stm<wholly>>;

/// Two servers and two clients; this thread is the first client.
template <class Stm>
class Served : public testing::Test {
 protected:
  Stm memory{{.servers = 2, .clients = 2, .stripes = 64, .attempts = 2}};
  serving<Stm> servers{memory};
  typename Stm::client mine = memory.join(0), other = memory.join(1);
  alignas(64) tvar<int> x{1};
  alignas(64) tvar<int> y{2};
};
TYPED_TEST_SUITE(Served, kinds);

TYPED_TEST(Served, ReadWhatTheyWrote) {
  const int seen = this->mine.atomically([&](auto& tx) {
    tx.write(this->x, tx.read(this->x) + 1);
    EXPECT_EQ(this->x.alone(), 1) << "written before the end";
    tx.write(this->x, tx.read(this->x) * 10);
    return tx.read(this->x);
  });
  EXPECT_EQ(seen, 20);
  EXPECT_EQ(this->x.alone(), 20);
  EXPECT_EQ(this->other.read_only([&](auto& tx) { return tx.read(this->x); }), 20);
}

TYPED_TEST(Served, TakeValuesOfAnySizeAndMany) {
  struct large {
    std::array<long, 5> longs{};
    char last = 0;
  };
  tvar<large> wide;
  std::vector<std::unique_ptr<tvar<int>>> all;
  for (int i = 0; i != 300; ++i) all.push_back(std::make_unique<tvar<int>>(i));
  this->mine.atomically([&](auto& tx) {
    large l = tx.read(wide);
    l.longs = {1, 2, 3, 4, 5};
    l.last = 's';
    tx.write(wide, l);
    for (auto& each : all) tx.write(*each, tx.read(*each) + 1);
  });
  EXPECT_EQ(wide.alone().longs, (std::array<long, 5>{1, 2, 3, 4, 5}));
  EXPECT_EQ(wide.alone().last, 's');
  for (int i = 0; i != 300; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)]->alone(), i + 1);
}

TYPED_TEST(Served, DropWhatTheyWroteWhenTheyThrow) {
  const auto failing = [&](auto& tx) {
    tx.write(this->x, tx.read(this->y) * 10);
    tx.write(this->y, 20);
    throw std::runtime_error{"no"};
  };
  EXPECT_THROW(this->mine.atomically(failing), std::runtime_error);
  EXPECT_EQ(this->x.alone() + this->y.alone(), 3);
  this->other.atomically([&](auto& tx) { tx.write(this->y, 5); });  // nothing is left taken
  this->mine.atomically([&](auto& tx) { tx.write(this->x, tx.read(this->y)); });
  EXPECT_EQ(this->x.alone(), 5);
}

TYPED_TEST(Served, BecomePartsOfTheOneAround) {
  try {
    this->mine.atomically([&](auto& tx) {
      tx.write(this->x, 7);
      this->mine.atomically([&](auto& part) { part.write(this->y, part.read(this->x) + 1); });
      EXPECT_EQ(this->mine.read_only([&](auto& part) { return part.read(this->y); }), 8);
      EXPECT_EQ(this->y.alone(), 2) << "the part has committed";
      throw 1;
    });
  } catch (int) {
  }
  EXPECT_EQ(this->x.alone() + this->y.alone(), 3);
}

/// The other has committed meanwhile, if it could: what was read is not mixed with what it wrote.
TYPED_TEST(Served, SeeOneMomentOnly) {
  std::atomic<bool> has_read{false};
  int runs = 0, mixed = 0;
  std::thread writer{[&] {
    while (!has_read) std::this_thread::yield();
    this->other.atomically([&](auto& tx) {
      tx.write(this->x, 10);
      tx.write(this->y, 20);
    });
  }};
  this->mine.atomically([&](auto& tx) {
    const int seen = tx.read(this->x);
    ++runs;
    has_read = true;
    for (int i = 0; i != 100; ++i) std::this_thread::yield();
    if (tx.read(this->y) != 2 * seen) ++mixed;
  });
  writer.join();
  EXPECT_EQ(mixed, 0);
  EXPECT_GE(runs, 1);
  EXPECT_EQ(this->x.alone() + this->y.alone(), 30);
}

/// With precedence from the start, the client with the smaller number ends the other's attempt.
TYPED_TEST(Served, AreEndedByOneThatPrevails) {
  TypeParam strict{{.servers = 1, .clients = 2, .stripes = 4, .attempts = 0}};
  const serving<TypeParam> of_strict{strict};
  auto first = strict.join(0), second = strict.join(1);
  int runs = 0;
  second.atomically([&](auto& tx) {
    const int seen = tx.read(this->x);
    if (++runs == 1) first.atomically([&](auto& prior) { prior.write(this->x, 50); });
    tx.write(this->y, seen + tx.read(this->x));
  });
  EXPECT_EQ(runs, 2) << "its leave to read was revoked";
  EXPECT_EQ(this->y.alone(), 100);
}

/// The function that goes on regardless is given nothing that is not of its moment.
TYPED_TEST(Served, EndThoughTheFunctionCatchesEverything) {
  TypeParam strict{{.servers = 1, .clients = 2, .stripes = 4, .attempts = 0}};
  const serving<TypeParam> of_strict{strict};
  auto first = strict.join(0), second = strict.join(1);
  int runs = 0;
  second.atomically([&](auto& tx) {
    const int seen = tx.read(this->x);
    if (++runs == 1) first.atomically([&](auto& prior) { prior.write(this->x, 50); });
    try {
      EXPECT_EQ(tx.read(this->x), seen);
    } catch (...) {
    }
    EXPECT_TRUE(runs == 2 || (runs == 1 && seen == 1));
  });
  EXPECT_EQ(runs, 2);
}

/// One of another memory is within; the one around finds there that it was ended.
TYPED_TEST(Served, OfAnotherMemoryLetPassWhatEndsTheOneAround) {
  TypeParam strict{{.servers = 1, .clients = 2, .stripes = 4, .attempts = 0}};
  const serving<TypeParam> of_strict{strict};
  auto first = strict.join(0), second = strict.join(1);
  tvar<int> inner_runs{0};
  int runs = 0;
  second.atomically([&](auto& tx) {
    const int seen = tx.read(this->x);
    if (++runs == 1) first.atomically([&](auto& prior) { prior.write(this->x, 50); });
    this->mine.atomically([&](auto& inner) {
      inner.write(inner_runs, inner.read(inner_runs) + 1);
      EXPECT_EQ(tx.read(this->x), seen);
    });
  });
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(inner_runs.alone(), 1) << "what the first wrote is dropped";
}

// ---- many clients

constexpr unsigned crowd = 6;

template <class Stm>
class ServedCrowds : public testing::Test {
 protected:
  Stm memory{{.servers = 2, .clients = crowd, .stripes = 256, .attempts = 8}};
  serving<Stm> servers{memory};

  void on_clients(const std::function<void(typename Stm::client&, unsigned)>& body) {
    std::vector<std::thread> team;
    for (unsigned t = 0; t != crowd; ++t)
      team.emplace_back([this, &body, t] {
        auto mine = memory.join(t);
        body(mine, t);
      });
    for (std::thread& t : team) t.join();
  }
};
TYPED_TEST_SUITE(ServedCrowds, kinds);

TYPED_TEST(ServedCrowds, KeepTheTotalOfABank) {
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
  this->on_clients([&](auto& mine, unsigned t) {
    std::minstd_rand random{t + 1};
    for (int i = 0; i != 60; ++i) {
      const std::size_t from = random() % accounts, to = random() % accounts;
      const long amount = static_cast<long>(random() % 50);
      if (i % 8 == 0) mine.read_only(total);
      if (i % 8 == 4) mine.atomically(total);
      mine.atomically([&](auto& tx) {
        tx.write(bank[from], tx.read(bank[from]) - amount);
        tx.write(bank[to], tx.read(bank[to]) + amount);
      });
    }
  });
  long sum = 0;
  for (auto& a : bank) sum += a.alone();
  EXPECT_EQ(sum, long{accounts} * each);
  EXPECT_EQ(wrong, 0U);
}

TYPED_TEST(ServedCrowds, LoseNoUpdate) {
  tvar<std::uint64_t> count{0};
  this->on_clients([&](auto& mine, unsigned) {
    for (int i = 0; i != 50; ++i) mine.atomically([&](auto& tx) { tx.write(count, tx.read(count) + 1); });
  });
  EXPECT_EQ(count.alone(), std::uint64_t{crowd} * 50);
}

/// A thread that is held up between two reads has the best chance to see two moments.
TYPED_TEST(ServedCrowds, SeeNoZombies) {
  alignas(64) tvar<long> x{0};
  alignas(64) tvar<long> y{0};
  std::atomic<unsigned> zombies{0};
  this->on_clients([&](auto& mine, unsigned t) {
    for (int i = 0; i != 40; ++i) {
      const auto compare = [&](auto& tx) {
        const long seen = tx.read(x);
        if (i % 4 == 0) std::this_thread::yield();
        if (seen != tx.read(y)) ++zombies;
        return seen;
      };
      if (t % 3 == 0)
        mine.read_only(compare);
      else
        mine.atomically([&](auto& tx) {
          const long next = compare(tx) + 1;
          tx.write(x, next);
          tx.write(y, next);
        });
    }
  });
  EXPECT_EQ(zombies, 0U);
  EXPECT_EQ(x.alone(), 4 * 40);
  EXPECT_EQ(y.alone(), 4 * 40);
}

TYPED_TEST(ServedCrowds, CountWhatTheyPutInAndTakeOut) {
  constexpr unsigned keys = 16;
  std::array<tvar<bool>, keys> set;
  std::vector<std::array<int, keys>> balance(crowd);
  this->on_clients([&](auto& mine, unsigned t) {
    std::minstd_rand random{t + 1};
    for (int i = 0; i != 60; ++i) {
      const unsigned key = random() % keys;
      const bool put = random() % 2 == 0;
      const bool changed = mine.atomically([&](auto& tx) {
        if (tx.read(set[key]) == put) return false;
        tx.write(set[key], put);
        return true;
      });
      if (changed) balance[t][key] += put ? 1 : -1;
    }
  });
  for (unsigned key = 0; key != keys; ++key) {
    int sum = 0;
    for (const auto& each : balance) sum += each[key];
    EXPECT_EQ(sum, set[key].alone() ? 1 : 0) << "key " << key;
  }
}

// ---- what is refused

template <class Exception, class F>
std::string sentence(F refused) {
  try {
    refused();
  } catch (const Exception& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(ServedStm, MemoriesThatCannotBeAreRefused) {
  const auto made = [](served_stm_options how) {
    return sentence<std::length_error>([=] { served_stm<back_off_retry, 4>{how}; });
  };
  EXPECT_EQ(made({.servers = 0}), "served_stm: there is no server");
  EXPECT_EQ(made({.servers = 65}), "served_stm: there are more than 64 servers");
  EXPECT_EQ(made({.clients = 0}), "served_stm: there is no client");
  EXPECT_EQ(made({.clients = 4}), "nothing was thrown");
  EXPECT_EQ(made({.clients = 5}), "served_stm: there are more clients than its type allows");
  EXPECT_EQ(made({.stripes = 0}), "served_stm: it has 1 to 2^30 stripes");
  EXPECT_EQ(made({.stripes = (std::size_t{1} << 30) + 1}), "served_stm: it has 1 to 2^30 stripes");
  served_stm<> memory{{.servers = 2, .clients = 3}};
  EXPECT_EQ(memory.servers(), 2U);
  EXPECT_EQ(memory.clients(), 3U);
  EXPECT_EQ(sentence<std::out_of_range>([&] { memory.serve(2); }), "served_stm: there is no such server");
  EXPECT_EQ(sentence<std::out_of_range>([&] { (void)memory.join(3); }), "served_stm: there is no such client");
}

TEST(ServedStm, WhoHasLeftIsRefused) {
  served_stm<> memory{{.servers = 1, .clients = 2}};
  tvar<int> x{1};
  {
    const serving<served_stm<>> servers{memory};
    auto mine = memory.join(0);
    mine.atomically([&](auto& tx) { tx.write(x, 2); });
    mine.leave();
    mine.leave();
    const auto used = [&](auto& client) {
      return sentence<std::logic_error>([&] { client.atomically([&](auto& tx) { tx.write(x, 3); }); });
    };
    EXPECT_EQ(used(mine), "served_stm: this client has left");
    auto again = memory.join(0);
    EXPECT_EQ(used(again), "served_stm: this client has left");
  }
  memory.serve(0);  // nobody is left to ask
  EXPECT_EQ(x.alone(), 2);
}

}  // namespace
}  // namespace synchro
