// Nodes of the caller's own beside other ways in: what is the caller's stays the caller's, and what it has given away is no longer
// its own. Nodes are counted at the end.

#include <string>
#include <utility>
#include <vector>

#include "model_checker/harnesses/lock_programs.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/waiting.hpp"

namespace synchro::model_checker {

namespace {

using programs = lock_programs;

void locks(own_node& mine, guarded& it, unsigned t) {
  mine.lock();
  programs::section(it, t);
  mine.unlock();
}
void tries(own_node& mine, guarded& it, unsigned t) {
  if (!mine.try_lock()) return;
  programs::section(it, t);
  mine.unlock();
}

/// Thread 0 has a node of its own; thread 1 has none.
template <class Lock>
program beside(const std::string& name, void (*with)(own_node&, guarded&, unsigned), deed other) {
  stage<guarded> s = programs{lock_type_of<Lock>()}.cold(name, 2);
  s.does([=](guarded& it, unsigned t) {
    if (t == 0) return it.lock.with_own_node(with, it, t);
    programs::act(it, t, other);
  });
  s.with().counts_nodes = true;
  return s.done();
}

/// Gives the caller's node to the pool when it has released by it.
struct gives_callers_node : basic_mcs_lock<explored, spin> {
  using sound = basic_mcs_lock<explored, spin>;
  using sound::unlock;
  void unlock(sound::node& mine) {
    sound::unlock(mine);
    node_pool<explored, sound::node>::give(&mine);
  }
};

/// Gives a node to the pool when it has released, and once more.
struct gives_twice : basic_mcs_lock<explored, spin> {
  using sound = basic_mcs_lock<explored, spin>;
  using sound::unlock;
  void unlock() {
    sound::unlock();
    using nodes = node_pool<explored, node>;
    node* const one = nodes::take();
    nodes::give(one);
    nodes::give(one);
  }
};

template <class Lock>
void add_both(std::vector<check>& to, const std::string& name) {
  to.push_back({beside<Lock>(name + " own node, one behind it gives up", locks, deed::timed), depth::exhausted});
  to.push_back({beside<Lock>(name + " own node, tries in vain", tries, deed::lock), depth::exhausted});
}

}  // namespace

void add_own_nodes(subjects& to);
void add_own_nodes(subjects& to) {
  std::vector<check> all;
  add_both<basic_mcs_lock<explored, spin>>(all, "mcs");
  add_both<basic_mcs_lock<explored, spin_park>>(all, "mcs/park");
  add_both<basic_clh_lock<explored, spin>>(all, "clh");
  to.push_back({"own_nodes", "synchro/locks/mcs.hpp", std::move(all)});
}

void add_seeded_own_nodes(subjects& to);
void add_seeded_own_nodes(subjects& to) {
  to.push_back(seeded("gives_callers_node", beside<gives_callers_node>("own node", locks, deed::timed)));
  to.push_back(seeded("gives_twice", beside<gives_twice>("own node", locks, deed::lock)));
}

}  // namespace synchro::model_checker
