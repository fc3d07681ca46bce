// A lock that can be left out: for one measurement, of what a program's locks cost it, and for nothing else.
//
// It is an ordinary mutex until the process is sent SIGUSR2, and from then on it excludes nobody: what a program does to
// start and to fill its tables is still safe, and what is only read afterwards mostly is. Whoever holds one at that moment gives
// it back as usual. Only with SYNCHRO_PRELOAD_UNSAFE=1 in the environment is there a lock of this name.

#ifndef SYNCHRO_PRELOAD_ABSENT_HPP
#define SYNCHRO_PRELOAD_ABSENT_HPP

#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "platform/interposer.hpp"
#include "preload/operations.hpp"
#include "synchro/locks/mutex.hpp"

namespace synchro::preload {

class absent_lock {
 public:
  static bool is_meant(const char* name) noexcept {
    const char* const unsafe = std::getenv(platform::interposer::unsafe_variable);
    return unsafe != nullptr && std::strcmp(unsafe, "1") == 0 &&
           std::strcmp(name, platform::interposer::unsafe_lock) == 0;
  }
  static lock_operations operations() noexcept {
    signal(SIGUSR2, leave_out);
    return {&all, nullptr};
  }

 private:
  using real = as_mutex<basic_mutex_lock<>>;

  static void leave_out(int) { left_out.store(true, std::memory_order_relaxed); }
  static bool is_left_out() noexcept { return left_out.load(std::memory_order_relaxed); }

  static int lock(mutex_object& o) { return is_left_out() ? 0 : real::lock(o); }
  static int try_lock(mutex_object& o) { return is_left_out() ? 0 : real::try_lock(o); }
  static int lock_until(mutex_object& o, deadline until) { return is_left_out() ? 0 : real::lock_until(o, until); }
  /// Of what nobody holds nothing is written.
  static int unlock(mutex_object& o) { return real::is_held(o) ? real::release(o) : 0; }

  static inline constinit std::atomic<bool> left_out{false};
  static constexpr mutex_operations all{lock,          try_lock,      lock_until, unlock,       unlock,
                                        real::is_held, real::is_here, real::make, real::unmake, real::is_plain};
};

}  // namespace synchro::preload

#endif
