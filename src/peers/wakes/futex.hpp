// Futexes of Linux: a word that threads sleep on.

#ifndef SYNCHRO_PEERS_WAKES_FUTEX_HPP
#define SYNCHRO_PEERS_WAKES_FUTEX_HPP

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <ctime>

#include "peers/wakes/wake_peer.hpp"

namespace synchro::peers {

namespace detail {

/// A count of triggers to sleep on. `Sleep(word, seen)` sleeps while the word is `seen`, and may return early.
class futex_word {
 public:
  template <class Sleep>
  void wait(std::uint32_t seen, Sleep sleep) {
    while (word_.load(std::memory_order_acquire) == seen)
      if (sleep(&word_, seen) < 0 && errno != EAGAIN && errno != EINTR) fail_call("futex");
  }
  void count() { word_.store(word_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
  void wake(int n) {
    if (syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, n, nullptr, nullptr, 0) < 0) fail_call("futex");
  }

 private:
  alignas(2 * cpu::cache_line) std::atomic<std::uint32_t> word_{0};
};

/// A futex whose sleepers sleep in one of the system's ways.
template <class Sleep>
class futex_of {
 public:
  explicit futex_of(unsigned sleepers) : rounds_{sleepers} {}

  void wait(unsigned i) { word_.wait(rounds_.next(i), Sleep{}); }
  void trigger() {
    word_.count();
    word_.wake(INT_MAX);
  }
  void trigger_each() {
    word_.count();
    for (unsigned i = 0; i != rounds_.sleepers(); ++i) word_.wake(1);
  }

 private:
  futex_word word_;
  own_rounds rounds_;
};

struct by_wait {
  long operator()(const void* word, std::uint32_t seen) const {
    return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
  }
};

/// futex_waitv sleeps on several words; the second one here never changes.
struct by_waitv {
  struct entry {  // struct futex_waitv of linux/futex.h, which older headers do not have
    std::uint64_t value, address;
    std::uint32_t flags, reserved;
  };
  long operator()(const void* word, std::uint32_t seen) const {
    static constexpr long call = 449;  // on every architecture of the field
    static constexpr std::uint32_t private_32_bits = 2 | 128;
    static const std::uint32_t never = 0;
    const entry both[]{{seen, reinterpret_cast<std::uintptr_t>(word), private_32_bits, 0},
                       {0, reinterpret_cast<std::uintptr_t>(&never), private_32_bits, 0}};
    return syscall(call, both, 2U, 0U, nullptr, CLOCK_MONOTONIC);
  }
};

}  // namespace detail

class futex : public detail::futex_of<detail::by_wait> {
 public:
  static constexpr wake_traits traits{
      .judgement = "what the other sleeping primitives here are made of: one word for all",
      .citation = "Linux, futex(2), FUTEX_WAIT and FUTEX_WAKE"};
  using futex_of::futex_of;
};

using futex_each = split<futex>;

class futex_waitv : public detail::futex_of<detail::by_waitv> {
 public:
  static constexpr wake_traits traits{.judgement = "a thread that waits for any of several words",
                                      .citation = "Linux 5.16, futex_waitv(2)"};
  using futex_of::futex_of;
};

}  // namespace synchro::peers

#endif
