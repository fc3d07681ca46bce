// Locks whose waiters take nodes, where there is no memory for one: what throws has changed nothing.

#include <cstddef>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "model_checker/harnesses/lock_programs.hpp"
#include "synchro/locks/fair_mutex.hpp"
#include "synchro/locks/hierarchical/hmcs.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/waiting.hpp"

namespace synchro::model_checker {

namespace {

constexpr std::size_t plenty = 100;

/// The machine that has memory for so many objects, and for no more.
struct short_of_nodes : explored {
  static inline std::size_t left = plenty;

  template <class T, class... Arguments>
  static T* make(Arguments&&... arguments) {
    if (left == 0) throw std::bad_alloc{};
    --left;
    return explored::make<T>(std::forward<Arguments>(arguments)...);
  }
};

/// A waiter in time behind the holder gets no node, and then one at a time: whether it throws or gives up, the lock is what it was,
/// and can be had as often as one likes when the holder has gone; and what it got serves the next.
template <class Lock>
program refused(const std::string& name, std::size_t nodes_of_holder) {
  struct scene {
    std::size_t before = short_of_nodes::left = plenty;
    Lock lock;
  };
  stage<scene> s{name + ", no memory for a node", 1};
  s.does([=](scene& it, unsigned) {
    const auto throws = [&it] {
      try {
        expect(!it.lock.try_lock_for(lock_programs::patience), "a held lock is taken");
        return false;
      } catch (const std::bad_alloc&) {
        return true;
      }
    };
    short_of_nodes::left = nodes_of_holder;
    it.lock.lock();
    expect(throws(), "there was memory");
    for (int times = 0; times != 2; ++times) {
      short_of_nodes::left = 1;
      static_cast<void>(throws());
    }
    it.lock.unlock();
    short_of_nodes::left = 0;
    it.lock.lock();
    expect(!throws(), "nodes that there were are lost");
    short_of_nodes::left = plenty;
    it.lock.unlock();
    for (int times = 0; times != 3; ++times) {
      expect(it.lock.try_lock(), "a lock that nobody has is not free");
      it.lock.unlock();
    }
  });
  return s.done();
}

}  // namespace

void add_no_nodes(subjects& to);
void add_no_nodes(subjects& to) {
  using machine = short_of_nodes;
  std::vector<check> all;
  all.push_back({refused<basic_fair_mutex_lock<machine, spin_park, 1>>("fair_mutex", 0), depth::exhausted});
  all.push_back({refused<basic_mcs_lock<machine, spin>>("mcs", 1), depth::exhausted});
  all.push_back({refused<basic_hmcs_lock<machine, spin>>("hmcs", 1), depth::exhausted});
  to.push_back({"no_nodes", "synchro/locks/fair_mutex.hpp", std::move(all)});
}

}  // namespace synchro::model_checker
