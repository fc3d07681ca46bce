// One thread that is alone in a memory: it writes in place, and what it wrote is taken back when it has to be.

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "stm/kinds.hpp"
#include "synchro/stm/stm.hpp"

namespace synchro {
namespace {

template <class Stm>
class Alone : public testing::Test {
 protected:
  Stm memory;
  tvar<int> x{1};
  alignas(64) tvar<int> y{2};

  /// Whether who comes now is alone: it writes in place.
  bool leaves_alone() {
    bool in_place = false;
    tvar<int> probe{0};
    memory.atomically([&](auto& tx) {
      tx.write(probe, 1);
      in_place = probe.alone() == 1;
    });
    return in_place;
  }
};
TYPED_TEST_SUITE(Alone, stm_kinds);

TYPED_TEST(Alone, WritesInPlace) {
  const int seen = this->memory.atomically([&](auto& tx) {
    tx.write(this->x, tx.read(this->x) + 1);
    EXPECT_EQ(this->x.alone(), 2);
    tx.write(this->x, tx.read(this->x) * 10);
    return tx.read(this->x);
  });
  EXPECT_EQ(seen, 20);
  EXPECT_EQ(this->x.alone(), 20);
  EXPECT_TRUE(this->leaves_alone());
}

TYPED_TEST(Alone, StaysSoOneThreadAfterTheOther) {
  for (int i = 0; i != 3; ++i)
    std::thread{[&] { this->memory.atomically([&](auto& tx) { tx.write(this->x, tx.read(this->x) + 1); }); }}.join();
  EXPECT_EQ(this->memory.read_only([&](auto& tx) { return tx.read(this->x); }), 4);
  EXPECT_TRUE(this->leaves_alone());
}

TYPED_TEST(Alone, TakesBackWhatItWroteWhenItThrows) {
  struct three {
    std::array<long, 3> longs;
  };
  tvar<three> wide{three{{1, 2, 3}}};
  const auto failing = [&](auto& tx) {
    for (int i = 10; i != 100; ++i) tx.write(this->x, i);  // more often than the log has room for at first
    tx.write(wide, three{{7, 8, 9}});
    tx.write(this->y, 20);
    throw std::runtime_error{"no"};
  };
  EXPECT_THROW(this->memory.atomically(failing), std::runtime_error);
  EXPECT_THROW(this->memory.irrevocably(failing), std::runtime_error);
  EXPECT_EQ(this->x.alone(), 1);
  EXPECT_EQ(this->y.alone(), 2);
  EXPECT_EQ(wide.alone().longs, (std::array<long, 3>{1, 2, 3}));
  EXPECT_TRUE(this->leaves_alone());
}

TYPED_TEST(Alone, IsOneWithItsParts) {
  try {
    this->memory.atomically([&](auto& tx) {
      tx.write(this->x, 5);
      this->memory.atomically([&](auto& part) { part.write(this->y, part.read(this->x) + 1); });
      EXPECT_EQ(this->memory.read_only([&](auto& part) { return part.read(this->y); }), 6);
      throw 1;
    });
  } catch (int) {
  }
  EXPECT_EQ(this->x.alone() + this->y.alone(), 3);
  const int sum = this->memory.read_only([&](auto& reader) {
    const int found = reader.read(this->x);
    this->memory.atomically([&](auto& tx) { tx.write(this->y, found + 1); });
    return found + reader.read(this->y);
  });
  EXPECT_EQ(sum, 3);
}

TYPED_TEST(Alone, IsIrrevocableIfItAsksToBe) {
  int runs = 0;
  this->memory.atomically([&](auto& tx) {
    ++runs;
    EXPECT_FALSE(tx.is_irrevocable());
    tx.write(this->x, 7);
    tx.become_irrevocable();
    EXPECT_TRUE(tx.is_irrevocable());
    EXPECT_THROW(tx.retry(), std::logic_error);
  });
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(this->x.alone(), 7);
  EXPECT_TRUE(this->leaves_alone());
}

/// Two threads that each hold one memory and come to the other's would wait for each other for ever.
TYPED_TEST(Alone, EndsWhereAnotherMemoryIsNeeded) {
  TypeParam other;
  int runs = 0;
  const auto both = [&] {
    this->memory.atomically([&](auto& tx) {
      ++runs;
      tx.write(this->x, tx.read(this->x) + 1);
      other.atomically([&](auto& inner) { inner.write(this->y, tx.read(this->x)); });
    });
  };
  both();
  EXPECT_EQ(runs, 2) << "once alone, as far as the other memory";
  EXPECT_FALSE(this->leaves_alone());
  both();
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(this->x.alone(), 3);
  EXPECT_EQ(this->y.alone(), 3);
}

TYPED_TEST(Alone, GoesOnIntoAnotherMemoryIfItCannotBeUndone) {
  TypeParam other;
  int runs = 0;
  this->memory.irrevocably([&](auto& tx) {
    ++runs;
    other.atomically([&](auto& inner) { inner.write(this->y, tx.read(this->x)); });
  });
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(this->y.alone(), 1);
}

TYPED_TEST(Alone, EndsThoughTheFunctionCatchesEverything) {
  TypeParam other;
  for (const bool throws_another : {false, true}) {
    TypeParam mine;
    int runs = 0;
    mine.atomically([&](auto& tx) {
      ++runs;
      tx.write(this->x, tx.read(this->x) + 1);
      try {
        other.atomically([&](auto& inner) { inner.write(this->y, 9); });
      } catch (...) {
        if (throws_another) throw std::runtime_error{"of an attempt that is over"};
      }
    });
    EXPECT_EQ(runs, 2);
  }
  EXPECT_EQ(this->x.alone(), 3);
  EXPECT_EQ(this->y.alone(), 9);
}

TYPED_TEST(Alone, LetsTheOtherInWhenItRetries) {
  std::thread waiter{[&] {
    const int found = this->memory.atomically([&](auto& tx) {
      tx.write(this->y, 50);  // taken back
      if (tx.read(this->x) == 1) tx.retry();
      return tx.read(this->x);
    });
    EXPECT_EQ(found, 7);
  }};
  this->memory.atomically([&](auto& tx) {
    EXPECT_EQ(tx.read(this->y), 2);
    tx.write(this->x, 7);
  });
  waiter.join();
  EXPECT_EQ(this->y.alone(), 50);
}

/// Whoever comes while another is in makes the memory shared, and none of both is lost.
TYPED_TEST(Alone, EndsWhenTwoMeet) {
  std::atomic<bool> is_in{false}, has_asked{false};
  std::thread second{[&] {
    while (!is_in) std::this_thread::yield();
    has_asked = true;
    this->memory.atomically([&](auto& tx) { tx.write(this->x, tx.read(this->x) * 10); });
  }};
  this->memory.atomically([&](auto& tx) {
    is_in = true;
    while (!has_asked) std::this_thread::yield();
    tx.write(this->x, tx.read(this->x) + 1);
  });
  second.join();
  EXPECT_EQ(this->x.alone(), 20);
}

}  // namespace
}  // namespace synchro
