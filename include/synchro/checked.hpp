// Checked mode: a lock with somebody who watches its use, and stops the program at the first mistake with one sentence.
//
//   c++ -DSYNCHRO_CHECKED ...   // in every unit of the program: checked and other units do not link with each other
//
// Then the plain names (synchro::mutex, synchro::mcs_lock, ...) are checked<...> of what they are otherwise, and tell
//
//   locked again by the thread that has it            it would wait for itself for ever
//   locked shared by the thread that has it alone     the same
//   unlocked though nobody has it
//   unlocked by a thread that does not have it        many of the locks allow it; it is nearly always a mistake
//   unlocked shared though no reader has it
//   destroyed while a thread has it                   and while readers have it
//
// A thread is known by the address of something that is its own, as in recursive.hpp: whoever reads its own has the lock.
// Whoever reads another's, or none, has not; which of the two may be old news, that it is a mistake is not.
//
// The lock is as large as before and 16 bytes more. A lock that is handed over to another thread on purpose is to be used by
// its class template's name, basic_mcs_lock<> and so on, which nobody watches.

#ifndef SYNCHRO_CHECKED_HPP
#define SYNCHRO_CHECKED_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "synchro/hardware.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

[[noreturn]] inline void stop_for(const void* lock, const char* mistake) noexcept {
  std::fprintf(stderr, "synchro: the lock at %p is %s\n", lock, mistake);
  std::abort();
}

/// Who has a lock.
class lock_book {
 public:
  constexpr lock_book() = default;
  lock_book(const lock_book&) = delete;
  lock_book& operator=(const lock_book&) = delete;
  ~lock_book() {
    if (owner_.load(relaxed) != nullptr) stop_for(this, "destroyed while a thread has it");
    if (readers_.load(relaxed) != 0) stop_for(this, "destroyed while readers have it");
  }

  void before_lock() const noexcept {
    if (mine()) stop_for(this, "locked again by the thread that has it");
  }
  void before_lock_shared() const noexcept {
    if (mine()) stop_for(this, "locked shared by the thread that has it alone");
  }
  void before_unlock() const noexcept {
    if (mine()) return;
    stop_for(this, owner_.load(relaxed) == nullptr ? "unlocked though nobody has it"
                                                   : "unlocked by a thread that does not have it");
  }
  void before_unlock_shared() const noexcept {
    if (readers_.load(relaxed) == 0) stop_for(this, "unlocked shared though no reader has it");
  }

  bool alone(bool taken = true) noexcept {
    if (taken) owner_.store(self(), relaxed);
    return taken;
  }
  bool beside(bool taken = true) noexcept {
    if (taken) readers_.fetch_add(1, relaxed);
    return taken;
  }
  void not_alone() noexcept {
    before_unlock();
    owner_.store(nullptr, relaxed);
  }
  void not_beside() noexcept {
    before_unlock_shared();
    readers_.fetch_sub(1, relaxed);
  }

 private:
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;
  struct thread {
    char here = 0;
  };
  static void* self() noexcept { return &hardware::local<thread>().here; }
  [[nodiscard]] bool mine() const noexcept { return owner_.load(relaxed) == self(); }

  std::atomic<void*> owner_{nullptr};
  std::atomic<std::uint32_t> readers_{0};  // who may upgrade is one of them
};

}  // namespace detail

/// `Lock` with all that it offers.
template <class Lock>
class checked : public Lock {
  static constexpr bool upgrades = requires(Lock & l) { l.lock_upgrade(); };

 public:
  using Lock::Lock;
  checked() = default;

  void lock() noexcept(noexcept(std::declval<Lock&>().lock())) {
    book_.before_lock();
    Lock::lock();
    book_.alone();
  }
  [[nodiscard]] bool try_lock() noexcept(noexcept(std::declval<Lock&>().try_lock())) requires try_lockable<Lock> {
    return book_.alone(Lock::try_lock());
  }
  template <class Patience>
  [[nodiscard]] bool try_lock_for(const Patience& patience) requires timed_lockable<Lock> {
    book_.before_lock();
    return book_.alone(Lock::try_lock_for(patience));
  }
  template <class Moment>
  [[nodiscard]] bool try_lock_until(const Moment& moment) requires timed_lockable<Lock> {
    book_.before_lock();
    return book_.alone(Lock::try_lock_until(moment));
  }
  void unlock() noexcept {
    book_.not_alone();
    Lock::unlock();
  }

  // With a node of the caller's. (Names of a dependent base that may not be there, hence the templates.)

  template <class Node>
  void lock(Node& mine) noexcept requires node_lockable<Lock> {
    book_.before_lock();
    Lock::lock(mine);
    book_.alone();
  }
  template <class Node>
  [[nodiscard]] bool try_lock(Node& mine) noexcept requires requires(Lock& l) {
    l.try_lock(mine);
  }
  { return book_.alone(Lock::try_lock(mine)); }
  template <class Node>
  void unlock(Node& mine) noexcept requires node_lockable<Lock> {
    book_.not_alone();
    Lock::unlock(mine);
  }

  // Shared.

  void lock_shared() noexcept requires shared_lockable<Lock> {
    book_.before_lock_shared();
    Lock::lock_shared();
    book_.beside();
  }
  [[nodiscard]] bool try_lock_shared() noexcept requires shared_lockable<Lock> {
    return book_.beside(Lock::try_lock_shared());
  }
  template <class Patience>
  [[nodiscard]] bool try_lock_shared_for(const Patience& patience) requires shared_lockable<Lock> {
    book_.before_lock_shared();
    return book_.beside(Lock::try_lock_shared_for(patience));
  }
  template <class Moment>
  [[nodiscard]] bool try_lock_shared_until(const Moment& moment) requires shared_lockable<Lock> {
    book_.before_lock_shared();
    return book_.beside(Lock::try_lock_shared_until(moment));
  }
  void unlock_shared() noexcept requires shared_lockable<Lock> {
    book_.not_beside();
    Lock::unlock_shared();
  }

  // Upgradable.

  void lock_upgrade() noexcept requires upgrades {
    book_.before_lock_shared();
    Lock::lock_upgrade();
    book_.beside();
  }
  [[nodiscard]] bool try_lock_upgrade() noexcept requires upgrades { return book_.beside(Lock::try_lock_upgrade()); }
  template <class Patience>
  [[nodiscard]] bool try_lock_upgrade_for(const Patience& patience) requires upgrades {
    book_.before_lock_shared();
    return book_.beside(Lock::try_lock_upgrade_for(patience));
  }
  template <class Moment>
  [[nodiscard]] bool try_lock_upgrade_until(const Moment& moment) requires upgrades {
    book_.before_lock_shared();
    return book_.beside(Lock::try_lock_upgrade_until(moment));
  }
  void unlock_upgrade() noexcept requires upgrades {
    book_.not_beside();
    Lock::unlock_upgrade();
  }
  void unlock_upgrade_and_lock() noexcept requires upgrades {
    book_.before_unlock_shared();
    Lock::unlock_upgrade_and_lock();
    went_up();
  }
  [[nodiscard]] bool try_unlock_upgrade_and_lock() noexcept requires upgrades {
    book_.before_unlock_shared();
    return went_up(Lock::try_unlock_upgrade_and_lock());
  }
  template <class Patience>
  [[nodiscard]] bool try_unlock_upgrade_and_lock_for(const Patience& patience) requires upgrades {
    book_.before_unlock_shared();
    return went_up(Lock::try_unlock_upgrade_and_lock_for(patience));
  }
  template <class Moment>
  [[nodiscard]] bool try_unlock_upgrade_and_lock_until(const Moment& moment) requires upgrades {
    book_.before_unlock_shared();
    return went_up(Lock::try_unlock_upgrade_and_lock_until(moment));
  }
  [[nodiscard]] bool try_unlock_shared_and_lock() noexcept requires upgrades {
    book_.before_unlock_shared();
    return went_up(Lock::try_unlock_shared_and_lock());
  }
  void unlock_and_lock_shared() noexcept requires upgrades {
    goes_down();
    Lock::unlock_and_lock_shared();
  }
  void unlock_and_lock_upgrade() noexcept requires upgrades {
    goes_down();
    Lock::unlock_and_lock_upgrade();
  }

 private:
  bool went_up(bool taken = true) noexcept {
    if (!taken) return false;
    book_.not_beside();
    return book_.alone();
  }
  void goes_down() noexcept {
    book_.not_alone();
    book_.beside();
  }

  detail::lock_book book_;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
