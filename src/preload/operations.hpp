// What can be done with an object, for each lock of the catalog: tables of functions, one of which is chosen at the start.

#ifndef SYNCHRO_PRELOAD_OPERATIONS_HPP
#define SYNCHRO_PRELOAD_OPERATIONS_HPP

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>

#include "catalog/lock_line.hpp"
#include "preload/calls.hpp"
#include "preload/object.hpp"
#include "synchro/hardware.hpp"
#include "synchro/traits.hpp"

namespace synchro::preload {

using deadline = hardware::deadline;

/// A lock that serves mutexes. Functions return 0, EBUSY or ETIMEDOUT. Who locks signs as `somebody`, unless the lock itself
/// tells whether it is held.
struct mutex_operations {
  int (*lock)(mutex_object&);
  int (*try_lock)(mutex_object&);
  int (*lock_until)(mutex_object&, deadline);
  int (*unlock)(mutex_object&);    ///< Does nothing to one that nobody holds.
  void (*release)(mutex_object&);  ///< Unlocks what the caller has signed for, and takes the sign away.
  bool (*is_held)(mutex_object&);
  void (*make)(mutex_object&);
  void (*unmake)(mutex_object&);
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

/// A lock that is one word, 0 while nobody has it. To unlock a free one changes nothing.
template <class Lock>
concept one_word = requires(const Lock& l) {
  l.word().load(memory_order::relaxed) == 0;
};

template <class Lock>
concept tells_whether_held = one_word<Lock> || requires(const Lock& l) {
  l.is_locked();
};

/// A lock that tells is not signed for: waiters look at the line in which the sign would be written.
template <class Lock>
struct as_mutex {
  static Lock& in(mutex_object& o) noexcept { return o.lock.as<Lock>(); }
  static int sign(mutex_object& o) noexcept {
    if constexpr (!tells_whether_held<Lock>) o.owner.store(somebody, std::memory_order_relaxed);
    return 0;
  }
  static bool is_held(mutex_object& o) {
    if constexpr (one_word<Lock>)
      return in(o).word().load(memory_order::relaxed) != 0;
    else if constexpr (tells_whether_held<Lock>)
      return in(o).is_locked();
    else
      return o.owner.load(std::memory_order_relaxed) != nobody;
  }

  static int lock(mutex_object& o) {
    in(o).lock();
    return sign(o);
  }
  static int try_lock(mutex_object& o) { return in(o).try_lock() ? sign(o) : EBUSY; }
  static int lock_until(mutex_object& o, deadline until) {
    if constexpr (timed_lockable<Lock>)
      return in(o).try_lock_until(until) ? sign(o) : ETIMEDOUT;
    else
      return poll_until([&] { return in(o).try_lock(); }, until) == 0 ? sign(o) : ETIMEDOUT;
  }
  static int unlock(mutex_object& o) {
    // A look at the word first would bring its line here without leave to write.
    if constexpr (!one_word<Lock>)
      if (!is_held(o)) return 0;
    if constexpr (!tells_whether_held<Lock>) o.owner.store(nobody, std::memory_order_relaxed);
    in(o).unlock();
    return 0;
  }
  static void release(mutex_object& o) {
    o.owner.store(nobody, std::memory_order_relaxed);
    in(o).unlock();
  }
  static void make(mutex_object& o) { o.lock.make<Lock>(); }
  static void unmake(mutex_object& o) { o.lock.unmake<Lock>(); }

  static constexpr mutex_operations all{lock, try_lock, lock_until, unlock, release, is_held, make, unmake};
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

template <class Lock>
constexpr lock_operations operations_of() {
  lock_operations all{&as_mutex<Lock>::all, nullptr};
  if constexpr (shared_lockable<Lock>) all.rwlock = &as_rwlock<Lock>::all;
  return all;
}

/// The lock of that name, if it is one of this line of the catalog.
template <class Line>
lock_operations found_in(std::string_view name) {
  lock_operations found;
  Line::each([&]<class Variant>(const Variant& variant) {
    if (variant.name == name) found = operations_of<typename Variant::template lock<hardware>>();
  });
  return found;
}

/// The lock of that name; no functions if there is none.
[[nodiscard]] lock_operations find_operations(std::string_view name);

}  // namespace synchro::preload

#endif
