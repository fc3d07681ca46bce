// A lock whose use somebody watches: checked mode, ThreadSanitizer, clang's analysis, or an observer of yours.
//
//   struct observer {
//     void asks(way) noexcept;             before an attempt to take the lock
//     void got(way, bool taken) noexcept;  after it
//     void gives(way) noexcept;            before the lock is given back
//     void gave(way) noexcept;             after it: the lock may be another's by now, or gone
//   };
//   synchro::watched<synchro::basic_mutex_lock<>, observer> lock;
//   lock.observer()                        what it has seen
//
// The observer is made and destroyed with the lock and stands at its address. It is told nothing of what goes on inside.
// An empty one adds nothing to the lock's size.

#ifndef SYNCHRO_WATCHED_HPP
#define SYNCHRO_WATCHED_HPP

#include <cstdint>
#include <utility>

#include "synchro/annotations.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// How long somebody waits for a lock.
enum class how_long : std::uint8_t { endless, limited, none };

/// How a lock is taken or given back.
struct way {
  bool shared = false;  ///< Beside other readers.
  how_long wait = how_long::endless;
  const void* node = nullptr;  ///< The caller's own queue node.
};

/// Watches nothing.
struct nobody {
  void asks(way /*unused*/) noexcept {}
  void got(way /*unused*/, bool /*taken*/) noexcept {}
  void gives(way /*unused*/) noexcept {}
  void gave(way /*unused*/) noexcept {}
};

/// `Lock` with all that it offers.
template <class Lock, class Observer>
class SYNCHRO_CAPABILITY watched : private Observer, public Lock {
  static constexpr bool upgrades = requires(Lock & l) { l.lock_upgrade(); };

 public:
  using Lock::Lock;
  watched() = default;

  [[nodiscard]] const Observer& observer() const noexcept { return *this; }

  SYNCHRO_ACQUIRES() void lock() noexcept(noexcept(std::declval<Lock&>().lock())) {
    take(alone, [this] { return Lock::lock(), true; });
  }
  [[nodiscard]] SYNCHRO_TRIES bool try_lock() noexcept(noexcept(std::declval<Lock&>().try_lock())) requires
      try_lockable<Lock> {
    return take(within(how_long::none), [this] { return Lock::try_lock(); });
  }
  template <class Patience>
  [[nodiscard]] SYNCHRO_TRIES bool try_lock_for(const Patience& patience) requires timed_lockable<Lock> {
    return take(within(how_long::limited), [&] { return Lock::try_lock_for(patience); });
  }
  template <class Moment>
  [[nodiscard]] SYNCHRO_TRIES bool try_lock_until(const Moment& moment) requires timed_lockable<Lock> {
    return take(within(how_long::limited), [&] { return Lock::try_lock_until(moment); });
  }
  SYNCHRO_RELEASES void unlock() noexcept {
    give(alone, [this] { Lock::unlock(); });
  }

  // With a node of the caller's. (Names of a dependent base that may not be there, hence the templates.)

  template <class Node>
  SYNCHRO_ACQUIRES()
  void lock(Node& mine) noexcept requires node_lockable<Lock> {
    take(with(mine), [&] { return Lock::lock(mine), true; });
  }
  template <class Node>
  [[nodiscard]] SYNCHRO_TRIES bool try_lock(Node& mine) noexcept requires requires(Lock& l) {
    l.try_lock(mine);
  }
  {
    return take(within(how_long::none, with(mine)), [&] { return Lock::try_lock(mine); });
  }
  template <class Node>
  SYNCHRO_RELEASES void unlock(Node& mine) noexcept requires node_lockable<Lock> {
    give(with(mine), [&] { Lock::unlock(mine); });
  }

  // Shared.

  SYNCHRO_ACQUIRES_SHARED() void lock_shared() noexcept requires shared_lockable<Lock> {
    take(shared, [this] { return Lock::lock_shared(), true; });
  }
  [[nodiscard]] SYNCHRO_TRIES_SHARED bool try_lock_shared() noexcept requires shared_lockable<Lock> {
    return take(within(how_long::none, shared), [this] { return Lock::try_lock_shared(); });
  }
  template <class Patience>
  [[nodiscard]] SYNCHRO_TRIES_SHARED bool try_lock_shared_for(const Patience& patience) requires shared_lockable<Lock> {
    return take(within(how_long::limited, shared), [&] { return Lock::try_lock_shared_for(patience); });
  }
  template <class Moment>
  [[nodiscard]] SYNCHRO_TRIES_SHARED bool try_lock_shared_until(const Moment& moment) requires shared_lockable<Lock> {
    return take(within(how_long::limited, shared), [&] { return Lock::try_lock_shared_until(moment); });
  }
  SYNCHRO_RELEASES_SHARED void unlock_shared() noexcept requires shared_lockable<Lock> {
    give(shared, [this] { Lock::unlock_shared(); });
  }

  // Upgradable: shared, until it goes up.

  SYNCHRO_ACQUIRES_SHARED() void lock_upgrade() noexcept requires upgrades {
    take(shared, [this] { return Lock::lock_upgrade(), true; });
  }
  [[nodiscard]] SYNCHRO_TRIES_SHARED bool try_lock_upgrade() noexcept requires upgrades {
    return take(within(how_long::none, shared), [this] { return Lock::try_lock_upgrade(); });
  }
  template <class Patience>
  [[nodiscard]] SYNCHRO_TRIES_SHARED bool try_lock_upgrade_for(const Patience& patience) requires upgrades {
    return take(within(how_long::limited, shared), [&] { return Lock::try_lock_upgrade_for(patience); });
  }
  template <class Moment>
  [[nodiscard]] SYNCHRO_TRIES_SHARED bool try_lock_upgrade_until(const Moment& moment) requires upgrades {
    return take(within(how_long::limited, shared), [&] { return Lock::try_lock_upgrade_until(moment); });
  }
  SYNCHRO_RELEASES_SHARED void unlock_upgrade() noexcept requires upgrades {
    give(shared, [this] { Lock::unlock_upgrade(); });
  }

  // Changes one kind for the other, without a gap. A thread that tries and fails keeps what it has.

  SYNCHRO_RELEASES_SHARED SYNCHRO_ACQUIRES() void unlock_upgrade_and_lock() noexcept requires upgrades {
    change(shared, alone, [this] { return Lock::unlock_upgrade_and_lock(), true; });
  }
  [[nodiscard]] bool try_unlock_upgrade_and_lock() noexcept requires upgrades {
    return change(shared, alone, [this] { return Lock::try_unlock_upgrade_and_lock(); });
  }
  template <class Patience>
  [[nodiscard]] bool try_unlock_upgrade_and_lock_for(const Patience& patience) requires upgrades {
    return change(shared, alone, [&] { return Lock::try_unlock_upgrade_and_lock_for(patience); });
  }
  template <class Moment>
  [[nodiscard]] bool try_unlock_upgrade_and_lock_until(const Moment& moment) requires upgrades {
    return change(shared, alone, [&] { return Lock::try_unlock_upgrade_and_lock_until(moment); });
  }
  [[nodiscard]] bool try_unlock_shared_and_lock() noexcept requires upgrades {
    return change(shared, alone, [this] { return Lock::try_unlock_shared_and_lock(); });
  }
  SYNCHRO_RELEASES SYNCHRO_ACQUIRES_SHARED() void unlock_and_lock_shared() noexcept requires upgrades {
    change(alone, shared, [this] { return Lock::unlock_and_lock_shared(), true; });
  }
  SYNCHRO_RELEASES SYNCHRO_ACQUIRES_SHARED() void unlock_and_lock_upgrade() noexcept requires upgrades {
    change(alone, shared, [this] { return Lock::unlock_and_lock_upgrade(), true; });
  }

 private:
  static constexpr way alone{};
  static constexpr way shared{.shared = true};
  static constexpr way within(how_long wait, way how = {}) { return {how.shared, wait, how.node}; }
  static constexpr way with(const auto& node) { return {.node = &node}; }

  /// Tells of the outcome, also when taking throws.
  struct outcome {
    Observer& observer;
    way how;
    bool taken = false;
    ~outcome() { observer.got(how, taken); }
  };

  template <class Take>
  [[gnu::always_inline]] bool take(way how, Take take_it) {
    Observer::asks(how);
    outcome one{*this, how};
    return one.taken = take_it();
  }
  template <class Give>
  [[gnu::always_inline]] void give(way how, Give give_it) noexcept {
    Observer::gives(how);
    give_it();
    Observer::gave(how);
  }
  /// To the observer: what it had is given back, and the other taken; or, if that fails, the first again.
  template <class Change>
  bool change(way from, way to, Change change_it) {
    Observer::gives(from);
    Observer::gave(from);
    const bool changed = change_it();
    const way now = within(how_long::none, changed ? to : from);
    Observer::asks(now);
    Observer::got(now, true);
    return changed;
  }
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
