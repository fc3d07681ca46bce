// Sound programs of unusual style are proved, or called undecided with the rule that they break; never refuted. Each has a
// twin that is not sound, which is refuted.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "model_checker/harnesses/lock_programs.hpp"
#include "model_checker/search.hpp"

namespace synchro::model_checker {
namespace {

using word = explored::atomic<std::uint32_t>;
using field = explored::plain<std::uint32_t>;

constexpr lock_traits unusual{.judgement = "never", .citation = "none"};
constexpr auto is_zero = [](std::uint32_t v) { return v == 0; };

std::string verdict(const program& p) {
  const auto r = explore(p, {});
  return r.why ? r.why->what : "proved";
}

/// Of two threads with two sections each, and of three with one.
template <class Lock>
void expect_verdict(const std::string& expected) {
  using enum deed;
  for (const parts& some : {parts{{lock, lock}, {lock, lock}}, parts{{lock}, {lock}, {lock}}})
    EXPECT_EQ(verdict(lock_programs{lock_type_of<Lock>()}.play("styles", some).done()), expected)
        << some.size() << " threads";
}

// A loop around a weak compare-and-swap.

template <bool Acquires, bool Waits>
struct weak_lock {
  static constexpr lock_traits traits = unusual;
  void lock() {
    for (std::uint32_t seen = 0; !take(seen); seen = 0)
      if constexpr (Waits) explored::await(held, memory_order::relaxed, is_zero);
  }
  bool take(std::uint32_t& seen) {
    if constexpr (Acquires)
      return held.compare_exchange_weak(seen, 1, memory_order::acquire, memory_order::relaxed);
    else
      return held.compare_exchange_weak(seen, 1, memory_order::relaxed, memory_order::relaxed);
  }
  void unlock() { held.store(0, memory_order::release); }
  word held{0};
};

TEST(Styles, AWeakLoopAroundAWaitIsProved) { expect_verdict<weak_lock<true, true>>("proved"); }
TEST(Styles, ItsTwinDoesNotAcquire) { expect_verdict<weak_lock<false, true>>("data race"); }

/// No loop but the four verbs reads shared state: such a thread has no end here, whoever else runs.
TEST(Styles, AWeakLoopWithoutAWaitIsUndecided) {
  const auto r = explore(
      lock_programs{lock_type_of<weak_lock<true, false>>()}.play("styles", {{deed::lock}, {deed::lock}}).done(), {});
  ASSERT_TRUE(r.why.has_value());
  EXPECT_TRUE(r.why->undecided);
  EXPECT_EQ(r.why->what, "bound exceeded");
  EXPECT_NE(r.why->detail.find("no other loop may read shared state"), std::string::npos) << r.why->detail;
}
TEST(Styles, ItsTwinIsRefutedBeforeThat) { expect_verdict<weak_lock<false, false>>("data race"); }

// A look that gives up.

struct message {
  word sent{0};
  field data{0};
};

/// One thread sends the data with a 1 and then says 2; the other looks for the 2.
template <class Look>
program look_for_two(Look look) {
  stage<message> s{"look for two", 2};
  s.does([look](message& it, unsigned t) {
    if (t == 1) return look(it);
    it.data = 42;
    it.sent.store(1, memory_order::release);
    it.sent.store(2, memory_order::release);
  });
  return s.done();
}

constexpr auto is_two = [](std::uint32_t v) { return v == 2; };
void read(message& it) { expect(it.data == 42, "the data is not there"); }

TEST(Styles, WhatALookHasSeenBeforeItGaveUpIsUsed) {
  const auto keeps = [](auto order) {
    return [order](message& it) {
      std::uint32_t last = 0;
      const auto keep = [&last](std::uint32_t v) {
        last = v;
        return v == 2;
      };
      order(it, keep);
      if (last != 0) read(it);
    };
  };
  EXPECT_EQ(verdict(look_for_two(keeps([](message& it, const auto& keep) {
              explored::await_until(it.sent, memory_order::acquire, keep, looks{3});
            }))),
            "proved");
  EXPECT_EQ(verdict(look_for_two(keeps([](message& it, const auto& keep) {
              explored::await_until(it.sent, memory_order::relaxed, keep, looks{3});
            }))),
            "data race");
}

/// Who has seen the 1 before looks at nothing older, so the look has read a message of the sender's.
TEST(Styles, ALookThatGivesUpHasRead) {
  const auto follows = [](auto look) {
    return look_for_two([look](message& it) {
      explored::await(it.sent, memory_order::relaxed, [](std::uint32_t v) { return v != 0; });
      look(it);
      read(it);
    });
  };
  EXPECT_EQ(
      verdict(follows([](message& it) { explored::await_until(it.sent, memory_order::acquire, is_two, looks{3}); })),
      "proved");
  EXPECT_EQ(
      verdict(follows([](message& it) { explored::await_until(it.sent, memory_order::relaxed, is_two, looks{3}); })),
      "data race");
}

TEST(Styles, AnUpdateThatGivesUpHasReadByItsOrderOfFailure) {
  using answer = attempt<std::uint32_t>;
  const auto take_two = [](std::uint32_t v) { return v == 2 ? answer::write(3) : answer::retry(); };
  const auto follows = [](auto look) {
    return look_for_two([look](message& it) {
      explored::await(it.sent, memory_order::relaxed, [](std::uint32_t v) { return v != 0; });
      look(it);
      read(it);
    });
  };
  EXPECT_EQ(verdict(follows([take_two](message& it) {
              explored::update_until(it.sent, take_two, memory_order::acquire, memory_order::acquire, looks{3});
            })),
            "proved");
  EXPECT_EQ(verdict(follows([take_two](message& it) {
              explored::update_until(it.sent, take_two, memory_order::acquire, memory_order::relaxed, looks{3});
            })),
            "data race");
}

/// It looks for a while; what it saw last says whether it takes the lock or leaves its mark and sleeps.
template <bool Marks>
struct looks_then_sleeps {
  static constexpr lock_traits traits = unusual;
  void lock() {
    for (std::uint32_t taken = 1;;) {
      std::uint32_t last = 0;
      const auto keep = [&last](std::uint32_t v) {
        last = v;
        return v == 0;
      };
      explored::await_until(state, memory_order::relaxed, keep, explored::spin_looks());
      if (last == 0) {
        if (state.compare_exchange_strong(last, taken, memory_order::acquire, memory_order::relaxed)) return;
      } else if (last == 2 || state.compare_exchange_strong(last, 2, memory_order::relaxed, memory_order::relaxed)) {
        explored::park(state, 2, explored::never);
        if constexpr (Marks) taken = 2;
      }
    }
  }
  void unlock() {
    if (state.exchange(0, memory_order::release) == 2) explored::unpark(&state, 1);
  }
  word state{0};
};

TEST(Styles, ALookThatSaysWhetherToSleepIsProved) {
  using enum deed;
  EXPECT_EQ(
      verdict(lock_programs{lock_type_of<looks_then_sleeps<true>>()}.play("styles", {{lock, lock}, {lock}}).done()),
      "proved");
  search_options bounded;
  bounded.preemptions = 1;
  const program three =
      lock_programs{lock_type_of<looks_then_sleeps<true>>()}.play("styles", {{lock}, {lock}, {lock}}).done();
  EXPECT_EQ(explore(three, bounded).result, search_result::proved);
}
/// Who has slept forgets that others may still do.
TEST(Styles, ItsTwinForgetsWhoSleeps) {
  using enum deed;
  EXPECT_EQ(
      verdict(lock_programs{lock_type_of<looks_then_sleeps<false>>()}.play("styles", {{lock}, {lock}, {lock}}).done()),
      "deadlock");
}

/// Callbacks are pure: one that keeps the last value can be followed, one that counts cannot.
TEST(Styles, ACallbackThatCountsIsUndecided) {
  for (const unsigned most : {100U, 2'000U}) {
    const auto r = explore(look_for_two([most](message& it) {
                             unsigned times = 0;
                             explored::await(it.sent, memory_order::acquire,
                                             [&times, most](std::uint32_t v) { return v == 2 || ++times > most; });
                           }),
                           {});
    ASSERT_TRUE(r.why.has_value()) << most;
    EXPECT_TRUE(r.why->undecided) << most;
    EXPECT_NE(r.why->detail.find("callbacks are pure"), std::string::npos) << r.why->detail;
  }
}

TEST(Styles, ACallbackThatReadsSharedStateIsUndecided) {
  const auto refuted = [](auto look) { return explore(look_for_two(look), {}).why; };
  const auto of_an_atomic = refuted([](message& it) {
    explored::await(it.sent, memory_order::acquire,
                    [&it](std::uint32_t) { return it.sent.load(memory_order::relaxed) == 2; });
  });
  const auto of_a_field = refuted([](message& it) {
    explored::await(it.sent, memory_order::acquire, [&it](std::uint32_t v) { return v == 2 && it.data == 42; });
  });
  for (const auto& why : {of_an_atomic, of_a_field}) {
    ASSERT_TRUE(why.has_value());
    EXPECT_TRUE(why->undecided) << why->what;
    EXPECT_NE(why->detail.find("callbacks are pure"), std::string::npos) << why->detail;
  }
}

// The word of a lock names its owner.

std::uint32_t me() { return explored::slot() + 1; }

/// A waiter exchanges its own name in over the owner's.
template <bool Checks>
struct owner_exchanged_in {
  static constexpr lock_traits traits = unusual;
  void lock() { explored::exchange_until(owner, me(), is_zero, memory_order::acquire); }
  bool try_lock_for(std::chrono::nanoseconds patience) {
    return explored::exchange_until(owner, me(), is_zero, memory_order::acquire, explored::clock::now() + patience)
        .has_value();
  }
  void unlock() {
    if (Checks && owner.load(memory_order::relaxed) != me()) return;
    owner.store(0, memory_order::release);
  }
  word owner{0};
};

TEST(Styles, AnOwnerExchangedInIsProved) { expect_verdict<owner_exchanged_in<false>>("proved"); }
/// Whoever waits has overwritten it.
TEST(Styles, ItsTwinTrustsTheOwner) { expect_verdict<owner_exchanged_in<true>>("deadlock"); }
TEST(Styles, AnOwnerExchangedInByOneWhoGivesUpIsProved) {
  using enum deed;
  const lock_programs programs{lock_type_of<owner_exchanged_in<false>>()};
  EXPECT_EQ(verdict(programs.play("styles", {{lock, lock}, {timed, timed}}).done()), "proved");
}

/// How often waiters overwrite each other is bounded; who looks for one time more is undecided.
TEST(Styles, AnExchangeThatIsRefusedTooOftenIsUndecided) {
  const auto seen_times = [](std::uint32_t times) {
    stage<message> s{"refused", 2};
    s.does([times](message& it, unsigned t) {
      if (t == 1) {
        explored::exchange_until(
            it.sent, 9, [](std::uint32_t v) { return v == 7; }, memory_order::relaxed);
        return;
      }
      for (std::uint32_t i = 0; i < times; ++i) {
        it.sent.store(i + 1, memory_order::relaxed);
        explored::await(it.sent, memory_order::relaxed, [](std::uint32_t v) { return v == 9; });
      }
      it.sent.store(7, memory_order::relaxed);
    });
    return explore(s.done(), {}).why;
  };
  EXPECT_FALSE(seen_times(1).has_value());
  ASSERT_TRUE(seen_times(2).has_value());
  EXPECT_TRUE(seen_times(2)->undecided);
  EXPECT_EQ(seen_times(2)->what, "bound exceeded");
}

/// The same by a loop of one's own: the owner's name comes in by exchange, and waits go by a verb.
template <bool Acquires>
struct owner_by_a_loop {
  static constexpr lock_traits traits = unusual;
  void lock() {
    while (take() != 0) explored::await(owner, memory_order::relaxed, is_zero);
  }
  std::uint32_t take() {
    if constexpr (Acquires)
      return owner.exchange(me(), memory_order::acquire);
    else
      return owner.exchange(me(), memory_order::relaxed);
  }
  void unlock() { owner.store(0, memory_order::release); }
  word owner{0};
};

TEST(Styles, AnOwnerExchangedInByALoopIsProved) { expect_verdict<owner_by_a_loop<true>>("proved"); }
TEST(Styles, ItsTwinDoesNotAcquireEither) { expect_verdict<owner_by_a_loop<false>>("data race"); }

// Memory of one's own.

/// A wake primitive with memory that is not the machine's. What it notes there is guarded by its word.
template <class Field>
struct woken_once {
  word rung{0};
  std::unique_ptr<Field[]> notes{new Field[2]{}};

  void ring() {
    notes[1] = Field::number_of(notes[1]) + 1;
    rung.store(1, memory_order::release);
  }
  void wait() {
    if (Field::number_of(notes[0]) != 0) explored::await(rung, memory_order::relaxed, is_two);  // never comes
    notes[0] = 1;
    explored::await(rung, memory_order::acquire, [](std::uint32_t v) { return v != 0; });
    expect(Field::number_of(notes[1]) == 1, "a ring was lost");
  }
};

struct raw {
  std::uint32_t value = 0;
  raw() = default;
  raw(std::uint32_t v) : value{v} {}  // NOLINT(google-explicit-constructor)
  static std::uint32_t number_of(const raw& r) { return r.value; }
};
struct watched : field {
  using field::operator=;
  static std::uint32_t number_of(const watched& w) { return w; }
};

template <class Field>
std::optional<refutation> ring_once() {
  stage<woken_once<Field>> s{"ring once", 2};
  s.does([](woken_once<Field>& it, unsigned t) { t == 0 ? it.ring() : it.wait(); });
  return explore(s.done(), {}).why;
}

TEST(Styles, MemoryOfNewWithoutPlainIsNamed) {
  const auto why = ring_once<raw>();
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->what, "memory");
  EXPECT_NE(why->detail.find("taken by new"), std::string::npos) << why->detail;
}
TEST(Styles, ItsTwinOfPlainFieldsIsProved) {
  const auto why = ring_once<watched>();
  EXPECT_FALSE(why.has_value()) << why->what << ": " << why->detail;
}

}  // namespace
}  // namespace synchro::model_checker
