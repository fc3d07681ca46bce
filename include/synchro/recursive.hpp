// Recursive: any lock, which the thread that has it may take again.
//
// Picture.   lock   of any kind        owner   [ a thread, or none ]        depth   how often the owner took it again
//
//   lock     if the owner is this thread, one deeper; otherwise take the lock and sign as the owner.
//   unlock   one up; from the top, sign off and give the lock back.
//
// A thread is known by the address of something that is its own. Only this thread writes that address there, so one that
// reads its own has the lock, and another that reads anything else has not, however old the value is.
//
// Choose it for code that cannot be made to know whether it has the lock. Do not choose it for new code: a function that is
// called with the lock held should say so. With a condition variable it must be taken once only.
//
// Memory orders.
//   access                 order     pairs with
//   owner: load, stores    relaxed   nothing: only one's own address decides
//   depth                            only the owner's
//   lock: those of the lock
//
// Source: C++11, std::recursive_mutex.

#ifndef SYNCHRO_RECURSIVE_HPP
#define SYNCHRO_RECURSIVE_HPP

#include <cstdint>
#include <utility>

#include "synchro/detail/chrono.hpp"
#include "synchro/hardware.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Lock, class Machine = hardware>
class basic_recursive {
 public:
  /// The arguments are the lock's.
  template <class... Args>
  explicit constexpr basic_recursive(Args&&... args) : lock_(std::forward<Args>(args)...) {}
  basic_recursive(const basic_recursive&) = delete;
  basic_recursive& operator=(const basic_recursive&) = delete;

  void lock() noexcept(noexcept(std::declval<Lock&>().lock())) {
    if (again()) return;
    lock_.lock();
    sign();
  }
  [[nodiscard]] bool try_lock() noexcept(noexcept(std::declval<Lock&>().try_lock())) requires try_lockable<Lock> {
    return again() || signed_if(lock_.try_lock());
  }
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) requires timed_lockable<Lock> {
    return again() || signed_if(lock_.try_lock_for(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& at) requires timed_lockable<Lock> {
    return again() || signed_if(lock_.try_lock_until(at));
  }

  /// Called by the thread that has it.
  void unlock() noexcept {
    if (const std::uint32_t depth = depth_; depth != 0) {
      depth_ = depth - 1;
      return;
    }
    owner_.store(nullptr, memory_order::relaxed);
    lock_.unlock();
  }

 private:
  struct thread {
    char here = 0;
  };
  static void* self() noexcept { return &Machine::template local<thread>().here; }

  bool again() noexcept {
    if (owner_.load(memory_order::relaxed) != self()) return false;
    depth_ = depth_ + 1;
    return true;
  }
  void sign() noexcept { owner_.store(self(), memory_order::relaxed); }
  bool signed_if(bool taken) noexcept {
    if (taken) sign();
    return taken;
  }

  Lock lock_;
  typename Machine::template plain<std::uint32_t> depth_{0};
  typename Machine::template atomic<void*> owner_{nullptr};
};

template <class Lock>
using recursive = basic_recursive<Lock>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
