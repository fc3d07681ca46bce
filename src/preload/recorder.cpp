#include "preload/recorder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "preload/natives.hpp"
#include "preload/object.hpp"
#include "preload/recording.hpp"
#include "preload/start.hpp"
#include "synchro/domains.hpp"

namespace synchro::preload {

namespace {

using recording::number;

/// What stands in an object.
struct label {
  std::atomic<number> lock;         // 0: not entered yet
  std::atomic<std::uint16_t> last;  // the thread that held it last; 0: nobody yet
};

struct held_lock {
  pthread_mutex_t* object;
  std::uint32_t depth;  // a recursive one may be held several times
  number lock;
  std::uint64_t since;  // of a sample; 0: none
  std::uint64_t asked;
};

/// Only what the thread itself uses: nothing of it is needed when it is gone.
struct per_thread {
  static constexpr unsigned most_held = 16, most_orders = 64;

  std::uint32_t left = 1;    // acquisitions until the next sample
  std::uint32_t random = 0;  // 0: this thread has done nothing yet
  std::uint16_t number = 0;
  bool busy = false;  // in the recorder: what that locks is not looked at
  std::uint8_t count = 0;
  held_lock held[most_held]{};
  std::uint32_t orders[most_orders]{};  // pairs of locks that were noted
};
thread_local constinit per_thread mine;

constinit std::uint32_t every = 1;
constinit std::atomic<std::uint32_t> threads{0};
constinit std::atomic<std::uint8_t> domain_of_thread[65536];

/// How the calls are served that are looked at here.
namespace below {

bool is_plain(pthread_mutex_t* m) {
  return object_of(m).state.load(std::memory_order_acquire) == chosen.plain.load(std::memory_order_relaxed);
}
int lock(pthread_mutex_t* m) {
  if (chosen.leaves_all) return native.pthread_mutex_lock(m);
  return is_plain(m) ? chosen.mutex->lock(object_of(m)) : preload::lock(m);
}
int try_lock(pthread_mutex_t* m) {
  if (chosen.leaves_all) return native.pthread_mutex_trylock(m);
  return is_plain(m) ? chosen.mutex->try_lock(object_of(m)) : preload::try_lock(m);
}
int unlock(pthread_mutex_t* m) {
  if (chosen.leaves_all) return native.pthread_mutex_unlock(m);
  return is_plain(m) ? chosen.mutex->unlock(object_of(m)) : preload::unlock(m);
}

}  // namespace below

/// Nothing for objects that are not recorded: robust, process-shared, with a priority protocol, destroyed.
label* label_of(pthread_mutex_t* m) noexcept {
  constexpr int kinds = 3, about_elision = 0x300;
  const bool ours = !chosen.leaves_all && mark::is_ours(object_of(m).state.load(std::memory_order_relaxed));
  if (!ours && (__atomic_load_n(&m->__data.__kind, __ATOMIC_RELAXED) & ~(kinds | about_elision)) != 0) return nullptr;
  std::byte* const object = reinterpret_cast<std::byte*>(m);
  return reinterpret_cast<label*>(
      object + (chosen.leaves_all ? offsetof(pthread_mutex_t, __data.__list) : offsetof(mutex_object, label)));
}

// Samples.

/// A number from 1 to `most`, nearly equally often.
std::uint32_t any_to(per_thread& t, std::uint32_t most) noexcept {
  t.random ^= t.random << 13;
  t.random ^= t.random >> 17;
  t.random ^= t.random << 5;
  return 1 + static_cast<std::uint32_t>(std::uint64_t{t.random} * most >> 32);
}

std::uint32_t next_step(per_thread& t) noexcept { return every == 1 ? 1 : any_to(t, 2 * every - 1); }

/// Whoever comes to a row of such steps at any time waits so long: with it the chance of the first acquisitions of a
/// thread is 1 in k, too. The less of two different numbers up to 2 k.
std::uint32_t first_step(per_thread& t) noexcept {
  if (every == 1) return 1;
  const std::uint32_t a = any_to(t, 2 * every), b = any_to(t, 2 * every - 1);
  return std::min(a, b >= a ? b + 1 : b);
}

[[gnu::noinline]] void join(per_thread& t) noexcept {
  const std::uint32_t n = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  t.number = static_cast<std::uint16_t>(std::min<std::uint32_t>(n, 0xFFFF));
  t.random = (n * 0x9E37'79B9U) ^ static_cast<std::uint32_t>(recording::now()) ^ (this_thread() << 16);
  if (t.random == 0) t.random = 1;
  t.left = first_step(t);
  recording::head().threads.fetch_add(1, std::memory_order_relaxed);
}

template <class T>
void add(std::atomic<T>& to, T n) noexcept {
  to.fetch_add(n, std::memory_order_relaxed);
}

struct sample {
  std::uint64_t asked, got;
  bool contended;
};

void note(const per_thread& t, number lock, std::uint16_t last, const sample& s) noexcept {
  if (!recording::is_lock(lock)) return add<std::uint64_t>(recording::head().lost_samples, 1);
  recording::layout::lock& l = recording::at(lock);
  const auto domain = static_cast<std::uint8_t>(os::domain_of(os::current_cpu()));
  domain_of_thread[t.number].store(domain, std::memory_order_relaxed);
  add<std::uint64_t>(l.samples, 1);
  if (s.contended) {
    add<std::uint64_t>(l.contended, 1);
    add<std::uint64_t>(l.wait_ns, s.got - s.asked);
    add<std::uint32_t>(l.wait.counts[l.wait.bucket_of(s.got - s.asked)], 1);
  }
  if (last != 0 && last != t.number) {
    add<std::uint64_t>(l.hand_offs, 1);
    if (domain_of_thread[last].load(std::memory_order_relaxed) != domain) add<std::uint64_t>(l.across, 1);
  }
  const unsigned bit = std::min<unsigned>(t.number - 1U, l.most_threads - 1);
  l.threads[bit / 64].fetch_or(std::uint64_t{1} << bit % 64, std::memory_order_relaxed);
}

void note_hold(held_lock& h, std::uint64_t until) noexcept {
  if (h.since == 0) return;
  recording::layout::lock& l = recording::at(h.lock);
  add<std::uint64_t>(l.holds, 1);
  add<std::uint64_t>(l.hold_ns, until - h.since);
  add<std::uint32_t>(l.hold.counts[l.hold.bucket_of(until - h.since)], 1);
  recording::note_span(h.lock, this_thread(), h.asked, h.since - h.asked, until - h.since);
  h.since = 0;
}

// What a thread holds.

held_lock* find(per_thread& t, const pthread_mutex_t* m) noexcept {
  for (unsigned i = t.count; i-- != 0;)
    if (t.held[i].object == m) return &t.held[i];
  return nullptr;
}

bool is_recursive(const pthread_mutex_t* m) noexcept {
  const mutex_object& o = object_of(const_cast<pthread_mutex_t*>(m));
  const mark::word state = o.state.load(std::memory_order_relaxed);
  if (!chosen.leaves_all) return mark::is_ours(state) && mark::kind_of(state) == kind::recursive;
  return (m->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP;
}

/// Its entry in the list, or nothing if the list is full. One that is there already and not recursive was given back by
/// another thread.
held_lock* hold(per_thread& t, pthread_mutex_t* m, number lock) noexcept {
  if (held_lock* const known = find(t, m); known != nullptr) {
    known->depth = is_recursive(m) ? known->depth + 1 : 1;
    if (known->depth == 1) known->since = 0;
    return known;
  }
  if (t.count == per_thread::most_held) {
    add<std::uint64_t>(recording::head().lost_orders, 1);
    return nullptr;
  }
  held_lock& h = t.held[t.count++];
  h = {m, 1, lock, 0, 0};
  return &h;
}

[[gnu::noinline]] number enter(per_thread& t, pthread_mutex_t* m, label& l, bool initialised) noexcept {
  t.busy = true;
  const number n = recording::enter(m, initialised);
  t.busy = false;
  l.lock.store(n, std::memory_order_relaxed);
  return n;
}

/// With a sample, an object that is not entered yet, or something held already.
[[gnu::noinline]] void taken_slowly(per_thread& t, pthread_mutex_t* m, const sample* s) noexcept {
  label* const l = label_of(m);
  if (l == nullptr) return;
  number n = l->lock.load(std::memory_order_relaxed);
  const bool is_new = n == 0;
  if (is_new) [[unlikely]]
    n = enter(t, m, *l, false);
  const std::uint16_t last = l->last.load(std::memory_order_relaxed);
  if (last != t.number) l->last.store(t.number, std::memory_order_relaxed);
  held_lock* const h = hold(t, m, n);
  if (s == nullptr) return;
  note(t, n, last, *s);
  if (h == nullptr || h->depth != 1 || !recording::is_lock(n)) return;
  h->since = is_new ? recording::now() : s->got;  // to enter it takes long
  h->asked = h->since - (s->got - s->asked);
}

[[gnu::always_inline]] inline void taken(per_thread& t, pthread_mutex_t* m) noexcept {
  label* const l = label_of(m);
  const number n = l != nullptr ? l->lock.load(std::memory_order_relaxed) : number{0};
  if (n == 0 || t.count != 0) [[unlikely]]
    return taken_slowly(t, m, nullptr);
  if (l->last.load(std::memory_order_relaxed) != t.number) l->last.store(t.number, std::memory_order_relaxed);
  held_lock& h = t.held[0];
  h.object = m, h.depth = 1, h.lock = n, h.since = 0;
  t.count = 1;
}

[[gnu::noinline]] void given_back_slowly(per_thread& t, const pthread_mutex_t* m) noexcept {
  held_lock* const h = find(t, m);
  if (h == nullptr || --h->depth != 0) return;
  if (h->since != 0) note_hold(*h, recording::now());
  std::copy(h + 1, t.held + t.count, h);
  --t.count;
}

[[gnu::always_inline]] inline void given_back(per_thread& t, const pthread_mutex_t* m) noexcept {
  const held_lock& h = t.held[0];
  if (t.count == 1 && h.object == m && h.depth == 1 && h.since == 0) [[likely]]
    t.count = 0;
  else
    given_back_slowly(t, m);
}

/// It will wait for m, and holds something.
[[gnu::noinline]] void note_orders(per_thread& t, pthread_mutex_t* m) noexcept {
  label* const l = label_of(m);
  if (l == nullptr || find(t, m) != nullptr) return;
  number next = l->lock.load(std::memory_order_relaxed);
  if (next == 0) next = enter(t, m, *l, false);
  if (!recording::is_lock(next)) return;
  for (unsigned i = 0; i < t.count; ++i) {
    const number held = t.held[i].lock;
    const std::uint32_t both = std::uint32_t{held} << 16 | next;
    std::uint32_t& known = t.orders[(both ^ both >> 13) % per_thread::most_orders];
    if (known == both || held == next || !recording::is_lock(held)) continue;
    t.busy = true;
    recording::note_order(held, next, this_thread());
    t.busy = false;
    known = both;
  }
}

/// `wait` locks; nothing else that may fail comes after it.
template <class Wait>
[[gnu::noinline]] int sampled(per_thread& t, pthread_mutex_t* m, Wait wait) noexcept {
  if (t.random == 0) {
    join(t);
    if (--t.left != 0) {
      const int error = wait();
      if (error == 0) taken(t, m);
      return error;
    }
  }
  t.left = next_step(t);
  sample s{};
  int error = below::try_lock(m);
  if (error == EBUSY) {
    s.contended = true;
    s.asked = recording::now();
    error = wait();
  }
  if (error != 0) return error;
  s.got = recording::now();
  if (!s.contended) s.asked = s.got;
  taken_slowly(t, m, &s);
  return 0;
}

template <class Wait>
[[gnu::always_inline]] inline int looked_at(per_thread& t, pthread_mutex_t* m, Wait wait) noexcept {
  if (--t.left == 0) [[unlikely]]
    return sampled(t, m, wait);
  const int error = wait();
  if (error == 0) taken(t, m);
  return error;
}

}  // namespace

void start_recorder(const char* folder, unsigned k) noexcept {
  every = std::clamp(k, 1U, 1U << 20);
  if (recording::open(folder, every)) recording_on.store(true, std::memory_order_relaxed);
}

void restart_recorder() noexcept {
  if (!records()) return;
  threads.store(0, std::memory_order_relaxed);
  const unsigned count = mine.count;
  const auto held = mine.held;
  for (unsigned i = 0; i < count; ++i) held[i].since = 0;
  std::fill(std::begin(mine.orders), std::end(mine.orders), 0);
  mine.random = 0, mine.left = 1, mine.busy = false;
  if (!recording::open_again()) recording_on.store(false, std::memory_order_relaxed);
}

void end_recorder() noexcept {
  if (records()) recording::head().ended.store(recording::now(), std::memory_order_relaxed);
}

namespace recorded {

int initialise(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept {
  const int error = preload::initialise(m, attributes);
  per_thread& t = mine;
  label* const l = error == 0 && !t.busy ? label_of(m) : nullptr;
  if (l != nullptr) enter(t, m, *l, true);
  return error;
}

int lock(pthread_mutex_t* m) noexcept {
  per_thread& t = mine;
  if (t.busy) return below::lock(m);
  if (t.count != 0) note_orders(t, m);
  return looked_at(t, m, [=] { return below::lock(m); });
}

int try_lock(pthread_mutex_t* m) noexcept {
  per_thread& t = mine;
  if (t.busy) return below::try_lock(m);
  const int error = below::try_lock(m);
  if (error != 0) return error;
  if (t.random == 0) join(t);
  if (--t.left != 0) return taken(t, m), 0;
  t.left = next_step(t);
  const std::uint64_t now = recording::now();
  const sample s{now, now, false};
  return taken_slowly(t, m, &s), 0;
}

int lock_until(pthread_mutex_t* m, clockid_t clock, const timespec* moment) noexcept {
  per_thread& t = mine;
  const auto wait = [=] { return preload::lock_until(m, clock, moment); };
  return t.busy ? wait() : looked_at(t, m, wait);
}

int unlock(pthread_mutex_t* m) noexcept {
  per_thread& t = mine;
  if (t.count != 0 && !t.busy) given_back(t, m);
  return below::unlock(m);
}

std::uint64_t before_wait(pthread_mutex_t* m) noexcept {
  const std::uint64_t now = recording::now();
  if (held_lock* const h = find(mine, m); h != nullptr) note_hold(*h, now);
  return now;
}

void after_wait(pthread_mutex_t* m, std::uint64_t begun) noexcept {
  label* const l = label_of(m);
  if (l == nullptr) return;
  const number n = l->lock.load(std::memory_order_relaxed);
  l->last.store(mine.number, std::memory_order_relaxed);
  if (!recording::is_lock(n)) return;
  add<std::uint64_t>(recording::at(n).condition_waits, 1);
  add<std::uint64_t>(recording::at(n).condition_ns, recording::now() - begun);
}

}  // namespace recorded

}  // namespace synchro::preload
