// Programs for the parts of transactional memories by themselves: what a contention manager decides and counts, the gate, the log,
// the table of locks.

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/stm/stm.hpp"

namespace synchro::model_checker {

namespace {

using field = explored::plain<std::uint32_t>;

template <class Manager>
using contention_of = detail::contention<explored, Manager>;
template <class Manager>
using contender_of = typename contention_of<Manager>::contender;

template <class Manager>
std::uint64_t slot_of(const contender_of<Manager>& one) {
  return one.mark() & 0xffff;
}
template <class F>
bool refuses(F make) {
  try {
    make();
    return false;
  } catch (const std::length_error&) {
    return true;
  }
}

/// Who is older ends the other's attempt, unless that has decided or is another one by now; of two of one age it is one.
template <class Manager>
program prevailing() {
  struct scene {
    contention_of<Manager> all;
  };
  stage<scene> s{"stm_greedy, who prevails", 1};
  s.does([](scene& it, unsigned) {
    contender_of<Manager> older{it.all}, younger{it.all};
    expect(older.begin(true, 1) && younger.begin(true, 9), "there is no slot");
    const std::uint64_t first_attempt = younger.mark();
    expect(!younger.prevails_over(older.mark()) && older.decides(), "the younger prevails");
    expect(older.prevails_over(first_attempt) && !younger.decides(), "the younger's attempt is not ended");
    expect(younger.begin(false, 3), "there is no slot");
    expect(older.prevails_over(first_attempt) && younger.decides(),
           "an attempt is ended by the mark of an earlier one");
    expect(!older.prevails_over(detail::stm_taken_for_good), "one that never ends early is waited for");
    expect(older.begin(true, 4) && younger.begin(true, 4), "there is no slot");
    expect(older.prevails_over(younger.mark()) != younger.prevails_over(older.mark()),
           "of one age both prevail, or none");
    older.leave();
    younger.leave();
  });
  return s.done();
}

/// The older has the second slot. Later attempts are as old as the first.
program older_in_the_second_slot() {
  using manager = basic_greedy<2>;
  struct scene {
    contention_of<manager> all;
  };
  stage<scene> s{"stm_greedy, the older comes second", 1};
  s.does([](scene& it, unsigned) {
    contender_of<manager> younger{it.all}, older{it.all};
    expect(younger.begin(true, 5) && older.begin(true, 3), "there is no slot");
    expect(older.prevails_over(younger.mark()) && !younger.prevails_over(older.mark()), "the younger prevails");
    expect(younger.begin(false, 0), "there is no slot");
    expect(older.prevails_over(younger.mark()) && !younger.prevails_over(older.mark()),
           "a later attempt is older than the first");
    expect(detail::is_taken(older.mark()) && detail::is_taken(detail::stm_taken) &&
               !detail::is_taken(detail::stm_taken - 1),
           "a mark is a version, or a version a mark");
  });
  return s.done();
}

/// Slots are one's own, from the one that the thread looks at first; whoever finds none is told, whatever others' attempts have
/// come to. Who has left has none, and no mark comes back.
program slots_are_own() {
  using manager = basic_greedy<2>;
  struct scene {
    contention_of<manager> all;
  };
  stage<scene> s{"stm_greedy, slots", 1};
  s.does([](scene& it, unsigned) {
    contender_of<manager> one{it.all}, two{it.all}, three{it.all};
    expect(one.begin(true, 1) && slot_of<manager>(one) == 0, "it begins to look elsewhere");
    expect(one.mark() > detail::stm_taken, "a mark does not say whose it is");
    expect(two.begin(true, 2) && slot_of<manager>(two) == 1, "two have one slot");
    expect(!three.begin(true, 3), "there are more slots than there are");
    expect(one.prevails_over(two.mark()) && !three.begin(true, 3), "the slot of one that was ended is another's");
    expect(one.decides() && !three.begin(true, 3), "the slot of one that has decided is another's");
    for (unsigned i = 0; i != 5; ++i) expect(one.begin(false, 1), "there is no slot");
    const std::uint64_t last = one.mark();
    one.leave();
    expect(three.begin(true, 3) && slot_of<manager>(three) == 0 && three.mark() > last, "a mark comes back");
    one.leave();
    expect(three.decides() && !one.begin(true, 4), "who has left has a slot still");
    two.leave();
    expect(one.begin(true, 4) && slot_of<manager>(one) == 1, "a slot that was given back is nobody's");
    for (std::uint64_t before = one.mark(), i = 0; i != 60; ++i, before = one.mark()) {
      one.leave();
      expect(one.begin(true, 4) && one.mark() > before, "marks come to an end");
    }
  });
  return s.done();
}

/// Two come for one slot.
program one_slot() {
  using manager = basic_greedy<1>;
  struct scene {
    contention_of<manager> all;
    std::array<field, 2> got{};
  };
  stage<scene> s{"stm_greedy, two come for one slot", 2};
  s.does([](scene& it, unsigned t) {
    contender_of<manager> mine{it.all};
    it.got[t] = mine.begin(true, t) ? 1U : 0U;
  });
  s.then_checks([](scene& it) { expect(it.got[0] + it.got[1] == 1, "a slot is two's, or nobody's"); });
  return s.done();
}

/// Who prevails waits until a lock that is taken is given back, and takes it; who does not is sent away while it is taken.
program taken_locks() {
  using manager = basic_greedy<3>;
  using locks = versioned_locks<manager>::on<explored, spin>;
  struct scene {
    contention_of<manager> all;
    locks::stripe one;
    explored::atomic<std::uint32_t> is_taken{0};
  };
  stage<scene> s{"stm_greedy, a lock that is taken", 2};
  s.does([](scene& it, unsigned t) {
    contender_of<manager> mine{it.all}, youngest{it.all};
    std::uint64_t version = 1;
    expect(mine.begin(true, t), "there is no slot");
    if (t == 0) explored::await(it.is_taken, memory_order::relaxed, [](std::uint32_t v) { return v != 0; });
    expect(locks::take(it.one, mine, mine.mark(), version), "who prevails is sent away");
    expect(version == 0, "who has taken a lock knows another version");
    if (t == 1) it.is_taken.store(1, memory_order::relaxed);
    if (t == 0) {
      expect(youngest.begin(true, 2), "there is no slot");
      expect(!locks::take(it.one, youngest, youngest.mark(), version), "two have a lock");
      youngest.leave();
    }
    locks::give(it.one, 0);
    mine.leave();
  });
  return s.done();
}

/// What a thread has committed, and the time that it took, is counted, of one without a slot no time; by that it is ranked.
program counted_commits() {
  using manager = basic_fair_commit<1>;
  struct scene {
    contention_of<manager> all;
  };
  stage<scene> s{"stm_fair_commit, what is counted", 1};
  s.does([](scene& it, unsigned) {
    const auto passes = [](int ns) { return explored::expired(explored::clock::now() + std::chrono::nanoseconds{ns}); };
    const detail::stm_record& record = explored::local<detail::stm_record>();
    contender_of<manager> mine{it.all}, without{it.all};
    if (!passes(3)) return;
    expect(mine.begin(true, 1) && !without.begin(true, 2), "there is another slot");
    if (!passes(5)) return;
    without.committed();
    expect(record.commits == 1 && record.time == 0, "the time of one is counted that has no slot");
    mine.committed();
    expect(record.commits == 2 && record.time == 5, "what was committed is not counted, or not its time");
    expect(
        basic_greedy<1>::rank(record, 7) == 7 && manager::rank(record, 7) == 5 && basic_wholly<1>::rank(record, 7) == 2,
        "one is ranked by something else");
  });
  return s.done();
}

/// Two have met. Who takes the gate is alone there, and who waits until it is free does not find it shared.
program gate_after_a_meeting() {
  struct scene {
    detail::stm_gate<explored, spin> gate{false, true, 9};
    field inside{0};

    void goes_alone() {
      std::uint32_t elided = 0;
      expect(gate.enter_alone(elided), "it is shared too early");
      inside = inside + 1;
      gate.leave();
    }
  };
  stage<scene> s{"stm_elided, gate after a meeting", 2};
  s.warms_up([](scene& it, unsigned t) {
    if (t != 0) return;
    static_cast<void>(it.gate.enter());
    expect(it.gate.enter() == detail::stm_way::elided, "the second to come is not elided");
    it.gate.leave();
  });
  s.does([](scene& it, unsigned t) {
    if (t == 1) expect(it.gate.await_free(), "what is taken is shared");
    it.goes_alone();
  });
  s.then_checks([](scene& it) { expect(it.inside == 2, "two are alone at once"); });
  return s.done();
}

/// Whoever does not want transactions of the processor gets none, whoever comes, and when.
program gate_that_does_not_elide() {
  struct scene {
    detail::stm_gate<explored, spin> gate{false, false, 9};
    field inside{0};
  };
  stage<scene> s{"stm_alone, gate", 2};
  s.does([](scene& it, unsigned) {
    for (unsigned i = 0; i != 2; ++i) {
      const detail::stm_way way = it.gate.enter();
      expect(way != detail::stm_way::elided, "one that is not to be elided is");
      if (way != detail::stm_way::alone) continue;
      it.inside = it.inside + 1;
      it.gate.leave();
    }
  });
  return s.done();
}

/// Entries stay where they are until there is no room, and are copied then; what is cut off is gone.
program small_logs() {
  struct nobody {};
  stage<nobody> s{"stm, a log that grows twice", 1};
  s.does([](nobody&, unsigned) {
    detail::small_log<int, 2> log;
    for (int i = 0; i != 7; ++i) {
      const int* const before = log.begin();
      const bool is_full = i == 2 || i == 4;
      log.push(i);
      expect((log.begin() != before) == is_full, "it moves too early, or does not");
      expect(log.end() - log.begin() == i + 1 && log.back() == i, "an entry is lost");
      for (int k = 0; k <= i; ++k) expect(log.begin()[k] == k, "an entry is another");
    }
    log.cut(log.end() - 2);
    expect(log.back() == 4 && !log.empty(), "what was cut off is there");
    log.clear();
    expect(log.empty() && log.begin() == log.end(), "what was cleared is there");
  });
  return s.done();
}

/// Numbers of stripes that nobody can have are refused, and a variable has what was set alone.
program wrong_numbers() {
  struct nobody {};
  stage<nobody> s{"stm, numbers that are refused", 1};
  s.does([](nobody&, unsigned) {
    const auto stripes = [](std::size_t n) { return [n] { basic_stm<explored, spin>{{.stripes = n}}; }; };
    expect(refuses(stripes(0)) && refuses(stripes((std::size_t{1} << 30) + 1)) && !refuses(stripes(1)),
           "a number is refused, or is not");
    basic_tvar<std::uint32_t, explored> x{3};
    expect(x.alone() == 3, "a variable begins with another value");
    x.set_alone(5);
    expect(x.alone() == 5, "what was set alone is not there");
  });
  return s.done();
}

/// The younger goes on.
struct youngest : basic_greedy<2> {
  static std::uint64_t rank(const detail::stm_record&, std::uint64_t begun) { return ~begun; }
};

}  // namespace

void add_stm_parts(subjects& to);
void add_stm_parts(subjects& to) {
  subject made{"stm/parts", "synchro/stm/contention.hpp", {}};
  for (program& p : std::vector{prevailing<basic_greedy<2>>(), older_in_the_second_slot(), slots_are_own(), one_slot(),
                                taken_locks(), counted_commits(), gate_after_a_meeting(), gate_that_does_not_elide(),
                                small_logs(), wrong_numbers()})
    made.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(made));
}

void add_seeded_stm_parts(subjects& to);
void add_seeded_stm_parts(subjects& to) {
  to.push_back(seeded("manager_that_prefers_the_younger", prevailing<youngest>()));
}

}  // namespace synchro::model_checker
