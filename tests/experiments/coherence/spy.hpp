// A laboratory that notes who touched which address how, in the order in which it happened. Its threads are not pinned,
// and waiters yield, so it works on any number of processors.

#ifndef SYNCHRO_TESTS_EXPERIMENTS_COHERENCE_SPY_HPP
#define SYNCHRO_TESTS_EXPERIMENTS_COHERENCE_SPY_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "measure/laboratory.hpp"
#include "platform/placement.hpp"
#include "synchro/hardware.hpp"

namespace synchro::tests {

enum class touch : std::uint8_t { read, write, flush, stamp };

struct note {
  unsigned member;
  touch how;
  const void* where;
};

/// What is noted: stamps of member 0, and touches between two addresses.
class notebook {
 public:
  static void open(const void* begin, const void* end) {
    const std::lock_guard guard{mutex_};
    begin_ = begin;
    end_ = end;
    notes_.clear();
  }
  static std::vector<note> close() {
    const std::lock_guard guard{mutex_};
    begin_ = end_ = nullptr;
    return std::move(notes_);
  }
  static void add(touch how, const void* where) {
    const std::lock_guard guard{mutex_};
    if (where < begin_ || where >= end_) return;
    notes_.push_back({member, how, where});
  }
  /// One of several stamps in a row is enough.
  static void add_stamp() {
    if (member != 0) return;
    const std::lock_guard guard{mutex_};
    if (begin_ != nullptr && (notes_.empty() || notes_.back().how != touch::stamp))
      notes_.push_back({member, touch::stamp, nullptr});
  }

  static inline thread_local unsigned member = 0;

 private:
  static inline std::mutex mutex_;
  static inline const void* begin_ = nullptr;
  static inline const void* end_ = nullptr;
  static inline std::vector<note> notes_;
};

struct spying_machine : hardware {
  template <class T>
  class atomic : public std::atomic<T> {
   public:
    using std::atomic<T>::atomic;
    T load(order o) const {
      notebook::add(touch::read, this);
      return std::atomic<T>::load(o);
    }
    void store(T value, order o) {
      notebook::add(touch::write, this);
      std::atomic<T>::store(value, o);
    }
    T exchange(T value, order o) {
      notebook::add(touch::write, this);
      return std::atomic<T>::exchange(value, o);
    }
    T fetch_add(T value, order o) {
      notebook::add(touch::write, this);
      return std::atomic<T>::fetch_add(value, o);
    }
    bool compare_exchange_strong(T& seen, T value, order success, order failure) {
      notebook::add(touch::write, this);
      return std::atomic<T>::compare_exchange_strong(seen, value, success, failure);
    }
  };

  template <class T, class Step>
  static T await(const std::atomic<T>& word, order o, Step step) {
    for (;;) {
      const T value = word.load(o);
      if (look{step(value)}.is_done()) return value;
      std::this_thread::yield();
    }
  }
  template <class T, class Step>
  static std::optional<T> await_until(const std::atomic<T>& word, order o, Step step, looks limit) {
    for (std::uint32_t round = 0; round < limit.count; ++round) {
      const T value = word.load(o);
      if (look{step(value)}.is_done()) return value;
      std::this_thread::yield();
    }
    return std::nullopt;
  }
  template <class T, class Step>
  static std::optional<T> await_until(const std::atomic<T>& word, order o, Step step, deadline until) {
    return hardware::await_until(word, o, step, until);
  }
};

struct spying_laboratory {
  using machine = spying_machine;
  using fresh_memory = platform::fresh_memory;
  template <class T>
  using fresh = measure::fresh_object<fresh_memory, T>;
  static constexpr bool can_flush() noexcept { return true; }

  static measure::team_report team(const std::vector<unsigned>&, unsigned n,
                                   const std::function<void(unsigned)>& body) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < n; ++i)
      threads.emplace_back([&body, i] {
        notebook::member = i;
        body(i);
      });
    for (std::thread& t : threads) t.join();
    return {};
  }

  static std::uint64_t now() {
    notebook::add_stamp();
    return ticks_.fetch_add(1, std::memory_order_relaxed);
  }
  static double to_ns(std::uint64_t ticks) { return static_cast<double>(ticks); }
  static double cycles_to_ns(double cycles) { return cycles; }
  static void work(std::uint64_t) { std::this_thread::yield(); }
  static void flush(const void* p) { notebook::add(touch::flush, p); }

 private:
  static inline std::atomic<std::uint64_t> ticks_{1};
};

static_assert(measure::laboratory<spying_laboratory>);

}  // namespace synchro::tests

#endif
