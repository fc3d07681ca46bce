#include "model_checker/harnesses/event_harnesses.hpp"

#include <chrono>
#include <string>

#include "synchro/wakes/event.hpp"

namespace synchro::model_checker {

namespace {

/// An event that stays set until it is reset.
class event_harnesses {
 public:
  explicit event_harnesses(const event_type& type) : type_{type} {}

  [[nodiscard]] std::vector<check> all() const {
    return {{timed(), depth::exhausted},           {timed_beside_another(), depth::exhausted},
            {tries(), depth::exhausted},           {set_and_reset(), depth::exhausted},
            {set_and_reset(22), depth::exhausted}, {taken_back(), depth::exhausted},
            {stopped(), depth::exhausted},         {stopped(8), depth::exhausted},
            {stopped_or_set(), depth::exhausted},  {interrupted_for_nothing(), depth::exhausted},
            {set_twice(), depth::exhausted}};
  }

  /// It is set until it is reset, however often it was set or reset before.
  [[nodiscard]] program set_twice() const {
    stage<scene> s{"set twice", 1, type_};
    s.does([](scene& it, unsigned) {
      for (int i = 0; i != 2; ++i) {
        for (int k = 0; k != 2; ++k) it.event.set();
        expect(it.event.try_wait() && it.event.try_wait(), "an event that was set twice is not set");
        it.event.wait();
        for (int k = 0; k != 2; ++k) it.event.reset();
        expect(!it.event.try_wait() && !it.event.wait_for(patience), "an event that was reset is set");
      }
    });
    return s.done();
  }

 private:
  struct scene {
    explicit scene(const event_type& type) : whole{type.make()} {}
    made<any_event> whole;
    any_event& event = *whole;
    number message{0};
    stop_word stop;
  };
  static constexpr std::chrono::nanoseconds patience{1};

  static std::string named(const std::string& what, unsigned before) {
    return before == 0 ? what : what + ", " + std::to_string(before) + " before";
  }
  static void set(scene& s) {
    s.message = 1;
    s.event.set();
  }
  static void read(scene& s) { expect(s.message == 1, "a wait returns before the set"); }
  static void wait(scene& s) {
    s.event.wait();
    read(s);
  }

  [[nodiscard]] program timed() const {
    stage<scene> s{"timed", 2, type_};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (it.event.wait_for(patience)) read(it);
      if (it.event.wait_until(explored::clock::now() + patience)) read(it);
      expect(it.event.wait_until(explored::never), "a wait without end is over without a set");
      read(it);
      expect(it.event.wait_for(std::chrono::nanoseconds{0}), "an event that is set is waited for");
    });
    return s.done();
  }

  [[nodiscard]] program timed_beside_another() const {
    stage<scene> s{"timed beside another", 3, type_};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (t == 2) return wait(it);
      if (it.event.wait_for(patience)) read(it);
    });
    return s.done();
  }

  [[nodiscard]] program tries() const {
    stage<scene> s{"try", 2, type_};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (it.event.try_wait()) read(it);
      wait(it);
      expect(it.event.try_wait(), "an event that is set is not");
    });
    return s.done();
  }

  /// All who wait go on, though it is set twice and reset before the first of them runs, and was set and reset so often before.
  [[nodiscard]] program set_and_reset(unsigned before = 0) const {
    stage<scene> s{named("set and reset while two wait", before), 3, type_};
    s.warms_up([before](scene& it, unsigned t) {
      for (unsigned i = 0; i < (t == 0 ? before : 0); ++i) {
        it.event.set();
        it.event.reset();
      }
    });
    s.does([](scene& it, unsigned t) {
      if (t != 0) return wait(it);
      await_others();
      set(it);
      it.event.set();
      it.event.reset();
      expect(!it.event.try_wait(), "an event that was reset is set");
    });
    return s.done();
  }

  [[nodiscard]] program taken_back() const {
    stage<scene> s{"set, reset and set", 3, type_};
    s.does([](scene& it, unsigned t) {
      if (t != 0) return wait(it);
      set(it);
      it.event.reset();
      it.event.set();
    });
    return s.done();
  }

  /// Two requests, of which one is for others, and so many interruptions before.
  [[nodiscard]] program stopped(unsigned before = 0) const {
    stage<scene> s{named("stopped", before), 3, type_};
    s.warms_up([before](scene& it, unsigned t) {
      for (unsigned i = 0; i < (t == 0 ? before : 0); ++i) it.event.interrupt();
    });
    s.does([](scene& it, unsigned t) {
      if (t == 0) return it.stop.request(it.event);
      if (t == 1) return it.event.interrupt();
      expect(!it.event.wait_unless(it.stop), "a wait is over without a set");
    });
    return s.done();
  }

  [[nodiscard]] program stopped_or_set() const {
    stage<scene> s{"stopped or set", 3, type_};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (t == 1) return it.stop.request(it.event);
      if (it.event.wait_unless(it.stop, explored::never))
        read(it);
      else
        wait(it);
      expect(it.event.wait_unless(it.stop), "a stop comes before a set that has come");
    });
    return s.done();
  }

  /// Whoever has nothing to ask for sleeps on.
  [[nodiscard]] program interrupted_for_nothing() const {
    stage<scene> s{"interrupted for nothing", 3, type_};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return set(it);
      if (t == 1) return it.event.interrupt();
      if (it.event.wait_for(patience)) return read(it);
      wait(it);
    });
    return s.done();
  }

  event_type type_;
};

/// An event that releases one: passed round as a token, it is a lock, and a second release of the same set is a race.
class auto_event_harnesses {
 public:
  explicit auto_event_harnesses(const event_type& type) : type_{type} {}

  [[nodiscard]] std::vector<check> all() const {
    return {{token(2, 2), depth::exhausted},        {token(3, 1), depth::exhausted},
            {token(3, 2), depth::as_far_as_fits},   {timed(), depth::exhausted},
            {timed_late(), depth::exhausted},       {tries(), depth::exhausted},
            {two_sets(), depth::exhausted},         {taken_back(), depth::exhausted},
            {stopped(0), depth::exhausted},         {stopped(1), depth::exhausted},
            {two_sets_for_one(), depth::exhausted}, {stopped_or_released(), depth::exhausted}};
  }

 private:
  struct scene {
    explicit scene(const event_type& type) : whole{type.make()} { event.set(); }
    made<any_event> whole;
    any_event& event = *whole;
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

  [[nodiscard]] program token(unsigned threads, unsigned times) const {
    stage<scene> s{"token " + std::to_string(threads) + "x" + std::to_string(times), threads, type_};
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

  [[nodiscard]] program timed() const {
    stage<scene> s{"timed 3x1", 3, type_};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return once(it);
      if (it.event.wait_for(patience)) pass_on(it);
    });
    s.then_checks(one_is_left);
    return s.done();
  }

  [[nodiscard]] program timed_late() const {
    stage<scene> s{"timed 2x2", 2, type_};
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

  [[nodiscard]] program tries() const {
    stage<scene> s{"try 2x2", 2, type_};
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
  [[nodiscard]] program two_sets() const {
    stage<scene> s = set_twice("two sets while two wait", 3);
    s.then_checks([](scene& it) { expect(!it.event.try_wait(), "two sets have released three"); });
    return s.done();
  }

  /// The first set is for the one who waits, and the second stays for the next to come.
  [[nodiscard]] program two_sets_for_one() const {
    stage<scene> s = set_twice("two sets while one waits", 2);
    s.then_checks(one_is_left);
    return s.done();
  }

  /// By thread 0, when all others wait.
  [[nodiscard]] stage<scene> set_twice(const char* name, unsigned threads) const {
    stage<scene> s{name, threads, type_};
    s.warms_up([](scene& it, unsigned t) {
      if (t == 0) it.event.wait();
    });
    s.does([](scene& it, unsigned t) {
      if (t != 0) return it.event.wait();
      await_others();
      it.event.set();
      it.event.set();
    });
    return s;
  }

  [[nodiscard]] program taken_back() const {
    stage<scene> s{"reset and set", 2, type_};
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

  /// Two requests, of which one is for others, and so many `before`. Who is stopped is counted out.
  [[nodiscard]] program stopped(unsigned before) const {
    stage<scene> s{before == 0 ? "stopped" : "stopped, interrupted before", 3, type_};
    s.warms_up([before](scene& it, unsigned t) {
      if (t != 0) return;
      it.event.wait();
      for (unsigned i = 0; i < before; ++i) it.event.interrupt();
    });
    s.does([](scene& it, unsigned t) {
      if (t == 0) return it.stop.request(it.event);
      if (t == 1) return it.event.interrupt();
      expect(!it.event.wait_unless(it.stop), "a wait is over without a set");
    });
    s.then_checks([](scene& it) {
      it.event.set();
      one_is_left(it);
    });
    return s.done();
  }

  /// The set is for one of two: if the one that may be stopped leaves it, the other has it.
  [[nodiscard]] program stopped_or_released() const {
    stage<scene> s{"stopped or released", 3, type_};
    s.does([](scene& it, unsigned t) {
      if (t == 0) return it.stop.request(it.event);
      if (t == 1) return once(it);
      if (it.event.wait_unless(it.stop, explored::never)) pass_on(it);
    });
    s.then_checks(one_is_left);
    return s.done();
  }

  event_type type_;
};

/// A set that comes to one that is set takes it back.
struct event_that_toggles : basic_event<explored, spin> {
  void set() { try_wait() ? reset() : basic_event<explored, spin>::set(); }
};

}  // namespace

std::vector<check> event_checks(const event_type& type) {
  return type.releases_one ? auto_event_harnesses{type}.all() : event_harnesses{type}.all();
}

void add_seeded_events(subjects& to);
void add_seeded_events(subjects& to) {
  to.push_back(seeded("event_that_toggles", event_harnesses{event_type_of<event_that_toggles>()}.set_twice()));
}

}  // namespace synchro::model_checker
