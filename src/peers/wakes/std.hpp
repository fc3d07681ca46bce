// What the C++ standard library offers to wait with.

#ifndef SYNCHRO_PEERS_WAKES_STD_HPP
#define SYNCHRO_PEERS_WAKES_STD_HPP

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <optional>
#include <semaphore>

#include "peers/wakes/held_gate.hpp"
#include "peers/wakes/wake_peer.hpp"

namespace synchro::peers {

namespace detail {
#if defined(_LIBCPP_VERSION)
inline constexpr std::string_view cxx_runtime = "libc++";
#else
inline constexpr std::string_view cxx_runtime = "libstdc++";
#endif
}  // namespace detail

class std_mutex_flag : public held_gate<std::mutex> {
 public:
  static constexpr wake_traits traits{
      .judgement = "not to be chosen: a mutex held to keep others asleep passes them one by one",
      .citation = "ISO C++ [thread.mutex], with a volatile flag",
      .runtime = detail::cxx_runtime};
  using held_gate::held_gate;
};

class std_condition_variable {
 public:
  static constexpr wake_traits traits{.judgement = "waits for any condition; the woken queue for the mutex",
                                      .citation = "ISO C++ [thread.condition]",
                                      .runtime = detail::cxx_runtime};

  explicit std_condition_variable(unsigned sleepers) : rounds_{sleepers} {}

  void wait(unsigned i) {
    const std::uint32_t seen = rounds_.next(i);
    std::unique_lock hold{mutex_};
    condition_.wait(hold, [&] { return triggers_ != seen; });
  }
  void trigger() {
    count();
    condition_.notify_all();
  }
  void trigger_each() {
    count();
    for (unsigned i = 0; i != rounds_.sleepers(); ++i) condition_.notify_one();
  }

 private:
  void count() {
    const std::lock_guard hold{mutex_};
    ++triggers_;
  }

  std::mutex mutex_;
  std::condition_variable condition_;
  std::uint32_t triggers_ = 0;
  detail::own_rounds rounds_;
};

class std_atomic_wait {
 public:
  static constexpr wake_traits traits{.judgement = "one word and no other object; spins a little, then sleeps",
                                      .citation = "ISO C++20 [atomics.wait], on an int",
                                      .runtime = detail::cxx_runtime};

  explicit std_atomic_wait(unsigned sleepers) : rounds_{sleepers} {}

  void wait(unsigned i) { triggers_.wait(static_cast<int>(rounds_.next(i)), std::memory_order_acquire); }
  void trigger() {
    count();
    triggers_.notify_all();
  }
  void trigger_each() {
    count();
    for (unsigned i = 0; i != rounds_.sleepers(); ++i) triggers_.notify_one();
  }

 private:
  void count() { triggers_.fetch_add(1, std::memory_order_release); }

  alignas(2 * cpu::cache_line) std::atomic<int> triggers_{0};
  detail::own_rounds rounds_;
};

using std_atomic_wait_each = split<std_atomic_wait>;

/// Two flags by turns: the one is cleared while all wait for the other.
class std_atomic_flag_wait {
 public:
  static constexpr wake_traits traits{.judgement = "the smallest state to wait for; std/atomic_wait counts besides",
                                      .citation = "ISO C++20 [atomics.flag], atomic_flag::wait",
                                      .runtime = detail::cxx_runtime};

  explicit std_atomic_flag_wait(unsigned sleepers) : rounds_{sleepers} {}

  void wait(unsigned i) { flags_[rounds_.next(i) % 2].wait(false, std::memory_order_acquire); }
  void arm() { flags_[(triggers_ + 1) % 2].clear(std::memory_order_relaxed); }
  void trigger() {
    std::atomic_flag& now = flags_[triggers_++ % 2];
    now.test_and_set(std::memory_order_release);
    now.notify_all();
  }
  void trigger_each() {
    std::atomic_flag& now = flags_[triggers_++ % 2];
    now.test_and_set(std::memory_order_release);
    for (unsigned i = 0; i != rounds_.sleepers(); ++i) now.notify_one();
  }

 private:
  std::atomic_flag flags_[2]{};
  std::uint32_t triggers_ = 0;
  detail::own_rounds rounds_;
};

class std_counting_semaphore_once {
 public:
  static constexpr wake_traits traits{.judgement = "counts units; one call releases n",
                                      .citation = "ISO C++20 [thread.sema]",
                                      .runtime = detail::cxx_runtime};

  explicit std_counting_semaphore_once(unsigned sleepers) : sleepers_{sleepers} {}

  void wait(unsigned) { units_.acquire(); }
  void trigger() { units_.release(static_cast<std::ptrdiff_t>(sleepers_)); }
  void trigger_each() {
    for (unsigned i = 0; i != sleepers_; ++i) units_.release();
  }

 private:
  std::counting_semaphore<> units_{0};
  unsigned sleepers_;
};

using std_counting_semaphore = by_turns<std_counting_semaphore_once>;

/// A latch serves once: while all wait for one, the other is made anew.
class std_latch {
 public:
  static constexpr wake_traits traits{.judgement = "a start or an end that comes once",
                                      .citation = "ISO C++20 [thread.latch]",
                                      .runtime = detail::cxx_runtime};

  explicit std_latch(unsigned sleepers) : rounds_{sleepers} { latches_[0].emplace(1); }

  void wait(unsigned i) { latches_[rounds_.next(i) % 2]->wait(); }
  void arm() { latches_[(triggers_ + 1) % 2].emplace(1); }
  void trigger() { latches_[triggers_++ % 2]->count_down(); }

 private:
  std::optional<std::latch> latches_[2];
  std::uint32_t triggers_ = 0;
  detail::own_rounds rounds_;
};

class std_barrier {
 public:
  static constexpr wake_traits traits{
      .judgement = "phases in which all wait for all; the last to come releases the rest",
      .citation = "ISO C++20 [thread.barrier]",
      .runtime = detail::cxx_runtime};

  explicit std_barrier(unsigned sleepers) : barrier_{static_cast<std::ptrdiff_t>(sleepers) + 1} {}

  void wait(unsigned) { barrier_.arrive_and_wait(); }
  void trigger() { barrier_.arrive_and_wait(); }

 private:
  std::barrier<> barrier_;
};

}  // namespace synchro::peers

#endif
