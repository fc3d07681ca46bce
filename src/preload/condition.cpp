// Compiled without exceptions, as all of this library: so the C library's cleanup handlers jump here and unwind nothing.

#include "preload/condition.hpp"

#include <sched.h>
#include <semaphore.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "preload/calls.hpp"
#include "preload/clocks.hpp"
#include "preload/mutex.hpp"
#include "preload/natives.hpp"
#include "preload/recorder.hpp"
#include "preload/start.hpp"
#include "synchro/waiting.hpp"

namespace synchro::preload {

namespace {

struct waiter {
  sem_t woken;
  waiter* next;  // in the ring; taken out, who is to be woken after this one
};

struct condition {
  std::atomic<std::uintptr_t> head;
  std::atomic<std::uint32_t> inside;
  std::atomic<std::uint32_t> generation;
};
static_assert(sizeof(condition) <= 24 && alignof(condition) <= alignof(pthread_cond_t));

std::uint32_t flags_of(const pthread_cond_t* c) {
  std::uint32_t flags = 0;
  std::memcpy(&flags, reinterpret_cast<const char*>(c) + chosen.flags_at * sizeof flags, sizeof flags);
  return flags;
}

/// To the C library.
bool is_left(const pthread_cond_t* c) { return chosen.leaves_all || (flags_of(c) & chosen.shared_flag) != 0; }

/// In the child of a fork nobody waits that waited before. Where processes share the memory it may not last.
void renew(condition& c, std::uint32_t seen, std::uint32_t now) {
  constexpr std::uint32_t under_way = 0xFFFF'FFFF;
  if (seen == under_way || !c.generation.compare_exchange_strong(seen, under_way, std::memory_order_acquire)) {
    while (c.generation.load(std::memory_order_acquire) == under_way) sched_yield();
    return;
  }
  c.head.store(0, std::memory_order_relaxed);
  c.inside.store(0, std::memory_order_relaxed);
  c.generation.store(now, std::memory_order_release);
}

condition& condition_of(pthread_cond_t* p) {
  condition& c = *reinterpret_cast<condition*>(p);
  const std::uint32_t now = chosen.generation.load(std::memory_order_relaxed);
  const std::uint32_t seen = c.generation.load(std::memory_order_acquire);
  if (seen != now) [[unlikely]]
    renew(c, seen, now);
  return c;
}

constexpr std::uintptr_t taken = 1;

/// Returns the newest. Nobody else touches the ring until return_ring.
waiter* take_ring(condition& c) {
  const auto take = [](std::uintptr_t v, std::uint32_t round) {
    using answer = attempt<std::uintptr_t>;
    return (v & taken) == 0 ? answer::write(v | taken) : answer::retry(synchro::spin_yield::retry(round));
  };
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the low bit of the address is the ring's lock
  return reinterpret_cast<waiter*>(
      hardware::update(c.head, take, std::memory_order_acquire, std::memory_order_relaxed).seen);
}
void return_ring(condition& c, waiter* newest) {
  c.head.store(reinterpret_cast<std::uintptr_t>(newest), std::memory_order_release);
}

void join(condition& c, waiter& mine) {
  waiter* const newest = take_ring(c);
  mine.next = newest == nullptr ? &mine : newest->next;
  if (newest != nullptr) newest->next = &mine;
  c.inside.fetch_add(1, std::memory_order_relaxed);
  return_ring(c, &mine);
}

/// False if it has been taken out already.
bool leave(condition& c, waiter& mine) {
  waiter* const newest = take_ring(c);
  waiter* before = newest;
  if (newest != nullptr)
    while (before->next != &mine && before->next != newest) before = before->next;
  if (newest == nullptr || before->next != &mine) return return_ring(c, newest), false;
  waiter* const rest = newest != &mine ? newest : before == &mine ? nullptr : before;
  before->next = mine.next;
  mine.next = nullptr;
  return return_ring(c, rest), true;
}

/// The last touch of one who waited.
void go(condition& c) { c.inside.fetch_sub(1, std::memory_order_release); }

void wake(waiter* sleeper) {
  if (sleeper != nullptr) sem_post(&sleeper->woken);
}

void notify_one(condition& c) {
  if (c.head.load(std::memory_order_relaxed) == 0) return;
  waiter* const newest = take_ring(c);
  if (newest == nullptr) return return_ring(c, nullptr);
  waiter* const oldest = newest->next;
  if (oldest != newest) newest->next = oldest->next;
  oldest->next = nullptr;
  return_ring(c, oldest == newest ? nullptr : newest);
  wake(oldest);
}

void notify_all(condition& c) {
  if (c.head.load(std::memory_order_relaxed) == 0) return;
  waiter* const newest = take_ring(c);
  if (newest == nullptr) return return_ring(c, nullptr);
  waiter* const oldest = newest->next;
  newest->next = nullptr;
  return_ring(c, nullptr);
  wake(oldest);
}

/// A notification is under way to a thread that no longer wants to wait for anything else.
void await_notification(waiter& mine) {
  int state = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  while (sem_wait(&mine.woken) != 0) continue;
  pthread_setcancelstate(state, nullptr);
}

/// A wait in progress, for who is cancelled in it.
struct waiting {
  condition* where;
  pthread_mutex_t* mutex;
  waiter me;
};

void cancelled(void* p) {
  waiting& w = *static_cast<waiting*>(p);
  const bool notified = !leave(*w.where, w.me);
  if (notified) await_notification(w.me);
  waiter* const next = w.me.next;
  if (notified && next == nullptr) notify_one(*w.where);
  go(*w.where);
  static_cast<void>(lock_after_wait(w.mutex));
  wake(next);
}

/// Sleeps until notified or, if there is a moment, until then: 0 or ETIMEDOUT. A cancellation point.
int sleep(waiting& w, clockid_t clock, const timespec* moment) {
  int error = 0;
  pthread_cleanup_push(cancelled, &w);
  do error = (moment != nullptr ? sem_clockwait(&w.me.woken, clock, moment) : sem_wait(&w.me.woken)) == 0 ? 0 : errno;
  while (error == EINTR);
  pthread_cleanup_pop(0);
  if (error == 0 || leave(*w.where, w.me)) return error;
  await_notification(w.me);
  return 0;
}

int wait_in_ring(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* moment) {
  const int keep_errno = errno;
  waiting w{&condition_of(c), m, {}};
  sem_init(&w.me.woken, 0, 0);
  join(*w.where, w.me);
  if (const int error = unlock_to_wait(m); error != 0) {
    if (!leave(*w.where, w.me)) {
      await_notification(w.me);
      w.me.next != nullptr ? wake(w.me.next) : notify_one(*w.where);
    }
    go(*w.where);
    return error;
  }
  const int outcome = sleep(w, clock, moment);
  waiter* const next = w.me.next;
  go(*w.where);
  const int error = lock_after_wait(m);
  wake(next);
  errno = keep_errno;
  return error != 0 ? error : outcome;
}

/// On the C library's object with a mutex of ours, which that cannot unlock: waits a little with a mutex of its own, and
/// returns. That nobody notified is allowed.
int wait_on_native(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* moment) {
  constexpr long nap = 1'000'000;  // ns
  counted.add(event::polled_condition);
  if (const int error = unlock_to_wait(m); error != 0) return error;
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  native.pthread_mutex_lock(&own);
  timespec soon{};
  clock_gettime(CLOCK_MONOTONIC, &soon);
  soon.tv_nsec += nap;
  if (soon.tv_nsec >= 1'000'000'000) soon.tv_sec += 1, soon.tv_nsec -= 1'000'000'000;
  int state = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  int outcome = native.pthread_cond_clockwait(c, &own, CLOCK_MONOTONIC, &soon);
  pthread_setcancelstate(state, nullptr);
  native.pthread_mutex_unlock(&own);
  if (outcome == ETIMEDOUT)
    outcome = moment != nullptr && deadline_of(clock, *moment) <= hardware::clock::now() ? ETIMEDOUT : 0;
  const int error = lock_after_wait(m);
  if (error == 0) pthread_testcancel();
  return error != 0 ? error : outcome;
}

int wait_unseen(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* moment) {
  if (!is_left(c)) return wait_in_ring(c, m, clock, moment);
  if (!is_native(m)) return wait_on_native(c, m, clock, moment);
  return moment != nullptr ? native.pthread_cond_clockwait(c, m, clock, moment) : native.pthread_cond_wait(c, m);
}

int wait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* moment) {
  if (!records()) return wait_unseen(c, m, clock, moment);
  const std::uint64_t begun = recorded::before_wait(m);
  const int outcome = wait_unseen(c, m, clock, moment);
  recorded::after_wait(m, begun);
  return outcome;
}

}  // namespace

clockid_t clock_of(const pthread_cond_t* c) noexcept {
  return started() && (flags_of(c) & chosen.monotonic_flag) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int initialise(pthread_cond_t* c, const pthread_condattr_t* attributes) noexcept {
  std::memset(c, 0, sizeof *c);
  if (!started()) return 0;
  const int error = native.pthread_cond_init(c, attributes);
  if (error != 0) return error;
  if (is_left(c)) return counted.add(event::native_condition), 0;
  reinterpret_cast<condition*>(c)->generation.store(chosen.generation.load(std::memory_order_relaxed),
                                                    std::memory_order_relaxed);
  return 0;
}

int destroy(pthread_cond_t* p) noexcept {
  if (!started()) return 0;
  if (is_left(p)) return native.pthread_cond_destroy(p);
  const condition& c = condition_of(p);
  while (c.inside.load(std::memory_order_acquire) != 0) sched_yield();
  return 0;
}

int signal(pthread_cond_t* c) noexcept {
  if (!started()) return 0;
  if (is_left(c)) return native.pthread_cond_signal(c);
  return notify_one(condition_of(c)), 0;
}

int broadcast(pthread_cond_t* c) noexcept {
  if (!started()) return 0;
  if (is_left(c)) return native.pthread_cond_broadcast(c);
  return notify_all(condition_of(c)), 0;
}

int wait(pthread_cond_t* c, pthread_mutex_t* m) { return started() ? wait(c, m, CLOCK_REALTIME, nullptr) : 0; }

int wait_until(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* moment) {
  if (!is_clock(clock) || !is_valid(*moment)) return EINVAL;
  return started() ? wait(c, m, clock, moment) : 0;
}

}  // namespace synchro::preload

using synchro::preload::call;
using synchro::preload::counted;

extern "C" {
#pragma GCC visibility push(default)

int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* attributes) noexcept {
  counted.add(call::pthread_cond_init);
  return synchro::preload::initialise(c, attributes);
}

int pthread_cond_destroy(pthread_cond_t* c) noexcept {
  counted.add(call::pthread_cond_destroy);
  return synchro::preload::destroy(c);
}

int pthread_cond_signal(pthread_cond_t* c) noexcept {
  counted.add(call::pthread_cond_signal);
  return synchro::preload::signal(c);
}

int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
  counted.add(call::pthread_cond_broadcast);
  return synchro::preload::broadcast(c);
}

int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  counted.add(call::pthread_cond_wait);
  return synchro::preload::wait(c, m);
}

int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* moment) {
  counted.add(call::pthread_cond_timedwait);
  return synchro::preload::wait_until(c, m, synchro::preload::clock_of(c), moment);
}

int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* moment) {
  counted.add(call::pthread_cond_clockwait);
  return synchro::preload::wait_until(c, m, clock, moment);
}

#pragma GCC visibility pop
}  // extern "C"
