// Primitives of POSIX threads.

#ifndef SYNCHRO_PEERS_PTHREAD_HPP
#define SYNCHRO_PEERS_PTHREAD_HPP

#include <pthread.h>

#include <chrono>
#include <ctime>
#include <system_error>

#include "peers/peer.hpp"

namespace synchro::peers {

namespace detail {

inline void demand(int error, const char* what) {
  if (error != 0) throw std::system_error{error, std::generic_category(), what};
}

/// A pthread_mutex_t of one of the kinds.
template <int Kind>
class pthread_mutex_of {
 public:
  static constexpr const char* waits = "park";
  static constexpr bool parks = true;

  /// Throws std::system_error if the system has no room for one more.
  pthread_mutex_of() {
    pthread_mutexattr_t attributes;
    demand(pthread_mutexattr_init(&attributes), "pthread_mutexattr_init");
    pthread_mutexattr_settype(&attributes, Kind);
    const int error = pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
    demand(error, "pthread_mutex_init");
  }
  ~pthread_mutex_of() { pthread_mutex_destroy(&mutex_); }
  pthread_mutex_of(const pthread_mutex_of&) = delete;
  pthread_mutex_of& operator=(const pthread_mutex_of&) = delete;

  void lock() { pthread_mutex_lock(&mutex_); }
  bool try_lock() { return pthread_mutex_trylock(&mutex_) == 0; }
  void unlock() { pthread_mutex_unlock(&mutex_); }

  /// By the clock that may be set: the one that POSIX offers here.
  template <class Rep, class Period>
  bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    using std::chrono::nanoseconds;
    const auto until = std::chrono::system_clock::now() + std::chrono::ceil<nanoseconds>(patience);
    const auto ns = std::chrono::duration_cast<nanoseconds>(until.time_since_epoch()).count();
    const std::timespec limit{ns / 1'000'000'000, ns % 1'000'000'000};
    return pthread_mutex_timedlock(&mutex_, &limit) == 0;
  }

 private:
  pthread_mutex_t mutex_;
};

}  // namespace detail

class pthread_mutex : public detail::pthread_mutex_of<PTHREAD_MUTEX_NORMAL> {
 public:
  static constexpr lock_traits traits{
      .judgement = "what std::mutex is made of here; sleeps as soon as it has to wait, and can wait until a deadline",
      .citation = "POSIX.1-2017, pthread_mutex_lock, PTHREAD_MUTEX_NORMAL"};
};

class pthread_mutex_adaptive : public detail::pthread_mutex_of<PTHREAD_MUTEX_ADAPTIVE_NP> {
 public:
  static constexpr lock_traits traits{
      .judgement = "short sections and few waiters: spins up to a hundred times before it sleeps",
      .citation = "GNU C library, PTHREAD_MUTEX_ADAPTIVE_NP"};
};

class pthread_spin {
 public:
  static constexpr lock_traits traits{
      .judgement = "short sections with a processor for every thread; unfair, and never sleeps",
      .citation = "POSIX.1-2017, pthread_spin_lock"};
  static constexpr const char* waits = "spin";
  static constexpr bool parks = false;

  pthread_spin() { detail::demand(pthread_spin_init(&spin_, PTHREAD_PROCESS_PRIVATE), "pthread_spin_init"); }
  ~pthread_spin() { pthread_spin_destroy(&spin_); }
  pthread_spin(const pthread_spin&) = delete;
  pthread_spin& operator=(const pthread_spin&) = delete;

  void lock() { pthread_spin_lock(&spin_); }
  bool try_lock() { return pthread_spin_trylock(&spin_) == 0; }
  void unlock() { pthread_spin_unlock(&spin_); }

 private:
  pthread_spinlock_t spin_;
};

}  // namespace synchro::peers

#endif
