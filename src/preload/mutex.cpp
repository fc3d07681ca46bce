#include "preload/mutex.hpp"

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

/// The plain mutex of ours that the calling thread has locked last, or waits for, until it asks for another or unlocks. Its
/// unlock need not look at the mark again: waiters look at that line, so it may have gone to another processor, and whoever
/// reads must wait for it where a lock's store need not. Only of plain locks, of a few words in the object: waiters for
/// others look elsewhere, and what no longer holds an address must not be followed. Stale only after what POSIX leaves
/// undefined: another thread has unlocked it instead, its memory was overwritten while it was held, or another process
/// shares that.
thread_local constinit const mutex_object* newest = nullptr;

/// Who serves an object: a lock of ours under the rules of a kind, the C library, or nobody, while the interposer starts.
enum class server : std::uint8_t { plain, recursive, checking, native, nobody };

server server_of(kind k) { return static_cast<server>(k); }

std::uint32_t generation() { return chosen.generation.load(std::memory_order_relaxed); }

/// What glibc's kind means to us; nothing if it is not for us: robust, process-shared, with a priority protocol, destroyed.
bool read_kind(const pthread_mutex_t* m, kind& k) {
  constexpr int about_elision = 0x300;
  switch (__atomic_load_n(&m->__data.__kind, __ATOMIC_RELAXED) & ~about_elision) {
    case PTHREAD_MUTEX_TIMED_NP:
    case PTHREAD_MUTEX_ADAPTIVE_NP:
      k = kind::plain;
      return true;
    case PTHREAD_MUTEX_RECURSIVE_NP:
      k = kind::recursive;
      return true;
    case PTHREAD_MUTEX_ERRORCHECK_NP:
      k = kind::checking;
      return true;
    default:
      return false;
  }
}

/// Whether somebody holds an object of ours whose mark is `seen`. While it is adopted its owner alone says so. Of a lock in
/// another process's memory nothing is known.
bool is_held(mutex_object& o, mark::word seen) {
  if (mark::kind_of(seen) != kind::plain || mark::is_busy(seen))
    return o.owner.load(std::memory_order_relaxed) != nobody;
  return (mark::is_of(&o, seen, generation()) || chosen.mutex->is_here(o)) && chosen.mutex->is_held(o);
}

/// Who holds an object that another process has left, the parent of this one mostly, or the object that this is a copy of.
std::uint32_t inherited_owner(mutex_object& o, mark::word seen) {
  if (mark::kind_of(seen) == kind::plain)
    o.owner.store(is_held(o, seen) ? somebody : nobody, std::memory_order_relaxed);
  return o.owner.load(std::memory_order_relaxed);
}

std::uint32_t depth_of(const mutex_object& o) { return o.depth.load(std::memory_order_relaxed) & deepest; }

/// With a condition, in this process. Its memory may have been overwritten meanwhile.
bool is_waited_with(const mutex_object& o) { return o.depth.load(std::memory_order_relaxed) >= waiter; }
void count_waiter_out(mutex_object& o) {
  if (is_waited_with(o)) o.depth.fetch_sub(waiter, std::memory_order_relaxed);
}

/// Makes the lock in an object whose mark is `seen`: 0, or one of another generation. False if another thread was
/// quicker.
bool adopt(mutex_object& o, mark::word seen, kind k) {
  const std::uint32_t now = generation();
  if (!o.state.compare_exchange_strong(seen, mark::in(&o, mark::busy(now, k)), std::memory_order_acquire)) return false;
  note_use();
  const bool inherited = seen != 0;
  const std::uint32_t owner = inherited ? inherited_owner(o, seen) : nobody;
  o.depth.store(inherited ? depth_of(o) : 0, std::memory_order_relaxed);
  chosen.mutex->make(o);
  if (k == kind::plain) o.owner.store(nobody, std::memory_order_relaxed);  // its lock signs if it must
  if (owner != nobody) chosen.mutex->lock(o);
  if (k != kind::plain)
    o.owner.store(owner == chosen.forker && owner != nobody ? this_thread() : owner, std::memory_order_relaxed);
  o.state.store(mark::in(&o, mark::ready(now, k)), std::memory_order_release);
  if (!inherited) counted.add(event::adopted_mutex);
  return true;
}

server server_of(pthread_mutex_t* m) noexcept {
  if (!started()) return server::nobody;
  if (chosen.leaves_all) return server::native;
  mutex_object& o = object_of(m);
  for (;;) {
    const mark::word seen = o.state.load(std::memory_order_acquire);
    const bool current = mark::is_ours(seen) && mark::is_of(&o, seen, generation());
    if (current && !mark::is_busy(seen)) return server_of(mark::kind_of(seen));
    if (current) {
      sched_yield();
      continue;
    }
    kind k = mark::kind_of(seen);
    if (!mark::is_ours(seen) && (seen != 0 || !read_kind(m, k))) return server::native;
    adopt(o, seen, k);
  }
}

/// Recursive and error-checking mutexes know their owner.
bool is_mine(const mutex_object& o) { return o.owner.load(std::memory_order_relaxed) == this_thread(); }

/// The calling thread has it already.
int again(mutex_object& o, server s, int error) {
  if (s == server::checking) return error;
  if (depth_of(o) == deepest) return EAGAIN;
  o.depth.fetch_add(1, std::memory_order_relaxed);
  return 0;
}

/// After the lock was taken, or not.
int signed_for(mutex_object& o, int outcome) {
  if (outcome == 0) o.owner.store(this_thread(), std::memory_order_relaxed);
  return outcome;
}

}  // namespace

bool is_native(pthread_mutex_t* m) noexcept { return server_of(m) == server::native; }

int initialise(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept {
  newest = nullptr;
  if (attributes == nullptr || !started()) {
    std::memset(m, 0, sizeof *m);
    return 0;
  }
  std::memset(m, 0, sizeof *m);
  const int error = native.pthread_mutex_init(m, attributes);
  kind k{};
  if (error == 0 && !read_kind(m, k)) counted.add(event::native_mutex);
  return error;
}

int destroy(pthread_mutex_t* m) noexcept {
  newest = nullptr;
  if (!started()) return 0;
  mutex_object& o = object_of(m);
  const mark::word seen = o.state.load(std::memory_order_acquire);
  if (!mark::is_ours(seen)) return native.pthread_mutex_destroy(m);
  if (is_held(o, seen)) return EBUSY;
  if (mark::is_of(&o, seen, generation())) {
    if (is_waited_with(o)) return EBUSY;
    chosen.mutex->unmake(o);
  }
  o.state.store(0, std::memory_order_relaxed);
  m->__data.__kind = -1;
  return 0;
}

int lock(pthread_mutex_t* m) noexcept {
  newest = nullptr;
  mutex_object& o = object_of(m);
  switch (const server s = server_of(m); s) {
    case server::plain:
      return chosen.mutex->lock(o);
    case server::recursive:
    case server::checking:
      return is_mine(o) ? again(o, s, EDEADLK) : signed_for(o, chosen.mutex->lock(o));
    case server::native:
      return native.pthread_mutex_lock(m);
    case server::nobody:
      break;
  }
  return 0;
}

int try_lock(pthread_mutex_t* m) noexcept {
  newest = nullptr;
  mutex_object& o = object_of(m);
  switch (const server s = server_of(m); s) {
    case server::plain:
      return chosen.mutex->try_lock(o);
    case server::recursive:
    case server::checking:
      return is_mine(o) ? again(o, s, EBUSY) : signed_for(o, chosen.mutex->try_lock(o));
    case server::native:
      return native.pthread_mutex_trylock(m);
    case server::nobody:
      break;
  }
  return 0;
}

int lock_until(pthread_mutex_t* m, clockid_t clock, const timespec* moment) noexcept {
  newest = nullptr;
  const server s = server_of(m);
  if (s == server::nobody) return 0;
  if (s == server::native) return native.pthread_mutex_clocklock(m, clock, moment);
  if (!is_clock(clock)) return EINVAL;
  mutex_object& o = object_of(m);
  const bool signs = s != server::plain;
  if (signs && is_mine(o)) return again(o, s, EDEADLK);
  int outcome = chosen.mutex->try_lock(o);  // a moment that makes no sense counts only if it is needed
  if (outcome != 0) {
    if (!is_valid(*moment)) return EINVAL;
    outcome = chosen.mutex->lock_until(o, deadline_of(clock, *moment));
  }
  return signs ? signed_for(o, outcome) : outcome;
}

int unlock(pthread_mutex_t* m) noexcept {
  newest = nullptr;
  mutex_object& o = object_of(m);
  switch (server_of(m)) {
    case server::plain:
      return chosen.mutex->unlock(o);
    case server::recursive:
    case server::checking:
      if (!is_mine(o)) return EPERM;
      if (depth_of(o) != 0) return o.depth.fetch_sub(1, std::memory_order_relaxed), 0;
      o.owner.store(nobody, std::memory_order_relaxed);
      return chosen.mutex->release(o);
    case server::native:
      return native.pthread_mutex_unlock(m);
    case server::nobody:
      break;
  }
  return 0;
}

int unlock_to_wait(pthread_mutex_t* m) noexcept {
  if (is_native(m)) return native.pthread_mutex_unlock(m);
  mutex_object& o = object_of(m);
  o.depth.fetch_add(waiter, std::memory_order_relaxed);
  const int error = unlock(m);
  if (error != 0) count_waiter_out(o);
  return error;
}

int lock_after_wait(pthread_mutex_t* m) noexcept {
  const int error = lock(m);
  if (!is_native(m)) count_waiter_out(object_of(m));
  return error;
}

void forget_newest_mutex() noexcept { newest = nullptr; }

}  // namespace synchro::preload

// The exported functions. A plain mutex of ours goes no further than here, as long as no report is wanted and nothing recorded.

using synchro::preload::call;
using synchro::preload::counted;
using synchro::preload::fast;
using synchro::preload::mark;
using synchro::preload::mutex_object;
using synchro::preload::newest;
using synchro::preload::object_of;

namespace {

[[gnu::always_inline]] inline bool is_ready(const mutex_object& o) {
  return o.state.load(std::memory_order_acquire) == mark::in(&o, fast.ready.load(std::memory_order_acquire));
}

[[gnu::always_inline]] inline void remember(const mutex_object& o) { newest = fast.remembers ? &o : nullptr; }

// Apart from the functions above them, which need no stack.

[[gnu::noinline]] int lock_slowly(pthread_mutex_t* m) {
  counted.add(call::pthread_mutex_lock);
  return synchro::preload::served::lock(m);
}
[[gnu::noinline]] int try_lock_slowly(pthread_mutex_t* m) {
  counted.add(call::pthread_mutex_trylock);
  return synchro::preload::served::try_lock(m);
}
[[gnu::noinline]] int unlock_slowly(pthread_mutex_t* m) {
  counted.add(call::pthread_mutex_unlock);
  return synchro::preload::served::unlock(m);
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept {
  counted.add(call::pthread_mutex_init);
  return synchro::preload::served::initialise(m, attributes);
}

int pthread_mutex_destroy(pthread_mutex_t* m) noexcept {
  counted.add(call::pthread_mutex_destroy);
  return synchro::preload::destroy(m);
}

int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  mutex_object& o = object_of(m);
  if (is_ready(o)) [[likely]] {
    remember(o);
    return fast.lock(o);
  }
  return lock_slowly(m);
}

int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  mutex_object& o = object_of(m);
  if (is_ready(o)) [[likely]] {
    const int outcome = fast.try_lock(o);
    if (outcome == 0) remember(o);
    return outcome;
  }
  return try_lock_slowly(m);
}

int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  mutex_object& o = object_of(m);
  if (newest == &o) [[likely]] {
    newest = nullptr;
    return fast.unlock(o);
  }
  if (is_ready(o)) return fast.unlock(o);
  return unlock_slowly(m);
}

int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* moment) noexcept {
  counted.add(call::pthread_mutex_timedlock);
  return synchro::preload::served::lock_until(m, CLOCK_REALTIME, moment);
}

int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* moment) noexcept {
  counted.add(call::pthread_mutex_clocklock);
  return synchro::preload::served::lock_until(m, clock, moment);
}

// Only of use to robust mutexes and those with a ceiling: of ours the C library would say the same.

int pthread_mutex_consistent(pthread_mutex_t* m) noexcept {
  counted.add(call::pthread_mutex_consistent);
  return synchro::preload::is_native(m) ? synchro::preload::native.pthread_mutex_consistent(m) : EINVAL;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t* m, int* ceiling) noexcept {
  counted.add(call::pthread_mutex_getprioceiling);
  const bool native = synchro::preload::is_native(const_cast<pthread_mutex_t*>(m));
  return native ? synchro::preload::native.pthread_mutex_getprioceiling(m, ceiling) : EINVAL;
}

int pthread_mutex_setprioceiling(pthread_mutex_t* m, int ceiling, int* old) noexcept {
  counted.add(call::pthread_mutex_setprioceiling);
  const bool native = synchro::preload::is_native(m);
  return native ? synchro::preload::native.pthread_mutex_setprioceiling(m, ceiling, old) : EINVAL;
}

#pragma GCC visibility pop
}  // extern "C"
