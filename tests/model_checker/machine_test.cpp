// What the explored machine promises, beyond the memory model.

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/search.hpp"

namespace synchro::model_checker {
namespace {

using word = explored::atomic<std::uint32_t>;
using field = explored::plain<std::uint32_t>;

struct words {
  word a{0};
  word b{0};
  field mine{0};
};

std::string verdict(const program& p) {
  const search_result r = explore(p, {});
  return r.why ? r.why->what : r.result == search_result::proved ? "proved" : "unfinished";
}

template <class F>
program two(F body) {
  stage<words> s{"two", 2};
  s.does(body);
  return s.done();
}

/// All that `value` can be at the end.
template <class F>
std::set<std::uint32_t> values(unsigned threads, F body) {
  auto all = std::make_shared<std::set<std::uint32_t>>();
  stage<words> s{"values", threads};
  s.does(body);
  s.then_checks([all](words& it) { all->insert(it.mine); });
  EXPECT_EQ(verdict(s.done()), "proved");
  return *all;
}

TEST(Machine, TwoWritersOfAFieldRace) {
  EXPECT_EQ(verdict(two([](words& s, unsigned t) { s.mine = t; })), "data race");
}

TEST(Machine, AReaderAndAWriterOfAFieldRace) {
  EXPECT_EQ(verdict(two([](words& s, unsigned t) {
              if (t == 0)
                s.mine = 1;
              else
                expect(s.mine < 2, "");
            })),
            "data race");
}

TEST(Machine, AFenceAloneDoesNotOrderAField) {
  EXPECT_EQ(verdict(two([](words& s, unsigned t) {
              s.mine = t;
              explored::fence();
            })),
            "data race");
}

TEST(Machine, AReleaseThatIsAcquiredOrdersAField) {
  EXPECT_EQ(verdict(two([](words& s, unsigned t) {
              if (t == 0) {
                s.mine = 1;
                s.a.store(1, memory_order::release);
              } else {
                explored::await(s.a, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
                expect(s.mine == 1, "");
              }
            })),
            "proved");
}

TEST(Machine, ADeadlineMayPassAtAnyTimeAndStaysPassed) {
  const auto seen = values(1, [](words& s, unsigned) {
    const auto until = explored::clock::now() + std::chrono::nanoseconds{5};
    const bool first = explored::expired(until);
    const bool second = explored::expired(until);
    expect(!first || second, "a deadline has passed and then it has not");
    expect(!first || explored::clock::now() >= until, "the clock does not know");
    s.mine = (first ? 1U : 0U) + (second ? 2U : 0U);
  });
  EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 2, 3}));
}

TEST(Machine, NeverDoesNotPass) {
  EXPECT_EQ(values(1, [](words& s, unsigned) { s.mine = explored::expired(explored::never) ? 1 : 0; }),
            (std::set<std::uint32_t>{0}));
}

TEST(Machine, ALimitNeverHidesSuccess) {
  EXPECT_EQ(values(1,
                   [](words& s, unsigned) {
                     const auto now = explored::clock::now();
                     const auto found = explored::await_until(
                         s.a, memory_order::acquire, [](std::uint32_t v) { return v == 0; }, now);
                     s.mine = found ? 1 : 0;
                   }),
            (std::set<std::uint32_t>{1}));
}

TEST(Machine, AWaitWithALimitEndsEitherWay) {
  EXPECT_EQ(values(2,
                   [](words& s, unsigned t) {
                     if (t == 1) return s.a.store(1, memory_order::release);
                     const auto until = explored::clock::now() + std::chrono::nanoseconds{1};
                     const auto v = explored::await_until(
                         s.a, memory_order::acquire, [](std::uint32_t x) { return x == 1; }, until);
                     s.mine = v ? 1 : 0;
                   }),
            (std::set<std::uint32_t>{0, 1}));
}

TEST(Machine, LooksRunOut) {
  EXPECT_EQ(values(1,
                   [](words& s, unsigned) {
                     const auto v = explored::await_until(
                         s.a, memory_order::acquire, [](std::uint32_t x) { return x == 1; }, looks{3});
                     s.mine = v ? 1 : 0;
                   }),
            (std::set<std::uint32_t>{0}));
}

TEST(Machine, AwaitAnySeesBothWords) {
  EXPECT_EQ(values(2,
                   [](words& s, unsigned t) {
                     if (t == 1) {
                       s.a.store(1, memory_order::relaxed);
                       s.b.store(2, memory_order::relaxed);
                       return;
                     }
                     const auto [a, b] = explored::await_any(
                         memory_order::acquire, [](std::uint32_t x, std::uint32_t y) { return x + y != 0; }, s.a, s.b);
                     s.mine = a * 10 + b;
                   }),
            (std::set<std::uint32_t>{2, 10, 12}));
}

TEST(Machine, UpdateWritesOrDeclines) {
  EXPECT_EQ(values(2,
                   [](words& s, unsigned t) {
                     using answer = attempt<std::uint32_t>;
                     if (t == 1) return s.a.store(7, memory_order::relaxed);
                     const auto done = explored::update(
                         s.a, [](std::uint32_t v) { return v == 7 ? answer::decline() : answer::write(v + 1); },
                         memory_order::acq_rel, memory_order::relaxed);
                     s.mine = done.seen * 2 + (done.written ? 1 : 0);
                   }),
            (std::set<std::uint32_t>{1, 14}));
}

TEST(Machine, PatienceOfACallbackRunsOutAtSomeTime) {
  EXPECT_EQ(
      values(1,
             [](words& s, unsigned) {
               using answer = attempt<std::uint32_t>;
               const auto done = explored::update(
                   s.a,
                   [](std::uint32_t, std::uint32_t round) { return round < 50 ? answer::retry() : answer::decline(); },
                   memory_order::acquire, memory_order::relaxed);
               s.mine = done.written ? 1 : 2;
             }),
      (std::set<std::uint32_t>{2}));
}

TEST(Machine, ExchangingOverWhatIsNotAcceptedIsSeen) {
  EXPECT_EQ(verdict(two([](words& s, unsigned t) {
              if (t == 0) {
                s.a.store(5, memory_order::relaxed);
                explored::await(s.a, memory_order::relaxed, [](std::uint32_t v) { return v == 9; });
                s.a.store(0, memory_order::relaxed);
              } else {
                explored::await(s.a, memory_order::relaxed, [](std::uint32_t v) { return v == 5; });
                explored::exchange_until(
                    s.a, 9, [](std::uint32_t v) { return v == 0; }, memory_order::relaxed);
              }
            })),
            "proved");
}

TEST(Machine, ParkReturnsAtOnceIfTheWordHoldsSomethingElse) {
  EXPECT_EQ(values(1, [](words& s, unsigned) { s.mine = explored::park(s.a, 3, explored::never) ? 1 : 0; }),
            (std::set<std::uint32_t>{0}));
}

/// Not even a return for no reason may hide it.
TEST(Machine, ALostWakeUpIsADeadlock) {
  EXPECT_EQ(verdict(two([](words& s, unsigned t) {
              if (t == 0)
                s.b.store(1, memory_order::release);
              else
                explored::park(s.a, 0, explored::never);
            })),
            "deadlock");
}

TEST(Machine, ATimeoutExcusesOnlyItsOwnWaiter) {
  const auto sleeper = [](explored::deadline until) {
    return [until](words& s, unsigned t) {
      if (t == 0) {
        explored::park(s.a, 0, explored::deadline{std::chrono::nanoseconds{1}});
        explored::unpark(&s.a, 1);
      } else {
        explored::park(s.a, 0, until);
      }
    };
  };
  EXPECT_EQ(verdict(two(sleeper(explored::never))), "deadlock");
  EXPECT_EQ(verdict(two(sleeper(explored::deadline{std::chrono::nanoseconds{1}}))), "proved");
}

/// One of two sleepers is woken, and the one with a deadline passes that on, unless it is too late: then nobody else is woken.
TEST(Machine, WhoIsTooLateMayHaveBeenWoken) {
  const auto verdict_of = [](bool also_too_late) {
    stage<words> s{"woken and too late", 3};
    s.does([also_too_late](words& it, unsigned t) {
      if (t == 0) {
        await_others();
        return explored::unpark(&it.a, 1);
      }
      const bool in_time = t == 1;
      const explored::deadline soon{std::chrono::nanoseconds{1}};
      const bool too_late = explored::park(it.a, 0, in_time ? soon : explored::never);
      if (in_time && (also_too_late || !too_late)) explored::unpark(&it.a, 1);
    });
    return verdict(s.done());
  };
  EXPECT_EQ(verdict_of(true), "proved");
  EXPECT_EQ(verdict_of(false), "deadlock");
}

TEST(Machine, ParkReturnsForNoReasonOnce) {
  EXPECT_EQ(verdict(two([](words& s, unsigned t) {
              if (t == 0) {
                s.a.store(1, memory_order::release);
                explored::unpark(&s.a, 1);
              } else {
                explored::park(s.a, 0, explored::never);
                expect(s.a.load(memory_order::acquire) == 1, "woken too early");
              }
            })),
            "wrong result");
}

TEST(Machine, AnEndlessLoopExceedsItsBound) {
  EXPECT_EQ(verdict(two([](words& s, unsigned t) {
              if (t == 0)
                for (std::uint32_t v = 0;; ++v) s.a.store(v % 2, memory_order::relaxed);
            })),
            "too large");
}

TEST(Machine, MemoryThatWasFreedIsNotTouched) {
  struct scene {
    explored::plain<word*> it{explored::make<word>(0U)};
  };
  for (const reuse how : {reuse::never, reuse::at_once}) {
    stage<scene> s{"freed", 1};
    s.with().freed = how;
    s.does([](scene& all, unsigned) {
      word* const w = all.it;
      explored::destroy(w);
      w->load(memory_order::relaxed);
    });
    EXPECT_EQ(verdict(s.done()), "memory");
  }
}

TEST(Machine, FreedMemoryComesBackAtOnceOrNever) {
  for (const reuse how : {reuse::never, reuse::at_once}) {
    stage<words> s{"freed", 1};
    s.with().freed = how;
    s.does([how](words&, unsigned) {
      word* const first = explored::make<word>(0U);
      explored::destroy(first);
      word* const second = explored::make<word>(1U);
      expect((first == second) == (how == reuse::at_once), "reuse");
    });
    EXPECT_EQ(verdict(s.done()), "proved");
  }
}

TEST(Machine, ANullPointerIsAFailureAndNoCrash) {
  EXPECT_EQ(verdict(two([](words& s, unsigned) {
              auto* const nowhere =
                  reinterpret_cast<word*>(static_cast<std::uintptr_t>(s.a.load(memory_order::relaxed)));
              nowhere->load(memory_order::relaxed);
            })),
            "memory");
}

TEST(Machine, WhatIsBuriedIsNotTouched) {
  struct scene {
    const world::extent from = world::current().made();
    word a{0};
    field f{0};
    const world::extent to = world::current().made();
  };
  const auto touches = [](bool atomic) {
    stage<scene> s{"buried", 1};
    s.does([atomic](scene& it, unsigned) {
      world::current().bury(it.from, it.to);
      if (atomic)
        it.a.load(memory_order::relaxed);
      else
        it.f = 1;
    });
    return s.done();
  };
  EXPECT_EQ(verdict(touches(true)), "memory");
  EXPECT_EQ(verdict(touches(false)), "memory");
}

/// What an abandoned execution has written is undone, wherever it stands.
TEST(Machine, FieldsOutsideTheArenaStartAnew) {
  struct scene {
    scene() : fields(1) {}
    std::vector<field> fields;
    word a{0};
  };
  stage<scene> s{"outside", 2};
  s.does([](scene& it, unsigned t) {
    it.a.store(t, memory_order::relaxed);
    if (t != 0) return;
    expect(it.fields[0] == 0, "an execution begins where another has ended");
    it.fields[0] = 1;
    it.a.load(memory_order::relaxed);
  });
  EXPECT_EQ(verdict(s.done()), "proved");
}

TEST(Machine, AHarnessCanWaitUntilTheOthersSleep) {
  const auto wakes = [](bool waits_first) {
    return [waits_first](words& s, unsigned t) {
      if (t == 1) {
        explored::park(s.a, 0, explored::never);
        return;
      }
      if (waits_first) await_others();
      explored::unpark(&s.a, 1);
    };
  };
  EXPECT_EQ(verdict(two(wakes(true))), "proved");
  EXPECT_EQ(verdict(two(wakes(false))), "deadlock");
}

/// The system looks at the word on behalf of who wants to sleep, and may find what that thread could.
TEST(Machine, ParkMayFindAnOldValueUnlessSomebodyWokeSince) {
  const auto opens = [](bool wakes) {
    return [wakes](words& s, unsigned t) {
      if (t == 0) {
        s.a.store(1, memory_order::relaxed);
        if (wakes) explored::unpark(&s.a, 1);
        s.b.store(1, memory_order::relaxed);
      } else {
        explored::await(s.b, memory_order::relaxed, [](std::uint32_t v) { return v == 1; });
        explored::park(s.a, 0, explored::never);
      }
    };
  };
  EXPECT_EQ(verdict(two(opens(false))), "deadlock");
  EXPECT_EQ(verdict(two(opens(true))), "proved");
}

TEST(Machine, ACallbackIsAskedAtManyRounds) {
  for (const std::uint32_t round : {0U, 1U, 7U, 100U, 127U, 4096U}) {
    EXPECT_EQ(values(1,
                     [round](words& s, unsigned) {
                       using answer = attempt<std::uint32_t>;
                       const auto done = explored::update(
                           s.a,
                           [round](std::uint32_t, std::uint32_t now) {
                             return now == round ? answer::decline() : answer::write(2);
                           },
                           memory_order::acquire, memory_order::relaxed);
                       s.mine = done.written ? 1 : 2;
                     }),
              (std::set<std::uint32_t>{1, 2}))
        << round;
  }
}

TEST(Machine, AWeakLoopComesToAnEnd) {
  EXPECT_EQ(verdict(two([](words& s, unsigned) {
              std::uint32_t seen = s.a.load(memory_order::relaxed);
              while (!s.a.compare_exchange_weak(seen, seen + 1, memory_order::relaxed, memory_order::relaxed)) {
              }
            })),
            "proved");
}

TEST(Machine, WhatExceedsABoundIsUndecided) {
  const search_result r = explore(two([](words& s, unsigned t) {
                                    while (t == 0) s.a.load(memory_order::relaxed);
                                  }),
                                  {});
  EXPECT_EQ(r.result, search_result::undecided);
  ASSERT_TRUE(r.why.has_value());
  EXPECT_EQ(r.why->what, "bound exceeded");
}

/// Every way of being here and there at three times is met: each one, forbidden, is a refutation.
TEST(Machine, AThreadMayMoveOrStayBetweenAnyTwoTimesThatItAsks) {
  for (const bool moves : {false, true})
    for (unsigned way = 0; way != 8; ++way) {
      program p = two([way](words&, unsigned) {
        unsigned seen = 0;
        for (unsigned i = 0; i != 3; ++i) seen |= explored::domain() << i;
        expect(seen != way, "it is there");
      });
      p.moves = moves;
      EXPECT_EQ(verdict(p), moves || way == 0 ? "wrong result" : "proved") << way;
    }
}

TEST(Machine, AChangeThatNobodyWatchesIsNoticed) {
  struct scene {
    word a{0};
    std::uint32_t bare = 0;
  };
  for (const bool changes : {false, true}) {
    stage<scene> s{"bare", 1};
    s.does([changes](scene& it, unsigned) {
      if (changes) ++it.bare;
    });
    EXPECT_EQ(verdict(s.done()), changes ? "memory" : "proved");
  }
}

struct pooled {
  explored::plain<pooled*> pool_next{nullptr};
  explored::plain<pooled*> pool_batch{nullptr};
};

TEST(Machine, NodesThatAreNotGivenBackAreCounted) {
  for (const bool gives : {false, true}) {
    program p = two([gives](words&, unsigned t) {
      pooled* const mine = node_pool<explored, pooled>::take();
      if (gives || t == 0) node_pool<explored, pooled>::give(mine);
    });
    p.counts_nodes = true;
    EXPECT_EQ(verdict(p), gives ? "proved" : "leak");
  }
}

TEST(Machine, CounterExamplesAreShortened) {
  const program p = two([](words& s, unsigned t) {
    for (std::uint32_t i = 0; i < 3; ++i) s.b.fetch_add(i, memory_order::relaxed);
    s.mine = t;
  });
  const search_result first = explore(p, {});
  const search_result shorter = shortened(p, {}, first);
  ASSERT_EQ(shorter.result, search_result::refuted);
  EXPECT_LE(shorter.schedule.size(), first.schedule.size());
  EXPECT_TRUE(replay(p, shorter.schedule, nullptr).why.has_value());
}

struct own {
  std::uint32_t times = 0;
};

TEST(Machine, EachThreadHasItsOwnAndAllShareTheGlobal) {
  EXPECT_EQ(verdict(two([](words&, unsigned t) {
              expect(explored::local<own>().times++ == 0, "local is shared, or left from another execution");
              expect(explored::global<words>().a.fetch_add(1, memory_order::relaxed) < 2,
                     "global is left from another execution");
              expect(explored::slot() == t, "slot");
            })),
            "proved");
}

bool ended[max_threads];
void note_end(void* p) { *static_cast<bool*>(p) = true; }

TEST(Machine, ExitHooksRunWhenTheThreadEnds) {
  std::fill(std::begin(ended), std::end(ended), false);
  EXPECT_EQ(verdict(two([](words&, unsigned t) {
              ended[t] = false;
              explored::at_thread_exit<note_end>(&ended[t]);
            })),
            "proved");
  EXPECT_TRUE(ended[0] && ended[1]);
}

/// Dropped executions do not unwind: this would end the program.
TEST(Machine, AbandonedExecutionsAreDropped) {
  struct releases {
    word& it;
    ~releases() { it.store(0, memory_order::release); }
  };
  EXPECT_EQ(verdict(two([](words& s, unsigned t) {
              for (int i = 0; i < 2; ++i) {
                explored::exchange_until(
                    s.a, 1, [](std::uint32_t v) { return v == 0; }, memory_order::acquire);
                const releases at_end{s.a};
                s.mine = t;
              }
            })),
            "proved");
}

TEST(Machine, ScheduleTextGoesThereAndBack) {
  const std::vector<move> schedule{{0, 0}, {1, 12}, {2, 0}, {0, 3}};
  EXPECT_EQ(encode(schedule), "ab12ca3");
  const auto back = decode("ab12ca3");
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(encode(*back), "ab12ca3");
  EXPECT_FALSE(decode("a-b").has_value());
}

}  // namespace
}  // namespace synchro::model_checker
