// Programs that count the attempts of transactions: none is begun again for nothing, none is woken for nothing, what an attempt has
// noted is nothing to the next, and one that commits has read what was there at one moment.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/stm/stm.hpp"

namespace synchro::model_checker {

namespace {

using variable = basic_tvar<std::uint32_t, explored>;
using plain_stm = basic_stm<explored, spin, versioned_locks<>>;

/// No transaction is irrevocable that was not asked to be.
constexpr stm_options patient{.stripes = 4, .attempts = 9, .alone = false};

/// Three variables under locks of their own, and what threads tell each other.
struct three_variables {
  plain_stm memory;
  alignas(32) variable x{0};
  alignas(32) variable y{0};
  alignas(32) variable z{0};
  explored::atomic<std::uint32_t> told{0}, answered{0};

  explicit three_variables(const stm_options& how = patient) : memory{how} {}

  void tell(std::uint32_t what) { told.store(what, memory_order::release); }
  void answer(std::uint32_t what) { answered.store(what, memory_order::release); }
  static void await(const explored::atomic<std::uint32_t>& word, std::uint32_t what) {
    explored::await(word, memory_order::acquire, [what](std::uint32_t v) { return v == what; });
  }
  void write(variable& to, std::uint32_t value) {
    memory.atomically([&](auto& tx) { tx.write(to, value); });
  }
  void expect_values(std::uint32_t in_x, std::uint32_t in_y) const {
    expect(x.alone() == in_x && y.alone() == in_y, "a commit was lost or done twice");
  }
};
using three = three_variables;

/// Those that only read go on beside an irrevocable one.
program read_beside_an_irrevocable_one() {
  stage<three> s{"stm, read beside an irrevocable one", 2};
  s.does([](three& it, unsigned t) {
    if (t == 0)
      return it.memory.irrevocably([&](auto& tx) {
        tx.write(it.x, 1);
        it.tell(1);
        it.await(it.answered, 1);
        tx.write(it.y, 1);
      });
    it.await(it.told, 1);
    const auto look = [&](auto& tx) { return tx.read(it.x) + tx.read(it.y); };
    expect(it.memory.read_only(look) == 0 && it.memory.atomically(look) == 0, "what was not committed was seen");
    expect(attempts_begun_again<explored>() == 0, "one that only reads is begun again for an irrevocable one");
    it.answer(1);
  });
  s.then_checks([](three& it) { it.expect_values(1, 1); });
  return s.done();
}

/// One that ends beside an irrevocable one does not end that: the next of its thread waits for it.
program ended_beside_an_irrevocable_one() {
  stage<three> s{"stm, ended beside an irrevocable one", 2};
  s.does([](three& it, unsigned t) {
    if (t == 0)
      return it.memory.irrevocably([&](auto& tx) {
        const std::uint32_t seen = tx.read(it.x);
        expect(tx.read(it.x) == seen, "an irrevocable transaction saw two moments");
      });
    it.memory.read_only([&](auto& tx) { expect(tx.read(it.y) == 0, "a value that nobody wrote"); });
    it.write(it.x, 1);
  });
  s.then_checks([](three& it) { it.expect_values(1, 0); });
  return s.done();
}

/// Who may not commit beside an irrevocable one waits until that has ended.
program written_beside_an_irrevocable_one() {
  stage<three> s{"stm, written beside an irrevocable one", 2};
  s.does([](three& it, unsigned t) {
    if (t == 0) return it.memory.irrevocably([&](auto& tx) { tx.write(it.x, 1); });
    it.write(it.y, 1);
    expect(attempts_begun_again<explored>() <= 1, "one does not wait for the end of an irrevocable one");
  });
  s.then_checks([](three& it) { it.expect_values(1, 1); });
  return s.done();
}

/// The first attempt reads what changes, the second has precedence and waits by retry: it has none any more when it begins again.
program precedence_of_one_that_has_waited() {
  stage<three> s{"stm, precedence of one that has waited", 2, stm_options{.stripes = 4, .attempts = 1, .alone = false}};
  s.does([](three& it, unsigned t) {
    if (t == 0) {
      for (const std::uint32_t round : {1U, 2U}) {
        it.await(it.told, round);
        if (round == 2) await_others();
        it.write(it.x, round);
        it.answer(round);
      }
      return;
    }
    std::uint32_t attempts = 0;
    it.memory.atomically([&](auto& tx) {
      expect(tx.is_irrevocable() == (++attempts == 2), "one has precedence, or none, that is to have the other");
      if (attempts == 1) static_cast<void>(tx.read(it.x)), it.tell(1), it.await(it.answered, 1);
      if (attempts == 2) it.tell(2), tx.retry();
      tx.write(it.y, attempts);
    });
  });
  s.then_checks([](three& it) { it.expect_values(2, 3); });
  return s.done();
}

/// Who waits by retry is woken by the commit, and not by one who becomes irrevocable and writes nothing.
program woken_by_a_commit() {
  stage<three> s{"stm, woken by a commit", 2};
  s.does([](three& it, unsigned t) {
    if (t == 0) {
      expect(it.memory.irrevocably([&](auto& tx) { return tx.read(it.y); }) == 0, "a value that nobody wrote");
      return it.write(it.x, 1);
    }
    it.memory.atomically([&](auto& tx) {
      if (tx.read(it.x) == 0) tx.retry();
    });
    expect(attempts_begun_again<explored>() <= 1, "one who waits is woken for nothing");
  });
  return s.done();
}

/// Who comes to something newer than its begin goes on if nothing that it has read has changed: there is nothing, or another variable;
/// and then all that was committed until now is old.
program newer_than_its_begin(bool only_reads) {
  stage<three> s{std::string{"stm, newer than its begin"} + (only_reads ? ", a reader" : ""), 2};
  s.does([only_reads](three& it, unsigned t) {
    if (t == 0) {
      it.await(it.told, 1);
      it.write(it.x, 1);
      it.write(it.y, 1);
      return it.answer(1);
    }
    const auto look = [&](auto& tx) {
      if (!only_reads) expect(tx.read(it.z) == 0, "a value that nobody wrote");
      it.tell(1);
      it.await(it.answered, 1);
      expect(tx.read(it.x) == 1 && tx.read(it.y) == 1, "what was committed is not seen");
    };
    only_reads ? it.memory.read_only(look) : it.memory.atomically(look);
    expect(attempts_begun_again<explored>() == 0, "one is begun again although what it has read is there");
  });
  return s.done();
}

/// One is irrevocable and commits, and commits once more: who has noted the clock while it was irrevocable sees one or the other.
program moments_of_an_irrevocable_one() {
  stage<three> s{"stm, moments of an irrevocable one", 2};
  s.does([](three& it, unsigned t) {
    const auto add_to_both = [&](auto& tx) {
      const std::uint32_t seen = tx.read(it.x);
      tx.write(it.x, seen + 1);
      tx.write(it.y, seen + 1);
    };
    if (t == 0) return it.memory.irrevocably(add_to_both), it.memory.atomically(add_to_both);
    it.memory.atomically([&](auto& tx) {
      const std::uint32_t seen = tx.read(it.x);
      expect(tx.read(it.y) == seen, "a transaction saw two moments");
    });
  });
  s.then_checks([](three& it) { it.expect_values(2, 2); });
  return s.done();
}

/// One adds to one variable, the other to both: of the two locks that it takes one may be newer than what it has read.
program one_of_two_is_newer(bool is_the_second) {
  stage<three> s{std::string{"stm, one of two is newer, the "} + (is_the_second ? "second" : "first"), 2};
  s.does([is_the_second](three& it, unsigned t) {
    it.memory.atomically([&](auto& tx) {
      if (t == 0 || !is_the_second) tx.write(it.x, tx.read(it.x) + 1);
      if (t == 0 || is_the_second) tx.write(it.y, tx.read(it.y) + 1);
    });
  });
  s.then_checks([is_the_second](three& it) { it.expect_values(is_the_second ? 1 : 2, is_the_second ? 2 : 1); });
  return s.done();
}

/// The first attempt writes what another changes; the second writes something else, and takes no lock for the first.
program written_by_the_first_attempt() {
  stage<three> s{"stm, written by the first attempt", 2};
  s.does([](three& it, unsigned t) {
    if (t == 0) {
      for (const std::uint32_t round : {1U, 2U}) {
        it.await(it.told, round);
        it.write(it.x, round);
        it.answer(round);
      }
      return;
    }
    std::uint32_t attempts = 0;
    it.memory.atomically([&](auto& tx) {
      if (++attempts == 1) tx.write(it.x, tx.read(it.x) + 9);
      it.tell(attempts);
      it.await(it.answered, attempts);
      tx.write(it.y, attempts);
    });
  });
  s.then_checks([](three& it) { it.expect_values(2, 2); });
  return s.done();
}

/// Each reads what the other writes. The trace that a transaction keeps of its write (transaction.hpp) is the number of the clock when
/// the other has committed.
program trace_like_the_clock() {
  struct scene {
    plain_stm memory{stm_options{.stripes = 2, .attempts = 9, .alone = false}};
    std::array<variable, 64> all;

    /// Of 64 in a row one has the lowest bit for its trace. The one behind it is under the other lock.
    variable& of(bool is_the_other) {
      const std::size_t lowest = 64 - (reinterpret_cast<std::uintptr_t>(all.data()) >> 3) % 64;
      return all[(lowest + (is_the_other ? 4 : 0)) % 64];
    }
  };
  stage<scene> s{"stm, a trace like the clock", 2};
  s.does([](scene& it, unsigned t) {
    it.memory.atomically([&](auto& tx) {
      if (tx.read(it.of(t == 0)) == 0) tx.write(it.of(t != 0), 1);
    });
  });
  s.then_checks(
      [](scene& it) { expect(it.of(false).alone() + it.of(true).alone() == 1, "neither saw what the other wrote"); });
  return s.done();
}

/// Locks whose holder is told to end its first attempt before it commits.
struct locks_that_end_one {
  template <class Machine, class Waiting>
  class on : public versioned_locks<>::on<Machine, Waiting> {
    using sound = typename versioned_locks<>::template on<Machine, Waiting>::contender;

   public:
    class contender : public sound {
     public:
      using sound::sound;
      bool decides() { return ++times_ != 1; }

     private:
      unsigned times_ = 0;
    };
  };
};

/// Alone: an attempt that was ended does not commit. One that is irrevocable cannot be ended.
program ended_before_its_commit() {
  struct scene {
    basic_stm<explored, spin, locks_that_end_one> memory{patient};
    variable x{0};
  };
  stage<scene> s{"stm, ended before its commit", 1};
  s.does([](scene& it, unsigned) {
    std::uint32_t attempts = 0;
    it.memory.atomically([&](auto& tx) { tx.write(it.x, ++attempts); });
    expect(attempts == 2, "an attempt has committed that was ended, or one has not that was not");
    it.memory.irrevocably([&](auto& tx) { tx.write(it.x, tx.read(it.x) + 1), ++attempts; });
    expect(attempts == 3, "what is irrevocable was begun again");
  });
  s.then_checks([](scene& it) { expect(it.x.alone() == 3, "a commit was lost"); });
  return s.done();
}

/// Alone: who becomes irrevocable leaves the number of commits as it is.
program irrevocable_after_others() {
  stage<three> s{"stm, irrevocable after others", 1};
  s.does([](three& it, unsigned) {
    for (const std::uint32_t value : {1U, 2U, 3U}) it.write(it.x, value);
    it.memory.irrevocably([&](auto& tx) { tx.write(it.y, 1); });
    it.memory.read_only(
        [&](auto& tx) { expect(tx.read(it.x) == 3 && tx.read(it.y) == 1, "what was committed is not there"); });
    expect(attempts_begun_again<explored>() == 0, "one that meets no other is begun again");
  });
  return s.done();
}

}  // namespace

void add_stm_attempts(subjects& to);
void add_stm_attempts(subjects& to) {
  subject made{"stm/attempts", "synchro/stm/transaction.hpp", {}};
  for (program& p :
       std::vector{read_beside_an_irrevocable_one(), ended_beside_an_irrevocable_one(),
                   written_beside_an_irrevocable_one(), precedence_of_one_that_has_waited(), woken_by_a_commit(),
                   newer_than_its_begin(true), newer_than_its_begin(false), moments_of_an_irrevocable_one(),
                   one_of_two_is_newer(false), one_of_two_is_newer(true), written_by_the_first_attempt(),
                   trace_like_the_clock(), ended_before_its_commit(), irrevocable_after_others()})
    made.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(made));
}

}  // namespace synchro::model_checker
