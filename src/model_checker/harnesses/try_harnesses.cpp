#include "model_checker/harnesses/try_harnesses.hpp"

#include <chrono>
#include <string>

namespace synchro::model_checker {

namespace {

void give_up(guarded& it) { expect(!it.lock.try_lock_for(std::chrono::nanoseconds{0}), "a held lock is taken"); }

/// A lock that is held, with a crowd behind the holder.
struct crowded : guarded {
  explicit crowded(const lock_type& type) : guarded{type} {
    lock.lock();
    for (unsigned i = 0; i < lock_programs::crowd; ++i) give_up(*this);
  }
};

struct more_and_more : crowded {
  explicit more_and_more(const lock_type& type) : crowded{type} {
    give_up(*this);
    const std::size_t before = world::current().blocks();
    for (unsigned i = 0; i < 4; ++i) give_up(*this);
    expect(world::current().blocks() == before, "each time that a waiter gives up it makes a node");
  }
};

void with(own_node& mine, guarded& it, unsigned t) {
  mine.lock();
  lock_programs::section(it, t);
  mine.unlock();
}
void try_with(own_node& mine, guarded& it, unsigned t) {
  if (!mine.try_lock()) return;
  lock_programs::section(it, t);
  mine.unlock();
}

}  // namespace

void try_harnesses::add_to(std::vector<check>& all) const {
  if (type_.offers.tries) add_tries(all);
  if (type_.offers.timed) add_timed(all);
  if (type_.offers.own_node) add_own_node(all);
}

void try_harnesses::add(std::vector<check>& all, const char* name, const parts& some, depth how_far) const {
  all.push_back({play(name, some).done(), how_far});
}

void try_harnesses::add_tries(std::vector<check>& all) const {
  using enum deed;
  add(all, "try 2x2", {{lock, lock}, {try_lock, try_lock}});
  add(all, "try 3x1", {{lock}, {try_lock}, {try_lock, lock}}, depth::as_far_as_fits);
  add(all, "try, then lock", {{lock}, {try_lock, lock}});
  if (type_.offers.domain_aware)
    all.push_back(
        {play("try, then lock, one domain", {{lock}, {try_lock, lock}}).in_domains({0, 0}).done(), depth::exhausted});
  add(all, "lock, then try 3x1", {{lock, try_lock}, {lock}, {lock}}, depth::as_far_as_fits);
  all.push_back({model_checker::cold(play("try 2x1", {{lock}, {try_lock}}).done()), depth::exhausted});
  all.push_back({alone(), depth::exhausted});
  if (!type_.offers.counts) return;
  const recipe at_their_end{.team = shape{{0, 1}}, .first = first_ticket{~0U - 1}, .pass_limit = {}};
  all.push_back({alone("try alone, numbers at their end", at_their_end), depth::exhausted});
}

constexpr const char* fails_alone =
    "try_lock fails though nobody has the lock, which it must not, not even where a weak compare-and-swap fails for no "
    "reason";

program try_harnesses::alone(const std::string& name, const recipe& how) const {
  stage<guarded> s = base(name, 1, how);
  s.does([](guarded& it, unsigned) {
    expect(it.lock.try_lock(), fails_alone);
    expect(!it.lock.try_lock(), "try_lock succeeds though the lock is held");
    it.lock.unlock();
    expect(it.lock.try_lock(), fails_alone);
    it.lock.unlock();
  });
  return s.done();
}

// With a deadline.

void try_harnesses::add_timed(std::vector<check>& all) const {
  using enum deed;
  add(all, "timed 2x2", {{lock, lock}, {timed, timed}});
  add(all, "timed 3x1", {{lock}, {timed}, {timed}}, depth::as_far_as_fits);
  add(all, "timed between two", {{lock}, {timed, lock}, {lock}}, depth::as_far_as_fits);
  if (type_.offers.domain_aware)
    all.push_back(
        {play("timed 3x1, one domain", {{lock}, {timed}, {lock}}).in_domains({0, 0, 0}).done(), depth::as_far_as_fits});
  add(all, "timed, too late", {{lock, lock}, {late, lock}});
  add(all, "timed and not, in turns", {{lock, timed, lock}, {timed, lock}}, depth::as_far_as_fits);
  add(all, "timed without end", {{lock, lock}, {endless, endless}}, depth::as_far_as_fits);
  all.push_back({model_checker::cold(play("timed 2x2", {{lock, lock}, {timed, timed}}).done()), depth::as_far_as_fits});
  all.push_back({timed_alone(), depth::exhausted});
  all.push_back({timed_beside_a_keeper(), depth::as_far_as_fits});
  if (type_.offers.domain_aware) {
    program of_another_domain = timed_beside_a_keeper();
    of_another_domain.name += " in another domain";
    of_another_domain.domains = {1, 0, 0};
    all.push_back({of_another_domain, depth::as_far_as_fits});
  }
  if (type_.offers.takes_nodes) {
    all.push_back({timed_in_a_crowd(), depth::widened});
    all.push_back({endless_in_a_crowd(), depth::as_far_as_fits});
    all.push_back({gives_up_often(), depth::exhausted});
  }
}

program try_harnesses::timed_alone() const {
  stage<guarded> s = base("timed alone", 1);
  s.does([](guarded& it, unsigned) {
    for (const auto how_long : {std::chrono::nanoseconds{0}, patience}) {
      expect(it.lock.try_lock_for(how_long), "a timed lock fails though nobody else is there");
      expect(!it.lock.try_lock_for(how_long) && !it.lock.try_lock_until(how_long), "a held lock is taken");
      it.lock.unlock();
      expect(it.lock.try_lock_until(how_long), "a timed lock fails though nobody else is there");
      expect(!it.lock.try_lock_for(how_long) && !it.lock.try_lock(), "a lock that was taken in time is free");
      it.lock.unlock();
    }
    once(it, 0);
  });
  s.with().counts_nodes = true;
  return s.done();
}

program try_harnesses::timed_beside_a_keeper() const {
  stage<guarded> s = base("timed, beside one who keeps it", 3);
  s.warms_up([](guarded& it, unsigned t) {
    if (t == 0) it.lock.lock();
  });
  s.does([](guarded& it, unsigned t) {
    if (t == 0) return;
    expect(!it.lock.try_lock_for(patience), "a held lock is taken");
    settle(1);
    // Not all look again: that may clean up what others who gave up have left.
    if (t == 2) expect(!it.lock.try_lock(), "a held lock is taken");
    settle(2);
  });
  s.cools_down([](guarded& it, unsigned t) {
    if (t == 0) {
      it.lock.unlock();
      expect(it.lock.try_lock(), "a free lock is not taken");
      it.lock.unlock();
    }
    once(it, t);
  });
  s.with().counts_nodes = true;
  return s.done();
}

program try_harnesses::timed_in_a_crowd() const {
  stage<crowded> s{"timed, beside many who gave up", 2, type_};
  s.then_checks(nobody_was_lost);
  s.with().counts_nodes = true;
  if (type_.offers.domain_aware) s.in_domains({0, 0});
  s.does([](crowded& it, unsigned t) {
    if (t == 0) {
      section(it, t);
      it.lock.unlock();
    }
    settle(1);
    timed_once(it, t, patience);
    settle(2);
  });
  return s.done();
}

program try_harnesses::endless_in_a_crowd() const {
  stage<crowded> s{"timed without end, beside many who gave up", 2, type_};
  s.then_checks(nobody_was_lost);
  s.with().spurious = 0;
  s.with().counts_nodes = true;
  if (type_.offers.domain_aware) s.in_domains({0, 0});
  s.does([](crowded& it, unsigned t) {
    if (t != 0) return act(it, t, deed::endless);
    section(it, t);
    it.lock.unlock();
  });
  return s.done();
}

program try_harnesses::gives_up_often() const {
  stage<more_and_more> s{"timed, gives up often", 1, type_};
  s.does([](more_and_more& it, unsigned t) {
    section(it, t);
    it.lock.unlock();
  });
  s.with().counts_nodes = true;
  return s.done();
}

// With a node of the caller's.

void try_harnesses::add_own_node(std::vector<check>& all) const {
  all.push_back({own_node_once(), depth::exhausted});
  all.push_back({own_node_again(), depth::exhausted});
  if (!type_.offers.tries_own_node) return;
  all.push_back({own_node_alone(), depth::exhausted});
  all.push_back({own_node_tries(), depth::exhausted});
  all.push_back({own_node_after_a_try(), depth::exhausted});
}

program try_harnesses::own_node_once() const {
  stage<guarded> s = base("own node 3x1", 3);
  s.does([](guarded& it, unsigned t) { it.lock.with_own_node(with, it, t); });
  return s.done();
}

program try_harnesses::own_node_alone() const {
  stage<guarded> s = base("own node alone", 1);
  s.does([](guarded& all, unsigned thread) {
    all.lock.with_own_node(
        [](own_node& mine, guarded& it, unsigned t) {
          expect(mine.try_lock(), fails_alone);
          section(it, t);
          expect(!it.lock.try_lock(), "try_lock succeeds though the lock is held");
          mine.unlock();
          it.lock.lock();
          expect(!mine.try_lock(), "try_lock succeeds though the lock is held");
          it.lock.unlock();
        },
        all, thread);
  });
  s.with().counts_nodes = true;
  return s.done();
}

program try_harnesses::own_node_again() const {
  stage<guarded> s = base("own node 2x2", 2);
  s.does([](guarded& all, unsigned thread) {
    all.lock.with_own_node(
        [](own_node& mine, guarded& it, unsigned t) {
          for (unsigned i = 0; i < 2; ++i) {
            settle(i);
            with(mine, it, t);
          }
        },
        all, thread);
  });
  return s.done();
}

program try_harnesses::own_node_tries() const {
  stage<guarded> s = base("own node, try 2x2", 2);
  s.does([](guarded& all, unsigned thread) {
    all.lock.with_own_node(
        [](own_node& mine, guarded& it, unsigned t) {
          for (unsigned i = 0; i < 2; ++i) {
            settle(i);
            if (t == 0)
              once(it, t);
            else
              try_with(mine, it, t);
          }
        },
        all, thread);
  });
  return s.done();
}

program try_harnesses::own_node_after_a_try() const {
  stage<guarded> s = base("own node after a try 2x1", 2);
  s.does([](guarded& all, unsigned thread) {
    if (thread == 0) return once(all, thread);
    all.lock.with_own_node(
        [](own_node& mine, guarded& it, unsigned t) {
          try_with(mine, it, t);
          settle(1);
          once(it, t);
          settle(2);
          with(mine, it, t);
        },
        all, thread);
  });
  return s.done();
}

}  // namespace synchro::model_checker
