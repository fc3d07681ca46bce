#include "model_checker/harnesses/lock_programs.hpp"

namespace synchro::model_checker {

namespace {

/// Domain 0, 0, 1, 0, 1, ...: with two threads one each, with three two and one.
std::vector<unsigned> two_domains(unsigned threads) {
  std::vector<unsigned> domains(threads);
  for (unsigned t = 0; t < threads; ++t) domains[t] = threads == 2 ? t : t == 0 ? 0 : (t + 1) % 2;
  return domains;
}

void try_read_once(guarded& s) {
  if (!s.lock.try_lock_shared()) return;
  expect(s.count + 1 != 0, "");
  s.lock.unlock_shared();
}

void unlocks(void* lock) { static_cast<any_lock*>(lock)->unlock(); }

}  // namespace

void lock_programs::section(guarded& s, unsigned t) {
  s.count = s.count + 1;
  s.entered[t] = s.entered[t] + 1;
}

void lock_programs::once(guarded& s, unsigned t) {
  s.lock.lock();
  section(s, t);
  s.lock.unlock();
}

void lock_programs::try_once(guarded& s, unsigned t) {
  if (!s.lock.try_lock()) return;
  section(s, t);
  s.lock.unlock();
}

bool lock_programs::timed_once(guarded& s, unsigned t, std::chrono::nanoseconds how_long) {
  if (!s.lock.try_lock_for(how_long)) return false;
  section(s, t);
  s.lock.unlock();
  return true;
}

void lock_programs::read_once(guarded& s) {
  s.lock.lock_shared();
  expect(s.count + 1 != 0, "");
  s.lock.unlock_shared();
}

void lock_programs::act(guarded& s, unsigned t, deed what) {
  switch (what) {
    case deed::lock:
      return once(s, t);
    case deed::try_lock:
      return try_once(s, t);
    case deed::timed:
      return void(timed_once(s, t, patience));
    case deed::late:
      return void(timed_once(s, t, std::chrono::nanoseconds{0}));
    case deed::endless:
      return expect(timed_once(s, t, std::chrono::nanoseconds::max()), "gives up before the deadline");
    case deed::read:
      return read_once(s);
    case deed::try_read:
      return try_read_once(s);
  }
}

void lock_programs::warm(guarded& s, unsigned) {
  s.lock.lock();
  s.lock.unlock();
}

void lock_programs::nobody_was_lost(guarded& s) {
  std::uint32_t sum = 0;
  for (auto& each : s.entered) sum += each;
  expect(s.count == sum, "the sections counted and those entered differ");
}

stage<guarded> lock_programs::base(const std::string& name, unsigned threads, const recipe& how) const {
  stage<guarded> s = cold(name, threads, how);
  s.warms_up(warm);
  return s;
}

stage<guarded> lock_programs::cold(const std::string& name, unsigned threads, const recipe& how) const {
  stage<guarded> s{name, threads, type_, how};
  s.then_checks(nobody_was_lost);
  if (type_.offers.domain_aware) s.in_domains(two_domains(threads));
  return s;
}

stage<guarded> lock_programs::play(const std::string& name, const parts& all, const recipe& how) const {
  stage<guarded> s = base(name, static_cast<unsigned>(all.size()), how);
  s.does([all](guarded& it, unsigned t) {
    std::uint64_t done = 0;
    for (const deed each : all[t]) {
      settle(done++);
      act(it, t, each);
    }
    settle(done);
  });
  s.with().counts_nodes = true;
  return s;
}

program lock_programs::held_to_the_end(const std::string& name, const std::vector<deed>& meanwhile) const {
  stage<guarded> s = cold(name, 2);
  s.does([meanwhile](guarded& it, unsigned t) {
    if (t != 0) {
      for (const deed each : meanwhile) act(it, t, each);
      return;
    }
    explored::at_thread_exit<unlocks>(&it.lock);  // asked for first, so it is called last
    it.lock.lock();
    section(it, t);
  });
  s.with().explores_exits = true;
  s.with().counts_nodes = true;
  return s.done();
}

program lock_programs::held_before_another_node() const {
  struct two {
    explicit two(const lock_type& type) : one{type.make({})}, other{type.make({})} {}
    made<any_lock> one, other;
    any_lock &first = *one, &second = *other;
  };
  stage<two> s{"held until a thread ends, one of two nodes", 1, type_};
  s.does([](two& it, unsigned) {
    explored::at_thread_exit<unlocks>(&it.first);  // called last
    it.first.lock();
    it.second.lock();
    it.second.unlock();
    it.first.unlock();
    it.first.lock();
  });
  s.with().explores_exits = true;
  s.with().counts_nodes = true;
  return s.done();
}

}  // namespace synchro::model_checker
