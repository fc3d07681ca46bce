#include "preload/recorder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "preload/clocks.hpp"
#include "preload/recorded_objects.hpp"
#include "preload/recorded_thread.hpp"
#include "preload/recording.hpp"

namespace synchro::preload {

namespace {

// What a thread holds.

/// Its entry in the list, or nothing if the list is full. One that is there already and not recursive was given back by
/// another thread.
template <class Target>
held_lock* hold(per_thread& t, const Target& x, number whole) noexcept {
  if (held_lock* const known = find(t, x.object()); known != nullptr) {
    known->depth = x.nests() ? known->depth + 1 : 1;
    if (known->depth == 1) known->since = 0;
    return known;
  }
  if (t.count == per_thread::most_held) {
    add<std::uint64_t>(recording::head().lost_orders, 1);
    return nullptr;
  }
  held_lock& h = t.held[t.count++];
  h = {x.object(), 1, side_of(x, whole), whole, 0, 0};
  return &h;
}

template <class Target>
[[gnu::noinline]] number enter(per_thread& t, const Target& x, label& l, bool initialised) noexcept {
  t.busy = true;
  const number n = recording::enter(x.object(), initialised, Target::what);
  t.busy = false;
  l.lock.store(n, std::memory_order_relaxed);
  return n;
}

/// With a sample, an object that is not entered yet, or something held already.
template <class Target>
[[gnu::noinline]] void taken_slowly(per_thread& t, const Target& x, const sample* s, bool tried = false) noexcept {
  label* const l = x.where();
  if (l == nullptr) return;
  number n = l->lock.load(std::memory_order_relaxed);
  if (n == 0) [[unlikely]]
    n = enter(t, x, *l, false);
  const std::uint16_t last = reads(x) ? std::uint16_t{0} : l->last.load(std::memory_order_relaxed);
  if (!reads(x) && last != t.number) l->last.store(t.number, std::memory_order_relaxed);
  held_lock* const h = hold(t, x, n);
  n = side_of(x, n);
  if (s == nullptr) return;
  note(t, n, last, *s);
  if (t.count > 1 && h == &t.held[t.count - 1] && h->depth == 1) note_inside(h[-1].lock, n, tried);
  if (recording::records_callers()) note_caller(t, n);
  if (s->contended) note_path(t, n, s->got - s->asked);
  if (h == nullptr || h->depth != 1 || !recording::is_lock(n)) return;
  h->since = recording::now();  // what was noted here is no part of the hold
  h->asked = h->since - (s->got - s->asked);
}

template <class Target>
[[gnu::always_inline]] inline void taken(per_thread& t, const Target& x) noexcept {
  label* const l = x.where();
  const number n = l != nullptr ? l->lock.load(std::memory_order_relaxed) : number{0};
  if (n == 0 || t.count != 0) [[unlikely]]
    return taken_slowly(t, x, nullptr);
  if (!reads(x) && l->last.load(std::memory_order_relaxed) != t.number)
    l->last.store(t.number, std::memory_order_relaxed);
  held_lock& h = t.held[0];
  h.object = x.object(), h.depth = 1, h.lock = side_of(x, n), h.whole = n, h.since = 0;
  t.count = 1;
}

/// The number of the lock whose gap is to be timed as soon as it is free; 0: none.
[[gnu::noinline]] number given_back_slowly(per_thread& t, const void* object) noexcept {
  held_lock* const h = find(t, object);
  if (h == nullptr || --h->depth != 0) return 0;
  const number sampled = h->since != 0 ? h->lock : number{0};
  if (sampled != 0) note_hold(*h, recording::now());
  std::copy(h + 1, t.held + t.count, h);
  return --t.count == 0 ? sampled : number{0};
}

[[gnu::always_inline]] inline number given_back(per_thread& t, const void* object) noexcept {
  const held_lock& h = t.held[0];
  if (t.count != 1 || h.object != object || h.depth != 1 || h.since != 0) [[unlikely]]
    return given_back_slowly(t, object);
  t.count = 0;
  return 0;
}

/// It will wait for x, and holds something.
template <class Target>
[[gnu::noinline]] void note_orders(per_thread& t, const Target& x) noexcept {
  label* const l = x.where();
  if (l == nullptr || find(t, x.object()) != nullptr) return;
  number next = l->lock.load(std::memory_order_relaxed);
  if (next == 0) next = enter(t, x, *l, false);
  if (!recording::is_lock(next)) return;
  for (unsigned i = 0; i < t.count; ++i) {
    const number held = t.held[i].whole;
    const std::uint32_t both = std::uint32_t{held} << 16 | next;
    std::uint32_t& known = t.orders[(both ^ both >> 13) % per_thread::most_orders];
    if (known == both || held == next || !recording::is_lock(held)) continue;
    t.busy = true;
    recording::note_order(held, next, this_thread());
    t.busy = false;
    known = both;
  }
}

/// While it exists, a sample waits for x. Of what is not entered yet nothing is said.
template <class Target>
class counted_wait {
 public:
  explicit counted_wait(const Target& x) noexcept {
    const label* const l = x.where();
    const number n = l != nullptr ? side_of(x, l->lock.load(std::memory_order_relaxed)) : number{0};
    if (!recording::is_lock(n)) return;
    waiting_ = &recording::at(n).waiting;
    add<std::uint32_t>(*waiting_, 1);
  }
  ~counted_wait() {
    if (waiting_ != nullptr) waiting_->fetch_sub(1, std::memory_order_relaxed);
  }
  counted_wait(const counted_wait&) = delete;
  counted_wait& operator=(const counted_wait&) = delete;

 private:
  std::atomic<std::uint32_t>* waiting_ = nullptr;
};

/// It is not free: a long wait is noted nevertheless, and where it was.
template <class Target, class Wait>
[[gnu::noinline]] int waited(per_thread& t, const Target& x, Wait wait) noexcept {
  const std::uint64_t asked = recording::now();
  const int error = wait();
  if (error != 0) return error;
  const std::uint64_t ns = recording::now() - asked;
  taken(t, x);
  if (ns < recording::layout::long_wait && !recording::records_paths()) return 0;
  label* const l = x.where();
  const number n = l != nullptr ? side_of(x, l->lock.load(std::memory_order_relaxed)) : number{0};
  if (!recording::is_lock(n)) return 0;
  if (ns >= recording::layout::long_wait) note_wait(n, ns), note_thread(t, n);
  note_path(t, n, ns);
  return 0;
}

template <class Target, class Wait>
[[gnu::always_inline]] inline int not_sampled(per_thread& t, const Target& x, Wait wait) noexcept {
  const int error = x.try_lock();
  if (error == EBUSY) [[unlikely]]
    return waited(t, x, wait);
  if (error == 0) taken(t, x);
  return error;
}

/// If a gap is timed, it has ended.
template <class Target>
void end_gap_at(per_thread& t, const Target& x) noexcept {
  const label* const l = x.where();
  end_gap(t, l != nullptr ? side_of(x, l->lock.load(std::memory_order_relaxed)) : number{0});
}

/// `wait` locks; nothing else that may fail comes after it.
template <class Target, class Wait>
[[gnu::noinline]] int sampled(per_thread& t, const Target& x, Wait wait) noexcept {
  if (t.random == 0) {
    join(t);
    if (--t.left != 0) return not_sampled(t, x, wait);
  }
  if (t.released != 0) {
    end_gap_at(t, x);
    if (--t.left != 0) return not_sampled(t, x, wait);
  }
  t.left = next_step(t);
  sample s{};
  int error = x.try_lock();
  if (error == EBUSY) {
    s.contended = true;
    s.asked = recording::now();
    const counted_wait<Target> meanwhile{x};
    error = wait();
  }
  if (error != 0) return error;
  if (s.contended) s.got = recording::now();
  taken_slowly(t, x, &s);
  return 0;
}

template <class Target, class Wait>
[[gnu::always_inline]] inline int looked_at(per_thread& t, const Target& x, Wait wait) noexcept {
  if (--t.left == 0) [[unlikely]]
    return sampled(t, x, wait);
  return not_sampled(t, x, wait);
}

// The functions, of whatever it is.

template <class Target, class Wait>
[[gnu::always_inline]] inline int locked(const Target& x, Wait wait) noexcept {
  per_thread& t = mine;
  if (t.busy) return wait();
  if (t.count != 0) note_orders(t, x);
  return looked_at(t, x, wait);
}

template <class Target>
int tried(const Target& x) noexcept {
  per_thread& t = mine;
  const int error = x.try_lock();
  if (t.busy || error != 0) return error;
  if (t.random == 0) join(t);
  if (--t.left != 0) return taken(t, x), 0;
  if (t.released != 0) {
    end_gap_at(t, x);
    if (--t.left != 0) return taken(t, x), 0;
  }
  t.left = next_step(t);
  const sample s{};
  return taken_slowly(t, x, &s, true), 0;
}

/// What `wait` refuses for its arguments (an unknown clock; of a rwlock an invalid moment, too) is not tried first.
template <class Target, class Wait>
int locked_in_time(const Target& x, bool is_refused, Wait wait) noexcept {
  per_thread& t = mine;
  return t.busy || is_refused ? wait() : looked_at(t, x, wait);
}

template <class Target>
void entered(const Target& x) noexcept {
  per_thread& t = mine;
  label* const l = t.busy ? nullptr : x.where();
  if (l != nullptr) enter(t, x, *l, true);
}

/// `unlock` gives it back: what that takes, waking others too, is in no gap.
template <class Unlock>
[[gnu::always_inline]] inline int unlocked(const void* object, Unlock unlock) noexcept {
  per_thread& t = mine;
  const number sampled = t.count != 0 && !t.busy ? given_back(t, object) : number{0};
  if (sampled == 0) [[likely]]
    return unlock();
  const int error = unlock();
  begin_gap(t, sampled);
  return error;
}

}  // namespace

void start_recorder(const char* folder, recording::extent asked) noexcept {
  asked.every = sample_every(asked.every);
  if (recording::open(folder, asked)) recording_on.store(true, std::memory_order_relaxed);
}

void restart_recorder() noexcept {
  if (!records()) return;
  forget_other_threads();
  if (!recording::open_again()) recording_on.store(false, std::memory_order_relaxed);
}

void end_recorder() noexcept {
  if (records()) recording::head().ended.store(recording::now(), std::memory_order_relaxed);
}

namespace recorded {

int initialise(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept {
  const int error = preload::initialise(m, attributes);
  if (error == 0) entered(mutex_target{m});
  return error;
}

int lock(pthread_mutex_t* m) noexcept {
  return locked(mutex_target{m}, [=] { return below::lock(m); });
}

int try_lock(pthread_mutex_t* m) noexcept { return tried(mutex_target{m}); }

int lock_until(pthread_mutex_t* m, clockid_t clock, const timespec* moment) noexcept {
  return locked_in_time(mutex_target{m}, !is_clock(clock), [=] { return preload::lock_until(m, clock, moment); });
}

int unlock(pthread_mutex_t* m) noexcept {
  return unlocked(m, [=] { return below::unlock(m); });
}

int initialise(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept {
  const int error = preload::initialise(l, attributes);
  if (error == 0) entered(rwlock_target{l, false});
  return error;
}

int lock(pthread_rwlock_t* l) noexcept {
  return locked(rwlock_target{l, false}, [=] { return preload::lock(l); });
}

int try_lock(pthread_rwlock_t* l) noexcept { return tried(rwlock_target{l, false}); }

int lock_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept {
  return locked_in_time(rwlock_target{l, false}, !is_clock(clock) || !is_valid(*moment),
                        [=] { return preload::lock_until(l, clock, moment); });
}

int lock_shared(pthread_rwlock_t* l) noexcept {
  return locked(rwlock_target{l, true}, [=] { return preload::lock_shared(l); });
}

int try_lock_shared(pthread_rwlock_t* l) noexcept { return tried(rwlock_target{l, true}); }

int lock_shared_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept {
  return locked_in_time(rwlock_target{l, true}, !is_clock(clock) || !is_valid(*moment),
                        [=] { return preload::lock_shared_until(l, clock, moment); });
}

int unlock(pthread_rwlock_t* l) noexcept {
  return unlocked(l, [=] { return preload::unlock(l); });
}

void made(spin_object& o, const void* s) noexcept { entered(spin_target{o, s}); }

int lock(spin_object& o, const void* s) noexcept {
  return locked(spin_target{o, s}, [&] { return preload::lock(o); });
}

int try_lock(spin_object& o, const void* s) noexcept { return tried(spin_target{o, s}); }

int unlock(spin_object& o, const void* s) noexcept {
  return unlocked(s, [&] { return preload::unlock(o); });
}

std::uint64_t before_wait(pthread_mutex_t* m) noexcept {
  const std::uint64_t now = recording::now();
  if (held_lock* const h = find(mine, m); h != nullptr) note_hold(*h, now);
  return now;
}

void after_wait(pthread_mutex_t* m, std::uint64_t begun) noexcept {
  label* const l = mutex_target{m}.where();
  if (l == nullptr) return;
  const number n = l->lock.load(std::memory_order_relaxed);
  l->last.store(mine.number, std::memory_order_relaxed);
  if (!recording::is_lock(n)) return;
  const std::uint64_t ns = recording::now() - begun;
  mine.condition_ns += ns;
  add<std::uint64_t>(recording::at(n).condition_waits, 1);
  add<std::uint64_t>(recording::at(n).condition_ns, ns);
}

}  // namespace recorded

}  // namespace synchro::preload
