// Transactions of a memory in which two threads have met: where the processor has transactions they run as those, and what
// these cannot do is done alone; where it has not, side by side.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "synchro/stm/stm.hpp"

namespace synchro {
namespace {

enum class way { alone, elided, together };

way way_of(stm& memory) {
  way found = way::alone;
  tvar<int> probe{0};
  memory.atomically([&](auto& tx) {
    tx.write(probe, 1);
    found = hardware::transactions::is_under_way() ? way::elided : probe.alone() == 1 ? way::alone : way::together;
  });
  return found;
}

/// The usual way in a memory; an interrupt may end one transaction of the processor, or a few.
way usual_way_of(stm& memory) {
  unsigned elided = 0, together = 0;
  for (int i = 0; i != 100; ++i) {
    const way found = way_of(memory);
    elided += found == way::elided ? 1 : 0;
    together += found == way::together ? 1 : 0;
  }
  return elided > 50 ? way::elided : together > 50 ? way::together : way::alone;
}

/// One comes while another is in.
void let_two_meet(stm& memory) {
  do {
    std::atomic<bool> is_in{false}, comes{false};
    std::thread second{[&] {
      while (!is_in) std::this_thread::yield();
      comes = true;
      memory.atomically([](auto&) {});
    }};
    memory.atomically([&](auto&) {
      is_in = true;
      while (!comes) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    });
    second.join();
  } while (usual_way_of(memory) == way::alone);
}

/// Whether a memory in which two have met goes on by transactions of the processor after these, where there are any, and side by
/// side where there are none. A busy processor ends its transactions as it likes, and now and then so many that the memory does
/// without them: not in each of ten memories.
template <class Transactions>
bool goes_on_after(Transactions transactions) {
  const way usual = hardware::transactions::are_usable() ? way::elided : way::together;
  for (int i = 0; i != 10; ++i) {
    stm memory{{.attempts = 3}};
    let_two_meet(memory);
    transactions(memory);
    if (usual_way_of(memory) == usual) return true;
  }
  return false;
}

/// What no transaction of the processor survives.
void call_the_system() { EXPECT_GT(getppid(), 0); }

class Elided : public testing::Test {
 protected:
  Elided() { let_two_meet(memory); }

  stm memory{{.attempts = 3}};
  tvar<int> x{1};
  alignas(64) tvar<int> y{2};
};

TEST_F(Elided, IsTheUsualWayWhereTwoHaveMet) {
  EXPECT_TRUE(goes_on_after([](stm&) {}));
}

TEST_F(Elided, IsNotIfItIsNotAskedFor) {
  stm other{{.elide = false}};
  let_two_meet(other);
  EXPECT_EQ(usual_way_of(other), way::together);
}

TEST_F(Elided, TakesBackWhatItWroteWhenItThrows) {
  int runs = 0;
  const auto failing = [&](auto& tx) {
    ++runs;
    tx.write(x, 10);
    tx.write(y, 20);
    throw std::runtime_error{"no"};
  };
  EXPECT_THROW(memory.atomically(failing), std::runtime_error);
  EXPECT_EQ(runs, 1) << "the run in the processor's transaction is taken back as a whole";
  EXPECT_EQ(x.alone(), 1);
  EXPECT_EQ(y.alone(), 2);
  EXPECT_EQ(memory.read_only([&](auto& tx) { return tx.read(x) + tx.read(y); }), 3);
}

TEST_F(Elided, RunsOnceIfItIsIrrevocable) {
  int runs = 0;
  const auto deed = [&](auto& tx) {
    ++runs;
    EXPECT_TRUE(tx.is_irrevocable());
    EXPECT_FALSE(hardware::transactions::is_under_way());
    call_the_system();
    tx.write(x, tx.read(x) + 1);
    EXPECT_THROW(tx.retry(), std::logic_error);
  };
  memory.irrevocably(deed);
  EXPECT_EQ(runs, 1);
  memory.atomically([&](auto& tx) {
    EXPECT_FALSE(tx.is_irrevocable());
    tx.become_irrevocable();
    deed(tx);
  });
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(x.alone(), 3);
}

TEST_F(Elided, RunsAloneWhatTheProcessorCannot) {
  const std::uint64_t before = attempts_begun_again();
  const int seen = memory.atomically([&](auto& tx) {
    tx.write(x, tx.read(x) + 1);
    call_the_system();
    return tx.read(x);
  });
  const std::uint64_t after = attempts_begun_again();
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(x.alone(), 2);
  if (usual_way_of(memory) == way::elided) {
    EXPECT_GT(after, before);
  }
  EXPECT_TRUE(goes_on_after([&](stm& m) { m.atomically([&](auto& tx) { tx.write(x, 3), call_the_system(); }); }))
      << "one that could not does not count";
}

TEST_F(Elided, EndsWhenTooManyHaveToBeAlone) {
  for (int i = 0; i != 10; ++i) memory.atomically([&](auto& tx) { tx.write(x, i), call_the_system(); });
  EXPECT_EQ(usual_way_of(memory), way::together);
  EXPECT_EQ(x.alone(), 9);
}

TEST_F(Elided, GoesOnIfMostNeedNotBeAlone) {
  EXPECT_TRUE(goes_on_after([&](stm& m) {
    for (int i = 0; i != 50; ++i) {
      m.atomically([&](auto& tx) { tx.write(x, i), call_the_system(); });
      for (int j = 0; j != 20; ++j) m.atomically([&](auto& tx) { tx.write(y, j); });
    }
  }));
}

TEST_F(Elided, IsOneWithItsParts) {
  memory.atomically([&](auto& tx) {
    tx.write(x, 5);
    memory.atomically([&](auto& part) { part.write(y, part.read(x) + 1); });
    EXPECT_EQ(memory.read_only([&](auto& part) { return part.read(y); }), 6);
  });
  EXPECT_EQ(y.alone(), 6);
  EXPECT_EQ(memory.read_only([&](auto& reader) {
    const int found = reader.read(x);
    memory.atomically([&](auto& tx) { tx.write(y, found + 1); });
    return found + reader.read(y);
  }),
            11);
}

TEST_F(Elided, EndsWhereAnotherMemoryIsNeeded) {
  stm other;
  let_two_meet(other);
  int runs = 0;
  for (int i = 0; i != 3; ++i)
    memory.atomically([&](auto& tx) {
      ++runs;
      tx.write(x, tx.read(x) + 1);
      other.atomically([&](auto& inner) { inner.write(y, tx.read(x)); });
    });
  EXPECT_EQ(x.alone(), 4);
  EXPECT_EQ(y.alone(), 4);
  EXPECT_GE(runs, 3);
  EXPECT_EQ(usual_way_of(memory), way::together);
}

TEST_F(Elided, LetsTheOthersInWhenItRetries) {
  std::thread waiter{[&] {
    const int found = memory.atomically([&](auto& tx) {
      tx.write(y, 50);  // taken back
      if (tx.read(x) == 1) tx.retry();
      return tx.read(x);
    });
    EXPECT_EQ(found, 7);
  }};
  memory.atomically([&](auto& tx) {
    EXPECT_EQ(tx.read(y), 2);
    tx.write(x, 7);
  });
  waiter.join();
  EXPECT_EQ(y.alone(), 50);
}

/// Transfers, audits, and now and then one that calls the system, throws, or is irrevocable: none is lost or seen in halves. The
/// memory begins alone, and some end side by side.
TEST(ElidedCrowd, KeepsTheTotalOfABank) {
  for (const unsigned attempts : {0U, 64U}) {
    stm memory{{.attempts = attempts}};
    std::vector<tvar<long>> accounts(64);
    std::atomic<unsigned> wrong{0};
    const auto work = [&](unsigned t) {
      const auto move = [&](auto& tx, unsigned i) {
        tx.write(accounts[i % 64], tx.read(accounts[i % 64]) - 1);
        tx.write(accounts[(i * 7 + t) % 64], tx.read(accounts[(i * 7 + t) % 64]) + 1);
      };
      const auto total = [&](auto& tx) {
        long sum = 0;
        for (const tvar<long>& a : accounts) sum += tx.read(a);
        return sum;
      };
      for (unsigned i = 0; i != 4000; ++i) {
        if (i % 100 == 7) {
          memory.atomically([&](auto& tx) { move(tx, i), getppid(), move(tx, i + 1); });
        } else if (i % 100 == 31) {
          EXPECT_THROW(memory.atomically([&](auto& tx) { move(tx, i), throw i; }), unsigned);
        } else if (i % 100 == 77) {
          memory.irrevocably([&](auto& tx) { wrong += total(tx) != 0, move(tx, i); });
        } else if (i % 5 == 0) {
          wrong += memory.read_only(total) != 0;
        } else {
          memory.atomically([&](auto& tx) { move(tx, i); });
        }
      }
    };
    std::vector<std::thread> team;
    for (unsigned t = 0; t != 4; ++t) team.emplace_back(work, t);
    for (std::thread& t : team) t.join();
    long sum = 0;
    for (const tvar<long>& a : accounts) sum += a.alone();
    EXPECT_EQ(sum, 0);
    EXPECT_EQ(wrong, 0U);
  }
}

}  // namespace
}  // namespace synchro
