// Transactions, one thread's view of them: what is read, written, dropped, run again. Where another thread has to come in
// between, it comes at a known place and has ended before the transaction goes on: these memories leave nobody alone.

#include "synchro/stm/stm.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "stm/kinds.hpp"

namespace synchro {
namespace {

template <class Stm>
class Transactions : public testing::Test {
 protected:
  /// What another thread does meanwhile.
  template <class F>
  void meanwhile(F f) {
    std::thread{[&] { memory.atomically(f); }}.join();
  }
  Stm memory{{.alone = false}};
};
TYPED_TEST_SUITE(Transactions, stm_kinds);

TYPED_TEST(Transactions, ReadWhatTheyWrote) {
  tvar<int> x{1};
  const int seen = this->memory.atomically([&](auto& tx) {
    tx.write(x, tx.read(x) + 1);
    EXPECT_EQ(x.alone(), 1) << "written before the end";
    tx.write(x, tx.read(x) * 10);
    return tx.read(x);
  });
  EXPECT_EQ(seen, 20);
  EXPECT_EQ(x.alone(), 20);
}

TYPED_TEST(Transactions, TakeValuesOfAnySize) {
  struct large {
    std::array<long, 5> longs{};
    char last = 0;
  };
  tvar<large> many;
  tvar<bool> one{true};
  tvar<char> small;
  small.set_alone('s');
  this->memory.atomically([&](auto& tx) {
    large l = tx.read(many);
    l.longs = {1, 2, 3, 4, 5};
    l.last = tx.read(small);
    tx.write(many, l);
    tx.write(one, !tx.read(one));
  });
  EXPECT_EQ(many.alone().longs, (std::array<long, 5>{1, 2, 3, 4, 5}));
  EXPECT_EQ(many.alone().last, 's');
  EXPECT_FALSE(one.alone());
}

TYPED_TEST(Transactions, GrowAndShareStripes) {
  TypeParam one_lock{{.stripes = 1, .alone = false}};
  std::vector<std::unique_ptr<tvar<int>>> all;
  for (int i = 0; i != 1000; ++i) all.push_back(std::make_unique<tvar<int>>(i));
  for (TypeParam* each : {&this->memory, &one_lock})
    each->atomically([&](auto& tx) {
      for (auto& x : all) tx.write(*x, tx.read(*x) + 1);
    });
  for (int i = 0; i != 1000; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)]->alone(), i + 2);
}

TYPED_TEST(Transactions, DropWhatTheyWroteWhenTheyThrow) {
  tvar<int> x{1}, y{2};
  const auto failing = [&](auto& tx) {
    tx.write(x, 10);
    tx.write(y, 20);
    throw std::runtime_error{"no"};
  };
  EXPECT_THROW(this->memory.atomically(failing), std::runtime_error);
  EXPECT_THROW(this->memory.irrevocably(failing), std::runtime_error);
  EXPECT_EQ(x.alone() + y.alone(), 3);
  // Nothing is left taken, neither locks nor the token.
  this->memory.irrevocably([&](auto& tx) { tx.write(x, tx.read(y)); });
  this->meanwhile([&](auto& tx) { tx.write(y, 5); });
  EXPECT_EQ(x.alone(), 2);
  EXPECT_EQ(y.alone(), 5);
}

TYPED_TEST(Transactions, BecomePartsOfTheOneAround) {
  tvar<int> x{0}, y{0};
  try {
    this->memory.atomically([&](auto& tx) {
      tx.write(x, 1);
      this->memory.atomically([&](auto& part) { part.write(y, part.read(x) + 1); });
      EXPECT_EQ(this->memory.read_only([&](auto& part) { return part.read(y); }), 2);
      EXPECT_EQ(y.alone(), 0) << "the part has committed";
      throw 1;
    });
  } catch (int) {
  }
  EXPECT_EQ(x.alone() + y.alone(), 0);
}

TYPED_TEST(Transactions, OfAnotherMemoryAreTheirOwn) {
  TypeParam other{{.alone = false}};
  tvar<int> x{0}, y{0};
  try {
    this->memory.atomically([&](auto& tx) {
      tx.write(x, 1);
      other.atomically([&](auto& inner) {
        inner.write(y, 1);
        this->memory.atomically([&](auto& part) { EXPECT_EQ(part.read(x), 1); });
      });
      throw 1;
    });
  } catch (int) {
  }
  EXPECT_EQ(x.alone(), 0);
  EXPECT_EQ(y.alone(), 1);
}

/// One of another memory is within; the one around finds there that it has to begin again.
TYPED_TEST(Transactions, OfAnotherMemoryLetPassWhatEndsTheOneAround) {
  for (const bool alone : {false, true}) {
    TypeParam other{{.alone = alone}};
    tvar<int> x{0}, inner_runs{0};
    alignas(64) tvar<int> y{0};
    int runs = 0;
    this->memory.atomically([&](auto& tx) {
      const int seen = tx.read(x);
      if (++runs == 1)
        this->meanwhile([&](auto& meanwhile) {
          meanwhile.write(x, 7);
          meanwhile.write(y, 7);
        });
      other.atomically([&](auto& inner) {
        inner.write(inner_runs, inner.read(inner_runs) + 1);
        EXPECT_EQ(tx.read(y), seen);
      });
    });
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(inner_runs.alone(), 1) << "what the first wrote is dropped";
  }
}

TYPED_TEST(Transactions, ThatOnlyReadMayHaveAPartThatWrites) {
  tvar<int> x{1}, y{0};
  int runs = 0;
  const int seen = this->memory.read_only([&](auto& reader) {
    ++runs;
    const int found = reader.read(x);
    this->memory.atomically([&](auto& tx) { tx.write(y, found + 1); });
    if (runs == 2) this->meanwhile([&](auto& tx) { tx.write(x, 5); });
    return found;
  });
  EXPECT_EQ(runs, 3) << "once to note what is read, once because that was changed";
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(y.alone(), 6);
}

TYPED_TEST(Transactions, RunAgainWhenWhatTheyReadHasChanged) {
  tvar<int> x{0};
  alignas(64) tvar<int> y{0};
  int runs = 0;
  this->memory.atomically([&](auto& tx) {
    const int seen = tx.read(x);
    if (++runs == 1) this->meanwhile([&](auto& other) { other.write(x, 7); });
    tx.write(y, seen + 1);
  });
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(y.alone(), 8);
}

/// Each reads both and writes one: one after the other, one of the two sees what the other wrote.
TYPED_TEST(Transactions, AllowNoWriteSkew) {
  alignas(64) tvar<int> x{1};
  alignas(64) tvar<int> y{1};
  int runs = 0;
  const auto leave_if_both = [&](auto& tx, tvar<int>& mine) {
    if (tx.read(x) + tx.read(y) == 2) tx.write(mine, 0);
  };
  this->memory.atomically([&](auto& tx) {
    leave_if_both(tx, x);
    if (++runs == 1) this->meanwhile([&](auto& other) { leave_if_both(other, y); });
  });
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(x.alone() + y.alone(), 1) << "both have left";
}

TYPED_TEST(Transactions, SeeOneMomentOnly) {
  alignas(64) tvar<int> x{0};
  alignas(64) tvar<int> y{0};
  const auto both = [&](auto& tx) {
    tx.write(x, 1);
    tx.write(y, 1);
  };
  for (const bool only_reads : {false, true}) {
    int runs = 0;
    const auto compare = [&](auto& tx) {
      const int seen = tx.read(x);
      if (++runs == 1) this->meanwhile(both);
      EXPECT_EQ(seen, tx.read(y)) << "two moments in one transaction";
    };
    if (only_reads)
      this->memory.read_only(compare);
    else
      this->memory.atomically(compare);
    EXPECT_EQ(runs, 2);
    x.set_alone(0);
    y.set_alone(0);
  }
}

/// What was read before is as it was, so the later moment serves as well.
TYPED_TEST(Transactions, GoOnWhenOnlyOtherThingsHaveChanged) {
  alignas(64) tvar<int> x{1};
  alignas(64) tvar<int> y{1};
  int runs = 0;
  const auto sum = [&](auto& tx) {
    const int seen = tx.read(x);
    if (++runs == 1) this->meanwhile([&](auto& other) { other.write(y, 5); });
    return seen + tx.read(y);
  };
  EXPECT_EQ(this->memory.atomically(sum), 6);
  EXPECT_EQ(runs, 1);
  runs = 0;
  y.set_alone(1);
  EXPECT_EQ(this->memory.read_only(sum), 6);
  EXPECT_EQ(runs, 2) << "one that only reads does not know what it has read";
}

TYPED_TEST(Transactions, RunAgainThoughTheFunctionCatchesEverything) {
  alignas(64) tvar<int> x{0};
  alignas(64) tvar<int> y{0};
  for (const bool throws_another : {false, true}) {
    int runs = 0;
    this->memory.atomically([&](auto& tx) {
      const int seen = tx.read(x);
      if (++runs == 1)
        this->meanwhile([&](auto& other) {
          other.write(x, seen + 1);
          other.write(y, seen + 1);
        });
      try {
        tx.write(x, tx.read(y));
      } catch (...) {
        if (throws_another) throw std::runtime_error{"of an attempt that is over"};
      }
    });
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(x.alone(), y.alone());
  }
}

TYPED_TEST(Transactions, EndAsIrrevocableOnesWhenTheyFailAgainAndAgain) {
  TypeParam impatient{{.stripes = 64, .attempts = 3, .alone = false}};
  alignas(64) tvar<int> x{0};
  alignas(64) tvar<int> y{0};
  int runs = 0;
  impatient.atomically([&](auto& tx) {
    ++runs;
    const int seen = tx.read(x);
    if (!tx.is_irrevocable())
      std::thread{[&] { impatient.atomically([&](auto& other) { other.write(x, other.read(x) + 1); }); }}.join();
    tx.write(y, seen);
  });
  EXPECT_EQ(runs, 4);
  EXPECT_EQ(y.alone(), 3);
}

TYPED_TEST(Transactions, BecomeIrrevocableOnlyIfAllIsAsItWasRead) {
  alignas(64) tvar<int> x{0};
  alignas(64) tvar<int> y{0};
  int runs = 0, effects = 0;
  this->memory.atomically([&](auto& tx) {
    EXPECT_EQ(tx.is_irrevocable(), runs == 1) << "it begins again with the token";
    const int seen = tx.read(x);
    if (++runs == 1) this->meanwhile([&](auto& other) { other.write(x, 7); });
    tx.become_irrevocable();
    EXPECT_TRUE(tx.is_irrevocable());
    ++effects;
    tx.write(y, seen);
  });
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(effects, 1);
  EXPECT_EQ(y.alone(), 7);
}

TYPED_TEST(Transactions, ThatOnlyReadBecomeIrrevocableByAPart) {
  tvar<int> x{3};
  int effects = 0;
  this->memory.read_only([&](auto& reader) {
    const int seen = reader.read(x);
    this->memory.irrevocably([&](auto& tx) {
      EXPECT_TRUE(tx.is_irrevocable());
      EXPECT_EQ(tx.read(x), seen);
      ++effects;
    });
  });
  EXPECT_EQ(effects, 1);
}

TYPED_TEST(Transactions, CannotRetryWhatCannotBeUndone) {
  EXPECT_THROW(this->memory.irrevocably([](auto& tx) { tx.retry(); }), std::logic_error);
  EXPECT_THROW(this->memory.atomically([](auto& tx) {
    tx.become_irrevocable();
    tx.retry();
  }),
               std::logic_error);
  tvar<int> x{0};
  this->meanwhile([&](auto& tx) { tx.write(x, 1); });
  EXPECT_EQ(x.alone(), 1);
}

TYPED_TEST(Transactions, RefuseSizesThatMeanNothing) {
  EXPECT_THROW((TypeParam{{.stripes = 0}}), std::length_error);
  EXPECT_THROW((TypeParam{{.stripes = (std::size_t{1} << 30) + 1}}), std::length_error);
}

/// A lock that has no memory for its third node.
struct poor_lock {
  static inline int left = 0;
  bool held = false;
  void lock() {
    if (left-- == 0) throw std::bad_alloc{};
    held = true;
  }
  void unlock() {
    EXPECT_TRUE(held);
    held = false;
  }
};

TEST(GuardedBy, ALockThatThrowsLeavesNothingBehind) {
  guarded<poor_lock> memory{{.alone = false}};
  alignas(64) std::array<tvar<long>, 16> x;
  const auto all = [&](auto& tx) {
    for (auto& each : x) tx.write(each, tx.read(each) + 1);
  };
  poor_lock::left = 2;
  EXPECT_THROW(memory.atomically(all), std::bad_alloc);
  for (auto& each : x) EXPECT_EQ(each.alone(), 0);
  poor_lock::left = 100;
  memory.atomically(all);
  for (auto& each : x) EXPECT_EQ(each.alone(), 1);
}

/// Which of their locks share a line is the same wherever the table lies.
TEST(StripeTable, BeginsOnALine) {
  std::vector<std::unique_ptr<std::byte[]>> between;
  for (std::size_t stripes = 1; stripes != 1 << 15; stripes *= 2) {
    between.push_back(std::make_unique<std::byte[]>(24));
    const detail::on_lines<std::uint64_t> some(stripes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(some.data()) % cpu::cache_line, 0U) << stripes;
  }
}

TEST(Stm, IsNotCopied) {
  EXPECT_FALSE(std::is_copy_constructible_v<stm>);
  EXPECT_FALSE(std::is_copy_constructible_v<tvar<int>>);
  EXPECT_FALSE(std::is_copy_constructible_v<stm::transaction>);
}

TEST(ContentionManagers, HaveTheirPublishedNames) {
  EXPECT_EQ(std::string{back_off_retry::name}, "back-off-retry");
  EXPECT_EQ(std::string{greedy::name}, "greedy");
  EXPECT_EQ(std::string{fair_commit::name}, "fair-commit");
  EXPECT_EQ(std::string{wholly::name}, "wholly");
}

}  // namespace
}  // namespace synchro
