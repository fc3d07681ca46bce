// Any system with C++20 and nothing else: the system's part of os.hpp, by the standard library alone.
//
// macOS and the BSDs get this file, and any other system for which nobody has written one; on Linux and Windows
// SYNCHRO_GENERIC_SYSTEM chooses it, so that it is tested. All of the library works with it. What it cannot do, or does worse:
//
//   park, unpark       A mutex and a condition variable, of 64 that words share by their addresses: a wake-up wakes all who
//                      sleep in that place, and they look again. (std::atomic::wait has no deadline, and its notify_one takes
//                      an atomic that must still be there.) Neither may be called in a signal handler.
//   current_cpu        No processor but a number of the thread's own, below the number of processors: what is spread by it is
//                      spread over threads.
//   allowed_cpus       All of them; they are one cache domain.
//   thread_exit_hook   Calls at its turn among the thread's C++ destructors. A lock that is used in a destructor after that
//                      finds it disarmed: what belongs to the thread is then left where it is.
//   fork_hook          Does nothing: where processes can be copied, a copy may not use locks that were in use.
//   keep_loaded        Does nothing: a shared library with locks in it must stay loaded until their threads have ended.

#ifndef SYNCHRO_OS_GENERIC_HPP
#define SYNCHRO_OS_GENERIC_HPP

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "synchro/detail/chrono.hpp"
#include "synchro/os/parking_lot.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace os {

using deadline = std::chrono::steady_clock::time_point;

namespace detail {

class parking_place {
 public:
  using limit = deadline;
  void lock() noexcept { lock_.lock(); }
  void unlock() noexcept { lock_.unlock(); }
  void wait(deadline until) noexcept {
    std::unique_lock held{lock_, std::adopt_lock};
    if (until == deadline::max())
      woken_.wait(held);
    else
      woken_.wait_until(held, until);
    static_cast<void>(held.release());
  }
  void wake_all() noexcept { woken_.notify_all(); }

 private:
  std::mutex lock_;
  std::condition_variable woken_;
};
using parking_lot = basic_parking_lot<parking_place>;

/// Made when it is first needed and never destroyed: locks are used while a program's own objects are made and destroyed.
inline parking_lot& lot_of_this_program() noexcept {
  static parking_lot& all = *new parking_lot;  // without memory the program ends
  return all;
}

inline unsigned processors() noexcept {
  static const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : count;
}

inline constinit std::atomic<unsigned> threads_so_far{0};

}  // namespace detail

inline bool park(const void* word, std::uint32_t expected, deadline until) noexcept {
  const auto is_over = [&] { return until != deadline::max() && until <= std::chrono::steady_clock::now(); };
  if (is_over()) return true;
  detail::lot_of_this_program().park(word, expected, until);
  return is_over();
}

inline void unpark(const void* word, std::uint32_t n) noexcept {
  if (n != 0) detail::lot_of_this_program().unpark(word);
}

inline void yield() noexcept { std::this_thread::yield(); }

template <class... Words>
long linux_call(long /*number*/, Words... /*words*/) noexcept {
  return -1;
}

inline unsigned current_cpu() noexcept {
  static thread_local const unsigned mine = detail::threads_so_far.fetch_add(1, std::memory_order_relaxed);
  return mine % detail::processors();
}

inline void keep_loaded(const void* /*inside*/) noexcept {}

template <class T>
T& own() noexcept {
  static thread_local constinit T one{};
  return one;
}

/// What it arms anew in F is called again, four times at most.
template <void (*F)(void*)>
class thread_exit_hook {
 public:
  bool arm(void* p) noexcept {
    armed& mine = own<armed>();
    if (mine.over) return false;
    static thread_local const caller at_the_end;
    static_cast<void>(&at_the_end);
    mine.argument = p;
    return true;
  }

 private:
  struct armed {
    void* argument = nullptr;
    bool over = false;
  };
  struct caller {
    caller() noexcept = default;
    caller(const caller&) = delete;
    caller& operator=(const caller&) = delete;
    ~caller() {
      armed& mine = own<armed>();
      for (int round = 0; round != 4 && mine.argument != nullptr; ++round) {
        void* const argument = mine.argument;
        mine.argument = nullptr;
        F(argument);
      }
      mine.over = true;
    }
  };
};

template <void (*F)()>
class fork_hook {
 public:
  void arm() noexcept {}
};

}  // namespace os
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
