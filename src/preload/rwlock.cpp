// Readers-writers locks. The chosen lock serves them if it has a shared side, otherwise shared_mutex does, which sleeps.
//
// Preference. Writers: a reader that comes while a writer waits waits for it, under all locks that serve here. glibc's
// default lets readers pass, and with it a thread may read twice without asking who came in between. That holds here, too:
// a thread's own reads are remembered, and one that it has already is only counted (own_reads.hpp). (Those initialised as
// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP are spared this.)

#include "preload/rwlock.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "preload/calls.hpp"
#include "preload/clocks.hpp"
#include "preload/natives.hpp"
#include "preload/object.hpp"
#include "preload/own_reads.hpp"
#include "preload/recorder.hpp"
#include "preload/start.hpp"

namespace synchro::preload {

namespace {

thread_local constinit own_reads reads;

/// What the thread read that forked this process: any thread may be the first to use that here.
constinit own_reads reads_of_forker;

enum class server : std::uint8_t { ours, native, nobody };

/// Of what another process has left, the parent of this one mostly. Of that one's threads there is one here; what nobody has
/// noted may be its own.
std::uint32_t readers_left(const rwlock_object& o) {
  return std::max(reads.times(o), reads_of_forker.times(o)) + o.unnoted.load(std::memory_order_relaxed);
}

/// As of mutexes (mutex.cpp).
void adopt(rwlock_object& o, mark::word seen, std::uint32_t now) {
  if (!o.state.compare_exchange_strong(seen, mark::in(&o, mark::busy(now, kind::plain)), std::memory_order_acquire))
    return;
  note_read_use();
  if (seen == 0) {
    o.stamp.store(new_stamp(), std::memory_order_relaxed);
    o.unnoted.store(0, std::memory_order_relaxed);
  }
  const std::uint32_t writer = seen != 0 ? o.writer.load(std::memory_order_relaxed) : nobody;
  const std::uint32_t readers = seen != 0 && writer == nobody ? readers_left(o) : 0;
  chosen.rwlock->make(o);
  if (writer != nobody) chosen.rwlock->lock(o);
  if (readers != 0) chosen.rwlock->lock_shared(o);
  o.again.store(readers != 0 ? readers - 1 : 0, std::memory_order_relaxed);
  o.writer.store(writer != nobody && writer == chosen.forker ? this_thread() : writer, std::memory_order_relaxed);
  o.state.store(mark::in(&o, mark::ready(now, kind::plain)), std::memory_order_release);
  if (seen == 0) counted.add(event::adopted_rwlock);
}

server server_of(pthread_rwlock_t* l) noexcept {
  rwlock_object& o = object_of(l);
  if (o.state.load(std::memory_order_acquire) == mark::in(&o, chosen.plain.load(std::memory_order_acquire))) [[likely]]
    return server::ours;
  if (!started()) return server::nobody;
  if (chosen.leaves_all) return server::native;
  for (;;) {
    const std::uint32_t now = chosen.generation.load(std::memory_order_relaxed);
    const mark::word seen = o.state.load(std::memory_order_acquire);
    const bool ours = mark::is_ours(seen);
    if (ours && mark::is_of(&o, seen, now)) {
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

/// Ends one read, whosever it is.
void end_read(rwlock_object& o) {
  if (!take_one(o.again)) chosen.rwlock->unlock_shared(o);
}

/// Tables that tell of this object are void, unless it is a read that none of them tells of.
void end_unknown_read(rwlock_object& o) {
  if (!take_one(o.unnoted)) o.stamp.exchange(new_stamp(), std::memory_order_seq_cst);
  end_read(o);
}

/// Reads once more what the calling thread reads. False if another has ended that.
bool read_again(rwlock_object& o, own_reads::entry& mine) {
  if (own_reads::is_void(mine)) return false;
  o.again.fetch_add(1, std::memory_order_seq_cst);
  if (o.stamp.load(std::memory_order_seq_cst) == mine.stamp) return ++mine.times, true;
  end_read(o);
  return false;
}

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
  own_reads::entry* const known = remembers ? reads.find(o) : nullptr;
  if (known != nullptr && read_again(o, *known)) return 0;
  const int outcome = take(o);
  if (outcome == 0 && remembers) reads.note(o, known);
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

void keep_reads_of_forker() noexcept { reads_of_forker = reads; }

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
  } else if (reads.forget_one(o) || !may_read_twice(l)) {
    end_read(o);
  } else {
    end_unknown_read(o);
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
  if (mark::is_of(&o, seen, chosen.generation.load(std::memory_order_relaxed))) chosen.rwlock->unmake(o);
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
