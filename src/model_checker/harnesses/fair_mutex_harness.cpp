// How often the line of a fair mutex is passed, with so few passes that a few turns use them up: never more often than is
// allowed, and by a try as often. Where order is watched, thread 0 looks before it stands in line, and so may pass; the
// others stand in line at once, so that whoever waits does so in line.

#include <chrono>
#include <string>
#include <type_traits>
#include <vector>

#include "model_checker/harnesses/order_harnesses.hpp"
#include "synchro/locks/fair_mutex.hpp"
#include "synchro/waiting.hpp"

namespace synchro::model_checker {

namespace {

struct first_looks : explored {
  static looks spin_looks() { return looks{world::current().self() == 0 ? 1U : 0U}; }
};

struct looks_twice : explored {
  static looks spin_looks() { return looks{2}; }
};

template <class Machine, std::uint32_t Bypasses>
using fair_lock = basic_fair_mutex_lock<Machine, spin_park, Bypasses>;

template <std::uint32_t Bypasses>
program passed(const std::vector<unsigned>& turns) {
  std::string name =
      "passed at most " + std::to_string(Bypasses) + " times, " + std::to_string(turns[0]) + " turns beside";
  for (std::size_t t = 1; t < turns.size(); ++t) name += " " + std::to_string(turns[t]);
  return order_harnesses{lock_type_of<fair_lock<first_looks, Bypasses>>()}.in_order(name, turns, Bypasses).done();
}

/// As many in line as are to be served at one go.
program passed_by_the_holder(unsigned waiters) {
  const std::string name = "passed at most 1 times, " + std::to_string(waiters) + " behind the holder";
  return order_harnesses{lock_type_of<fair_lock<first_looks, 1>>()}.behind_a_holder(name, 2, waiters, 1);
}

/// However its threads left, a lock that nobody has or awaits can be had again and again: no waiter is counted who has
/// gone, nor is a line closed that is empty.
void expect_free(guarded& it) {
  lock_programs::nobody_was_lost(it);
  for (unsigned i = 0; i < 3; ++i) {
    expect(it.lock.try_lock(), "a lock that nobody has is not free");
    it.lock.unlock();
  }
}

template <class Machine>
program left_free(const std::string& name, const parts& all) {
  stage<guarded> s = lock_programs{lock_type_of<fair_lock<Machine, 1>>()}.play(name, all);
  s.then_checks(expect_free);
  s.with().counts_nodes = std::is_same_v<Machine, explored>;  // another machine's pool is not looked at
  return s.done();
}

/// Thread 1 has the lock before the start, releases it, and tries for it as often as a line may be passed; thread 0 waits
/// meanwhile with a deadline. A try fails only if thread 0 has been in. And it may give up just as it is passed.
program passed_by_tries(const lock_type& type, std::uint32_t bypasses) {
  using programs = lock_programs;
  using scene = guarded;
  stage<scene> s{"passed at most " + std::to_string(bypasses) + " times, by tries", 2, type};
  s.warms_up([](scene& it, unsigned t) {
    it.lock.lock();
    if (t == 0) it.lock.unlock();
  });
  s.does([bypasses](scene& it, unsigned t) {
    if (t == 0) return void(programs::timed_once(it, t, programs::patience));
    it.lock.unlock();
    for (unsigned i = 0; i < bypasses; ++i) {
      settle(i);
      programs::try_once(it, t);
    }
    settle(bypasses);
  });
  s.then_checks([bypasses](scene& it) {
    expect(it.entered[0] == 1 || it.entered[1] == bypasses, "a try fails though nobody else was in");
    expect_free(it);
  });
  return s.done();
}

/// The holder stays: a try does not wait for it, and who waits with a deadline gives up.
program tried_in_vain() {
  using lock = fair_lock<looks_twice, 1>;
  stage<lock> s{"tried while the holder stays", 2};
  s.warms_up([](lock& it, unsigned t) {
    if (t == 1) it.lock();
  });
  s.does([](lock& it, unsigned t) {
    if (t == 0)
      expect(!it.try_lock() && !it.try_lock_for(lock_programs::patience) && !it.try_lock(), "two have the lock");
  });
  s.cools_down([](lock& it, unsigned t) {
    if (t == 1) it.unlock();
  });
  s.then_checks([](lock& it) { expect(it.try_lock(), "a lock that nobody has is not free"), it.unlock(); });
  return s.done();
}

/// All others stand in line when the holder lets go. When one of them is left, the holder tries for it once more than the line may be
/// passed.
template <std::uint32_t Bypasses>
program tried_too_often(unsigned others) {
  struct scene {
    fair_lock<explored, Bypasses> lock;
    explored::plain<std::uint32_t> passes{0};
    explored::atomic<std::uint32_t> gone{0};
  };
  stage<scene> s{"tried once more than " + std::to_string(Bypasses) + " times, beside " + std::to_string(others),
                 others + 1};
  s.warms_up([others](scene& it, unsigned t) {
    if (t == others) it.lock.lock();
  });
  s.does([others](scene& it, unsigned t) {
    if (t != others) {
      it.lock.lock();
      expect(it.passes <= Bypasses, "a line is passed too often");
      it.lock.unlock();
      it.gone.fetch_add(1, memory_order::relaxed);
      return;
    }
    await_others();
    it.lock.unlock();
    explored::await(it.gone, memory_order::relaxed, [others](std::uint32_t n) { return n + 1 >= others; });
    for (unsigned i = 0; i <= Bypasses; ++i) {
      if (!it.lock.try_lock()) return;
      it.passes = it.passes + 1;
      it.lock.unlock();
    }
  });
  return s.done();
}

/// The last thread has the lock before the start, releases it, and may pass the line that the others stand in. When all of
/// them have been in, the line is open and passes are counted anew, though thread 0 stands there again: the tries that are
/// allowed then fail only if thread 0 has been in twice.
program open_again(const lock_type& type, std::uint32_t bypasses, const std::string& name, unsigned others) {
  using programs = lock_programs;
  struct scene : guarded {
    explicit scene(const lock_type& of) : guarded{of} {}
    explored::atomic<std::uint32_t> served{0};
    explored::plain<std::uint32_t> last_tries{0};
  };
  stage<scene> s{name, others + 1, type};
  s.warms_up([others](scene& it, unsigned t) {
    it.lock.lock();
    if (t != others) it.lock.unlock();
  });
  s.does([others, bypasses](scene& it, unsigned t) {
    if (t != others) {
      programs::once(it, t);
      it.served.fetch_add(1, memory_order::release);
      settle(1);
      if (t == 0) programs::timed_once(it, t, programs::patience);
      return settle(2);
    }
    it.lock.unlock();
    programs::try_once(it, t);
    explored::await(it.served, memory_order::acquire, [others](std::uint32_t n) { return n == others; });
    if (others == 1) programs::once(it, t);  // nobody else makes thread 0 stand in line
    const std::uint32_t before = it.entered[t];
    for (unsigned i = 0; i < bypasses; ++i) programs::try_once(it, t);
    it.last_tries = it.entered[t] - before;
  });
  s.then_checks([bypasses](scene& it) {
    expect(it.last_tries == bypasses || it.entered[0] == 2, "a try fails beside a line that is open");
    expect_free(it);
  });
  return s.done();
}

// ---- seeded

/// A lock whose line may be passed once, and is closed then. By that time the last of the line may have given up, and nobody
/// is left to open it.
struct line_that_stays_closed {
  static constexpr lock_traits traits{.judgement = "never", .citation = "none"};
  static constexpr std::uint32_t held = 1, closed = 2, waiter = 4;
  using answer = attempt<std::uint32_t>;

  void lock() {
    state.fetch_add(waiter, memory_order::relaxed);
    explored::update(state, come_in, memory_order::acquire, memory_order::relaxed);
  }
  bool try_lock() {
    const auto pass = [](std::uint32_t v) { return v % waiter == 0 ? answer::write(v + held) : answer::decline(); };
    const auto taken = explored::update(state, pass, memory_order::acquire, memory_order::relaxed);
    if (taken.written && taken.seen != 0) state.fetch_or(closed, memory_order::relaxed);
    return taken.written;
  }
  bool try_lock_for(std::chrono::nanoseconds patience) {
    state.fetch_add(waiter, memory_order::relaxed);
    const auto until = explored::clock::now() + patience;
    if (explored::update_until(state, come_in, memory_order::acquire, memory_order::relaxed, until)) return true;
    const auto give_up = [](std::uint32_t v) { return answer::write(one_less(v)); };
    explored::update(state, give_up, memory_order::relaxed, memory_order::relaxed);
    return false;
  }
  void unlock() { state.fetch_sub(held, memory_order::release); }

  /// A line of nobody is open.
  static std::uint32_t one_less(std::uint32_t v) { return (v >= 2 * waiter ? v : v & ~closed) - waiter; }
  static answer come_in(std::uint32_t v) {
    return (v & held) == 0 ? answer::write(one_less(v) + held) : answer::retry();
  }

  explored::atomic<std::uint32_t> state{0};
};

}  // namespace

void add_fair_mutex(subjects& to);
void add_fair_mutex(subjects& to) {
  using enum deed;
  std::vector<check> all;
  all.push_back({passed<1>({3, 1}), depth::exhausted});
  all.push_back({passed<2>({4, 1}), depth::as_far_as_fits});
  all.push_back({passed<1>({3, 1, 1}), depth::widened});
  all.push_back({passed<1>({3, 2}), depth::as_far_as_fits});
  all.push_back({passed_by_the_holder(2), depth::widened});
  all.push_back({passed_by_the_holder(3), depth::one_preemption});
  all.push_back({left_free<first_looks>("passes and is passed", {{lock, lock, lock}, {lock}}), depth::exhausted});
  all.push_back({left_free<explored>("takes and tries", {{lock, lock}, {lock, try_lock}}), depth::exhausted});
  all.push_back(
      {left_free<explored>("tries beside a line", {{lock}, {lock}, {try_lock, try_lock}}), depth::as_far_as_fits});
  all.push_back({left_free<explored>("gives up in line", {{lock}, {timed}, {lock, try_lock}}), depth::widened});
  all.push_back({left_free<explored>("two give up", {{lock}, {timed}, {timed}}), depth::widened});
  all.push_back({left_free<first_looks>("looks in time", {{timed}, {lock, lock}}), depth::exhausted});
  all.push_back({passed_by_tries(lock_type_of<fair_lock<explored, 1>>(), 1), depth::exhausted});
  all.push_back({passed_by_tries(lock_type_of<fair_lock<explored, 3>>(), 3), depth::as_far_as_fits});
  all.push_back({tried_in_vain(), depth::exhausted});
  all.push_back({tried_too_often<1>(2), depth::one_preemption});
  all.push_back({tried_too_often<3>(1), depth::as_far_as_fits});
  all.push_back(
      {open_again(lock_type_of<fair_lock<explored, 1>>(), 1, "open when all were served", 2), depth::one_preemption});
  all.push_back(
      {open_again(lock_type_of<fair_lock<explored, 2>>(), 2, "passes are counted anew", 1), depth::one_preemption});
  to.push_back({"fair_mutex/bound", "synchro/locks/fair_mutex.hpp", std::move(all)});
}

void add_seeded_fair_mutex(subjects& to);
void add_seeded_fair_mutex(subjects& to) {
  subject s{"seeded/line_that_stays_closed",
            "",
            {{passed_by_tries(lock_type_of<line_that_stays_closed>(), 1), depth::exhausted}}};
  s.seeded_bug = true;
  to.push_back(std::move(s));
}

}  // namespace synchro::model_checker
