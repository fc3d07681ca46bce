// Lock elision beyond what the catalog's line tries: over the lock that sleeps, and two locks of which one is often held.

#include <string>
#include <utility>
#include <vector>

#include "model_checker/harnesses/try_harnesses.hpp"
#include "synchro/locks/elided.hpp"

namespace synchro::model_checker {

namespace {

using sleeping = basic_elided_lock<explored, spin_park>;

check tries(const char* name, const parts& all, depth how_far = depth::exhausted) {
  return {lock_programs{lock_type_of<sleeping>()}.play(name, all).done(), how_far};
}

/// One thread's transaction contains two sections; the others use one of the locks each.
program one_within_another() {
  struct scene {
    basic_elided_lock<explored, spin> a, b;
    explored::plain<std::uint32_t> count_a{0}, count_b{0};
  };
  stage<scene> s{"one within another 3x1", 3};
  s.does([](scene& it, unsigned t) {
    const bool takes_a = t != 2;
    const bool takes_b = t != 1;
    if (takes_a) it.a.lock();
    if (takes_b) it.b.lock();
    if (takes_a) it.count_a = it.count_a + 1;
    if (takes_b) it.count_b = it.count_b + 1;
    if (takes_a) it.a.unlock();
    if (takes_b) it.b.unlock();
  });
  s.then_checks([](scene& it) { expect(it.count_a == 2 && it.count_b == 2, "a section was lost"); });
  return s.done();
}

/// Who has unlocked, or whose try has failed, is in no transaction.
template <class Lock>
program ends_what_it_begins(const std::string& name) {
  struct scene {
    Lock lock;
    explored::plain<std::uint32_t> count{0};

    static void is_over() {
      expect(!explored::transactions::is_under_way(), "a section has ended, and its transaction goes on");
    }
    void once() {
      lock.lock();
      count = count + 1;
      lock.unlock();
      is_over();
    }
  };
  stage<scene> s{"ends what it begins, " + name, 2};
  s.does([](scene& it, unsigned t) {
    it.once();
    if (t == 0) return;
    if (it.lock.try_lock()) it.lock.unlock();
    it.is_over();
  });
  s.then_checks([](scene& it) { expect(it.count == 2, "a section was lost"); });
  return s.done();
}

}  // namespace

void add_elision(subjects& to);
void add_elision(subjects& to) {
  using enum deed;
  std::vector<check> all;
  all.push_back(tries("lock 2x1", {{lock}, {lock}}));
  all.push_back(tries("try, then lock", {{lock}, {try_lock, lock}}));
  all.push_back(tries("lock 2x2", {{lock, lock}, {lock, lock}}, depth::as_far_as_fits));
  all.push_back(tries("lock 3x1", {{lock}, {lock}, {lock}}, depth::as_far_as_fits));
  all.push_back({try_harnesses{lock_type_of<sleeping>()}.alone(), depth::exhausted});
  all.push_back({one_within_another(), depth::as_far_as_fits});
  all.push_back({ends_what_it_begins<sleeping>("mutex"), depth::exhausted});
  all.push_back({ends_what_it_begins<basic_elided_lock<explored, spin>>("ttas"), depth::exhausted});
  to.push_back({"elided/park", "synchro/locks/elided.hpp", std::move(all)});
}

}  // namespace synchro::model_checker
