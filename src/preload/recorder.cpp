#include "preload/recorder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "preload/clocks.hpp"
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
  const void* object;
  std::uint32_t depth;  // a recursive one, or one that is read, may be held several times
  number lock;          // of a readers-writers lock: that of its writers, or of its readers
  number whole;         // the same whoever holds it
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

template <std::size_t Ours, std::size_t Native>
label* label_in(void* object) noexcept {
  return reinterpret_cast<label*>(static_cast<std::byte*>(object) + (chosen.leaves_all ? Native : Ours));
}

// Kinds of objects. `where` is nothing for those that are not recorded: robust, process-shared, with a priority protocol,
// destroyed. `nests`: its holder may take it again.

struct mutex_target {
  static constexpr auto what = recording::layout::sort::mutex;
  static constexpr bool may_read = false;
  pthread_mutex_t* m;

  [[nodiscard]] const void* object() const noexcept { return m; }
  [[nodiscard]] label* where() const noexcept {
    constexpr int kinds = 3, about_elision = 0x300;
    const bool ours = !chosen.leaves_all && mark::is_ours(object_of(m).state.load(std::memory_order_relaxed));
    if (!ours && (__atomic_load_n(&m->__data.__kind, __ATOMIC_RELAXED) & ~(kinds | about_elision)) != 0) return nullptr;
    return label_in<offsetof(mutex_object, label), offsetof(pthread_mutex_t, __data.__list)>(m);
  }
  [[nodiscard]] bool nests() const noexcept {
    const mark::word state = object_of(m).state.load(std::memory_order_relaxed);
    if (!chosen.leaves_all) return mark::is_ours(state) && mark::kind_of(state) == kind::recursive;
    return (m->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP;
  }
  [[nodiscard]] int try_lock() const noexcept { return below::try_lock(m); }
};

struct rwlock_target {
  static constexpr auto what = recording::layout::sort::writing;
  static constexpr bool may_read = true;
  pthread_rwlock_t* l;
  bool reads;

  [[nodiscard]] const void* object() const noexcept { return l; }
  [[nodiscard]] label* where() const noexcept {
    const bool ours = !chosen.leaves_all && mark::is_ours(object_of(l).state.load(std::memory_order_relaxed));
    if (!ours && __atomic_load_n(&l->__data.__shared, __ATOMIC_RELAXED) != 0) return nullptr;
    return label_in<offsetof(rwlock_object, label), offsetof(pthread_rwlock_t, __data.__pad2)>(l);
  }
  [[nodiscard]] bool nests() const noexcept { return reads; }
  [[nodiscard]] int try_lock() const noexcept { return reads ? preload::try_lock_shared(l) : preload::try_lock(l); }
};

struct spin_target {
  static constexpr auto what = recording::layout::sort::spin;
  static constexpr bool may_read = false;
  spin_object& o;
  const void* s;

  [[nodiscard]] const void* object() const noexcept { return s; }
  [[nodiscard]] label* where() const noexcept { return reinterpret_cast<label*>(&o.label); }
  [[nodiscard]] static bool nests() noexcept { return false; }
  [[nodiscard]] int try_lock() const noexcept { return preload::try_lock(o); }
};

template <class Target>
bool reads(const Target& x) noexcept {
  if constexpr (Target::may_read) return x.reads;
  return false;
}

/// The record of those who take it in this way.
template <class Target>
number side_of(const Target& x, number whole) noexcept {
  return reads(x) && recording::is_lock(whole) ? static_cast<number>(whole + 1) : whole;
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

held_lock* find(per_thread& t, const void* object) noexcept {
  for (unsigned i = t.count; i-- != 0;)
    if (t.held[i].object == object) return &t.held[i];
  return nullptr;
}

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
[[gnu::noinline]] void taken_slowly(per_thread& t, const Target& x, const sample* s) noexcept {
  label* const l = x.where();
  if (l == nullptr) return;
  number n = l->lock.load(std::memory_order_relaxed);
  const bool is_new = n == 0;
  if (is_new) [[unlikely]]
    n = enter(t, x, *l, false);
  const std::uint16_t last = reads(x) ? std::uint16_t{0} : l->last.load(std::memory_order_relaxed);
  if (!reads(x) && last != t.number) l->last.store(t.number, std::memory_order_relaxed);
  held_lock* const h = hold(t, x, n);
  n = side_of(x, n);
  if (s == nullptr) return;
  note(t, n, last, *s);
  if (h == nullptr || h->depth != 1 || !recording::is_lock(n)) return;
  h->since = is_new ? recording::now() : s->got;  // to enter it takes long
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

[[gnu::noinline]] void given_back_slowly(per_thread& t, const void* object) noexcept {
  held_lock* const h = find(t, object);
  if (h == nullptr || --h->depth != 0) return;
  if (h->since != 0) note_hold(*h, recording::now());
  std::copy(h + 1, t.held + t.count, h);
  --t.count;
}

[[gnu::always_inline]] inline void given_back(per_thread& t, const void* object) noexcept {
  const held_lock& h = t.held[0];
  if (t.count == 1 && h.object == object && h.depth == 1 && h.since == 0) [[likely]]
    t.count = 0;
  else
    given_back_slowly(t, object);
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

/// `wait` locks; nothing else that may fail comes after it.
template <class Target, class Wait>
[[gnu::noinline]] int sampled(per_thread& t, const Target& x, Wait wait) noexcept {
  if (t.random == 0) {
    join(t);
    if (--t.left != 0) {
      const int error = wait();
      if (error == 0) taken(t, x);
      return error;
    }
  }
  t.left = next_step(t);
  sample s{};
  int error = x.try_lock();
  if (error == EBUSY) {
    s.contended = true;
    s.asked = recording::now();
    error = wait();
  }
  if (error != 0) return error;
  s.got = recording::now();
  if (!s.contended) s.asked = s.got;
  taken_slowly(t, x, &s);
  return 0;
}

template <class Target, class Wait>
[[gnu::always_inline]] inline int looked_at(per_thread& t, const Target& x, Wait wait) noexcept {
  if (--t.left == 0) [[unlikely]]
    return sampled(t, x, wait);
  const int error = wait();
  if (error == 0) taken(t, x);
  return error;
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
  t.left = next_step(t);
  const std::uint64_t now = recording::now();
  const sample s{now, now, false};
  return taken_slowly(t, x, &s), 0;
}

/// A clock that there is none of is refused before anything is tried.
template <class Target, class Wait>
int locked_in_time(const Target& x, clockid_t clock, Wait wait) noexcept {
  per_thread& t = mine;
  return t.busy || !is_clock(clock) ? wait() : looked_at(t, x, wait);
}

template <class Target>
void entered(const Target& x) noexcept {
  per_thread& t = mine;
  label* const l = t.busy ? nullptr : x.where();
  if (l != nullptr) enter(t, x, *l, true);
}

[[gnu::always_inline]] inline void unlocked(const void* object) noexcept {
  per_thread& t = mine;
  if (t.count != 0 && !t.busy) given_back(t, object);
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
  if (error == 0) entered(mutex_target{m});
  return error;
}

int lock(pthread_mutex_t* m) noexcept {
  return locked(mutex_target{m}, [=] { return below::lock(m); });
}

int try_lock(pthread_mutex_t* m) noexcept { return tried(mutex_target{m}); }

int lock_until(pthread_mutex_t* m, clockid_t clock, const timespec* moment) noexcept {
  return locked_in_time(mutex_target{m}, clock, [=] { return preload::lock_until(m, clock, moment); });
}

int unlock(pthread_mutex_t* m) noexcept {
  unlocked(m);
  return below::unlock(m);
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
  return locked_in_time(rwlock_target{l, false}, clock, [=] { return preload::lock_until(l, clock, moment); });
}

int lock_shared(pthread_rwlock_t* l) noexcept {
  return locked(rwlock_target{l, true}, [=] { return preload::lock_shared(l); });
}

int try_lock_shared(pthread_rwlock_t* l) noexcept { return tried(rwlock_target{l, true}); }

int lock_shared_until(pthread_rwlock_t* l, clockid_t clock, const timespec* moment) noexcept {
  return locked_in_time(rwlock_target{l, true}, clock, [=] { return preload::lock_shared_until(l, clock, moment); });
}

int unlock(pthread_rwlock_t* l) noexcept {
  unlocked(l);
  return preload::unlock(l);
}

void made(spin_object& o, const void* s) noexcept { entered(spin_target{o, s}); }

int lock(spin_object& o, const void* s) noexcept {
  return locked(spin_target{o, s}, [&] { return preload::lock(o); });
}

int try_lock(spin_object& o, const void* s) noexcept { return tried(spin_target{o, s}); }

int unlock(spin_object& o, const void* s) noexcept {
  unlocked(s);
  return preload::unlock(o);
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
  add<std::uint64_t>(recording::at(n).condition_waits, 1);
  add<std::uint64_t>(recording::at(n).condition_ns, recording::now() - begun);
}

}  // namespace recorded

}  // namespace synchro::preload
