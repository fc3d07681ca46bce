// What can be done with an object, for each lock of the catalog: tables of functions, one of which is chosen at the start.

#ifndef SYNCHRO_PRELOAD_OPERATIONS_HPP
#define SYNCHRO_PRELOAD_OPERATIONS_HPP

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <type_traits>

#include "catalog/lock_line.hpp"
#include "preload/calls.hpp"
#include "preload/holding.hpp"
#include "preload/object.hpp"
#include "synchro/hardware.hpp"
#include "synchro/traits.hpp"
#include "synchro/waiting.hpp"

namespace synchro::preload {

using deadline = hardware::deadline;

/// A lock that serves mutexes. Functions return 0, EBUSY or ETIMEDOUT.
struct mutex_operations {
  int (*lock)(mutex_object&);
  int (*try_lock)(mutex_object&);
  int (*lock_until)(mutex_object&, deadline);
  int (*unlock)(mutex_object&);   ///< Does nothing to one that nobody holds.
  int (*release)(mutex_object&);  ///< The same of one that is known to be held.
  bool (*is_held)(mutex_object&);
  bool (*is_here)(mutex_object&);  ///< In this process's memory, where its state is.
  void (*make)(mutex_object&);
  void (*unmake)(mutex_object&);
  bool is_plain;  ///< It stands in the object, has no addresses, and says itself whether it is held.
};

/// A lock that serves rwlocks.
struct rwlock_operations {
  int (*lock)(rwlock_object&);
  int (*try_lock)(rwlock_object&);
  int (*lock_until)(rwlock_object&, deadline);
  void (*unlock)(rwlock_object&);
  int (*lock_shared)(rwlock_object&);
  int (*try_lock_shared)(rwlock_object&);
  int (*lock_shared_until)(rwlock_object&, deadline);
  void (*unlock_shared)(rwlock_object&);
  void (*make)(rwlock_object&);
  void (*unmake)(rwlock_object&);
};

/// A lock of the catalog. Those without a shared side serve no rwlocks.
struct lock_operations {
  const mutex_operations* mutex = nullptr;
  const rwlock_operations* rwlock = nullptr;
  bool spins = false;  ///< All that its waiters do.
};

/// For locks whose waiters cannot leave: tries again and again, asleep in between.
template <class Try>
int poll_until(Try try_it, deadline until) {
  constexpr std::chrono::microseconds nap{200};
  counted.add(event::polled_lock);
  for (;;) {
    if (try_it()) return 0;
    const deadline now = hardware::clock::now();
    if (now >= until) return ETIMEDOUT;
    const std::atomic<std::uint32_t> word{0};  // nobody wakes it
    hardware::park(word, 0, std::min(until, now + nap));
  }
}

template <class Lock>
class as_mutex {
  using stored = typename kept<Lock>::type;
  using says = holding<stored>;
  static constexpr bool is_near = decltype(mutex_object::lock)::fits<stored>;
  static constexpr bool sign_is_beside = !says::is_said && !is_near;

  static stored& in(mutex_object& o) noexcept { return o.lock.as<stored>(); }
  static void sign(mutex_object& o, bool held) noexcept {
    if constexpr (sign_is_beside)
      o.lock.far<stored>().sign.store(held, std::memory_order_relaxed);
    else if constexpr (!says::is_said)
      o.owner.store(held ? somebody : nobody, std::memory_order_relaxed);
  }
  static int taken(mutex_object& o) noexcept { return sign(o, true), 0; }

 public:
  static bool is_held(mutex_object& o) noexcept {
    if constexpr (sign_is_beside)
      return o.lock.far<stored>().sign.load(std::memory_order_relaxed);
    else if constexpr (says::is_said)
      return says::is_held(in(o));
    else
      return o.owner.load(std::memory_order_relaxed) != nobody;
  }
  static int lock(mutex_object& o) {
    in(o).lock();
    return taken(o);
  }
  static int try_lock(mutex_object& o) { return in(o).try_lock() ? taken(o) : EBUSY; }
  static int lock_until(mutex_object& o, deadline until) {
    if constexpr (timed_lockable<Lock>)
      return in(o).try_lock_until(until) ? taken(o) : ETIMEDOUT;
    else
      return poll_until([&] { return in(o).try_lock(); }, until) == 0 ? taken(o) : ETIMEDOUT;
  }
  static int release(mutex_object& o) {
    sign(o, false);
    in(o).unlock();
    return 0;
  }
  static int unlock(mutex_object& o) {
    if constexpr (looks_before_unlock)
      if (!is_held(o)) return 0;
    return release(o);
  }
  static bool is_here(mutex_object& o) noexcept { return o.lock.is_here<stored>(); }
  static void make(mutex_object& o) { o.lock.make<stored>(); }
  static void unmake(mutex_object& o) { o.lock.unmake<stored>(); }

  static constexpr bool is_plain = says::is_said && is_near;
  static constexpr mutex_operations all{lock,    try_lock, lock_until, unlock, release,
                                        is_held, is_here,  make,       unmake, is_plain};

 private:
  static constexpr bool looks_before_unlock = [] {
    if constexpr (says::is_said)
      return says::unlock_looks;
    else
      return true;
  }();
};

template <class Lock>
struct as_rwlock {
  static Lock& in(rwlock_object& o) noexcept { return o.lock.as<Lock>(); }

  static int lock(rwlock_object& o) { return in(o).lock(), 0; }
  static int try_lock(rwlock_object& o) { return in(o).try_lock() ? 0 : EBUSY; }
  static int lock_until(rwlock_object& o, deadline until) {
    if constexpr (timed_lockable<Lock>)
      return in(o).try_lock_until(until) ? 0 : ETIMEDOUT;
    else
      return poll_until([&] { return in(o).try_lock(); }, until);
  }
  static void unlock(rwlock_object& o) { in(o).unlock(); }
  static int lock_shared(rwlock_object& o) { return in(o).lock_shared(), 0; }
  static int try_lock_shared(rwlock_object& o) { return in(o).try_lock_shared() ? 0 : EBUSY; }
  static int lock_shared_until(rwlock_object& o, deadline until) {
    if constexpr (requires { in(o).try_lock_shared_until(until); })
      return in(o).try_lock_shared_until(until) ? 0 : ETIMEDOUT;
    else
      return poll_until([&] { return in(o).try_lock_shared(); }, until);
  }
  static void unlock_shared(rwlock_object& o) { in(o).unlock_shared(); }
  static void make(rwlock_object& o) { o.lock.make<Lock>(); }
  static void unmake(rwlock_object& o) { o.lock.unmake<Lock>(); }

  static constexpr rwlock_operations all{
      lock, try_lock, lock_until, unlock, lock_shared, try_lock_shared, lock_shared_until, unlock_shared, make, unmake};
};

/// The lock itself, as long as it lies wholly in the program's object. Many programs never destroy their rwlocks (std::shared_mutex
/// of libstdc++ does not), so a lock that takes memory for its readers would leave it behind.
template <class Lock>
struct without_memory {
  using type = Lock;
};
struct one_count : hardware {
  static constexpr unsigned processors = 1;
};
template <class Waiting>
struct without_memory<basic_shared_mutex_lock<hardware, Waiting>> {
  using type = basic_shared_mutex_lock<one_count, Waiting>;
};

template <class Lock>
constexpr lock_operations operations_of() {
  lock_operations all{&as_mutex<Lock>::all};
  if constexpr (shared_lockable<Lock>) all.rwlock = &as_rwlock<typename without_memory<Lock>::type>::all;
  return all;
}

/// A lock of the catalog by its name; no functions if there is none.
struct sought_lock {
  std::string_view name;
  lock_operations found = {};
};

/// It may be one of this line.
template <class Line>
void add_line(sought_lock& lock) {
  Line::each([&]<class Variant>(const Variant& variant) {
    using served_by = typename Variant::template lock<hardware>;
    static_assert(try_lockable<served_by>,
                  "in front of a program a lock needs lock(), unlock() and a try_lock() that returns bool");
    if (variant.name != lock.name) return;
    lock.found = operations_of<served_by>();
    lock.found.spins = std::is_same_v<typename Variant::waiting, spin>;
  });
}

/// As generated: in all of the catalog.
void look_for(sought_lock& lock);

/// In a header of the user's own: of an interposer that is linked on the user's machine (src/own_lock), null in others.
[[gnu::weak]] void look_for_own(sought_lock& lock);

}  // namespace synchro::preload

#endif
