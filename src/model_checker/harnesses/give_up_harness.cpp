// The nodes of waiters that give up. Queues in which such a waiter takes its node back when nobody is behind it have no
// abandoned nodes then: whoever gives up again finds its own and makes no other.

#include <string>

#include "model_checker/harnesses/lock_programs.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/hierarchical/hclh.hpp"
#include "synchro/waiting.hpp"

namespace synchro::model_checker {

namespace {

/// Thread 0 holds the lock; thread 1 gives up, and then again.
template <class Lock>
program gives_up_again(const std::string& name) {
  using programs = lock_programs;
  stage<guarded> s = programs{lock_type_of<Lock>()}.cold(name + " gives up again", 2);
  s.warms_up([](guarded& it, unsigned t) {
    if (t == 0) it.lock.lock();
  });
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
  to.push_back({"give_ups", "synchro/locks/clh.hpp", std::move(programs)});
}

}  // namespace synchro::model_checker
