// A machine that runs each thread alone: what it reads is any value that another thread has ever written to the word, or what it has
// itself written last. So the ways that a thread can go are found without a memory model; which of them go together the axioms say (axiomatic.cpp). Nothing here
// is shared with the explored machine.

#ifndef SYNCHRO_TESTS_MODEL_CHECKER_ALONE_HPP
#define SYNCHRO_TESTS_MODEL_CHECKER_ALONE_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "model_checker/litmus.hpp"
#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/shape.hpp"

namespace synchro::tests {

/// What a thread has done on one of its ways, and what it said.
struct way {
  std::vector<instruction> code;
  std::vector<std::uint32_t> said;
};

/// Ways without end are many: those that go further are left out.
struct limits {
  unsigned sleeps = 1;     ///< of each thread
  std::size_t steps = 60;  ///< of each thread
};

/// Threads that share what `make` makes.
struct whole_program {
  unsigned threads;
  std::function<std::shared_ptr<void>()> make;
  std::function<void(void*, unsigned)> body;
  limits within;
};

/// What the threads say, one behind the other, in each execution that the axioms allow.
struct judged {
  results said;
  bool races = false;       ///< In one execution of each.
  std::uint64_t tried = 0;  ///< Ways that were put together.
};
judged judged_by_axioms(const whole_program& what);

/// One run of a thread, or the making of what threads share.
class solo {
 public:
  static solo& current();

  // Of words and fields.
  void make(const void* word, std::uint64_t value);
  std::uint64_t read(const void* word, std::memory_order o, bool plain = false);
  void write(const void* word, std::uint64_t value, std::memory_order o, bool plain = false);
  void fence();
  /// The value that is read next, which nobody has to read.
  std::uint64_t peek(const void* word);
  void note_read(const void* word, std::uint64_t seen, std::memory_order o);
  void note_exchange(const void* word, std::uint64_t seen, std::uint64_t value, std::memory_order o);

  /// One of so many.
  std::size_t choose(std::size_t n);
  /// This way does not go on.
  [[noreturn]] void stop();
  void say(std::uint32_t value) { way_.said.push_back(value); }
  void sleep();
  void* local(const void* type, std::size_t size, bool& is_new);
  [[nodiscard]] unsigned thread() const { return thread_; }

 private:
  friend class ways_of_threads;
  unsigned at(const void* word) const { return places_.at(word); }
  void add(instruction i);

  bool making_ = true;
  unsigned thread_ = 0;
  limits left_;
  std::map<const void*, unsigned> places_;
  std::vector<std::uint64_t> own_;                 // at first, or what the thread itself has written since
  std::vector<std::set<std::uint64_t>> readable_;  // what others have written
  std::vector<std::set<std::uint64_t>> written_;
  std::vector<std::pair<std::size_t, std::size_t>> choices_;  // which, of how many
  std::size_t next_choice_ = 0;
  std::map<const void*, std::unique_ptr<char[]>> locals_;
  way way_;
  std::function<void()> leave_;  // out of the thread
};

}  // namespace synchro::tests

namespace synchro {

struct alone {
  using order = std::memory_order;
  using solo = tests::solo;

  template <class T>
  static std::uint64_t pack(T value) {
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
  template <class T>
  static T unpack(std::uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  template <class T>
  class atomic {
   public:
    atomic() : atomic(T{}) {}
    atomic(T value) : value_{value} { solo::current().make(this, pack(value)); }  // NOLINT(google-explicit-constructor)
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(order o) const { return unpack<T>(solo::current().read(this, o)); }
    void store(T value, order o) { solo::current().write(this, pack(value), o); }
    T exchange(T value, order o) {
      return changed([value](T) { return value; }, o);
    }
    T fetch_add(T n, order o) {
      return changed([n](T v) { return static_cast<T>(v + n); }, o);
    }
    T fetch_sub(T n, order o) {
      return changed([n](T v) { return static_cast<T>(v - n); }, o);
    }
    T fetch_or(T n, order o) {
      return changed([n](T v) { return static_cast<T>(v | n); }, o);
    }
    T fetch_and(T n, order o) {
      return changed([n](T v) { return static_cast<T>(v & n); }, o);
    }
    bool compare_exchange_strong(T& expected, T value, order success, order failure) {
      const std::uint64_t seen = solo::current().peek(this);
      const bool equal = seen == pack(expected);
      if (equal) {
        solo::current().note_exchange(this, seen, pack(value), success);
      } else {
        solo::current().note_read(this, seen, failure);
        expected = unpack<T>(seen);
      }
      return equal;
    }
    bool compare_exchange_weak(T& expected, T value, order success, order failure) {
      return compare_exchange_strong(expected, value, success, failure);
    }

   private:
    T changed(auto change, order o) {
      const std::uint64_t seen = solo::current().peek(this);
      solo::current().note_exchange(this, seen, pack(change(unpack<T>(seen))), o);
      return unpack<T>(seen);
    }
    T value_;  // gives the object its size
  };

  template <class T>
  class plain {
   public:
    plain() : plain(T{}) {}
    explicit plain(T value) : value_{value} { solo::current().make(this, pack(value)); }
    plain(const plain&) = delete;
    plain& operator=(const plain&) = delete;
    plain& operator=(T value) {
      solo::current().write(this, pack(value), order::relaxed, true);
      return *this;
    }
    operator T() const {  // NOLINT(google-explicit-constructor)
      return unpack<T>(solo::current().read(this, order::relaxed, true));
    }
    T operator->() const requires std::is_pointer_v<T> { return static_cast<T>(*this); }

   private:
    T value_;
  };

  struct clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<clock>;
    static constexpr bool is_steady = true;
    static time_point now() { return {}; }
  };
  using deadline = clock::time_point;
  static constexpr deadline never = deadline::max();
  static bool expired(deadline until) { return until != never && solo::current().choose(2) == 1; }

  static void fence() { solo::current().fence(); }
  static void pause(std::uint32_t) {}
  static void prefetch_for_write(const void*) {}

  template <class Step, class Limit, class... T>
  static std::optional<std::tuple<T...>> await_any_until(order o, Step step, Limit until, const atomic<T>&... words) {
    const std::tuple<T...> seen{unpack<T>(solo::current().read(&words, o))...};
    const look said = std::apply([&](const T&... v) -> look { return detail::ask(step, 0, v...); }, seen);
    if (said.is_done()) return seen;
    if (!may_end(until)) solo::current().stop();
    return std::nullopt;
  }
  template <class Step, class... T>
  static std::tuple<T...> await_any(order o, Step step, const atomic<T>&... words) {
    return *await_any_until(o, step, never, words...);
  }
  template <class T, class Step, class Limit>
  static std::optional<T> await_until(const atomic<T>& word, order o, Step step, Limit until) {
    const auto found = await_any_until(o, step, until, word);
    return found ? std::optional<T>{std::get<0>(*found)} : std::nullopt;
  }
  template <class T, class Step>
  static T await(const atomic<T>& word, order o, Step step) {
    return *await_until(word, o, step, never);
  }

  template <class T, class F, class Limit>
  static std::optional<updated<T>> update_until(atomic<T>& word, F f, order success, order failure, Limit until) {
    const std::uint64_t seen = solo::current().peek(&word);
    const attempt<T> said = detail::ask(f, 0, unpack<T>(seen));
    if (said.writes()) {
      solo::current().note_exchange(&word, seen, pack(said.value()), success);
      return updated<T>{true, unpack<T>(seen)};
    }
    solo::current().note_read(&word, seen, failure);
    if (said.declines()) return updated<T>{false, unpack<T>(seen)};
    if (!may_end(until)) solo::current().stop();
    return std::nullopt;
  }
  template <class T, class F>
  static updated<T> update(atomic<T>& word, F f, order success, order failure) {
    return *update_until(word, f, success, failure, never);
  }

  template <class T, class Accept, class Limit>
  static std::optional<T> exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o,
                                         Limit until) {
    const std::uint64_t seen = solo::current().peek(&word);
    const look said = detail::ask(accept, 0, unpack<T>(seen));
    if (said.is_done()) {
      solo::current().note_exchange(&word, seen, pack(value), o);
      return unpack<T>(seen);
    }
    if (!may_end(until)) solo::current().stop();
    return std::nullopt;
  }
  template <class T, class Accept>
  static T exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o) {
    return *exchange_until(word, value, accept, o, never);
  }

  /// Returns for no reason: nothing else is told by a return.
  static bool park(const atomic<std::uint32_t>& /*word*/, std::uint32_t /*expected*/, deadline /*until*/) {
    solo::current().sleep();
    return false;
  }
  static void unpark(const atomic<std::uint32_t>* /*word*/, std::uint32_t /*n*/) {}

  template <class T>
  static T& local() {
    bool is_new = false;
    void* const at = solo::current().local(&kind<T>, sizeof(T) + alignof(T), is_new);
    return is_new ? *new (at) T{} : *static_cast<T*>(at);
  }
  template <class T>
  static T& global() {
    static T one{};
    return one;
  }
  template <void (*F)(void*)>
  static bool at_thread_exit(void* /*p*/) {
    return true;
  }
  template <void (*F)()>
  static void at_fork() {}
  template <class T, class... Args>
  static T* make(Args&&... args) {
    return new T(std::forward<Args>(args)...);
  }
  template <class T>
  static void destroy(T* p) {
    delete p;
  }
  static unsigned slot() { return solo::current().thread(); }
  static unsigned domain() { return 0; }
  static constexpr unsigned processors = 1;
  static unsigned processor() { return 0; }
  static shape here() { return {}; }
  static looks spin_looks() { return looks{0}; }

 private:
  template <class T>
  static inline char kind = 0;
  static bool may_end(looks) { return true; }
  static bool may_end(deadline until) { return until != never; }
};

static_assert(machine<alone>);

}  // namespace synchro

#endif
