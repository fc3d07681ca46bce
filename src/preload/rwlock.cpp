// Readers-writers locks. The chosen lock serves them if it has a shared side, otherwise shared_mutex does, which sleeps.
//
// Preference. Writers: a reader that comes while a writer waits waits for it, under all locks that serve here. glibc's
// default lets readers pass, and with it a thread may read twice without asking who came in between. That holds here, too:
// a thread's own reads are remembered, `most` at a time, and one that it has already is only counted. (Those initialised as
// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP are spared this.)

#include "preload/rwlock.hpp"

#include <pthread.h>
#include <sched.h>

#include <cerrno>
#include <cstring>

#include "preload/calls.hpp"
#include "preload/clocks.hpp"
#include "preload/natives.hpp"
#include "preload/object.hpp"
#include "preload/recorder.hpp"
#include "preload/start.hpp"

namespace synchro::preload {

namespace {

/// What the calling thread reads at present.
class own_reads {
 public:
  /// True if it reads this already: once more.
  bool again(const rwlock_object& o) noexcept {
    entry* const found = find(o);
    if (found != nullptr) ++found->depth;
    return found != nullptr;
  }
  void add(const rwlock_object& o) noexcept {
    if (count_ < most) entries_[count_++] = {&o, 1};
  }
  /// True if it still reads this.
  bool less(const rwlock_object& o) noexcept {
    entry* const found = find(o);
    if (found == nullptr) return false;
    if (--found->depth != 0) return true;
    *found = entries_[--count_];
    return false;
  }
  [[nodiscard]] bool has(const rwlock_object& o) noexcept { return find(o) != nullptr; }

 private:
  struct entry {
    const rwlock_object* object;
    unsigned depth;
  };
  static constexpr unsigned most = 32;

  entry* find(const rwlock_object& o) noexcept {
    for (unsigned i = count_; i-- != 0;)
      if (entries_[i].object == &o) return &entries_[i];
    return nullptr;
  }

  entry entries_[most]{};
  unsigned count_ = 0;
};
thread_local constinit own_reads reads;

enum class server : std::uint8_t { ours, native, nobody };

/// As of mutexes (mutex.cpp). In the child of a fork only the thread that forked still reads.
void adopt(rwlock_object& o, mark::word seen, std::uint32_t now) {
  if (!o.state.compare_exchange_strong(seen, mark::busy(now, kind::plain), std::memory_order_acquire)) return;
  const std::uint32_t writer = seen != 0 ? o.writer.load(std::memory_order_relaxed) : nobody;
  chosen.rwlock->make(o);
  if (writer != nobody)
    chosen.rwlock->lock(o);
  else if (reads.has(o))
    chosen.rwlock->lock_shared(o);
  o.writer.store(writer != nobody && writer == chosen.forker ? this_thread() : writer, std::memory_order_relaxed);
  o.state.store(mark::ready(now, kind::plain), std::memory_order_release);
  if (seen == 0) counted.add(event::adopted_rwlock);
}

server server_of(pthread_rwlock_t* l) noexcept {
  if (!started()) return server::nobody;
  if (chosen.leaves_all) return server::native;
  rwlock_object& o = object_of(l);
  for (;;) {
    const std::uint32_t now = chosen.generation.load(std::memory_order_relaxed);
    const mark::word seen = o.state.load(std::memory_order_acquire);
    const bool ours = mark::is_ours(seen);
    if (ours && mark::is_of(seen, now)) {
      if (!mark::is_busy(seen)) return server::ours;
      sched_yield();
    } else {
      if (!ours && (seen != 0 || __atomic_load_n(&l->__data.__shared, __ATOMIC_RELAXED) != 0)) return server::native;
      adopt(o, seen, now);
    }
  }
}

bool may_read_twice(const pthread_rwlock_t* l) {
  return l->__data.__flags != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

bool writes(const rwlock_object& o) { return o.writer.load(std::memory_order_relaxed) == this_thread(); }

/// Takes the shared side as `take` does.
template <class Take, class Native>
int read(pthread_rwlock_t* l, int if_writing, Take take, Native left_to) {
  switch (server_of(l)) {
    case server::native:
      return left_to();
    case server::nobody:
      return 0;
    case server::ours:
      break;
  }
  rwlock_object& o = object_of(l);
  if (writes(o)) return if_writing;
  const bool remembers = may_read_twice(l);
  if (remembers && reads.again(o)) return 0;
  const int outcome = take(o);
  if (outcome == 0 && remembers) reads.add(o);
  return outcome;
}

template <class Take, class Native>
int write(pthread_rwlock_t* l, int if_writing, Take take, Native left_to) {
  switch (server_of(l)) {
    case server::native:
      return left_to();
    case server::nobody:
      return 0;
    case server::ours:
      break;
  }
  rwlock_object& o = object_of(l);
  if (writes(o)) return if_writing;
  const int outcome = take(o);
  if (outcome == 0) o.writer.store(this_thread(), std::memory_order_relaxed);
  return outcome;
}

}  // namespace

int lock_shared(pthread_rwlock_t* l) noexcept {
  return read(
      l, EDEADLK, [](rwlock_object& o) { return chosen.rwlock->lock_shared(o); },
      [=] { return native.pthread_rwlock_rdlock(l); });
}

int try_lock_shared(pthread_rwlock_t* l) noexcept {
  return read(
      l, EBUSY, [](rwlock_object& o) { return chosen.rwlock->try_lock_shared(o); },
      [=] { return native.pthread_rwlock_tryrdlock(l); });
}

int lock(pthread_rwlock_t* l) noexcept {
  return write(
      l, EDEADLK, [](rwlock_object& o) { return chosen.rwlock->lock(o); },
      [=] { return native.pthread_rwlock_wrlock(l); });
}

int try_lock(pthread_rwlock_t* l) noexcept {
  return write(
      l, EBUSY, [](rwlock_object& o) { return chosen.rwlock->try_lock(o); },
      [=] { return native.pthread_rwlock_trywrlock(l); });
}

int unlock(pthread_rwlock_t* l) noexcept {
  switch (server_of(l)) {
    case server::native:
      return native.pthread_rwlock_unlock(l);
    case server::nobody:
      return 0;
    case server::ours:
      break;
  }
  rwlock_object& o = object_of(l);
  if (writes(o)) {
    o.writer.store(nobody, std::memory_order_relaxed);
    chosen.rwlock->unlock(o);
  } else if (!reads.less(o)) {
    chosen.rwlock->unlock_shared(o);
  }
  return 0;
}

int lock_shared_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept {
  const auto take = [=](rwlock_object& o) {
    if (chosen.rwlock->try_lock_shared(o) == 0) return 0;
    return is_valid(*moment) ? chosen.rwlock->lock_shared_until(o, deadline_of(clock, *moment)) : EINVAL;
  };
  if (!is_clock(clock)) return EINVAL;
  return read(l, EDEADLK, take, [=] { return native.pthread_rwlock_clockrdlock(l, clock, moment); });
}

int lock_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept {
  const auto take = [=](rwlock_object& o) {
    if (chosen.rwlock->try_lock(o) == 0) return 0;
    return is_valid(*moment) ? chosen.rwlock->lock_until(o, deadline_of(clock, *moment)) : EINVAL;
  };
  if (!is_clock(clock)) return EINVAL;
  return write(l, EDEADLK, take, [=] { return native.pthread_rwlock_clockwrlock(l, clock, moment); });
}

int destroy(pthread_rwlock_t* l) noexcept {
  if (!started()) return 0;
  rwlock_object& o = object_of(l);
  const mark::word seen = o.state.load(std::memory_order_acquire);
  if (!mark::is_ours(seen)) return native.pthread_rwlock_destroy(l);
  if (mark::is_of(seen, chosen.generation.load(std::memory_order_relaxed))) chosen.rwlock->unmake(o);
  std::memset(l, 0, sizeof *l);
  return 0;
}

int initialise(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept {
  std::memset(l, 0, sizeof *l);
  if (attributes == nullptr || !started()) return 0;
  const int error = native.pthread_rwlock_init(l, attributes);
  if (error == 0 && l->__data.__shared != 0) counted.add(event::native_rwlock);
  return error;
}

}  // namespace synchro::preload

using namespace synchro::preload;  // NOLINT(google-build-using-namespace): the functions below are one line each

extern "C" {
#pragma GCC visibility push(default)

int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept {
  counted.add(call::pthread_rwlock_init);
  return served::initialise(l, attributes);
}

int pthread_rwlock_destroy(pthread_rwlock_t* l) noexcept {
  counted.add(call::pthread_rwlock_destroy);
  return destroy(l);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* l) noexcept {
  counted.add(call::pthread_rwlock_rdlock);
  return served::lock_shared(l);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  counted.add(call::pthread_rwlock_tryrdlock);
  return served::try_lock_shared(l);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* moment) noexcept {
  counted.add(call::pthread_rwlock_timedrdlock);
  return served::lock_shared_until(l, CLOCK_REALTIME, moment);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept {
  counted.add(call::pthread_rwlock_clockrdlock);
  return served::lock_shared_until(l, clock, moment);
}

int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
  counted.add(call::pthread_rwlock_wrlock);
  return served::lock(l);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  counted.add(call::pthread_rwlock_trywrlock);
  return served::try_lock(l);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* moment) noexcept {
  counted.add(call::pthread_rwlock_timedwrlock);
  return served::lock_until(l, CLOCK_REALTIME, moment);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept {
  counted.add(call::pthread_rwlock_clockwrlock);
  return served::lock_until(l, clock, moment);
}

int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept {
  counted.add(call::pthread_rwlock_unlock);
  return served::unlock(l);
}

#pragma GCC visibility pop
}  // extern "C"
