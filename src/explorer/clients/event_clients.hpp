// The programs that try an event by itself. What was done before a set is written to a plain field, and whoever returns from
// its wait reads it.

#ifndef SYNCHRO_EXPLORER_CLIENTS_EVENT_CLIENTS_HPP
#define SYNCHRO_EXPLORER_CLIENTS_EVENT_CLIENTS_HPP

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "explorer/clients/stage.hpp"
#include "explorer/subject.hpp"

namespace synchro::explorer {

using number = explored::plain<std::uint32_t>;

/// What a thread asks beside an event: whether it is to stop. Nothing but the interruption orders it.
struct stop_word {
  explored::atomic<std::uint32_t> word{0};

  auto asked() {
    return [this] { return word.load(memory_order::relaxed) != 0; };
  }
  template <class Event>
  void request(Event& event) {
    word.store(1, memory_order::relaxed);
    event.interrupt();
  }
};

/// An event that stays set until it is reset.
template <class Event>
class event_clients {
 public:
  static std::vector<check> all() {
    return {{timed(), depth::exhausted},          {timed_beside_another(), depth::exhausted},
            {tries(), depth::exhausted},          {set_and_reset(), depth::exhausted},
            {taken_back(), depth::exhausted},     {stopped(), depth::exhausted},
            {stopped_or_set(), depth::exhausted}, {interrupted_for_nothing(), depth::exhausted}};
  }

 private:
  struct scene {
    Event event;
    number message{0};
    stop_word stop;
  };
  static constexpr std::chrono::nanoseconds patience{1};

  static void set(scene& s) {
    s.message = 1;
    s.event.set();
  }
  static void read(scene& s) { expect(s.message == 1, "a wait returns before the set"); }
  static void wait(scene& s) {
    s.event.wait();
    read(s);
  }

  static program timed() {
    stage<scene> s{"timed", 2};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (it.event.wait_for(patience)) read(it);
      if (it.event.wait_until(explored::clock::now() + patience)) read(it);
      wait(it);
      expect(it.event.wait_for(std::chrono::nanoseconds{0}), "an event that is set is waited for");
    });
    return s.done();
  }

  static program timed_beside_another() {
    stage<scene> s{"timed beside another", 3};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (t == 2) return wait(it);
      if (it.event.wait_for(patience)) read(it);
    });
    return s.done();
  }

  static program tries() {
    stage<scene> s{"try", 2};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (it.event.try_wait()) read(it);
      wait(it);
      expect(it.event.try_wait(), "an event that is set is not");
    });
    return s.done();
  }

  /// All who wait go on, though it is reset before the first of them runs.
  static program set_and_reset() {
    stage<scene> s{"set and reset while two wait", 3};
    s.does([](scene& it, unsigned t) {
      if (t != 0) return wait(it);
      await_others();
      set(it);
      it.event.reset();
      expect(!it.event.try_wait(), "an event that was reset is set");
    });
    return s.done();
  }

  static program taken_back() {
    stage<scene> s{"set, reset and set", 3};
    s.does([](scene& it, unsigned t) {
      if (t != 0) return wait(it);
      set(it);
      it.event.reset();
      it.event.set();
    });
    return s.done();
  }

  /// Two requests, of which one is for others.
  static program stopped() {
    stage<scene> s{"stopped", 3};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return it.stop.request(it.event);
      if (t == 1) return it.event.interrupt();
      expect(!it.event.wait_unless(it.stop.asked()), "a wait is over without a set");
    });
    return s.done();
  }

  static program stopped_or_set() {
    stage<scene> s{"stopped or set", 3};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (t == 1) return it.stop.request(it.event);
      if (it.event.wait_unless(it.stop.asked(), explored::never))
        read(it);
      else
        wait(it);
      expect(it.event.wait_unless(it.stop.asked()), "a stop comes before a set that has come");
    });
    return s.done();
  }

  /// Whoever has nothing to ask for sleeps on.
  static program interrupted_for_nothing() {
    stage<scene> s{"interrupted for nothing", 3};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (t == 1) return it.event.interrupt();
      if (it.event.wait_for(patience)) return read(it);
      wait(it);
    });
    return s.done();
  }
};

/// An event that releases one: passed round as a token, it is a lock, and a second release of the same set is a race.
template <class Event>
class auto_event_clients {
 public:
  static std::vector<check> all() {
    return {{token(2, 2), depth::exhausted},      {token(3, 1), depth::exhausted},
            {token(3, 2), depth::as_far_as_fits}, {timed(), depth::exhausted},
            {timed_late(), depth::exhausted},     {tries(), depth::exhausted},
            {two_sets(), depth::exhausted},       {taken_back(), depth::exhausted},
            {stopped(), depth::exhausted},        {stopped_or_released(), depth::exhausted}};
  }

 private:
  struct scene {
    scene() { event.set(); }
    Event event;
    number count{0};
    stop_word stop;
  };
  static constexpr std::chrono::nanoseconds patience{1};

  static void pass_on(scene& s) {
    s.count = s.count + 1;
    s.event.set();
  }
  static void once(scene& s) {
    s.event.wait();
    pass_on(s);
  }
  static void one_is_left(scene& s) {
    expect(s.event.try_wait(), "a set was lost");
    expect(!s.event.try_wait(), "one set has released two");
  }

  static program token(unsigned threads, unsigned times) {
    stage<scene> s{"token " + std::to_string(threads) + "x" + std::to_string(times), threads};
    s.does([times](scene& it, unsigned) {
      for (unsigned i = 0; i < times; ++i) {
        settle(i);
        once(it);
      }
      settle(times);
    });
    s.then_checks(one_is_left);
    return s.done();
  }

  static program timed() {
    stage<scene> s{"timed 3x1", 3};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return once(it);
      if (it.event.wait_for(patience)) pass_on(it);
    });
    s.then_checks(one_is_left);
    return s.done();
  }

  static program timed_late() {
    stage<scene> s{"timed 2x2", 2};
    s.does([](scene& it, unsigned t) {
      if (t == 0) {
        if (it.event.wait_for(std::chrono::nanoseconds{0})) pass_on(it);
      } else if (it.event.wait_until(explored::clock::now() + patience)) {
        pass_on(it);
      }
      settle(1);
      once(it);
    });
    s.then_checks(one_is_left);
    return s.done();
  }

  static program tries() {
    stage<scene> s{"try 2x2", 2};
    s.does([](scene& it, unsigned t) {
      if (t == 0)
        once(it);
      else if (it.event.try_wait())
        pass_on(it);
      settle(1);
      once(it);
    });
    s.then_checks(one_is_left);
    return s.done();
  }

  /// The second set releases another than the first, though nobody may have run in between.
  static program two_sets() {
    stage<scene> s{"two sets while two wait", 3};
    s.warms_up([](scene& it, unsigned t) {
      if (t == 0) it.event.wait();
    });
    s.does([](scene& it, unsigned t) {
      if (t != 0) return it.event.wait();
      await_others();
      it.event.set();
      it.event.set();
    });
    s.then_checks([](scene& it) { expect(!it.event.try_wait(), "two sets have released three"); });
    return s.done();
  }

  static program taken_back() {
    stage<scene> s{"reset and set", 2};
    s.does([](scene& it, unsigned t) {
      if (t != 0) return it.event.wait();
      it.event.reset();
      it.event.set();
    });
    s.then_checks([](scene& it) {
      it.event.set();
      it.event.reset();
      expect(!it.event.try_wait(), "a set that was taken back releases one");
      it.event.set();
      one_is_left(it);
    });
    return s.done();
  }

  /// Two requests, of which one is for others. Who is stopped is counted out.
  static program stopped() {
    stage<scene> s{"stopped", 3};
    s.warms_up([](scene& it, unsigned t) {
      if (t == 0) it.event.wait();
    });
    s.does([](scene& it, unsigned t) {
      if (t == 0) return it.stop.request(it.event);
      if (t == 1) return it.event.interrupt();
      expect(!it.event.wait_unless(it.stop.asked()), "a wait is over without a set");
    });
    s.then_checks([](scene& it) {
      it.event.set();
      one_is_left(it);
    });
    return s.done();
  }

  /// The set is for one of two: if the one that may be stopped leaves it, the other has it.
  static program stopped_or_released() {
    stage<scene> s{"stopped or released", 3};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return it.stop.request(it.event);
      if (t == 1) return once(it);
      if (it.event.wait_unless(it.stop.asked(), explored::never)) pass_on(it);
    });
    s.then_checks(one_is_left);
    return s.done();
  }
};

}  // namespace synchro::explorer

#endif
