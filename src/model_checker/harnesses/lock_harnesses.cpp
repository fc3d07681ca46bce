#include "model_checker/harnesses/lock_harnesses.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "model_checker/harnesses/order_harnesses.hpp"
#include "model_checker/harnesses/shared_harnesses.hpp"
#include "model_checker/harnesses/try_harnesses.hpp"

namespace synchro::model_checker {

namespace {

parts each(unsigned threads, unsigned times) { return parts(threads, std::vector<deed>(times, deed::lock)); }

void add(std::vector<check>& all, const stage<guarded>& s, depth how_far = depth::exhausted) {
  all.push_back({s.done(), how_far});
}
void add_cold(std::vector<check>& all, const stage<guarded>& s, depth how_far = depth::as_far_as_fits) {
  all.push_back({cold(s.done()), how_far});
}

class lock_harnesses : public lock_programs {
 public:
  using lock_programs::lock_programs;

  void add_exclusion(std::vector<check>& all) const;
  void add_usage(std::vector<check>& all) const;

 private:
  void add_wraps(std::vector<check>& all) const;
  [[nodiscard]] stage<guarded> wrapping(const std::string& name, const parts& some, std::uint32_t first) const;

  /// A lock made of nodes that another lock has left in whatever state.
  [[nodiscard]] program used_nodes() const;
  /// A thread ends while others still look at its node, and one takes over what it leaves.
  [[nodiscard]] program ends_early() const;
  /// Two locks, taken in one order and released in the same.
  [[nodiscard]] program two_locks() const;
  [[nodiscard]] program released_by_another() const;
  /// Who finds that all others have been inside destroys the lock: to let the next one in is the last that an unlock
  /// does with it.
  [[nodiscard]] program destroyed_by_the_last(unsigned threads) const;
  /// The same, where an unlock may go past one who has given up.
  [[nodiscard]] program destroyed_behind_one_who_gives_up() const;
};

void lock_harnesses::add_exclusion(std::vector<check>& all) const {
  add(all, play("lock 2x1", each(2, 1)));
  add(all, play("lock 2x2", each(2, 2)));
  add(all, play("lock 3x1", each(3, 1)));
  add_cold(all, play("lock 2x1", each(2, 1)), depth::exhausted);
  add_cold(all, play("lock 2x2", each(2, 2)));
  if (type_.offers.domain_aware) {
    add(all, play("lock 2x2, one domain", each(2, 2)).in_domains({0, 0}));
    stage<guarded> moving = play("lock 2x2, threads move", each(2, 2));
    moving.with().moves = true;
    add(all, moving, depth::as_far_as_fits);
  }
  add_wraps(all);
  if (type_.offers.queues) add(all, play("lock 4x1", each(4, 1)), depth::as_far_as_fits);
  if (type_.offers.limits_passes)
    add(all, play("lock 3x1, pass limit 0", each(3, 1), {.team = shape{{0, 0, 1}}, .first = {}, .pass_limit = 0U}),
        type_.offers.counts ? depth::exhausted : depth::as_far_as_fits);
  add(all, play("lock 3x2", each(3, 2)), depth::as_far_as_fits);
}

/// Numbers that wrap between the start line and the finish line: in threads that are warm, each of which has used up
/// one number, the next is the largest there is.
void lock_harnesses::add_wraps(std::vector<check>& all) const {
  using enum deed;
  if (!type_.offers.counts) return;
  add(all, wrapping("lock 2x2, numbers wrap", each(2, 2), ~0U - 2));
  add_cold(all, wrapping("lock 2x2, numbers wrap", each(2, 2), ~0U));
  add_cold(all, wrapping("lock 2x2, numbers wrap in the middle", each(2, 2), ~0U - 1));
  add_cold(all, wrapping("lock 3x1, numbers wrap", each(3, 1), ~0U - 1));
  if (type_.offers.tries) add_cold(all, wrapping("try 2x2, numbers wrap", {{lock, lock}, {try_lock, try_lock}}, ~0U));
  if (type_.offers.timed) {
    add(all, wrapping("timed 2x2, numbers wrap", {{lock, lock}, {timed, timed}}, ~0U - 2), depth::as_far_as_fits);
    add_cold(all, wrapping("timed 2x2, numbers wrap", {{lock, lock}, {timed, timed}}, ~0U));
  }
  if (type_.offers.shared) add_cold(all, wrapping("shared 2x2, numbers wrap", {{lock, read}, {read, lock}}, ~0U));
}

stage<guarded> lock_harnesses::wrapping(const std::string& name, const parts& some, std::uint32_t first) const {
  return play(
      name, some,
      {.team = some.size() == 2 ? shape{{0, 1}} : shape{{0, 0, 1}}, .first = first_ticket{first}, .pass_limit = {}});
}

void lock_harnesses::add_usage(std::vector<check>& all) const {
  if (type_.offers.takes_nodes) {
    all.push_back({used_nodes(), depth::as_far_as_fits});
    all.push_back({ends_early(), depth::as_far_as_fits});
    all.push_back({held_to_the_end(), depth::exhausted});
    all.push_back({held_before_another_node(), depth::exhausted});
  }
  all.push_back({two_locks(), depth::as_far_as_fits});
  all.push_back({released_by_another(), depth::as_far_as_fits});
  if (type_.offers.unlock_ends_late) return;
  all.push_back({destroyed_by_the_last(2), depth::exhausted});
  all.push_back({destroyed_by_the_last(3), depth::as_far_as_fits});
  if (type_.offers.timed) all.push_back({destroyed_behind_one_who_gives_up(), depth::one_preemption});
}

program lock_harnesses::used_nodes() const {
  struct successor {
    explicit successor(const lock_type& type)
        : before{type.make({})}, used{use(*before, type.offers.timed)}, after{type.make({})} {}
    static bool use(any_lock& lock, bool timed) {
      lock.lock();
      if (timed) expect(!lock.try_lock_for(std::chrono::nanoseconds{0}), "a held lock is taken");
      lock.unlock();
      return true;
    }
    made<any_lock> before;
    bool used;
    made<any_lock> after;
    any_lock& lock = *after;
    explored::plain<std::uint32_t> count{0};
  };
  stage<successor> s{"made of used nodes", 2, type_};
  s.does([](successor& it, unsigned) {
    it.lock.lock();
    it.count = it.count + 1;
    it.lock.unlock();
  });
  if (type_.offers.domain_aware) s.in_domains({0, 1});
  return s.done();
}

program lock_harnesses::ends_early() const {
  using enum deed;
  stage<guarded> s =
      play("a thread ends", type_.offers.timed ? parts{{lock}, {timed}, {lock}} : parts{{lock}, {lock}, {lock}});
  s.with().explores_exits = true;
  return s.done();
}

program lock_harnesses::two_locks() const {
  struct pair_of {
    explicit pair_of(const lock_type& type) : first{type.make({})}, second{type.make({})} {}
    made<any_lock> first, second;
    any_lock &a = *first, &b = *second;
    explored::plain<std::uint32_t> count_a{0};
    explored::plain<std::uint32_t> count_b{0};
  };
  stage<pair_of> s{"two locks 2x1", 2, type_};
  s.warms_up([](pair_of& it, unsigned) {
    it.a.lock();
    it.b.lock();
    it.a.unlock();
    it.b.unlock();
  });
  s.does([](pair_of& it, unsigned) {
    it.a.lock();
    it.count_a = it.count_a + 1;
    it.b.lock();
    it.count_b = it.count_b + 1;
    it.a.unlock();
    it.count_b = it.count_b + 1;
    it.b.unlock();
  });
  s.then_checks([](pair_of& it) { expect(it.count_a == 2 && it.count_b == 4, "a section was lost"); });
  s.with().counts_nodes = true;
  if (type_.offers.domain_aware) s.in_domains({0, 1});
  return s.done();
}

program lock_harnesses::released_by_another() const {
  struct passed_on : guarded {
    explicit passed_on(const lock_type& type) : guarded{type} {}
    explored::atomic<std::uint32_t> taken{0};
  };
  stage<passed_on> s{"released by another", 3, type_};
  s.warms_up(warm).then_checks(nobody_was_lost);
  if (type_.offers.domain_aware) s.in_domains({0, 1, 0});
  s.does([](passed_on& it, unsigned t) {
    if (t == 0) {
      it.lock.lock();
      section(it, t);
      it.taken.store(1, memory_order::release);
    } else if (t == 1) {
      explored::await(it.taken, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
      it.lock.unlock();
    } else {
      once(it, t);
    }
    settle(1);
    if (t != 2) once(it, t);
    settle(2);
  });
  return s.done();
}

program lock_harnesses::destroyed_by_the_last(unsigned threads) const {
  struct scene_of_it {
    explicit scene_of_it(const lock_type& type) : it{type} {}
    mortal it;
    explored::plain<std::uint32_t> been{0};
    explored::plain<bool> destroyed{false};
  };
  stage<scene_of_it> s{"destroyed by the last " + std::to_string(threads) + "x1", threads, type_};
  if (type_.offers.domain_aware) {
    std::vector<unsigned> domains{0, 1, 0};
    domains.resize(threads);
    s.in_domains(domains);
  }
  s.warms_up([](scene_of_it& all, unsigned) {
    all.it.lock.lock();
    all.it.lock.unlock();
  });
  s.does([threads](scene_of_it& all, unsigned) {
    all.it.lock.lock();
    all.been = all.been + 1;
    const bool last = all.been == threads;
    all.it.lock.unlock();
    if (!last) return;
    all.destroyed = true;
    all.it.destroy();
  });
  s.then_checks([](scene_of_it& all) { expect(all.destroyed, "nobody was the last"); });
  return s.done();
}

program lock_harnesses::destroyed_behind_one_who_gives_up() const {
  struct scene_of_it {
    explicit scene_of_it(const lock_type& type) : it{type} {}
    mortal it;
    explored::atomic<std::uint32_t> gone{0};
  };
  stage<scene_of_it> s{"destroyed behind one who gives up", 3, type_};
  if (type_.offers.domain_aware) s.in_domains({0, 1, 0});
  s.warms_up([](scene_of_it& all, unsigned t) {
    if (t == 0) all.it.lock.lock();
  });
  s.does([](scene_of_it& all, unsigned t) {
    any_lock& lock = all.it.lock;
    if (t == 0) return lock.unlock();
    if (t == 1) {
      if (lock.try_lock_for(patience)) lock.unlock();
      return all.gone.store(1, memory_order::release);
    }
    explored::await(all.gone, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
    lock.lock();
    lock.unlock();
    all.it.destroy();
  });
  return s.done();
}

}  // namespace

subject lock_subject(const std::string& name, const std::string& header, const lock_type& type) {
  const lock_harnesses harnesses{type};
  subject its{name, header, {}};
  harnesses.add_exclusion(its.checks);
  try_harnesses{type}.add_to(its.checks);
  harnesses.add_usage(its.checks);
  shared_harnesses{type}.add_to(its.checks);
  order_harnesses{type}.add_to(its.checks);
  its.samples.push_back({harnesses.play("lock 6x2", each(6, 2)).done(), depth::exhausted});
  return its;
}

}  // namespace synchro::model_checker
