// The programs that try a lock with a shared side.

#ifndef SYNCHRO_EXPLORER_CLIENTS_SHARED_CLIENTS_HPP
#define SYNCHRO_EXPLORER_CLIENTS_SHARED_CLIENTS_HPP

#include <string>
#include <vector>

#include "explorer/clients/lock_programs.hpp"

namespace synchro::explorer {

template <class Lock>
class shared_clients {
  using programs = lock_programs<Lock>;
  using scene = typename programs::scene;

 public:
  static void add_to(std::vector<check>& all) {
    if constexpr (shared_lockable<Lock>) {
      all.push_back({mixed("shared, 2 readers 1 writer", 1), depth::as_far_as_fits});
      all.push_back({mixed("shared, 1 reader 2 writers", 2), depth::as_far_as_fits});
      all.push_back({twice(), depth::exhausted});
      all.push_back({turns(), depth::exhausted});
      if constexpr (requires(Lock & l) { l.try_lock_shared(); }) all.push_back({tries(), depth::as_far_as_fits});
      all.push_back({together(), depth::exhausted});
      all.push_back({destroyed_by_a_writer(), depth::exhausted});
    }
  }

 private:
  static program mixed(const std::string& name, unsigned writers) {
    stage<scene> s = programs::base(name, 3);
    s.does([writers](scene& it, unsigned t) {
      if (t < writers)
        programs::once(it, t);
      else
        programs::read_once(it);
      settle(1);
    });
    return s.done();
  }

  static program twice() {
    stage<scene> s = programs::base("shared 2x2", 2);
    s.does([](scene& it, unsigned t) {
      for (unsigned i = 0; i < 2; ++i) {
        settle(i);
        if (t == 0)
          programs::once(it, t);
        else
          programs::read_once(it);
      }
      settle(2);
    });
    return s.done();
  }

  /// Who writes, reads next, and the other way round.
  static program turns() {
    stage<scene> s = programs::base("shared, in turns 2x2", 2);
    s.does([](scene& it, unsigned t) {
      for (unsigned i = 0; i < 2; ++i) {
        settle(i);
        if (t == i)
          programs::once(it, t);
        else
          programs::read_once(it);
      }
      settle(2);
    });
    return s.done();
  }

  static program tries() {
    stage<scene> s = programs::base("shared, try 3x1", 3);
    s.does([](scene& it, unsigned t) {
      if (t == 0) {
        programs::once(it, t);
      } else if (t == 1) {
        programs::try_once(it, t);
      } else if (it.lock.try_lock_shared()) {
        expect(it.count + 1 != 0, "");
        it.lock.unlock_shared();
      }
      settle(1);
      if (t == 1) programs::read_once(it);
      settle(2);
    });
    return s.done();
  }

  /// Readers are inside together: each waits there for the other.
  static program together() {
    struct meeting : scene {
      explored::atomic<std::uint32_t> inside{0};
    };
    stage<meeting> s{"shared, readers meet inside", 2};
    if (Lock::traits.domain_aware) s.in_domains({0, 1});
    s.does([](meeting& it, unsigned) {
      it.lock.lock_shared();
      it.inside.fetch_add(1, memory_order::relaxed);
      explored::await(it.inside, memory_order::relaxed, [](std::uint32_t v) { return v == 2; });
      it.lock.unlock_shared();
    });
    return s.done();
  }

  /// A writer who finds that the reader has been there destroys the lock. (A reader may not: a writer lets readers in
  /// before it serves the next writer.)
  static program destroyed_by_a_writer() {
    struct scene_of_it {
      mortal<Lock> it;
      explored::atomic<std::uint32_t> read{0};
    };
    stage<scene_of_it> s{"shared, destroyed by a writer", 2};
    if (Lock::traits.domain_aware) s.in_domains({0, 1});
    s.does([](scene_of_it& all, unsigned t) {
      if (t == 1) {
        all.it.lock.lock_shared();
        all.read.store(1, memory_order::relaxed);
        all.it.lock.unlock_shared();
        return;
      }
      all.it.lock.lock();
      const bool last = all.read.load(memory_order::relaxed) == 1;
      all.it.lock.unlock();
      if (last) all.it.destroy();
    });
    return s.done();
  }
};

}  // namespace synchro::explorer

#endif
