// The nodes of waiters that give up. Queues in which such a waiter takes its node back when nobody is behind it have no
// abandoned nodes then: whoever gives up again finds its own and makes no other.

#include <optional>
#include <string>

#include "model_checker/harnesses/lock_programs.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/hierarchical/hclh.hpp"
#include "synchro/locks/hierarchical/hmcs.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/waiting.hpp"

namespace synchro::model_checker {

namespace {

/// Thread 0 holds the lock from the start. Nodes are counted at the end.
template <class Lock>
stage<guarded> behind_a_holder(const std::string& name, unsigned threads) {
  stage<guarded> s = lock_programs{lock_type_of<Lock>()}.cold(name, threads);
  s.warms_up([](guarded& it, unsigned t) {
    if (t == 0) it.lock.lock();
  });
  s.with().counts_nodes = true;
  return s;
}

/// Thread 0 holds the lock; thread 1 gives up, and then again.
template <class Lock>
program gives_up_again(const std::string& name) {
  using programs = lock_programs;
  stage<guarded> s = behind_a_holder<Lock>(name + " gives up again", 2);
  s.does([](guarded& it, unsigned t) {
    if (t == 0) return;
    expect(!it.lock.try_lock_for(programs::patience), "a held lock is taken");
    const std::size_t before = world::current().blocks();
    for (unsigned i = 0; i < 2; ++i) expect(!it.lock.try_lock_for(programs::patience), "a held lock is taken");
    expect(world::current().blocks() == before, "a waiter that gives up behind the holder leaves its node");
  });
  s.cools_down([](guarded& it, unsigned t) {
    if (t == 0) it.lock.unlock();
  });
  return s.done();
}

/// Of two who give up behind a holder the second may have taken over the first one's node. Another lock is made of it, which
/// has nobody before it.
template <class Lock>
program made_of_abandoned_nodes(const std::string& name) {
  using programs = lock_programs;
  stage<guarded> s = behind_a_holder<Lock>(name + " made of nodes that were given up", 3);
  s.does([](guarded& it, unsigned t) {
    if (t == 0) return;
    expect(!it.lock.try_lock_for(programs::patience), "a held lock is taken");
    if (t == 1) return;
    const lock_type type = lock_type_of<Lock>();
    const made<any_lock> of_its_own{type.make({})};
    const made<any_lock> of_the_other{type.make({})};
  });
  s.cools_down([](guarded& it, unsigned t) {
    if (t == 0) return it.lock.unlock();
    if (t == 2) programs::once(it, t);  // with what it finds in its pool
  });
  return s.done();
}

/// Who has time waits on behind one who gives up.
template <class Lock>
program without_end(const std::string& name) {
  using programs = lock_programs;
  stage<guarded> s = behind_a_holder<Lock>(name + " without end, behind one who gives up", 3);
  s.does([](guarded& it, unsigned t) {
    if (t == 0) return it.lock.unlock();
    programs::act(it, t, t == 1 ? deed::timed : deed::endless);
  });
  return s.done();
}

/// Waits by which three who have come give up at one time.
struct gives_up_with_others : spin {
  template <class Machine, class Word, class Limit>
  static std::optional<std::uint32_t> wait_until(Word& /*word*/, std::uint32_t /*awaited*/, Limit /*limit*/) {
    there->fetch_add(1, memory_order::relaxed);
    Machine::await(*there, memory_order::relaxed, [](std::uint32_t n) { return n == 3; });
    return std::nullopt;
  }
  static inline explored::atomic<std::uint32_t>* there = nullptr;
};

/// What they leave is found by one who tries, or by the lock's destructor.
template <class Lock>
program three_give_up(const std::string& name, bool tries) {
  struct crowd : guarded {
    explicit crowd(const lock_type& type) : guarded{type} { gives_up_with_others::there = &there; }
    explored::atomic<std::uint32_t> there{0};
  };
  stage<crowd> s{name + " three give up" + (tries ? ", and one tries" : ""), 4, lock_type_of<Lock>()};
  s.warms_up([](crowd& it, unsigned t) {
    if (t == 0) it.lock.lock();
  });
  s.does([](crowd& it, unsigned t) {
    if (t != 0) expect(!it.lock.try_lock_for(lock_programs::patience), "a held lock is taken");
  });
  s.cools_down([tries](crowd& it, unsigned t) {
    if (t != 0) return;
    it.lock.unlock();
    if (!tries) return;
    expect(it.lock.try_lock(), "a free lock is not taken");
    it.lock.unlock();
  });
  s.with().counts_nodes = true;
  return s.done();
}

/// Waits by which the holder releases when the deadline has come, and before the waiter has said so.
struct too_late_to_give_up : spin {
  template <class Machine, class Word, class Limit>
  static std::optional<std::uint32_t> wait_until(Word& /*word*/, std::uint32_t /*awaited*/, Limit /*limit*/) {
    held->unlock();
    return std::nullopt;
  }
  static inline any_lock* held = nullptr;
};

/// As often as would make a crowd, if each had given up.
template <class Lock>
program handed_over_too_late(const std::string& name) {
  using programs = lock_programs;
  stage<guarded> s = programs{lock_type_of<Lock>()}.cold(name + " handed over as the deadline comes", 1);
  s.does([](guarded& it, unsigned t) {
    too_late_to_give_up::held = &it.lock;
    it.lock.lock();
    for (unsigned i = 0; i <= programs::crowd; ++i) {
      expect(it.lock.try_lock_for(programs::patience), "who was handed the lock gives up");
      programs::section(it, t);
    }
    it.lock.unlock();
  });
  s.with().counts_nodes = true;
  return s.done();
}

}  // namespace

void add_give_ups(subjects& to);
void add_give_ups(subjects& to) {
  std::vector<check> programs;
  programs.push_back({gives_up_again<basic_clh_lock<explored, spin>>("clh"), depth::exhausted});
  programs.push_back({gives_up_again<basic_clh_lock<explored, spin_park>>("clh/park"), depth::exhausted});
  programs.push_back({gives_up_again<basic_hclh_lock<explored, spin>>("hclh"), depth::exhausted});
  programs.push_back({gives_up_again<basic_hclh_lock<explored, spin_park>>("hclh/park"), depth::exhausted});
  programs.push_back({made_of_abandoned_nodes<basic_clh_lock<explored, spin>>("clh"), depth::exhausted});
  programs.push_back({made_of_abandoned_nodes<basic_hclh_lock<explored, spin>>("hclh"), depth::exhausted});
  programs.push_back({without_end<basic_clh_lock<explored, spin>>("clh"), depth::exhausted});
  using together = basic_clh_lock<explored, gives_up_with_others>;
  for (const bool tries : {false, true}) programs.push_back({three_give_up<together>("clh", tries), depth::exhausted});
  programs.push_back({lock_programs{lock_type_of<basic_mcs_lock<explored, spin>>()}.held_to_the_end(
                          "mcs held until a thread ends, before one who gives up", {deed::timed, deed::lock}),
                      depth::exhausted});
  using late = too_late_to_give_up;
  programs.push_back({handed_over_too_late<basic_mcs_lock<explored, late>>("mcs"), depth::exhausted});
  programs.push_back({handed_over_too_late<basic_hmcs_lock<explored, late>>("hmcs"), depth::exhausted});
  to.push_back({"give_ups", "synchro/locks/clh.hpp", std::move(programs)});
}

}  // namespace synchro::model_checker
