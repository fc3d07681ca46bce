// POSIX threads: condition variables, barriers, and locks that the waking thread holds until it triggers.

#ifndef SYNCHRO_PEERS_WAKES_PTHREAD_HPP
#define SYNCHRO_PEERS_WAKES_PTHREAD_HPP

#include <pthread.h>

#include "peers/pthread.hpp"
#include "peers/wakes/held_gate.hpp"
#include "peers/wakes/wake_peer.hpp"

namespace synchro::peers {

namespace detail {

/// A condition variable, a mutex of one of the kinds, and a count.
template <int Kind>
class cond_of {
 public:
  explicit cond_of(unsigned sleepers) : rounds_{sleepers} {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, Kind);
    const int refused = pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
    demand(refused, "pthread_mutex_init");
    demand(pthread_cond_init(&cond_, nullptr), "pthread_cond_init");
  }
  ~cond_of() {
    pthread_cond_destroy(&cond_);
    pthread_mutex_destroy(&mutex_);
  }
  cond_of(const cond_of&) = delete;
  cond_of& operator=(const cond_of&) = delete;

  void wait(unsigned i) {
    const std::uint32_t seen = rounds_.next(i);
    pthread_mutex_lock(&mutex_);
    while (triggers_ == seen) pthread_cond_wait(&cond_, &mutex_);
    pthread_mutex_unlock(&mutex_);
  }
  void trigger() {
    count();
    pthread_cond_broadcast(&cond_);
  }
  void trigger_each() {
    count();
    for (unsigned i = 0; i != rounds_.sleepers(); ++i) pthread_cond_signal(&cond_);
  }

 private:
  void count() {
    pthread_mutex_lock(&mutex_);
    ++triggers_;
    pthread_mutex_unlock(&mutex_);
  }

  pthread_mutex_t mutex_;
  pthread_cond_t cond_;
  std::uint32_t triggers_ = 0;
  own_rounds rounds_;
};

}  // namespace detail

class pthread_cond : public detail::cond_of<PTHREAD_MUTEX_NORMAL> {
 public:
  static constexpr wake_traits traits{.judgement = "waits for any condition; the woken queue for the mutex",
                                      .citation = "POSIX.1-2017, pthread_cond_wait and pthread_cond_broadcast"};
  using cond_of::cond_of;
};

class pthread_cond_spin : public detail::cond_of<PTHREAD_MUTEX_ADAPTIVE_NP> {
 public:
  static constexpr wake_traits traits{.judgement = "as pthread/cond, and those who queue for the mutex spin first",
                                      .citation = "GNU C library, PTHREAD_MUTEX_ADAPTIVE_NP"};
  using cond_of::cond_of;
};

class pthread_mutex_flag : public held_gate<pthread_mutex> {
 public:
  static constexpr wake_traits traits{
      .judgement = "not to be chosen: a mutex held to keep others asleep passes them one by one",
      .citation = "POSIX.1-2017, pthread_mutex_lock, with a volatile flag"};
  using held_gate::held_gate;
};

class pthread_spin_flag : public held_gate<pthread_spin> {
 public:
  static constexpr wake_traits traits{.judgement = "not to be chosen: burns processors, and passes sleepers one by one",
                                      .citation = "POSIX.1-2017, pthread_spin_lock, with a volatile flag"};
  using held_gate::held_gate;
};

class pthread_barrier {
 public:
  static constexpr wake_traits traits{
      .judgement = "phases in which all wait for all; the last to come releases the rest",
      .citation = "POSIX.1-2017, pthread_barrier_wait"};

  explicit pthread_barrier(unsigned sleepers) {
    detail::demand(pthread_barrier_init(&barrier_, nullptr, sleepers + 1), "pthread_barrier_init");
  }
  ~pthread_barrier() { pthread_barrier_destroy(&barrier_); }
  pthread_barrier(const pthread_barrier&) = delete;
  pthread_barrier& operator=(const pthread_barrier&) = delete;

  void wait(unsigned) { pthread_barrier_wait(&barrier_); }
  void trigger() { pthread_barrier_wait(&barrier_); }

 private:
  pthread_barrier_t barrier_;
};

}  // namespace synchro::peers

#endif
