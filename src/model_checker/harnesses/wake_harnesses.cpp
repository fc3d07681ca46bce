#include "model_checker/harnesses/wake_harnesses.hpp"

#include <array>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "model_checker/harnesses/event_harnesses.hpp"
#include "synchro/wakes/event_group.hpp"

namespace synchro::model_checker {

namespace {

/// Thread 0 triggers, the others are the sleepers.
class wake_harnesses {
 public:
  explicit wake_harnesses(const wake_type& type) : type_{type} {}

  [[nodiscard]] std::vector<check> all() const {
    std::vector<check> made{{team(1, 1), depth::exhausted}, {team(2, 1), depth::exhausted}};
    made.push_back({after_another(2), depth::as_far_as_fits});
    made.push_back({team(3, 1), depth::as_far_as_fits});
    made.push_back({many_at_once(), depth::one_preemption});
    if (!type_.usual_lead) {
      made.push_back({team(1, 2), depth::exhausted});
      made.push_back({team(1, 3), depth::exhausted});
      made.push_back({team(2, 2), depth::as_far_as_fits});
    }
    if (type_.timed) {
      made.push_back({with_deadlines(1, type_.usual_lead ? 1 : 2), depth::exhausted});
      made.push_back({with_deadlines(2, 1), depth::as_far_as_fits});
    }
    if (type_.of_a_team) add_of_a_team(made);
    if (type_.groups)
      for (const unsigned group : {0U, 1U, 2U})
        made.push_back({team(3, 1, ", k = " + std::to_string(group), group), depth::as_far_as_fits});
    if (type_.groups) made.push_back({both_called(), depth::as_far_as_fits});
    if (type_.groups) made.push_back({called_of_two_groups(), depth::as_far_as_fits});
    if (type_.counts) add_wraps(made);
    return made;
  }

  [[nodiscard]] std::vector<check> samples() const { return {{team(5, type_.usual_lead ? 1 : 2), depth::exhausted}}; }

  /// Both of a group, each of whom may sleep on when the other's call has nudged them.
  [[nodiscard]] program both_called() const {
    stage<scene> s{"both of a group called", 3, type_, 2U, std::optional<unsigned>{2U}};
    s.does([](scene& it, unsigned t) {
      if (t != 0) return wait(it, t - 1, 1);
      it.message = 1;
      const std::array<unsigned, 2> which{0, 1};
      it.wake.trigger_some(which);
    });
    return s.done();
  }

  /// One of the first group and two of the second, of whom the last is there. Behind these stands another of their group.
  [[nodiscard]] program called_of_two_groups() const {
    stage<scene> s{"some of two groups called", 3, type_, 4U, std::optional<unsigned>{2U}};
    s.does([](scene& it, unsigned t) {
      if (t != 0) return wait(it, t == 1 ? 0 : 3, 1);
      it.message = 1;
      const std::array<unsigned, 4> which{0, 2, 3, 2};
      it.wake.trigger_some(std::span{which}.first(3));
    });
    return s.done();
  }

  [[nodiscard]] program called_twice() const {
    stage<scene> s{"called twice", 2, type_, 1U};
    s.does([](scene& it, unsigned t) {
      for (std::uint32_t round = 0; round < 2; ++round) {
        settle(round);
        if (t != 0) {
          wait(it, 0, round + 1);
          it.returned.fetch_add(1, memory_order::release);
          continue;
        }
        explored::await(it.returned, memory_order::acquire, [=](std::uint32_t v) { return v == round; });
        it.message = round + 1;
        it.wake.trigger(0);
      }
      settle(2);
    });
    return s.done();
  }

  /// To resume one, be it one that sleeps or one that was stopped by itself, does not take back that all are stopped.
  [[nodiscard]] program stopped_for_good() const {
    stage<scene> s{"stopped for good, and resumed", 2, type_, 2U};
    s.does([](scene& it, unsigned t) {
      if (t != 0) return goes_home(it, 0, 1);
      it.message = 1;
      it.wake.stop(1);
      it.wake.stop();
      for (const unsigned sleeper : {0U, 1U}) it.wake.resume(sleeper);
      goes_home(it, 1, 1);
    });
    return s.done();
  }

 private:
  struct scene {
    scene(const wake_type& type, unsigned sleepers, std::optional<unsigned> group = {})
        : whole{type.make(sleepers, group, type.first)}, lead{type.usual_lead.value_or(std::chrono::nanoseconds{0})} {}
    made<any_wake> whole;
    any_wake& wake = *whole;
    std::chrono::nanoseconds lead;
    number message{0};
    explored::atomic<std::uint32_t> returned{0};
  };
  static constexpr std::chrono::nanoseconds patience{1};

  static void trigger(scene& s, std::uint32_t message) {
    s.message = message;
    s.wake.arm();
    s.wake.trigger();
  }
  static void wait(scene& s, unsigned sleeper, std::uint32_t message) {
    expect(s.wake.wait(sleeper), "a wait that a trigger has ended says that none has come");
    expect(s.message == message, "a sleeper returns before its trigger");
    if (s.lead.count() != 0)
      expect(explored::clock::now().time_since_epoch() >= s.lead, "a sleeper returns before its start");
  }

  [[nodiscard]] program team(unsigned sleepers, unsigned triggers, const std::string& how = {},
                             std::optional<unsigned> group = {}) const {
    const std::string size = std::to_string(sleepers) + (sleepers == 1 ? " sleeper, " : " sleepers, ") +
                             std::to_string(triggers) + (triggers == 1 ? " trigger" : " triggers");
    stage<scene> s{size + how, sleepers + 1, type_, sleepers, group};
    s.does([sleepers, triggers](scene& it, unsigned t) {
      for (unsigned round = 0; round < triggers; ++round) {
        settle(round);
        if (t != 0) {
          wait(it, t - 1, round + 1);
          it.returned.fetch_add(1, memory_order::release);
          continue;
        }
        explored::await(it.returned, memory_order::acquire,
                        [all = round * sleepers](std::uint32_t v) { return v == all; });
        trigger(it, round + 1);
      }
      settle(triggers);
    });
    return s.done();
  }

  /// Sleepers that try, wait in time, and wait again for what has not come by then.
  [[nodiscard]] program with_deadlines(unsigned sleepers, unsigned triggers) const {
    const std::string size = std::to_string(sleepers) + " in time, " + std::to_string(triggers);
    stage<scene> s{size, sleepers + 1, type_, sleepers};
    s.does([sleepers, triggers](scene& it, unsigned t) {
      for (unsigned round = 0; round < triggers; ++round) {
        settle(round);
        if (t == 0) {
          explored::await(it.returned, memory_order::acquire,
                          [all = round * sleepers](std::uint32_t v) { return v == all; });
          trigger(it, round + 1);
          continue;
        }
        if (it.wake.try_wait(t - 1) || it.wake.wait_for(t - 1, patience))
          expect(it.message == round + 1, "a sleeper returns before its trigger");
        else
          wait(it, t - 1, round + 1);
        it.returned.fetch_add(1, memory_order::release);
      }
      settle(triggers);
    });
    return s.done();
  }

  void add_of_a_team(std::vector<check>& made) const {
    made.push_back({stopped(1), depth::exhausted});
    made.push_back({stopped(2), depth::as_far_as_fits});
    made.push_back({stopped_for_good(), depth::exhausted});
    made.push_back({one_called(), depth::as_far_as_fits});
    made.push_back({called_and_stopped(), depth::exhausted});
    made.push_back({type_.groups ? some_called(", k = 2", 2U) : some_called(), depth::widened});
    made.push_back({one_stopped(), depth::as_far_as_fits});
    if (type_.usual_lead) made.push_back({one_left_out(), depth::widened});
    if (type_.usual_lead) made.push_back({too_late(), depth::exhausted});
    if (!type_.usual_lead) {
      made.push_back({stopped_in_time(), depth::exhausted});
      made.push_back({called_in_time(), depth::exhausted});
      made.push_back({stopped_beside_a_trigger(1), depth::exhausted});
      made.push_back({stopped_beside_a_trigger(2), depth::one_preemption});
      made.push_back({called_twice(), depth::exhausted});
      made.push_back({stopped_then_called(), depth::exhausted});
      made.push_back({part_of_a_group(), depth::exhausted});
      made.push_back({comes_back(), depth::as_far_as_fits});
    }
  }

  /// Rounds, nudges and calls that wrap: each is the largest there is when the first trigger comes.
  void add_wraps(std::vector<check>& made) const {
    wake_type wraps = type_;
    wraps.first = first_ticket{~0U};
    for (check& c : wake_harnesses{wraps}.that_count()) {
      c.what.name += ", counts at their end";
      made.push_back(std::move(c));
    }
  }
  [[nodiscard]] std::vector<check> that_count() const {
    return {{team(1, 2), depth::exhausted},          {team(2, 2, {}, 2U), depth::as_far_as_fits},
            {called_twice(), depth::exhausted},      {called_and_stopped(), depth::exhausted},
            {one_called(2U), depth::as_far_as_fits}, {stopped_beside_a_trigger(1), depth::exhausted}};
  }

  /// Who is stopped knows what was done before.
  static void goes_home(scene& s, unsigned sleeper, std::uint32_t message) {
    expect(!s.wake.wait(sleeper), "a sleeper returns from its wait without a trigger");
    expect(s.wake.stopped(sleeper), "a sleeper returns from its wait, and was not stopped");
    expect(s.message == message, "a sleeper goes home before it is told to");
  }

  [[nodiscard]] program stopped(unsigned sleepers) const {
    stage<scene> s{std::to_string(sleepers) + " stopped", sleepers + 1, type_, sleepers};
    s.does([](scene& it, unsigned t) {
      if (t != 0) return goes_home(it, t - 1, 1);
      it.message = 1;
      it.wake.stop();
    });
    return s.done();
  }

  [[nodiscard]] program stopped_in_time() const {
    stage<scene> s{"stopped in time", 2, type_, 1U};
    s.does([](scene& it, unsigned t) {
      if (t != 0) {
        expect(!it.wake.try_wait(0), "a sleeper is triggered by nobody");
        expect(!it.wake.wait_for(0, patience), "a sleeper is triggered by nobody");
        if (it.wake.stopped(0)) expect(it.message == 1, "a sleeper is stopped before it is told to");
        return goes_home(it, 0, 1);
      }
      it.message = 1;
      it.wake.stop(0);
    });
    return s.done();
  }

  /// The trigger counts first: who was triggered finds it, whatever comes with it; and then goes home.
  [[nodiscard]] program stopped_beside_a_trigger(unsigned sleepers) const {
    stage<scene> s{"stopped beside a trigger, " + std::to_string(sleepers), sleepers + 2, type_, sleepers};
    s.does([sleepers](scene& it, unsigned t) {
      if (t == sleepers) return trigger(it, 1);
      if (t == sleepers + 1) return it.wake.stop();
      if (!it.wake.wait(t)) return;
      expect(it.message == 1, "a sleeper returns before its trigger");
      it.returned.fetch_add(1, memory_order::relaxed);
      expect(!it.wake.wait(t), "one trigger wakes a sleeper twice");
    });
    s.then_checks([sleepers](scene& it) {
      unsigned triggered = it.returned.load(memory_order::relaxed);
      for (unsigned i = 0; i < sleepers; ++i) triggered += it.wake.try_wait(i) ? 1U : 0U;
      expect(triggered == sleepers, "a trigger was lost, or came twice");
    });
    return s.done();
  }

  /// Both have come before the sleeper looks.
  [[nodiscard]] program called_and_stopped() const {
    stage<scene> s{"called and stopped", 2, type_, 1U};
    s.does([](scene& it, unsigned t) {
      if (t == 0) {
        it.message = 1;
        it.wake.trigger(0);
        it.wake.stop(0);
        return;
      }
      expect(it.wake.wait(0), "a sleeper that was triggered goes home at once");
      expect(it.message == 1, "a sleeper returns before its trigger");
      expect(!it.wake.wait(0), "a sleeper that was stopped does not go home");
      it.wake.resume(0);
      expect(!it.wake.stopped(0) && !it.wake.try_wait(0), "a sleeper that was resumed is stopped");
    });
    return s.done();
  }

  /// The call comes first, and leaves the stop as it is.
  [[nodiscard]] program stopped_then_called() const {
    stage<scene> s{"stopped, then called", 1, type_, 1U};
    s.does([](scene& it, unsigned) {
      it.wake.stop(0);
      it.wake.trigger(0);
      expect(it.wake.wait(0), "a sleeper that was triggered goes home at once");
      expect(!it.wake.wait(0) && it.wake.stopped(0), "a sleeper that was stopped does not go home");
    });
    return s.done();
  }

  /// Two of a group in which there is room for more.
  [[nodiscard]] program part_of_a_group() const {
    stage<scene> s{"two of a team of three", 3, type_, 3U};
    s.does([](scene& it, unsigned t) {
      if (t != 0) return wait(it, t - 1, 1);
      it.wake.resize(2);
      trigger(it, 1);
      it.wake.resize(3);  // as it was made
    });
    return s.done();
  }

  /// Another of its group is not, and waits for the trigger.
  [[nodiscard]] program one_stopped() const {
    stage<scene> s{"one stopped", 3, type_, 2U};
    s.does([](scene& it, unsigned t) {
      if (t == 2) return wait(it, 1, 2);
      if (t == 1) {
        goes_home(it, 0, 1);
        it.returned.fetch_add(1, memory_order::release);
        return;
      }
      it.message = 1;
      it.wake.stop(0);
      explored::await(it.returned, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
      trigger(it, 2);
    });
    return s.done();
  }

  /// One of two is triggered by itself, then both.
  [[nodiscard]] program one_called(std::optional<unsigned> group = {}) const {
    stage<scene> s{"one of two called", 3, type_, 2U, group};
    s.does([](scene& it, unsigned t) {
      if (t == 2) {
        wait(it, 1, 1);
        it.returned.fetch_add(1, memory_order::release);
        if (it.lead.count() == 0) wait(it, 1, 2);
      } else if (t == 1) {
        if (it.lead.count() == 0) wait(it, 0, 2);
      } else {
        it.message = 1;
        it.wake.trigger(1);
        if (it.lead.count() != 0) return;
        explored::await(it.returned, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
        trigger(it, 2);
      }
    });
    return s.done();
  }

  [[nodiscard]] program called_in_time() const {
    stage<scene> s{"called in time", 2, type_, 1U};
    s.does([](scene& it, unsigned t) {
      if (t == 0) {
        it.message = 1;
        return it.wake.trigger(0);
      }
      if (it.wake.try_wait(0) || it.wake.wait_for(0, patience))
        expect(it.message == 1, "a sleeper returns before its trigger");
      else
        wait(it, 0, 1);
      expect(!it.wake.try_wait(0), "one trigger wakes a sleeper twice");
    });
    return s.done();
  }

  /// The first and the last of three; the one between them goes home.
  [[nodiscard]] program some_called(const std::string& how = {}, std::optional<unsigned> group = {}) const {
    stage<scene> s{"some called" + how, 4, type_, 3U, group};
    s.does([](scene& it, unsigned t) {
      if (t == 2) return goes_home(it, 1, 1);
      if (t != 0) return wait(it, t - 1, 1);
      it.message = 1;
      const std::array<unsigned, 2> which{0, 2};
      it.wake.trigger_some(which);
      it.wake.stop(1);
    });
    return s.done();
  }

  /// The trigger is not for who is no longer in the team.
  [[nodiscard]] program one_left_out() const {
    stage<scene> s{"one is left out", 3, type_, 2U};
    s.does([](scene& it, unsigned t) {
      if (t == 2) return goes_home(it, 1, 1);
      if (t == 1) return wait(it, 0, 1);
      it.wake.resize(1);
      trigger(it, 1);
      it.wake.stop(1);
      it.wake.resize(2);  // as it was made
    });
    return s.done();
  }

  /// Who comes when the start is over is told so, and nobody else before it is.
  [[nodiscard]] program too_late() const {
    stage<scene> s{"too late for the start", 2, type_, 1U};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return trigger(it, 1);
      const explored::deadline start{it.lead};
      const bool was_over = explored::expired(start);
      const bool too_late = it.wake.wait_too_late(0);
      expect(it.message == 1, "a sleeper returns before its trigger");
      expect(too_late || !was_over, "a sleeper that comes too late is told that it was in time");
      expect(explored::clock::now() >= start, "a sleeper returns before its start");
    });
    return s.done();
  }

  /// One leaves the team for a round.
  [[nodiscard]] program comes_back() const {
    stage<scene> s{"one leaves and comes back", 3, type_, 2U};
    s.does([](scene& it, unsigned t) {
      if (t == 2) return wait(it, 1, 2);
      if (t == 1) {
        wait(it, 0, 1);
        it.returned.fetch_add(1, memory_order::release);
        return wait(it, 0, 2);
      }
      it.wake.resize(1);
      trigger(it, 1);
      explored::await(it.returned, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
      it.wake.resize(2);
      trigger(it, 2);
    });
    return s.done();
  }

  /// More sleepers than fit otherwise; that any of them may return for no reason is tried with fewer.
  [[nodiscard]] program many_at_once() const {
    program five = team(5, 1, ", no spurious return");
    five.spurious = 0;
    return five;
  }

  /// The second trigger, after one that came before its sleepers.
  [[nodiscard]] program after_another(unsigned sleepers) const {
    stage<scene> s{"second trigger", sleepers + 1, type_, sleepers};
    const auto round = [](std::uint32_t message) {
      return [message](scene& it, unsigned t) {
        if (t == 0)
          trigger(it, message);
        else
          wait(it, t - 1, message);
      };
    };
    s.warms_up(round(1)).does(round(2));
    return s.done();
  }

  /// Of one that starts by the clock, a sleeper that has been woken then waits for a moment, and a deadline excuses nobody
  /// else's waiting: the next trigger cannot wait for its return.
  wake_type type_;
};

/// A team of one whose calls are counted below the bit that stops it, and carry into it.
struct calls_that_carry {
  explicit calls_that_carry(unsigned /*sleepers*/, unsigned /*group*/ = 1, first_ticket first = {})
      : known{first.number & ~stops}, note{first.number & ~stops} {}
  bool wait(unsigned /*sleeper*/) {
    const std::uint32_t seen = known;
    const std::uint32_t found =
        explored::await(note, memory_order::acquire, [seen](std::uint32_t v) { return v != seen; });
    known = found & ~stops;
    return (found & stops) == 0;
  }
  void trigger() { note.fetch_add(1, memory_order::release); }
  void trigger(unsigned /*sleeper*/) { trigger(); }
  void trigger_some(std::span<const unsigned> /*which*/) { trigger(); }
  void stop() { note.fetch_or(stops, memory_order::release); }
  void stop(unsigned /*sleeper*/) { stop(); }
  bool stopped(unsigned /*sleeper*/) { return (note.load(memory_order::acquire) & stops) != 0; }
  void resume(unsigned /*sleeper*/) { note.fetch_and(~stops, memory_order::relaxed); }
  void resize(unsigned /*sleepers*/) {}

  static constexpr std::uint32_t stops = 0x8000'0000;
  number known;
  explored::atomic<std::uint32_t> note;
};

/// Whom it resumes it lets forget that all are stopped.
struct resumes_for_good : basic_event_group<explored, spin> {
  using basic_event_group<explored, spin>::basic_event_group;
  using basic_event_group<explored, spin>::stop;
  void stop() {
    for (const unsigned sleeper : {0U, 1U}) stop(sleeper);
  }
};

/// Of some of one group it calls the first.
struct calls_one_of_a_group : basic_event_group<explored, spin> {
  using basic_event_group<explored, spin>::basic_event_group;
  void trigger_some(std::span<const unsigned> which) {
    basic_event_group<explored, spin>::trigger_some(which.first(1));
  }
};

}  // namespace

void add_seeded_wakes(subjects& to);
void add_seeded_wakes(subjects& to) {
  wake_type type = wake_type_of<calls_that_carry>();
  type.first = first_ticket{~0U};
  to.push_back(seeded("calls_that_carry", wake_harnesses{type}.called_twice()));
  to.push_back(seeded("resumes_for_good", wake_harnesses{wake_type_of<resumes_for_good>()}.stopped_for_good()));
  to.push_back(seeded("calls_one_of_a_group", wake_harnesses{wake_type_of<calls_one_of_a_group>()}.both_called()));
}

subject wake_subject(const std::string& name, const std::string& header, const wake_type& type,
                     const std::optional<event_type>& event) {
  const wake_harnesses harnesses{type};
  subject made{name, header, harnesses.all(), harnesses.samples()};
  if (event)
    for (check& c : event_checks(*event)) made.checks.push_back(std::move(c));
  return made;
}

}  // namespace synchro::model_checker
