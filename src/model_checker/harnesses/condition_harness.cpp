// The programs that try the condition variable: a condition that a mutex guards, threads that wait for it and threads that
// make it so. A lost notification is a deadlock; what the lock does not order is a data race.

#include <chrono>
#include <string>
#include <utility>

#include "model_checker/harnesses/mortal.hpp"
#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/sync/condition_variable.hpp"

namespace synchro::model_checker {

namespace {

/// A lock that takes little to explore: the mutex is tried by its own programs.
using lock_beside = basic_tas_lock<explored>;
using sound_condition = basic_condition_variable<explored, spin_park>;

struct scene {
  lock_beside lock;
  sound_condition changed;
  explored::plain<std::uint32_t> items{0};
  explored::plain<std::uint32_t> taken{0};
};

constexpr std::chrono::nanoseconds patience{1};

void make(scene& s, std::uint32_t n) { s.items = s.items + n; }

/// Under the lock, behind a wait for an item.
void expect_item(scene& s) { expect(s.items != 0, "a wait is over before its condition holds"); }

void take_one(scene& s) {
  s.lock.lock();
  s.changed.wait(s.lock, [&s] { return s.items != 0; });
  expect_item(s);
  s.items = s.items - 1;
  s.taken = s.taken + 1;
  s.lock.unlock();
}
/// As if by timed consumers: one that gives up leaves the item to others.
void take_one_in_time(scene& s) {
  s.lock.lock();
  const auto until = explored::clock::now() + patience;
  if (s.changed.wait_for(s.lock, patience, [&s] { return s.items != 0; })) {
    expect_item(s);
    s.items = s.items - 1;
    s.taken = s.taken + 1;
  } else {
    expect(explored::clock::now() >= until, "a wait gives up before its time");
  }
  s.lock.unlock();
}
void see_one(scene& s) {
  s.lock.lock();
  s.changed.wait(s.lock, [&s] { return s.items != 0; });
  expect_item(s);
  s.lock.unlock();
}

enum class how { one, one_inside, all };

void give(scene& s, std::uint32_t n, how h) {
  s.lock.lock();
  make(s, n);
  if (h == how::one_inside) s.changed.notify_one();
  s.lock.unlock();
  if (h == how::one) s.changed.notify_one();
  if (h == how::all) s.changed.notify_all();
}

/// One item for each consumer, notified one by one.
program one_each(unsigned consumers, how h, const std::string& name) {
  stage<scene> s{name, consumers + 1};
  s.does([consumers, h](scene& it, unsigned t) {
    if (t != 0) return take_one(it);
    for (unsigned i = 0; i < consumers; ++i) {
      settle(i);
      give(it, 1, h);
    }
  });
  s.then_checks([consumers](scene& it) { expect(it.taken == consumers, "an item is left"); });
  return s.done();
}

/// A wait begins when a notification is under way: it must not have what others were given.
program one_who_comes_later() {
  stage<scene> s{"notify one, one comes later", 3};
  s.does([](scene& it, unsigned t) {
    if (t == 0) return give(it, 1, how::one);
    if (t == 1) {
      it.lock.lock();
      it.changed.wait(it.lock);
      it.lock.unlock();
      return;
    }
    await_others();
    it.lock.lock();
    it.lock.unlock();
    it.changed.notify_one();
  });
  return s.done();
}

/// Who was the only one to wait, and is notified, destroys it: to let that one go is the last that a notification does with it.
program destroyed_by_the_notified(how h, const std::string& name) {
  struct ending {
    lock_beside lock;
    mortal_object<sound_condition> changed;
    explored::atomic<std::uint32_t> waits{0};
  };
  stage<ending> s{name + ", who destroys it", 2};
  s.does([h](ending& all, unsigned t) {
    if (t == 1) {
      all.lock.lock();
      all.waits.store(1, memory_order::relaxed);
      all.changed.it.wait(all.lock);
      all.lock.unlock();
      return all.changed.destroy();
    }
    explored::await(all.waits, memory_order::relaxed, [](std::uint32_t v) { return v == 1; });
    all.lock.lock();
    if (h == how::one_inside) all.changed.it.notify_one();
    all.lock.unlock();
    if (h == how::one) all.changed.it.notify_one();
    if (h == how::all) all.changed.it.notify_all();
  });
  return s.done();
}

program all_at_once(unsigned waiters) {
  stage<scene> s{"notify all, " + std::to_string(waiters) + " wait", waiters + 1};
  s.does([](scene& it, unsigned t) {
    if (t == 0) return give(it, 1, how::all);
    see_one(it);
  });
  return s.done();
}

/// Three who came in line, notified one by one: each is there, and the oldest goes first.
template <class Condition>
program three_in_line() {
  struct line {
    lock_beside lock;
    Condition changed;
    explored::atomic<std::uint32_t> here{0};
    explored::atomic<std::uint32_t> gone{0};
  };
  stage<line> s{"notify one, three in line", 4};
  s.does([](line& it, unsigned t) {
    const auto reaches = [](explored::atomic<std::uint32_t>& count, std::uint32_t n) {
      explored::await(count, memory_order::relaxed, [n](std::uint32_t v) { return v == n; });
    };
    if (t != 3) {
      reaches(it.here, t);
      it.lock.lock();
      it.here.store(t + 1, memory_order::relaxed);
      it.changed.wait(it.lock);
      expect(it.gone.fetch_add(1, memory_order::relaxed) == t, "who came later was notified before");
      return it.lock.unlock();
    }
    reaches(it.here, 3);
    for (std::uint32_t i = 0; i != 3; ++i) {
      reaches(it.gone, i);
      it.lock.lock();
      it.changed.notify_one();
      it.lock.unlock();
    }
  });
  return s.done();
}

/// Three came in line, and one of them may give up, whichever it is: the others are there for who notifies.
template <class Condition>
program one_of_three_in_time(std::uint32_t which) {
  struct line {
    lock_beside lock;
    Condition changed;
    explored::atomic<std::uint32_t> here{0};
  };
  stage<line> s{"notify one, three in line, " + std::to_string(which + 1) + " in time", 4};
  s.does([which](line& it, unsigned t) {
    const auto reaches = [&it](std::uint32_t n) {
      explored::await(it.here, memory_order::relaxed, [n](std::uint32_t v) { return v == n; });
    };
    reaches(t);
    it.lock.lock();
    if (t != 3) {
      it.here.store(t + 1, memory_order::relaxed);
      if (t == which && which == 0)
        static_cast<void>(it.changed.wait_for(it.lock, patience));
      else if (t == which)
        static_cast<void>(it.changed.wait_until(it.lock, explored::clock::now() + patience));
      else
        it.changed.wait(it.lock);
    } else {
      for (int i = 0; i != 3; ++i) it.changed.notify_one();
    }
    it.lock.unlock();
  });
  return s.done();
}

/// Three came in line, and one of them gives up, for nobody notifies before; the others are notified in the order of the line.
template <class Condition>
program one_of_three_leaves(std::uint32_t which) {
  struct line {
    lock_beside lock;
    Condition changed;
    explored::atomic<std::uint32_t> here{0};
    explored::atomic<std::uint32_t> gone{0};
  };
  stage<line> s{"three in line, " + std::to_string(which + 1) + " leaves", 4};
  s.does([which](line& it, unsigned t) {
    const auto reaches = [](explored::atomic<std::uint32_t>& count, std::uint32_t n) {
      explored::await(count, memory_order::acquire, [n](std::uint32_t v) { return v == n; });
    };
    if (t != 3) {
      reaches(it.here, t);
      it.lock.lock();
      it.here.store(t + 1, memory_order::release);
      if (t == which)
        expect(it.changed.wait_until(it.lock, explored::clock::now()) == cv_status::timeout,
               "a notification that nobody made");
      else
        it.changed.wait(it.lock);
      const std::uint32_t place = t == which ? 0 : t < which ? t + 1 : t;
      expect(it.gone.fetch_add(1, memory_order::acq_rel) == place, "who came later was notified before");
      return it.lock.unlock();
    }
    reaches(it.here, 3);
    for (std::uint32_t i = 1; i != 3; ++i) {
      reaches(it.gone, i);
      it.lock.lock();
      it.changed.notify_one();
      it.lock.unlock();
    }
  });
  return s.done();
}

/// The oldest of three gives up when it is notified: whichever it is, the others are notified in the order of the line.
program notified_or_leaves() {
  struct line {
    lock_beside lock;
    sound_condition changed;
    explored::atomic<std::uint32_t> here{0};
    explored::atomic<std::uint32_t> first{0};  // what the oldest says: 1: notified, 2: in time
    explored::atomic<std::uint32_t> gone{0};
  };
  stage<line> s{"three in line, the oldest is notified or leaves", 4};
  s.does([](line& it, unsigned t) {
    const auto reaches = [](explored::atomic<std::uint32_t>& count, std::uint32_t n) {
      return explored::await(count, memory_order::acquire, [n](std::uint32_t v) { return v >= n; });
    };
    const auto notify = [&it] {
      it.lock.lock();
      it.changed.notify_one();
      it.lock.unlock();
    };
    if (t == 3) {
      reaches(it.here, 3);
      notify();
      if (reaches(it.first, 1) == 1) notify();
      reaches(it.gone, 1);
      return notify();
    }
    reaches(it.here, t);
    it.lock.lock();
    it.here.store(t + 1, memory_order::release);
    if (t == 0) {
      const bool in_time = it.changed.wait_for(it.lock, patience) == cv_status::no_timeout;
      it.first.store(in_time ? 1 : 2, memory_order::release);
    } else {
      it.changed.wait(it.lock);
      expect(it.gone.fetch_add(1, memory_order::acq_rel) + 1 == t, "who came later was notified before");
    }
    it.lock.unlock();
  });
  return s.done();
}

/// Of three in line the oldest may give up, also while it is taken out and not woken yet: it has to find that out in a queue in
/// which two others are.
program oldest_gives_up() {
  struct line {
    sound_condition changed;
    explored::atomic<std::uint32_t> here{0};
  };
  /// Who lets go of it is in the queue: that is all that is asked of a lock here.
  struct turn {
    explored::atomic<std::uint32_t>& here;
    std::uint32_t number;
    void lock() {}
    void unlock() { here.store(number + 1, memory_order::release); }
  };
  stage<line> s{"notify one, the oldest of three gives up", 4};
  s.does([](line& it, unsigned t) {
    explored::await(it.here, memory_order::acquire, [t](std::uint32_t v) { return v == t; });
    turn mine{it.here, t};
    if (t == 0) return static_cast<void>(it.changed.wait_for(mine, patience));
    if (t != 3) return it.changed.wait(mine);
    for (int i = 0; i != 3; ++i) it.changed.notify_one();
  });
  return s.done();
}

/// All who wait have been notified, whoever comes first.
program all_who_sleep() {
  stage<scene> s{"notify all who sleep", 3};
  s.does([](scene& it, unsigned t) {
    if (t != 0) {
      it.lock.lock();
      it.changed.wait(it.lock);
      it.lock.unlock();
      return;
    }
    await_others();
    it.lock.lock();  // from here on it knows of those who wait
    it.lock.unlock();
    it.changed.notify_all();
  });
  return s.done();
}

program in_time(how h, const std::string& name) {
  stage<scene> s{name, 2};
  s.does([h](scene& it, unsigned t) {
    if (t == 0) return give(it, 1, h);
    take_one_in_time(it);
    it.lock.lock();
    expect(it.taken <= 1, "an item was taken twice");
    it.lock.unlock();
  });
  return s.done();
}

/// Nobody notifies: each wait in time gives up, and has the lock again.
program in_time_alone() {
  stage<scene> s{"in time, nobody notifies", 1};
  s.does([](scene& it, unsigned) {
    const auto never = [] { return false; };
    const auto soon = [] { return explored::clock::now() + patience; };
    it.lock.lock();
    expect(it.changed.wait_for(it.lock, patience) == cv_status::timeout, "a notification that nobody made");
    expect(it.changed.wait_until(it.lock, soon()) == cv_status::timeout, "a notification that nobody made");
    expect(!it.changed.wait_for(it.lock, patience, never), "what does not hold holds");
    expect(!it.changed.wait_until(it.lock, soon(), never), "what does not hold holds");
    expect(!it.lock.try_lock(), "the lock is not had again");
    it.lock.unlock();
  });
  return s.done();
}

/// Nobody notifies, but when the time is up it holds.
template <class Condition>
program holds_in_the_end() {
  struct alone {
    lock_beside lock;
    Condition changed;
  };
  stage<alone> s{"in time, holds in the end", 1};
  s.does([](alone& it, unsigned) {
    const auto when_asked_again = [asked = false]() mutable { return std::exchange(asked, true); };
    const auto soon = explored::clock::now() + patience;
    it.lock.lock();
    expect(it.changed.wait_for(it.lock, patience, when_asked_again), "what holds in the end does not");
    expect(it.changed.wait_until(it.lock, soon, when_asked_again), "what holds in the end does not");
    it.lock.unlock();
  });
  return s.done();
}

/// One of two gives up, and what it was given is the other's.
program in_time_beside_another(how h, const std::string& name) {
  stage<scene> s{name, 3};
  s.does([h](scene& it, unsigned t) {
    if (t == 0) {
      settle(0);
      give(it, 1, h);
      settle(1);
      give(it, 1, h);
    } else if (t == 1) {
      take_one(it);
    } else {
      take_one_in_time(it);
    }
  });
  s.then_checks([](scene& it) { expect(it.items + it.taken == 2, "an item was lost"); });
  return s.done();
}

/// Three give up at once: whoever leaves the queue finds the others in it.
program two_in_time() {
  stage<scene> s{"two in time", 3};
  s.does([](scene& it, unsigned t) {
    if (t == 0) return give(it, 2, how::all);
    if (t == 1) return take_one_in_time(it);
    it.lock.lock();
    const auto is_there = [&it] { return it.items != 0; };
    if (it.changed.wait_until(it.lock, explored::clock::now() + patience, is_there)) {
      expect_item(it);
      it.items = it.items - 1;
      it.taken = it.taken + 1;
    }
    it.lock.unlock();
  });
  s.then_checks([](scene& it) { expect(it.items + it.taken == 2, "an item was lost"); });
  return s.done();
}

enum class fault { drops_the_middle, looks_once };

/// The ring of those who wait, guarded by their lock, with a mistake: the oldest is taken out as if nobody stood between it and the
/// newest; who gives up looks for the one before it among the newest two only.
template <fault Mistake>
struct small_condition {
  struct node {
    explored::atomic<std::uint32_t> notified{0};
    explored::plain<node*> next{nullptr};
  };
  explored::plain<node*> newest{nullptr};

  void join(node& mine) {
    node* const before = newest;
    mine.next = before == nullptr ? &mine : static_cast<node*>(before->next);
    if (before != nullptr) before->next = &mine;
    newest = &mine;
  }
  void leave(node& mine) {
    node* before = newest;
    if (before->next != &mine) before = before->next;
    if (before->next != &mine) return;
    before->next = static_cast<node*>(mine.next);
    if (newest == &mine) newest = before == &mine ? nullptr : before;
  }
  void wait(lock_beside& lock) {
    node mine;
    join(mine);
    lock.unlock();
    explored::await(mine.notified, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
    lock.lock();
  }
  cv_status wait_for(lock_beside& lock, std::chrono::nanoseconds how_long) {
    return wait_until(lock, explored::clock::now() + how_long);
  }
  cv_status wait_until(lock_beside& lock, explored::clock::time_point moment) {
    node mine;
    join(mine);
    lock.unlock();
    explored::await_until(
        mine.notified, memory_order::acquire, [](std::uint32_t v) { return v == 1; }, moment);
    lock.lock();
    if (mine.notified.load(memory_order::relaxed) == 1) return cv_status::no_timeout;
    leave(mine);
    return cv_status::timeout;
  }
  void notify_one() {
    node* const last = newest;
    if (last == nullptr) return;
    node* const oldest = last->next;
    last->next = Mistake == fault::drops_the_middle ? last : static_cast<node*>(oldest->next);
    if (oldest == last) newest = nullptr;
    oldest->notified.store(1, memory_order::release);
  }
};

/// After its time it does not ask once more.
struct condition_that_asks_once : sound_condition {
  bool wait_for(lock_beside& lock, std::chrono::nanoseconds how_long, auto holds) {
    while (!holds())
      if (sound_condition::wait_for(lock, how_long) == cv_status::timeout) return false;
    return true;
  }
};

}  // namespace

void add_condition(subjects& to);
void add_condition(subjects& to) {
  std::vector<check> all;
  all.push_back({one_each(1, how::one, "notify one"), depth::exhausted});
  all.push_back({one_each(1, how::one_inside, "notify one under the lock"), depth::exhausted});
  all.push_back({one_each(2, how::one, "notify one, twice"), depth::as_far_as_fits});
  all.push_back({one_each(2, how::one_inside, "notify one under the lock, twice"), depth::as_far_as_fits});
  all.push_back({three_in_line<sound_condition>(), depth::exhausted});
  for (const std::uint32_t which : {0U, 1U, 2U})
    all.push_back({one_of_three_in_time<sound_condition>(which), depth::one_preemption});
  for (const std::uint32_t which : {0U, 1U, 2U})
    all.push_back({one_of_three_leaves<sound_condition>(which), depth::one_preemption});
  all.push_back({notified_or_leaves(), depth::one_preemption});
  all.push_back({oldest_gives_up(), depth::one_preemption});
  all.push_back({one_who_comes_later(), depth::as_far_as_fits});
  all.push_back({destroyed_by_the_notified(how::one, "notify one"), depth::exhausted});
  all.push_back({destroyed_by_the_notified(how::one_inside, "notify one under the lock"), depth::exhausted});
  all.push_back({destroyed_by_the_notified(how::all, "notify all"), depth::exhausted});
  all.push_back({all_at_once(1), depth::exhausted});
  all.push_back({all_at_once(2), depth::as_far_as_fits});
  all.push_back({all_who_sleep(), depth::as_far_as_fits});
  all.push_back({in_time(how::one, "in time, notify one"), depth::exhausted});
  all.push_back({in_time(how::all, "in time, notify all"), depth::exhausted});
  all.push_back({in_time_alone(), depth::exhausted});
  all.push_back({holds_in_the_end<sound_condition>(), depth::exhausted});
  all.push_back({in_time_beside_another(how::one, "in time beside another, notify one"), depth::as_far_as_fits});
  all.push_back({in_time_beside_another(how::all, "in time beside another, notify all"), depth::as_far_as_fits});
  all.push_back({two_in_time(), depth::as_far_as_fits});
  to.push_back({"condition_variable", "synchro/sync/condition_variable.hpp", std::move(all)});
}

void add_seeded_condition(subjects& to);
void add_seeded_condition(subjects& to) {
  to.push_back(seeded("condition_that_drops_the_middle", three_in_line<small_condition<fault::drops_the_middle>>()));
  to.push_back(seeded("condition_that_asks_once", holds_in_the_end<condition_that_asks_once>()));
  to.push_back(seeded("condition_that_looks_once", one_of_three_in_time<small_condition<fault::looks_once>>(2)));
}

}  // namespace synchro::model_checker
