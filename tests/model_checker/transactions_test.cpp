// What the explored machine's transactions promise, and what they do not.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/search.hpp"

namespace synchro::model_checker {
namespace {

using word = explored::atomic<std::uint32_t>;
using field = explored::plain<std::uint32_t>;
using transactions = explored::transactions;
using result = std::array<std::uint32_t, 2>;

struct scene {
  word x{0};
  word y{0};
  field count{0};
  std::array<field, 2> seen{};  // each thread's own
};

std::string verdict(const program& p) {
  const search_result r = explore(p, {});
  return r.why ? r.why->what + ": " + r.why->detail : r.result == search_result::proved ? "proved" : "unfinished";
}

using thread_body = std::function<void(scene&)>;

program both(
    const std::vector<thread_body>& bodies, const std::function<void(scene&)>& check = [](scene&) {}) {
  stage<scene> s{"both", static_cast<unsigned>(bodies.size())};
  s.does([bodies](scene& it, unsigned t) { bodies[t](it); });
  s.then_checks(check);
  return s.done();
}

/// What the two threads have seen, in all executions.
std::set<result> outcomes(const std::vector<thread_body>& bodies) {
  auto all = std::make_shared<std::set<result>>();
  EXPECT_EQ(verdict(both(bodies, [all](scene& it) { all->insert({it.seen[0], it.seen[1]}); })), "proved");
  return *all;
}

/// As a transaction, or if that is aborted not at all.
template <class F>
thread_body once(F body) {
  return [body](scene& it) {
    if (transactions::begin() != transaction_start::started) return;
    body(it);
    transactions::commit();
  };
}

void count(scene& it) { it.count = it.count + 1; }

/// Notes 9 if the other's store is seen, otherwise 8.
thread_body writes_and_reads(unsigned t, bool in_transaction, bool with_fence = false) {
  const auto body = [t](scene& it, bool fence) {
    (t == 0 ? it.x : it.y).store(1, memory_order::relaxed);
    if (fence) explored::fence();
    const std::uint32_t other = (t == 0 ? it.y : it.x).load(memory_order::relaxed);
    it.seen[t] = other + 8;
  };
  if (in_transaction) return once([body](scene& it) { body(it, false); });
  return [body, with_fence](scene& it) { body(it, with_fence); };
}

TEST(Transactions, AreOneAfterTheOther) {
  EXPECT_EQ(
      verdict(both({once(count), once(count), once(count)}, [](scene& it) { expect(it.count <= 3, "too many"); })),
      "proved");
}

TEST(Transactions, CommitOrLeaveNothing) {
  auto all = std::make_shared<std::set<result>>();
  EXPECT_EQ(verdict(both({once(count), once(count)}, [all](scene& it) { all->insert({it.count, 0}); })), "proved");
  EXPECT_EQ(*all, (std::set<result>{{0, 0}, {1, 0}, {2, 0}}));
}

TEST(Transactions, RaceWithWhoReadsAFieldBeside) {
  const std::string said = verdict(both({once(count), [](scene& it) { it.seen[1] = it.count + 0; }}));
  EXPECT_TRUE(said.starts_with("data race")) << said;
}

/// The second begins behind the first, which is not told by anything that would order them.
program one_after_the_other(bool conflict) {
  const auto first = [conflict](scene& it) {
    it.count = 1;
    if (transactions::begin() != transaction_start::started) return;
    if (conflict)
      it.x.store(1, memory_order::relaxed);
    else
      expect(it.x.load(memory_order::relaxed) == 0, "");
    transactions::commit();
    it.y.store(1, memory_order::relaxed);
  };
  const auto second = [](scene& it) {
    if (it.y.load(memory_order::relaxed) == 0 || transactions::begin() != transaction_start::started) return;
    expect(it.x.load(memory_order::relaxed) < 2, "");
    transactions::commit();
    it.count = 2;
  };
  return both({first, second});
}

TEST(Transactions, AreOrderedByAConflictAndByNothingElse) {
  EXPECT_EQ(verdict(one_after_the_other(true)), "proved");
  const std::string said = verdict(one_after_the_other(false));
  EXPECT_TRUE(said.starts_with("data race")) << said;
}

TEST(Transactions, SeeEachOthersStores) {
  const std::set<result> all = outcomes({writes_and_reads(0, true), writes_and_reads(1, true)});
  EXPECT_FALSE(all.contains({8, 8}));
  EXPECT_TRUE(all.contains({8, 9}) && all.contains({9, 8}));
}

/// The store of the thread beside may still be under way to the others when it reads what the transaction wrote.
TEST(Transactions, AreNotSeenBehindAStore) {
  const std::set<result> all = outcomes({writes_and_reads(0, true), writes_and_reads(1, false)});
  EXPECT_TRUE(all.contains({8, 8}));
}

TEST(Transactions, AreSeenBehindAFence) {
  const std::set<result> all = outcomes({writes_and_reads(0, true), writes_and_reads(1, false, true)});
  EXPECT_FALSE(all.contains({8, 8}));
  EXPECT_TRUE(all.contains({8, 9}) && all.contains({9, 8}));
}

/// Who writes, by a read-modify-write, what the transaction has read comes after it.
TEST(Transactions, AreBeforeAReadModifyWriteOfWhatTheyRead) {
  const auto if_free = once([](scene& it) {
    if (it.x.load(memory_order::relaxed) == 0) count(it);
  });
  const auto taker = [](bool acquires) {
    return [acquires](scene& it) {
      acquires ? it.x.exchange(1, memory_order::acquire) : it.x.exchange(1, memory_order::relaxed);
      count(it);
    };
  };
  EXPECT_EQ(verdict(both({if_free, taker(true)})), "proved");
  const std::string said = verdict(both({if_free, taker(false)}));
  EXPECT_TRUE(said.starts_with("data race")) << said;
}

TEST(Transactions, NothingComesBetweenTheirReadAndTheirWrite) {
  auto last = std::make_shared<std::set<result>>();
  const auto adds = once([](scene& it) { it.x.store(it.x.load(memory_order::relaxed) + 1, memory_order::relaxed); });
  const auto adds_beside = [](scene& it) { it.x.fetch_add(16, memory_order::relaxed); };
  EXPECT_EQ(verdict(both({adds, adds_beside},
                         [last](scene& it) {
                           last->insert({it.x.load(memory_order::relaxed), 0});
                         })),
            "proved");
  EXPECT_EQ(*last, (std::set<result>{{16, 0}, {17, 0}}));
}

TEST(Transactions, MayBeNested) {
  const auto nested = once([](scene& it) {
    count(it);
    once(count)(it);
    expect(transactions::is_under_way(), "the inner end has ended the outer one");
    count(it);
  });
  auto all = std::make_shared<std::set<result>>();
  EXPECT_EQ(verdict(both({nested, nested}, [all](scene& it) { all->insert({it.count, 0}); })), "proved");
  EXPECT_EQ(*all, (std::set<result>{{0, 0}, {3, 0}, {6, 0}}));
}

/// What a thread is told when its transaction is aborted.
TEST(Transactions, AreAbortedForAllReasons) {
  auto all = std::make_shared<std::set<result>>();
  const auto notes = [](scene& it) {
    it.seen[0] = static_cast<std::uint32_t>(transactions::begin());
    if (transactions::is_under_way()) transactions::commit();
  };
  EXPECT_EQ(verdict(both({notes}, [all](scene& it) { all->insert({it.seen[0], 0}); })), "proved");
  EXPECT_EQ(*all, (std::set<result>{{0, 0}, {1, 0}, {2, 0}}));
}

/// None of these commits.
TEST(Transactions, DoNotOutliveAbortsCallsOfTheSystemWaitsAndThreads) {
  const std::vector<thread_body> inside{
      [](scene&) { transactions::abort_to_retry(); },
      [](scene&) { transactions::abort_for_good(); },
      [](scene& it) { explored::unpark(&it.x, 1); },
      [](scene& it) { explored::park(it.x, 7, explored::never); },
      [](scene& it) { explored::await(it.x, memory_order::relaxed, [](std::uint32_t v) { return v == 1; }); },
      [](scene&) { transactions::begin(); }};
  for (const thread_body& what : inside)
    EXPECT_EQ(verdict(both({once([what](scene& it) {
                             count(it);
                             what(it);
                           })},
                           [](scene& it) { expect(it.count == 0, "something is left of it"); })),
              "proved");
}

/// A look with a limit may find nothing, and the transaction goes on.
TEST(Transactions, GoOnBehindAWaitThatGivesUp) {
  auto all = std::make_shared<std::set<result>>();
  const auto looks_once = once([](scene& it) {
    const auto found = explored::await_until(
        it.x, memory_order::relaxed, [](std::uint32_t v) { return v == 1; }, looks{1});
    it.seen[0] = found ? 2 : 1;
  });
  const auto stores = [](scene& it) { it.x.store(1, memory_order::relaxed); };
  EXPECT_EQ(verdict(both({looks_once, stores}, [all](scene& it) { all->insert({it.seen[0], 0}); })), "proved");
  EXPECT_EQ(*all, (std::set<result>{{0, 0}, {1, 0}, {2, 0}}));
}

TEST(Transactions, MustHaveBegunToBeEnded) {
  const std::string said = verdict(both({[](scene&) { transactions::commit(); }}));
  EXPECT_TRUE(said.starts_with("transaction")) << said;
}

/// The search with and without what shortens it finds the same.
TEST(Transactions, AreExploredAlikeWithoutReductions) {
  const auto found = [](bool caching, bool sleep_sets) {
    auto all = std::make_shared<std::set<result>>();
    program p = both({writes_and_reads(0, true), writes_and_reads(1, false)}, [all](scene& it) {
      all->insert({it.seen[0], it.seen[1]});
    });
    search_options how;
    how.caching = caching;
    how.sleep_sets = sleep_sets;
    EXPECT_EQ(explore(p, how).result, search_result::proved);
    return *all;
  };
  const std::set<result> plainly = found(false, false);
  EXPECT_EQ(found(true, true), plainly);
  EXPECT_EQ(found(true, false), plainly);
  EXPECT_EQ(found(false, true), plainly);
}

}  // namespace
}  // namespace synchro::model_checker
