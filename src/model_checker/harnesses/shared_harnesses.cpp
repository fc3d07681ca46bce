#include "model_checker/harnesses/shared_harnesses.hpp"

namespace synchro::model_checker {

void shared_harnesses::add_to(std::vector<check>& all) const {
  if (!type_.offers.shared) return;
  using enum deed;
  add(all, "shared, 2 readers 1 writer", {{lock}, {read}, {read}});
  add(all, "shared, 1 reader 2 writers", {{lock}, {lock}, {read}});
  add(all, "shared, 4 readers 1 writer", {{lock}, {read}, {read}, {read}, {read}});
  add(all, "shared 2x2", {{lock, lock}, {read, read}}, depth::exhausted);
  all.push_back({model_checker::cold(play("shared 2x2", {{lock, lock}, {read, read}}).done()), depth::exhausted});
  add(all, "shared, in turns 2x2", {{lock, read}, {read, lock}}, depth::exhausted);
  all.push_back({try_between_turns(), depth::exhausted});
  add(all, "try, lock and shared", {{try_lock}, {lock}, {read}});
  add(all, "try, then shared, beside both", {{try_lock, read}, {lock}, {read}});
  if (type_.offers.tries_shared) {
    add(all, "shared, try 3x1", {{lock}, {try_lock, read}, {try_read}});
    add(all, "shared, try when others have met", {{lock, read}, {try_read}, {read}});
    all.push_back({try_alone(), depth::exhausted});
    all.push_back({try_beside_a_reader(), depth::exhausted});
  }
  all.push_back({together(), depth::exhausted});
  if (type_.offers.queues) all.push_back({spread_meanwhile(), depth::exhausted});
  all.push_back({destroyed_by_a_writer(), depth::exhausted});
}

void shared_harnesses::add(std::vector<check>& all, const char* name, const parts& some, depth how_far) const {
  all.push_back({play(name, some).done(), how_far});
}

program shared_harnesses::try_between_turns() const {
  using enum deed;
  return play("shared, a try between turns", {{lock, try_lock, lock}, {read}}).done();
}

program shared_harnesses::try_alone() const {
  stage<guarded> s = base("shared, try alone", 1);
  s.does([](guarded& it, unsigned) {
    for (unsigned i = 0; i < 2; ++i) expect(it.lock.try_lock_shared(), "no reader is let in though nobody writes");
    expect(!it.lock.try_lock(), "a writer is let in beside readers");
    for (unsigned i = 0; i < 2; ++i) it.lock.unlock_shared();
    expect(it.lock.try_lock(), "no writer is let in though nobody is there");
    expect(!it.lock.try_lock_shared(), "a reader is let in beside a writer");
    it.lock.unlock();
    expect(it.lock.try_lock_shared(), "no reader is let in after the writer has left");
    it.lock.unlock_shared();
  });
  return s.done();
}

program shared_harnesses::try_beside_a_reader() const {
  stage<guarded> s = base("shared, try beside a reader", 2);
  s.does([](guarded& it, unsigned t) {
    if (t == 0) return read_once(it);
    expect(it.lock.try_lock_shared(), "no reader is let in though nobody writes");
    it.lock.unlock_shared();
  });
  return s.done();
}

program shared_harnesses::together() const {
  struct meeting : guarded {
    explicit meeting(const lock_type& type) : guarded{type} {}
    explored::atomic<std::uint32_t> inside{0};
  };
  stage<meeting> s{"shared, readers meet inside", 2, type_};
  if (type_.offers.domain_aware) s.in_domains({0, 1});
  s.does([](meeting& it, unsigned) {
    it.lock.lock_shared();
    it.inside.fetch_add(1, memory_order::relaxed);
    explored::await(it.inside, memory_order::relaxed, [](std::uint32_t v) { return v == 2; });
    it.lock.unlock_shared();
  });
  return s.done();
}

program shared_harnesses::spread_meanwhile() const {
  stage<guarded> s = base("shared, spread while another comes", 3);
  s.does([](guarded& it, unsigned t) {
    if (t == 0) return read_once(it);
    if (t == 1) return;
    for (unsigned i = 0; i < 3; ++i) it.lock.lock_shared();
    for (unsigned i = 0; i < 3; ++i) it.lock.unlock_shared();
  });
  s.cools_down([](guarded& it, unsigned t) {
    once(it, t);
    expect(it.lock.try_lock(), "no writer is let in though nobody is there");
    section(it, t);
    it.lock.unlock();
  });
  return s.done();
}

program shared_harnesses::destroyed_by_a_writer() const {
  struct scene_of_it {
    explicit scene_of_it(const lock_type& type) : it{type} {}
    mortal it;
    explored::atomic<std::uint32_t> read{0};
  };
  stage<scene_of_it> s{"shared, destroyed by a writer", 2, type_};
  if (type_.offers.domain_aware) s.in_domains({0, 1});
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

}  // namespace synchro::model_checker
