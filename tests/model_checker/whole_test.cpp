// Whole programs over the primitives: what their threads may say was written down by hand, before it was looked at; it is what the
// explored machine lets happen, and what the axioms allow to threads that go their ways alone.

#include <gtest/gtest.h>

#include <array>

#include "model_checker/alone.hpp"
#include "model_checker/explored.hpp"
#include "model_checker/harnesses/stage.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/queue.hpp"
#include "synchro/stm/stm.hpp"
#include "synchro/sync/seqlock.hpp"

namespace synchro::tests {
namespace {

template <class M>
using number = typename M::template plain<std::uint32_t>;
template <class M>
using word = typename M::template atomic<std::uint32_t>;

template <class M>
struct guarded_number {
  basic_mutex_lock<M> lock;
  number<M> value{0};

  std::uint32_t read() {
    lock.lock();
    const std::uint32_t seen = value;
    lock.unlock();
    return seen;
  }
  void write(std::uint32_t n) {
    lock.lock();
    value = n;
    lock.unlock();
  }
};

/// Both add one to what they read.
template <class M>
struct counted {
  guarded_number<M> count;
  void run(unsigned /*t*/, auto say) {
    count.lock.lock();
    const std::uint32_t seen = count.value;
    count.value = seen + 1;
    count.lock.unlock();
    say(seen);
  }
};

/// One writes the first number, then the second, each under the lock of both; the other reads the second, then the first.
template <class M>
struct told_under_a_lock {
  basic_mutex_lock<M> lock;
  number<M> first{0}, second{0};
  void under_it(auto what) {
    lock.lock();
    what();
    lock.unlock();
  }
  void run(unsigned t, auto say) {
    if (t == 0) {
      under_it([this] { first = 1; });
      under_it([this] { second = 1; });
      return;
    }
    std::uint32_t b = 0, a = 0;
    under_it([&] { b = second; });
    under_it([&] { a = first; });
    say(b), say(a);
  }
};

/// Each writes its own and reads the other's, under two locks: that nobody sees the other cannot be.
template <class M>
struct crossed_locks {
  std::array<guarded_number<M>, 2> each;
  void run(unsigned t, auto say) {
    each[t].write(1);
    say(each[1 - t].read());
  }
};

/// 2 says that the lock is held.
template <class M>
struct tried {
  guarded_number<M> it;
  void run(unsigned t, auto say) {
    if (t == 0) return it.write(1);
    if (!it.lock.try_lock()) return say(2);
    const std::uint32_t seen = it.value;
    it.lock.unlock();
    say(seen);
  }
};

/// Two messages; the second may not be there yet.
template <class M>
struct channelled {
  basic_channel<std::uint32_t, M, spin> line;
  void run(unsigned t, auto say) {
    if (t == 0) {
      line.send(1);
      line.send(2);
      return;
    }
    say(line.receive().value_or(9));
    say(line.try_receive().value_or(0));
  }
};

/// What was written before the message was sent is there for who has it.
template <class M>
struct told_by_a_channel {
  basic_channel<std::uint32_t, M, spin> line;
  number<M> value{0};
  void run(unsigned t, auto say) {
    if (t == 0) {
      value = 5;
      line.send(1);
      return;
    }
    say(line.try_receive() ? static_cast<std::uint32_t>(value) : 0);
  }
};

/// One sends twice, the other tries twice.
template <class M>
struct queued {
  basic_queue<std::uint32_t, M, spin> line{2};
  void run(unsigned t, auto say) {
    if (t == 0) {
      static_cast<void>(line.try_send(1));
      static_cast<void>(line.try_send(2));
      return;
    }
    say(line.try_receive().value_or(0));
    say(line.try_receive().value_or(0));
  }
};

/// Two messages are there; each takes one.
template <class M>
struct shared_out {
  basic_queue<std::uint32_t, M, spin> line{2};
  shared_out() {
    static_cast<void>(line.try_send(1));
    static_cast<void>(line.try_send(2));
  }
  void run(unsigned /*t*/, auto say) { say(line.try_receive().value_or(0)); }
};

/// Whoever reads twice does not go back.
template <class M>
struct copied_twice {
  basic_seqlock<std::uint32_t, M, basic_tas_lock<M>> value{0U};
  void run(unsigned t, auto say) {
    if (t == 0) return value.store(1);
    say(value.load());
    say(value.load());
  }
};

/// Each stores into its own sequence lock and reads the other's: no fence stands between, so that neither may see the other.
template <class M>
struct crossed_seqlocks {
  std::array<basic_seqlock<std::uint32_t, M, basic_tas_lock<M>>, 2> each;
  void run(unsigned t, auto say) {
    each[t].store(1);
    say(each[1 - t].load());
  }
};

/// Each writes one more than what it reads of the other's: one comes first.
template <class M>
struct skewed {
  using variable = basic_tvar<std::uint32_t, M>;
  basic_stm<M, spin, versioned_locks<>> memory{{.stripes = 2, .attempts = 1, .alone = false, .elide = false}};
  alignas(32) variable x{0};
  alignas(32) variable y{0};
  void run(unsigned t, auto say) {
    say(memory.atomically([&](auto& tx) {
      const std::uint32_t next = tx.read(t == 0 ? y : x) + 1;
      tx.write(t == 0 ? x : y, next);
      return next;
    }));
  }
};

template <template <class> class Program>
results said_when_explored() {
  struct scene {
    Program<explored> program;
    std::array<std::array<number<explored>, 2>, 2> said;  // one more than it is; 0: nothing
  };
  results all;
  model_checker::stage<scene> s{"whole", 2};
  s.does([](scene& it, unsigned t) {
    unsigned n = 0;
    it.program.run(t, [&](std::uint32_t value) { it.said[t][n++] = value + 1; });
  });
  s.then_checks([&all](scene& it) {
    result one;
    for (auto& each : it.said)
      for (const std::uint32_t value : each)
        if (value != 0) one.push_back(value - 1);
    all.insert(one);
  });
  const model_checker::program p = s.done();
  EXPECT_EQ(model_checker::explore(p, {}).result, model_checker::search_result::proved);
  return all;
}

template <template <class> class Program>
judged said_when_judged(const limits& within) {
  using program = Program<alone>;
  return judged_by_axioms(
      {2, [] { return std::make_shared<program>(); },
       [](void* it, unsigned t) { static_cast<program*>(it)->run(t, [](std::uint32_t v) { solo::current().say(v); }); },
       within});
}

/// Where a thread takes two locks, the axioms are asked about ways without a sleep; else about those in which a thread
/// tries again at most once.
template <template <class> class Program>
void expect_said(const results& by_hand, const limits& within = limits()) {
  EXPECT_EQ(print(said_when_explored<Program>()), print(by_hand));
  const judged other = said_when_judged<Program>(within);
  EXPECT_EQ(print(other.said), print(by_hand));
  EXPECT_FALSE(other.races);
}

TEST(Whole, CountedUnderAMutex) { expect_said<counted>({{0, 1}, {1, 0}}); }
TEST(Whole, ToldUnderAMutex) { expect_said<told_under_a_lock>({{0, 0}, {0, 1}, {1, 1}}, {.sleeps = 0, .steps = 8}); }
TEST(Whole, CrossedUnderTwoMutexes) { expect_said<crossed_locks>({{0, 1}, {1, 0}, {1, 1}}, {.sleeps = 0}); }
TEST(Whole, AMutexIsTried) { expect_said<tried>({{0}, {1}, {2}}); }
TEST(Whole, TwoMessagesInAChannel) { expect_said<channelled>({{1, 0}, {1, 2}}); }
TEST(Whole, ToldByAChannel) { expect_said<told_by_a_channel>({{0}, {5}}); }
TEST(Whole, TwoMessagesInAQueue) { expect_said<queued>({{0, 0}, {0, 1}, {1, 0}, {1, 2}}, {.steps = 10}); }
TEST(Whole, AQueueIsSharedOut) { expect_said<shared_out>({{1, 2}, {2, 1}}, {.steps = 8}); }
TEST(Whole, CopiedTwiceFromASequenceLock) { expect_said<copied_twice>({{0, 0}, {0, 1}, {1, 1}}, {.steps = 9}); }
TEST(Whole, CrossedOverTwoSequenceLocks) {
  expect_said<crossed_seqlocks>({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {.steps = 13});
}
/// Not by the axioms: the ways of a transaction that begins again are too many.
TEST(Whole, TransactionsThatReadWhatTheOtherWrites) {
  EXPECT_EQ(print(said_when_explored<skewed>()), print({{1, 2}, {2, 1}}));
}

}  // namespace
}  // namespace synchro::tests
