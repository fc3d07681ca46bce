// Real-time signals, which are queued: taken by sigwaitinfo, or delivered to a handler.

#ifndef SYNCHRO_PEERS_WAKES_SIGNALS_HPP
#define SYNCHRO_PEERS_WAKES_SIGNALS_HPP

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <vector>

#include "peers/wakes/wake_peer.hpp"
#include "synchro/hardware.hpp"

namespace synchro::peers {

namespace detail {

inline sigset_t only(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

/// Sends a signal to each sleeper, once it has said who it is. Its sleepers keep the signal blocked.
class signal_each {
 public:
  signal_each(unsigned sleepers, int signal) : signal_{signal}, seats_(sleepers) {}

  void trigger() {
    for (seat& s : seats_) {
      hardware::await(s.known, std::memory_order_acquire, [](std::uint32_t known, std::uint32_t) {
        return known != 0 ? look::done() : look::after_yield();
      });
      for (int refused = EAGAIN; refused != 0;) {  // EAGAIN: too many signals are queued just now
        refused = pthread_kill(s.thread, signal_);
        if (refused != 0 && refused != EAGAIN)
          throw std::system_error{refused, std::generic_category(), "pthread_kill"};
      }
    }
  }

 protected:
  /// At its first wait a thread blocks the signal and becomes sleeper i.
  void join(unsigned i) {
    seat& mine = seats_[i];
    if (mine.known.load(std::memory_order_relaxed) != 0) return;
    const sigset_t mask = only(signal_);
    if (const int refused = pthread_sigmask(SIG_BLOCK, &mask, nullptr); refused != 0)
      throw std::system_error{refused, std::generic_category(), "pthread_sigmask"};
    mine.thread = pthread_self();
    mine.known.store(1, std::memory_order_release);
  }

 private:
  struct alignas(2 * cpu::cache_line) seat {
    pthread_t thread{};
    std::atomic<std::uint32_t> known{0};
  };

  int signal_;
  std::vector<seat> seats_;
};

}  // namespace detail

class signal_wait : public detail::signal_each {
 public:
  static constexpr wake_traits traits{.judgement = "between processes, where nothing else reaches the other thread",
                                      .one_call = false,
                                      .splittable = false,
                                      .citation = "POSIX.1-2017, sigwaitinfo and pthread_kill, a real-time signal"};

  explicit signal_wait(unsigned sleepers) : signal_each{sleepers, SIGRTMIN + 3} {}

  void wait(unsigned i) {
    join(i);
    const sigset_t mask = detail::only(SIGRTMIN + 3);
    detail::uninterrupted("sigwaitinfo", [&] { return sigwaitinfo(&mask, nullptr); });
  }
};

/// The handler runs in the sleeper, as an asynchronous procedure call does on Windows.
class signal_handler : public detail::signal_each {
 public:
  static constexpr wake_traits traits{
      .judgement = "to interrupt a thread in whatever it does; what a handler may do is little",
      .one_call = false,
      .splittable = false,
      .citation = "POSIX.1-2017, sigaction, sigsuspend and pthread_kill"};

  explicit signal_handler(unsigned sleepers) : signal_each{sleepers, SIGRTMIN + 4} {
    struct sigaction action {};
    action.sa_handler = [](int) { arrived = arrived + 1; };
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGRTMIN + 4, &action, nullptr) != 0) detail::fail_call("sigaction");
  }

  void wait(unsigned i) {
    join(i);
    sigset_t open;
    pthread_sigmask(SIG_SETMASK, nullptr, &open);
    sigdelset(&open, SIGRTMIN + 4);
    while (arrived == 0) sigsuspend(&open);  // one at a time: the handler runs only here
    arrived = arrived - 1;
  }

 private:
  static inline thread_local volatile sig_atomic_t arrived = 0;
};

}  // namespace synchro::peers

#endif
