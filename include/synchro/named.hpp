// A lock with a name, and a hook that is told when threads meet at it.
//
//   struct prints_waits {
//     void waits(const char* name, const void* lock) noexcept;               another has it: from here on it takes time
//     void waited(const char* name, const void* lock, bool taken) noexcept;  the wait is over
//   };
//   synchro::named<synchro::mutex, prints_waits> lock{"the cache"};
//   lock.name(), lock.hook()
//
// The hook is a member of the lock; an empty one takes no room. It is told of waits alone: a lock that is free costs its own
// try_lock, and nobody is called. Without a hook the lock is the very same code and larger by the name, one pointer; a lock
// that nobody names is neither. Both functions of the hook run in the waiting thread: the first without the lock, the
// second with it if it was taken. They must not use it.
//
// The lock is tried before it is waited for. A queue lock's try_lock takes it only if nobody waits, so its order stays.

#ifndef SYNCHRO_NAMED_HPP
#define SYNCHRO_NAMED_HPP

#include <type_traits>
#include <utility>

#include "synchro/annotations.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// Nobody asks for waits.
struct no_hook {};

/// `Lock` with all that it offers.
template <class Lock, class Hook = no_hook>
class SYNCHRO_CAPABILITY named : public Lock {
  static constexpr bool tells = !std::is_same_v<Hook, no_hook>;
  static_assert(!tells || try_lockable<Lock>, "whether a thread has to wait for a lock is found out by its try_lock");

 public:
  /// `name` is kept as a pointer; the lock is made of `arguments`.
  template <class... Arguments>
  constexpr explicit named(const char* name, Arguments&&... arguments)
      : Lock(std::forward<Arguments>(arguments)...), name_{name} {}

  [[nodiscard]] const char* name() const noexcept { return name_; }
  [[nodiscard]] Hook& hook() noexcept { return hook_; }
  [[nodiscard]] const Hook& hook() const noexcept { return hook_; }

  SYNCHRO_ACQUIRES() void lock() noexcept(noexcept(std::declval<Lock&>().lock())) {
    take([this] { return Lock::try_lock(); }, [this] { return Lock::lock(), true; });
  }
  template <class Patience>
  [[nodiscard]] SYNCHRO_TRIES bool try_lock_for(const Patience& patience) requires timed_lockable<Lock> {
    return take([this] { return Lock::try_lock(); }, [&] { return Lock::try_lock_for(patience); });
  }
  template <class Moment>
  [[nodiscard]] SYNCHRO_TRIES bool try_lock_until(const Moment& moment) requires timed_lockable<Lock> {
    return take([this] { return Lock::try_lock(); }, [&] { return Lock::try_lock_until(moment); });
  }
  SYNCHRO_ACQUIRES_SHARED() void lock_shared() noexcept requires shared_lockable<Lock> {
    take([this] { return Lock::try_lock_shared(); }, [this] { return Lock::lock_shared(), true; });
  }
  template <class Patience>
  [[nodiscard]] SYNCHRO_TRIES_SHARED bool try_lock_shared_for(const Patience& patience) requires shared_lockable<Lock> {
    return take([this] { return Lock::try_lock_shared(); }, [&] { return Lock::try_lock_shared_for(patience); });
  }
  template <class Moment>
  [[nodiscard]] SYNCHRO_TRIES_SHARED bool try_lock_shared_until(const Moment& moment) requires shared_lockable<Lock> {
    return take([this] { return Lock::try_lock_shared(); }, [&] { return Lock::try_lock_shared_until(moment); });
  }

 private:
  /// Tells of the end of a wait, also when taking throws.
  struct wait_told {
    named& lock;
    bool taken = false;
    ~wait_told() { lock.hook_.waited(lock.name_, &lock, taken); }
  };

  template <class Try, class Take>
  [[gnu::always_inline]] bool take(Try try_it, Take take_it) {
    if constexpr (!tells) {
      return take_it();
    } else {
      if (try_it()) return true;
      hook_.waits(name_, this);
      wait_told one{*this};
      return one.taken = take_it();
    }
  }

  const char* name_;
  [[no_unique_address]] Hook hook_;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
