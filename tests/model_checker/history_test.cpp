// The judge of histories by itself, on histories written by hand; then what the explored machine records.

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "model_checker/harnesses/recorded.hpp"
#include "model_checker/search.hpp"
#include "model_checker/subject.hpp"
#include "synchro/messages/queue.hpp"

namespace synchro::model_checker {
namespace {

constexpr std::nullopt_t nothing = std::nullopt;

/// A history: calls by thread; each stands behind those that its thread has made before, and those it is told of.
class written {
 public:
  /// The place of the call.
  std::size_t made(unsigned thread, verb what, std::uint64_t argument, std::optional<std::uint64_t> result,
                   std::initializer_list<std::size_t> after = {}) {
    return note(thread, what, argument, result, true, after);
  }
  std::size_t never_returned(unsigned thread, verb what, std::uint64_t argument = 0) {
    return note(thread, what, argument, nothing, false, {});
  }
  std::size_t put(unsigned thread, std::uint64_t key, std::uint64_t value, std::optional<std::uint64_t> result) {
    const std::size_t at = note(thread, verb::put, key, result, true, {});
    calls[at].second = value;
    return at;
  }

  history calls;

 private:
  std::size_t note(unsigned thread, verb what, std::uint64_t argument, std::optional<std::uint64_t> result,
                   bool returned, std::initializer_list<std::size_t> after) {
    call c{what, argument, 0, result, thread, returned, 0};
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (calls[i].thread == thread) c.behind |= std::uint64_t{1} << i;
    for (const std::size_t i : after) c.behind |= std::uint64_t{1} << i;
    calls.push_back(c);
    return calls.size() - 1;
  }
};

template <class Specification>
bool holds(const written& w, const Specification& start) {
  return is_linearizable(w.calls, start);
}

TEST(History, NothingIsLinearizable) { EXPECT_TRUE(holds({}, fifo{})); }

TEST(History, CallsThatOverlapMayStandInAnyOrder) {
  written w;
  w.made(0, verb::read, 0, 1);
  w.made(1, verb::write, 1, said_yes);
  EXPECT_TRUE(holds(w, one_register{}));
}

TEST(History, CallsThatFollowEachOtherMayNot) {
  written w;
  const auto read = w.made(0, verb::read, 0, 1);
  w.made(1, verb::write, 1, said_yes, {read});
  EXPECT_FALSE(holds(w, one_register{}));
}

/// Herlihy and Wing's point: each thread alone is content, all together are not.
TEST(History, AStaleReadBehindAWriteIsRefused) {
  written w;
  const auto write = w.made(0, verb::write, 1, said_yes);
  w.made(1, verb::read, 0, 0);
  EXPECT_TRUE(holds(w, one_register{}));
  w.made(2, verb::read, 0, 0, {write});
  EXPECT_FALSE(holds(w, one_register{}));
}

/// One has seen the new value and told the other, who sees the old one.
TEST(History, ReadsDoNotGoBack) {
  written w;
  w.made(0, verb::write, 1, said_yes);
  const auto first = w.made(1, verb::read, 0, 1);
  w.made(2, verb::read, 0, 0);
  EXPECT_TRUE(holds(w, one_register{}));
  w.made(3, verb::read, 0, 0, {first});
  EXPECT_FALSE(holds(w, one_register{}));
}

TEST(History, ACallThatNeverReturnedMayHaveHadItsEffectOrNot) {
  for (const std::uint64_t seen : {0U, 1U}) {
    written w;
    w.never_returned(0, verb::write, 1);
    w.made(1, verb::read, 0, seen);
    EXPECT_TRUE(holds(w, one_register{})) << seen;
  }
  written w;
  w.never_returned(0, verb::write, 1);
  w.made(1, verb::read, 0, 2);
  EXPECT_FALSE(holds(w, one_register{}));
}

TEST(History, ItHasItsEffectOnceOnly) {
  written w;
  w.never_returned(0, verb::add, 1);
  w.made(1, verb::read, 0, 0);
  w.made(1, verb::read, 0, 1);
  EXPECT_TRUE(holds(w, counter{}));
  w.made(1, verb::read, 0, 2);
  EXPECT_FALSE(holds(w, counter{}));
}

TEST(History, AReceiverThatNeverReturnedMayHaveTakenTheFirst) {
  written w;
  w.made(0, verb::send, 1, said_yes);
  w.made(0, verb::send, 2, said_yes);
  w.never_returned(1, verb::receive);
  w.made(2, verb::receive, 0, 2);
  EXPECT_TRUE(holds(w, fifo{}));
  w.made(2, verb::receive, 0, 2);
  EXPECT_FALSE(holds(w, fifo{}));
}

/// Twelve calls without an order: the state they lead to is the same, so few of the 12! are gone into.
TEST(History, TwelveCallsAtOnceAreJudged) {
  written w;
  for (unsigned t = 0; t < 12; ++t) w.made(t, verb::add, 1, t == 11 ? 10 : t);
  EXPECT_FALSE(holds(w, counter{}));
  w.calls.back().result = 11;
  EXPECT_TRUE(holds(w, counter{}));
}

// ---- each specification: what it takes, and what it refuses

TEST(Fifo, KeepsTheOrder) {
  written w;
  w.made(0, verb::send, 1, said_yes);
  w.made(0, verb::send, 2, said_yes);
  w.made(1, verb::receive, 0, 1);
  EXPECT_TRUE(holds(w, fifo{}));
  w.calls.back().result = 2;
  EXPECT_FALSE(holds(w, fifo{}));
}
TEST(Fifo, OfTwoSendersEitherIsFirst) {
  for (const std::uint64_t first : {1U, 2U}) {
    written w;
    w.made(0, verb::send, 1, said_yes);
    w.made(1, verb::send, 2, said_yes);
    w.made(2, verb::receive, 0, first);
    w.made(2, verb::receive, 0, 3 - first);
    EXPECT_TRUE(holds(w, fifo{})) << first;
    w.calls.back().result = first;
    EXPECT_FALSE(holds(w, fifo{})) << first << " came twice";
  }
}
TEST(Fifo, AMessageComesFromASender) {
  written w;
  w.made(1, verb::receive, 0, 1);
  EXPECT_FALSE(holds(w, fifo{}));
}
TEST(Fifo, IsNotEmptyBehindASend) {
  written w;
  const auto sent = w.made(0, verb::send, 1, said_yes);
  w.made(1, verb::try_receive, 0, nothing);
  EXPECT_TRUE(holds(w, fifo{}));
  w.calls.back().behind = std::uint64_t{1} << sent;
  EXPECT_FALSE(holds(w, fifo{}));
  EXPECT_TRUE(holds(w, fifo(2, fifo::trying::vain)));
  w.calls.back().what = verb::timed_receive;
  EXPECT_TRUE(holds(w, fifo{}));
  w.calls.back().what = verb::receive;
  EXPECT_FALSE(holds(w, fifo(2, fifo::trying::vain)));
}
TEST(Fifo, IsRefusedOnlyWhenFull) {
  written w;
  w.made(0, verb::send, 1, said_yes);
  w.made(0, verb::try_send, 2, nothing);
  EXPECT_TRUE(holds(w, fifo{1}));
  EXPECT_FALSE(holds(w, fifo{2}));
  EXPECT_TRUE(holds(w, fifo(2, fifo::trying::vain)));
  w.calls.back().result = said_yes;
  EXPECT_FALSE(holds(w, fifo{1}));
  EXPECT_TRUE(holds(w, fifo{2}));
  w.calls.back() = {verb::timed_send, 2, 0, nothing, 0, true, 1};
  EXPECT_TRUE(holds(w, fifo{2}));
  w.calls.back().what = verb::send;
  EXPECT_FALSE(holds(w, fifo{1})) << "who waits is refused by the end only";
}
TEST(Fifo, EndsWhenItIsClosedAndEmpty) {
  written w;
  w.made(0, verb::send, 1, said_yes);
  w.made(0, verb::close, 0, said_yes);
  w.made(0, verb::send, 2, nothing);
  w.made(1, verb::receive, 0, 1);
  w.made(1, verb::receive, 0, nothing);
  EXPECT_TRUE(holds(w, fifo{}));
  w.calls[2].result = said_yes;
  EXPECT_FALSE(holds(w, fifo{})) << "sent behind the end";
  w.calls[2].result = nothing;
  w.calls[3].result = nothing;
  w.calls[4].result = 1;
  EXPECT_FALSE(holds(w, fifo{})) << "the end came before the message";
}
TEST(Fifo, DoesNotCount) {
  written w;
  w.made(0, verb::add, 1, 0);
  EXPECT_FALSE(holds(w, fifo{}));
}

constexpr std::uint64_t letter(std::uint64_t client, std::uint64_t message) { return client << 32 | message; }

TEST(Mailboxes, EachClientIsInOrder) {
  written w;
  w.made(0, verb::send, letter(0, 1), said_yes);
  w.made(0, verb::send, letter(0, 2), said_yes);
  const auto other = w.made(1, verb::send, letter(1, 1), said_yes);
  w.made(2, verb::receive, 0, letter(0, 1), {other});
  w.made(2, verb::receive, 0, letter(0, 2));
  w.made(2, verb::try_receive, 0, letter(1, 1));
  w.made(2, verb::try_receive, 0, nothing);
  EXPECT_TRUE(holds(w, mailboxes{}));
  w.calls[5].result = nothing;
  EXPECT_FALSE(holds(w, mailboxes{})) << "a letter was there";
  w.calls[5].result = letter(1, 1);
  std::swap(w.calls[3].result, w.calls[4].result);
  EXPECT_FALSE(holds(w, mailboxes{}));
}
TEST(Mailboxes, AWaitDoesNotEndWithNothing) {
  written w;
  w.made(0, verb::receive, 0, nothing);
  EXPECT_FALSE(holds(w, mailboxes{}));
}

TEST(OneRegister, TryToReadMayFindNothing) {
  written w;
  w.made(0, verb::try_read, 0, nothing);
  EXPECT_TRUE(holds(w, one_register{7}));
  w.calls[0].result = 7;
  EXPECT_TRUE(holds(w, one_register{7}));
  w.calls[0].result = 8;
  EXPECT_FALSE(holds(w, one_register{7}));
}
TEST(OneRegister, DoesNotSend) {
  written w;
  w.made(0, verb::send, 0, said_yes);
  EXPECT_FALSE(holds(w, one_register{}));
}

TEST(Counter, TellsEachCallerAnotherNumber) {
  written w;
  w.made(0, verb::add, 1, 1);
  w.made(1, verb::add, 1, 0);
  EXPECT_TRUE(holds(w, counter{}));
  w.calls[0].result = 0;
  EXPECT_FALSE(holds(w, counter{}));
}
TEST(Counter, IsNotWritten) {
  written w;
  w.made(0, verb::write, 1, said_yes);
  EXPECT_FALSE(holds(w, counter{}));
}

TEST(MapOfKeys, RemembersTheLastValue) {
  written w;
  w.put(0, 5, 1, nothing);
  w.put(0, 5, 2, 1);
  w.made(1, verb::get, 5, 2, {1});
  w.made(1, verb::get, 6, nothing);
  w.made(1, verb::insert, 5, nothing);
  w.made(1, verb::remove, 5, 2);
  w.made(1, verb::remove, 5, nothing);
  w.made(1, verb::insert, 5, said_yes);
  EXPECT_TRUE(holds(w, map_of_keys{}));
  for (std::size_t i = 0; i < w.calls.size(); ++i) {
    written other = w;
    other.calls[i].result = other.calls[i].result ? nothing : std::optional<std::uint64_t>{said_yes};
    EXPECT_FALSE(holds(other, map_of_keys{})) << "call " << i;
  }
}
TEST(MapOfKeys, APutThatGotLostIsSeen) {
  written w;
  w.put(0, 5, 1, nothing);
  w.put(1, 6, 1, nothing);
  w.made(2, verb::get, 5, 1, {0, 1});
  w.made(2, verb::get, 6, 1);
  EXPECT_TRUE(holds(w, map_of_keys{}));
  w.calls.back().result = nothing;
  EXPECT_FALSE(holds(w, map_of_keys{}));
}
TEST(MapOfKeys, IsNoQueue) {
  written w;
  w.made(0, verb::receive, 0, nothing);
  EXPECT_FALSE(holds(w, map_of_keys{}));
}

TEST(SetOfKeys, SaysWhetherTheKeyWasThere) {
  written w;
  w.made(0, verb::contains, 5, nothing);
  w.made(0, verb::insert, 5, said_yes);
  w.made(0, verb::insert, 5, nothing);
  w.made(0, verb::contains, 5, said_yes);
  w.made(0, verb::remove, 5, said_yes);
  w.made(0, verb::remove, 5, nothing);
  EXPECT_TRUE(holds(w, set_of_keys{}));
  for (std::size_t i = 0; i < w.calls.size(); ++i) {
    written other = w;
    other.calls[i].result = other.calls[i].result ? nothing : std::optional<std::uint64_t>{said_yes};
    EXPECT_FALSE(holds(other, set_of_keys{})) << "call " << i;
  }
}
TEST(SetOfKeys, TwoDoNotInsertTheSame) {
  written w;
  w.made(0, verb::insert, 5, said_yes);
  w.made(1, verb::insert, 5, said_yes);
  EXPECT_FALSE(holds(w, set_of_keys{}));
  w.calls[1].result = nothing;
  EXPECT_TRUE(holds(w, set_of_keys{}));
}
TEST(SetOfKeys, HasNoValues) {
  written w;
  w.made(0, verb::get, 5, nothing);
  EXPECT_FALSE(holds(w, set_of_keys{}));
}

TEST(History, IsTold) {
  written w;
  w.made(0, verb::send, 7, said_yes);
  w.made(0, verb::try_send, 8, nothing);
  w.made(1, verb::receive, 0, std::uint64_t{3} << 32 | 7, {0, 1});
  w.never_returned(1, verb::receive);
  EXPECT_EQ(to_string(w.calls), "a: send 7, try_send 8 -> nothing; b: receive -> 3|7 after a2, receive -> never");
}

// ---- what is recorded

using word = explored::atomic<std::uint32_t>;

struct desk {
  word told{0};
  word untold{0};
};

/// All histories that the program can have.
template <class F>
std::set<std::string> histories(unsigned threads, F body) {
  auto all = std::make_shared<std::set<std::string>>();
  stage<desk> s{"histories", threads};
  s.does(body);
  s.then_checks([all](desk&) { all->insert(to_string(world::current().calls())); });
  EXPECT_EQ(explore(s.done(), {}).result, search_result::proved);
  return *all;
}

void a_call(std::uint64_t n) {
  recorded(verb::write, n, [] {});
}

/// Only what happens before is before, in whatever order the steps were taken.
TEST(Recording, WhoHearsOfACallStandsBehindIt) {
  EXPECT_EQ(histories(2,
                      [](desk& it, unsigned t) {
                        if (t == 0) {
                          a_call(1);
                          it.told.store(1, memory_order::release);
                        } else {
                          static_cast<void>(it.told.load(memory_order::acquire));
                          a_call(2);
                        }
                      }),
            (std::set<std::string>{"a: write 1; b: write 2", "a: write 1; b: write 2 after a1"}));
}
TEST(Recording, WhoHearsOfItWithoutAnOrderDoesNot) {
  EXPECT_EQ(histories(2,
                      [](desk& it, unsigned t) {
                        if (t == 0) {
                          a_call(1);
                          it.told.store(1, memory_order::relaxed);
                        } else {
                          static_cast<void>(it.told.load(memory_order::acquire));
                          a_call(2);
                        }
                      }),
            (std::set<std::string>{"a: write 1; b: write 2"}));
}
/// A step within the call is not behind it.
TEST(Recording, WhoSeesACallAtWorkDoesNotStandBehindIt) {
  EXPECT_EQ(histories(2,
                      [](desk& it, unsigned t) {
                        if (t == 0) {
                          recorded(verb::write, 1, [&] { it.told.store(1, memory_order::release); });
                        } else {
                          static_cast<void>(it.told.load(memory_order::acquire));
                          a_call(2);
                        }
                      }),
            (std::set<std::string>{"a: write 1; b: write 2"}));
}
/// Two states that differ in nothing but what was before what are two: the same words, the same threads, and one chain of
/// news more.
TEST(Recording, HistoriesAreToldApartThoughTheStatesAreTheSame) {
  const auto body = [](desk& it, unsigned t) {
    if (t == 0) {
      a_call(1);
      it.told.store(1, memory_order::release);
      return;
    }
    static_cast<void>(it.told.load(memory_order::acquire));
    settle(0);
    a_call(2);
    settle(1);
    it.untold.store(1, memory_order::relaxed);
  };
  EXPECT_EQ(histories(2, body), (std::set<std::string>{"a: write 1; b: write 2", "a: write 1; b: write 2 after a1"}));
}
/// The same histories are found by all ways to search.
TEST(Recording, NoSearchLosesAHistory) {
  std::set<std::set<std::string>> found;
  for (const bool caching : {false, true})
    for (const bool sleep_sets : {false, true}) {
      auto all = std::make_shared<std::set<std::string>>();
      stage<desk> s{"histories", 3};
      s.does([](desk& it, unsigned t) {
        static_cast<void>(it.told.load(memory_order::acquire));
        a_call(t);
        it.told.store(t + 1, memory_order::release);
      });
      s.then_checks([all](desk&) { all->insert(to_string(world::current().calls())); });
      search_options how;
      how.caching = caching;
      how.sleep_sets = sleep_sets;
      EXPECT_EQ(explore(s.done(), how).result, search_result::proved);
      found.insert(*all);
    }
  ASSERT_EQ(found.size(), 1U);
  EXPECT_GE(found.begin()->size(), 10U);
}
TEST(Recording, MoreCallsThanFitAreUndecided) {
  stage<desk> s{"many", 1};
  s.does([](desk&, unsigned) {
    for (unsigned i = 0; i <= recorder::most_of_a_thread; ++i) a_call(i);
  });
  const search_result r = explore(s.done(), {});
  ASSERT_EQ(r.result, search_result::undecided);
  EXPECT_NE(r.why->detail.find("more than 8 calls"), std::string::npos) << r.why->detail;
}

TEST(Recording, TheFlawsOfHistoriesAreRefutedByTheirHistory) {
  for (const char* name :
       {"seeded/message_read_before_it_is_published", "seeded/queue_that_swaps_two",
        "seeded/combiner_that_forgets_a_request", "seeded/register_read_by_halves", "seeded/register_that_remembers"}) {
    const subject* const s = find_subject(name);
    ASSERT_NE(s, nullptr) << name;
    const search_result r = explore(s->checks.front().what, {});
    ASSERT_EQ(r.result, search_result::refuted) << name;
    EXPECT_EQ(r.why->what, "not linearizable") << name;
  }
}

/// A sender under way makes try_receive find nothing, though a message that was sent later is there: the header says so.
TEST(Recording, TheQueueIsNotExactWhenTrying) {
  const auto verdict = [](fifo::trying how) {
    struct scene {
      basic_queue<std::uint32_t, explored, spin> line{2};
    };
    stage<scene> s{"two senders, one of whom tries to receive", 2};
    s.does([](scene& it, unsigned t) {
      recorded(verb::send, t, [&] { return it.line.send(t); });
      if (t == 1) recorded(verb::try_receive, [&] { return it.line.try_receive(); });
    });
    s.then_checks([how](scene&) { expect_linearizable(fifo(2, how)); });
    return explore(s.done(), {});
  };
  EXPECT_EQ(verdict(fifo::trying::vain).result, search_result::proved);
  const search_result exact = verdict(fifo::trying::exact);
  ASSERT_EQ(exact.result, search_result::refuted);
  EXPECT_EQ(exact.why->detail, "a: send 0; b: send 1, try_receive -> nothing");
}

}  // namespace
}  // namespace synchro::model_checker
