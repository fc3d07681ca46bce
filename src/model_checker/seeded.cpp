// Classic mistakes, written down on purpose. A model checker that lets one of them through is not to be believed about
// anything else.

#include <memory>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/ttas.hpp"

namespace synchro::model_checker {

namespace {

using word = explored::atomic<std::uint32_t>;
using field = explored::plain<std::uint32_t>;

constexpr auto is_zero = [](std::uint32_t v) { return v == 0; };

/// A critical section after lock() and before unlock() of `Lock`, for each thread as often as told.
template <class Lock>
program guarded_by(const char* name, unsigned threads, unsigned times) {
  struct scene {
    Lock lock;
    field count{0};
  };
  stage<scene> s{name, threads};
  s.does([times](scene& it, unsigned t) {
    for (unsigned i = 0; i < times; ++i) {
      it.lock.lock(t);
      it.count = it.count + 1;
      it.lock.unlock(t);
    }
  });
  return s.done();
}

/// Without a fence neither sees the other's flag.
struct dekker_without_fence {
  std::array<word, 2> wants;
  void lock(unsigned t) {
    wants[t].store(1, memory_order::release);
    explored::await(wants[1 - t], memory_order::acquire, is_zero);
  }
  void unlock(unsigned t) { wants[t].store(0, memory_order::release); }
};

/// Peterson's lock with acquire and release where it needs more.
struct peterson_without_fence {
  std::array<word, 2> wants;
  word turn{0};
  void lock(unsigned t) {
    wants[t].store(1, memory_order::relaxed);
    turn.store(1 - t, memory_order::release);
    explored::await_any(
        memory_order::acquire, [t](std::uint32_t other, std::uint32_t whose) { return other == 0 || whose == t; },
        wants[1 - t], turn);
  }
  void unlock(unsigned t) { wants[t].store(0, memory_order::release); }
};

/// With a fence, but with a plain store to `turn`: right on processors whose stores have one order, not in C++.
struct peterson_with_plain_turn {
  std::array<word, 2> wants;
  word turn{0};
  void lock(unsigned t) {
    wants[t].store(1, memory_order::relaxed);
    turn.store(1 - t, memory_order::release);
    explored::fence();
    explored::await_any(
        memory_order::acquire, [t](std::uint32_t other, std::uint32_t whose) { return other == 0 || whose == t; },
        wants[1 - t], turn);
  }
  void unlock(unsigned t) { wants[t].store(0, memory_order::release); }
};

struct test_then_set {
  word held{0};
  void lock(unsigned) {
    explored::await(held, memory_order::acquire, is_zero);
    held.store(1, memory_order::relaxed);
  }
  void unlock(unsigned) { held.store(0, memory_order::release); }
};

struct relaxed_release {
  word held{0};
  void lock(unsigned) { explored::exchange_until(held, 1, is_zero, memory_order::acquire); }
  void unlock(unsigned) { held.store(0, memory_order::relaxed); }
};

struct relaxed_acquire {
  word next{0};
  word serving{0};
  void lock(unsigned) {
    const std::uint32_t mine = next.fetch_add(1, memory_order::relaxed);
    explored::await(serving, memory_order::relaxed, [mine](std::uint32_t s) { return s == mine; });
  }
  void unlock(unsigned) { serving.store(serving.load(memory_order::relaxed) + 1, memory_order::release); }
};

/// Nobody tells the holder that somebody sleeps.
struct futex_without_mark {
  word state{0};
  void lock(unsigned) {
    for (;;) {
      std::uint32_t seen = 0;
      if (state.compare_exchange_strong(seen, 1, memory_order::acquire, memory_order::relaxed)) return;
      explored::park(state, 1, explored::never);
    }
  }
  void unlock(unsigned) {
    if (state.exchange(0, memory_order::release) == 2) explored::unpark(&state, 1);
  }
};

/// Who has slept takes the lock without the mark, though others may still sleep.
struct futex_that_forgets_sleepers {
  word state{0};
  void lock(unsigned) {
    std::uint32_t seen = 0;
    while (!state.compare_exchange_strong(seen, 1, memory_order::acquire, memory_order::relaxed)) {
      seen = 1;
      if (state.compare_exchange_strong(seen, 2, memory_order::relaxed, memory_order::relaxed) || seen == 2)
        explored::park(state, 2, explored::never);
      seen = 0;
    }
  }
  void unlock(unsigned) {
    if (state.exchange(0, memory_order::release) == 2) explored::unpark(&state, 1);
  }
};

/// Unlocks an MCS queue without waiting for the one who has exchanged the tail and not yet linked.
struct mcs_unlock_race {
  struct node {
    explored::atomic<node*> next{nullptr};
    word granted{0};
  };
  std::array<node, 2> nodes;
  explored::atomic<node*> tail{nullptr};
  void lock(unsigned t) {
    node& mine = nodes[t];
    mine.next.store(nullptr, memory_order::relaxed);
    mine.granted.store(0, memory_order::relaxed);
    node* const before = tail.exchange(&mine, memory_order::acq_rel);
    if (before == nullptr) return;
    before->next.store(&mine, memory_order::release);
    explored::await(mine.granted, memory_order::acquire, [](std::uint32_t v) { return v != 0; });
  }
  void unlock(unsigned t) {
    node* const next = nodes[t].next.load(memory_order::acquire);
    if (next == nullptr)
      tail.store(nullptr, memory_order::release);
    else
      next->granted.store(1, memory_order::release);
  }
};

/// Uses its own CLH cell again, at which the successor may still look.
struct clh_early_reuse {
  struct cell {
    word waiting{0};
  };
  std::array<cell, 3> cells;  // the last one is the first tail
  explored::atomic<cell*> tail{&cells[2]};
  void lock(unsigned t) {
    cells[t].waiting.store(1, memory_order::relaxed);
    cell* const before = tail.exchange(&cells[t], memory_order::acq_rel);
    explored::await(before->waiting, memory_order::acquire, is_zero);
  }
  void unlock(unsigned t) { cells[t].waiting.store(0, memory_order::release); }
};

/// Takes the cell that it finds for its own, and does not say there again that it waits.
struct clh_without_waiting {
  struct cell {
    word waiting{1};
  };
  cell first{0};
  std::array<cell, 2> cells;
  using own = explored::plain<cell*>;
  std::array<own, 2> mine{own{cells.data()}, own{&cells[1]}};
  std::array<own, 2> found;
  explored::atomic<cell*> tail{&first};
  void lock(unsigned t) {
    cell* const before = tail.exchange(mine[t], memory_order::acq_rel);
    explored::await(before->waiting, memory_order::acquire, is_zero);
    found[t] = before;
  }
  void unlock(unsigned t) {
    cell* const left = mine[t];
    mine[t] = static_cast<cell*>(found[t]);
    left->waiting.store(0, memory_order::release);
  }
};

/// A waiter that marks its word and sleeps, and a releaser that looks for the mark before a plain store.
program hand_over_by_store() {
  struct scene {
    word turn{0};
  };
  stage<scene> s{"hand over once", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      const bool asleep = it.turn.load(memory_order::relaxed) == 2;
      it.turn.store(1, memory_order::release);
      if (asleep) explored::unpark(&it.turn, 1);
      return;
    }
    std::uint32_t seen = 0;
    if (!it.turn.compare_exchange_strong(seen, 2, memory_order::acquire, memory_order::acquire)) return;
    while (it.turn.load(memory_order::acquire) == 2) explored::park(it.turn, 2, explored::never);
  });
  return s.done();
}

program wakes_one_of_two() {
  struct scene {
    word go{0};
  };
  stage<scene> s{"broadcast", 3};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      it.go.store(1, memory_order::release);
      explored::unpark(&it.go, 1);
      return;
    }
    while (it.go.load(memory_order::acquire) == 0) explored::park(it.go, 0, explored::never);
  });
  return s.done();
}

program double_checked() {
  struct scene {
    field value{0};
    word ready{0};
  };
  stage<scene> s{"publish", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      it.value = 42;
      it.ready.store(1, memory_order::relaxed);
    } else if (it.ready.load(memory_order::acquire) == 1) {
      expect(it.value == 42, "the value is not there");
    }
  });
  return s.done();
}

/// The last to leave destroys what the other still unlocks.
program destroyed_too_early() {
  struct shared {
    word held{0};
    word done{0};
  };
  struct scene {
    explored::plain<shared*> it{explored::make<shared>()};
  };
  stage<scene> s{"last one out", 2};
  s.does([](scene& all, unsigned t) {
    shared* const it = all.it;
    if (t == 0) {
      it->held.store(1, memory_order::release);
      it->done.store(1, memory_order::release);
      it->held.store(0, memory_order::release);
      return;
    }
    explored::await(it->done, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
    explored::destroy(it);
  });
  return s.done();
}

/// A stack whose pop compares only the address of the top: freed and made again in between, it is another's.
program stack_with_aba() {
  struct item {
    explored::atomic<item*> next{nullptr};
  };
  struct scene {
    explored::atomic<item*> top{nullptr};
    std::array<explored::plain<item*>, 2> taken{};
  };
  const auto push = [](scene& s, item* mine) {
    item* seen = s.top.load(memory_order::relaxed);
    do mine->next.store(seen, memory_order::relaxed);
    while (!s.top.compare_exchange_strong(seen, mine, memory_order::acq_rel, memory_order::acquire));
  };
  const auto pop = [](scene& s) {
    item* seen = s.top.load(memory_order::acquire);
    while (seen != nullptr && !s.top.compare_exchange_strong(seen, seen->next.load(memory_order::relaxed),
                                                             memory_order::acq_rel, memory_order::acquire)) {
    }
    return seen;
  };
  stage<scene> s{"pop while items come back", 2};
  s.warms_up([push](scene& it, unsigned t) {
    if (t != 0) return;
    for (int i = 0; i < 2; ++i) push(it, explored::make<item>());
  });
  s.does([push, pop](scene& it, unsigned t) {
    if (t == 0) {
      it.taken[0] = pop(it);
      return;
    }
    item* const a = pop(it);
    it.taken[1] = pop(it);
    if (a != nullptr) push(it, a);
  });
  s.then_checks([](scene& it) {
    item* const a = it.taken[0];
    expect(a == nullptr || a != it.taken[1], "two threads have popped the same item");
    expect(
        a == nullptr || it.top.load(memory_order::relaxed) != static_cast<item*>(it.taken[1]) || it.taken[1] == nullptr,
        "a popped item is the top of the stack");
  });
  return s.done();
}

/// A lock that serves anybody, taken for one that serves in order.
program order_that_is_none() {
  struct scene {
    basic_ttas_lock<explored, spin> lock;
  };
  stage<scene> s{"order 2x2", 2};
  s.does([](scene& it, unsigned) {
    for (unsigned i = 0; i < 2; ++i) {
      operation ask = on_nothing(action::mark, marks::asks);
      world::current().perform(ask);
      it.lock.lock();
      operation enter = on_nothing(action::mark, marks::has_entered);
      world::current().perform(enter);
      it.lock.unlock();
    }
  });
  s.with().watches_order = true;
  return s.done();
}

/// Waits for a signal that comes and goes.
program missed_signal() {
  struct scene {
    word signal{0};
  };
  stage<scene> s{"signal that is taken back", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      it.signal.store(1, memory_order::release);
      it.signal.store(0, memory_order::release);
    } else {
      explored::await(it.signal, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
    }
  });
  return s.done();
}

/// Two threads count in memory that is not the machine's, and nobody orders them: no race is found on it, but that it changes.
program counts_in_memory_of_new() {
  struct scene {
    std::unique_ptr<std::uint32_t[]> count{new std::uint32_t[2]{}};
  };
  stage<scene> s{"count in memory of new", 2};
  s.does([](scene& it, unsigned) { ++it.count[1]; });
  return s.done();
}

subjects classic_mistakes() {
  return {
      seeded("dekker_without_fence", guarded_by<dekker_without_fence>("lock 2x1", 2, 1)),
      seeded("peterson_without_fence", guarded_by<peterson_without_fence>("lock 2x1", 2, 1)),
      seeded("peterson_with_plain_turn", guarded_by<peterson_with_plain_turn>("lock 2x2", 2, 2)),
      seeded("test_then_set", guarded_by<test_then_set>("lock 2x1", 2, 1)),
      seeded("relaxed_release", guarded_by<relaxed_release>("lock 2x1", 2, 1)),
      seeded("relaxed_acquire", guarded_by<relaxed_acquire>("lock 2x1", 2, 1)),
      seeded("futex_without_mark", guarded_by<futex_without_mark>("lock 2x1", 2, 1)),
      seeded("futex_that_forgets_sleepers", guarded_by<futex_that_forgets_sleepers>("lock 3x1", 3, 1)),
      seeded("mcs_unlock_race", guarded_by<mcs_unlock_race>("lock 2x1", 2, 1)),
      seeded("clh_early_reuse", guarded_by<clh_early_reuse>("lock 2x2", 2, 2)),
      seeded("clh_without_waiting", guarded_by<clh_without_waiting>("lock 2x2", 2, 2)),
      seeded("hand_over_by_store", hand_over_by_store()),
      seeded("wakes_one_of_two", wakes_one_of_two()),
      seeded("double_checked", double_checked()),
      seeded("destroyed_too_early", destroyed_too_early()),
      seeded("stack_with_aba", stack_with_aba()),
      seeded("order_that_is_none", order_that_is_none()),
      seeded("missed_signal", missed_signal()),
      seeded("counts_in_memory_of_new", counts_in_memory_of_new()),
  };
}

}  // namespace

void add_seeded_locks(subjects& to);
void add_seeded_elision(subjects& to);
void add_seeded_fair_mutex(subjects& to);
void add_seeded_pool(subjects& to);
void add_seeded_shared_mutex(subjects& to);
void add_seeded_condition(subjects& to);
void add_seeded_sync(subjects& to);
void add_seeded_queues(subjects& to);
void add_seeded_delegation(subjects& to);
void add_seeded_stm(subjects& to);
void add_seeded_stm_calls(subjects& to);
void add_seeded_stm_parts(subjects& to);
void add_seeded_histories(subjects& to);
void add_seeded_tables(subjects& to);
void add_seeded_flags(subjects& to);
void add_seeded_wakes(subjects& to);
void add_seeded_events(subjects& to);
void add_seeded_joined(subjects& to);
void add_seeded_own_nodes(subjects& to);

const subjects& seeded_bugs() {
  static const subjects all = [] {
    subjects made = classic_mistakes();
    add_seeded_locks(made);
    add_seeded_elision(made);
    add_seeded_fair_mutex(made);
    add_seeded_pool(made);
    add_seeded_shared_mutex(made);
    add_seeded_condition(made);
    add_seeded_sync(made);
    add_seeded_queues(made);
    add_seeded_delegation(made);
    add_seeded_stm(made);
    add_seeded_stm_calls(made);
    add_seeded_stm_parts(made);
    add_seeded_histories(made);
    add_seeded_tables(made);
    add_seeded_flags(made);
    add_seeded_wakes(made);
    add_seeded_events(made);
    add_seeded_joined(made);
    add_seeded_own_nodes(made);
    return made;
  }();
  return all;
}

}  // namespace synchro::model_checker
