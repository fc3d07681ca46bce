// A machine that records what an algorithm asks of it, in one thread.
//
// Its atomics, plain fields and orders are classes of their own, so an algorithm that leans on std::atomic in silence
// does not compile here: an order that is missing, variable, seq_cst or wrong for its access, a field that is not
// plain<T>, an operator that std::atomic has and the machine concept has not. Nobody else can change a word, so a wait
// without a limit for something that is not there already ends the test; one with a limit runs out at once, and the
// clock jumps to its deadline.

#ifndef SYNCHRO_TESTS_LIBRARY_RECORDER_HPP
#define SYNCHRO_TESTS_LIBRARY_RECORDER_HPP

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/shape.hpp"

// Clang 14 checks consteval constructors rightly and then generates wrong code for their arguments. There, orders are
// checked when the test runs, and by the compiler only in the tests of what must not compile.
#ifndef SYNCHRO_TESTS_CONSTEVAL
#if defined(__clang__) && __clang_major__ < 15
#define SYNCHRO_TESTS_CONSTEVAL constexpr
#else
#define SYNCHRO_TESTS_CONSTEVAL consteval
#endif
#endif

namespace synchro::tests {

enum class operation : std::uint8_t { load, store, read_modify_write, fence, park, unpark, prefetch };

struct access {
  operation what;
  memory_order how;
  const char* file;
  unsigned line;
};

class recorder {
  [[noreturn]] static void refuse(const char* why) {
    std::fprintf(stderr, "recorder: %s\n", why);
    std::abort();
  }
  [[noreturn]] static void not_a_memory_order_of_the_concept() { refuse("not a memory order of the machine concept"); }
  [[noreturn]] static void not_an_order_for_a_load() { refuse("not an order for a load"); }
  [[noreturn]] static void not_an_order_for_a_store() { refuse("not an order for a store"); }

  static constexpr bool fits_load(memory_order o) { return o == memory_order::relaxed || o == memory_order::acquire; }
  static constexpr bool fits_store(memory_order o) { return o == memory_order::relaxed || o == memory_order::release; }

 public:
  /// A literal, with the place where it is written. Calling a function that is not constexpr ends a consteval
  /// constructor, and the compiler's message names it.
  class order {
   public:
    SYNCHRO_TESTS_CONSTEVAL order(memory_order value, const char* file = __builtin_FILE(),
                                  unsigned line = __builtin_LINE())
        : value_{value}, file_{file}, line_{line} {
      if (!fits_load(value) && !fits_store(value) && value != memory_order::acq_rel)
        not_a_memory_order_of_the_concept();
    }
    [[nodiscard]] constexpr memory_order value() const { return value_; }
    [[nodiscard]] constexpr const char* file() const { return file_; }
    [[nodiscard]] constexpr unsigned line() const { return line_; }

   private:
    memory_order value_;
    const char* file_;
    unsigned line_;
  };

  /// What a load takes: a literal, checked by the compiler, or an order passed on, checked when it comes.
  class load_order {
   public:
    SYNCHRO_TESTS_CONSTEVAL load_order(memory_order value, const char* file = __builtin_FILE(),
                                       unsigned line = __builtin_LINE())
        : order_{value, file, line} {
      if (!fits_load(value)) not_an_order_for_a_load();
    }
    load_order(order o) : order_{o} {  // NOLINT(google-explicit-constructor)
      if (!fits_load(o.value())) not_an_order_for_a_load();
    }
    order order_;
  };

  class store_order {
   public:
    SYNCHRO_TESTS_CONSTEVAL store_order(memory_order value, const char* file = __builtin_FILE(),
                                        unsigned line = __builtin_LINE())
        : order_{value, file, line} {
      if (!fits_store(value)) not_an_order_for_a_store();
    }
    store_order(order o) : order_{o} {  // NOLINT(google-explicit-constructor)
      if (!fits_store(o.value())) not_an_order_for_a_store();
    }
    order order_;
  };

  template <class T>
  class atomic {
   public:
    constexpr atomic() : value_{} {}
    constexpr atomic(T value) : value_{value} {}  // NOLINT(google-explicit-constructor)
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(load_order o) const {
      record(operation::load, o.order_);
      return value_;
    }
    void store(T value, store_order o) {
      record(operation::store, o.order_);
      value_ = value;
    }
    T exchange(T value, order o) {
      record(operation::read_modify_write, o);
      return std::exchange(value_, value);
    }
    bool compare_exchange_strong(T& expected, T value, order success, load_order failure) {
      if (value_ == expected) {
        record(operation::read_modify_write, success);
        value_ = value;
        return true;
      }
      record(operation::load, failure.order_);
      expected = value_;
      return false;
    }
    bool compare_exchange_weak(T& expected, T value, order success, load_order failure) {
      return compare_exchange_strong(expected, value, success, failure);
    }
    T fetch_add(T n, order o) requires std::is_integral_v<T> { return exchange(static_cast<T>(value_ + n), o); }
    T fetch_sub(T n, order o) requires std::is_integral_v<T> { return exchange(static_cast<T>(value_ - n), o); }
    T fetch_or(T n, order o) requires std::is_integral_v<T> { return exchange(static_cast<T>(value_ | n), o); }
    T fetch_and(T n, order o) requires std::is_integral_v<T> { return exchange(static_cast<T>(value_ & n), o); }

   private:
    friend class recorder;
    T value_;
  };

  /// Converts and is assigned, and does nothing else.
  template <class T>
  class plain {
   public:
    constexpr plain() : value_{} {}
    constexpr plain(T value) : value_{value} {}  // NOLINT(google-explicit-constructor)
    plain(const plain&) = delete;
    plain& operator=(const plain&) = delete;
    plain& operator=(T value) {
      value_ = value;
      return *this;
    }
    operator T() const { return value_; }  // NOLINT(google-explicit-constructor)
    T operator->() const requires std::is_pointer_v<T> { return value_; }

   private:
    T value_;
  };

  struct clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<clock>;
    static constexpr bool is_steady = true;
    static time_point now() { return time; }

   private:
    friend class recorder;
    static inline time_point time{};
  };
  using deadline = clock::time_point;
  static constexpr deadline never = deadline::max();
  static bool expired(deadline until) { return until != never && clock::now() >= until; }

  static void fence() { events.push_back({operation::fence, memory_order::seq_cst, "", 0}); }
  static void pause(std::uint32_t) {}
  static void prefetch_for_write(const void*) { events.push_back({operation::prefetch, memory_order::relaxed, "", 0}); }

  // Waiting.

  template <class T, class Step, class Limit>
  static std::optional<T> await_until(const atomic<T>& word, order o, Step step, Limit limit) {
    const T value = word.load(o);
    for (std::uint32_t round = 0; round != enough; ++round)
      if (look{detail::ask(step, round, value)}.is_done()) return value;
    pass(limit);
    return std::nullopt;
  }
  template <class T, class Step>
  static T await(const atomic<T>& word, order o, Step step) {
    return *await_until(word, o, step, never);
  }

  template <class Step, class Limit, class... T>
  static std::optional<std::tuple<T...>> await_any_until(order o, Step step, Limit limit, const atomic<T>&... words) {
    const std::tuple<T...> values{words.load(o)...};
    for (std::uint32_t round = 0; round != enough; ++round) {
      const auto answer = std::apply([&](const T&... v) -> look { return detail::ask(step, round, v...); }, values);
      if (answer.is_done()) return values;
    }
    pass(limit);
    return std::nullopt;
  }
  template <class Step, class... T>
  static std::tuple<T...> await_any(order o, Step step, const atomic<T>&... words) {
    return *await_any_until(o, step, never, words...);
  }

  template <class T, class F, class Limit>
  static std::optional<updated<T>> update_until(atomic<T>& word, F f, order success, order failure, Limit limit) {
    T seen = word.load(failure);
    for (std::uint32_t round = 0; round != enough; ++round) {
      const attempt<T> answer = detail::ask(f, round, seen);
      if (answer.declines()) return updated<T>{false, seen};
      if (!answer.writes()) continue;
      word.compare_exchange_strong(seen, answer.value(), success, failure);
      return updated<T>{true, seen};
    }
    pass(limit);
    return std::nullopt;
  }
  template <class T, class F>
  static updated<T> update(atomic<T>& word, F f, order success, order failure) {
    return *update_until(word, f, success, failure, never);
  }

  template <class T, class Accept, class Limit>
  static std::optional<T> exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o,
                                         Limit limit) {
    T old = word.exchange(value, o);
    for (std::uint32_t round = 0; round != enough; ++round) {
      if (look{detail::ask(accept, round, old)}.is_done()) return old;
      old = value;
    }
    pass(limit);
    return std::nullopt;
  }
  template <class T, class Accept>
  static T exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o) {
    return *exchange_until(word, value, accept, o, never);
  }

  static bool park(const atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
    events.push_back({operation::park, memory_order::relaxed, "", 0});
    if (word.value_ != expected) return false;
    pass(until);
    return true;
  }
  static void unpark(const atomic<std::uint32_t>*, std::uint32_t) {
    events.push_back({operation::unpark, memory_order::relaxed, "", 0});
  }

  // Threads and memory of their own.

  template <class T>
  static T& local() {
    return one<T, 0>();
  }
  template <class T>
  static T& global() {
    return one<T, 1>();
  }
  template <void (*F)(void*)>
  static bool at_thread_exit(void* p) {
    farewells.emplace_back([p] { F(p); });
    return true;
  }
  template <void (*F)()>
  static void at_fork() {}
  template <class T, class... Args>
  static T* make(Args&&... args) {
    auto made = std::make_shared<T>(std::forward<Args>(args)...);
    objects.push_back(made);
    return made.get();
  }
  template <class T>
  static void destroy(T* p) {
    const auto is_p = [p](const std::shared_ptr<void>& object) { return object.get() == p; };
    if (std::erase_if(objects, is_p) != 1) refuse("destroy of something that is not, or no longer, there");
  }

  static unsigned slot() { return 0; }
  static constexpr unsigned processors = 2;
  static unsigned processor() { return 0; }
  static unsigned domain() { return in_domain; }
  static shape here() { return shape{{0, 0, 1, 1}}; }
  static looks spin_looks() { return looks{3}; }

  // For the tests.

  /// Everything since the last reset or forget.
  static const std::vector<access>& accesses() { return events; }
  static void forget() { events.clear(); }
  static std::size_t objects_alive() { return objects.size(); }
  static inline unsigned in_domain = 0;

  /// The calling thread "ends": what it asked for then is called, until nothing is asked anew.
  static void end_thread() {
    while (!farewells.empty())
      for (const auto& farewell : std::exchange(farewells, {})) farewell();
  }

  /// A new world: nothing of the last run is left.
  static void reset() {
    for (const auto& renew : renewals) renew();
    farewells.clear();
    objects.clear();
    events.clear();
    in_domain = 0;
    clock::time = {};
  }

 private:
  /// More rounds than any step is patient for.
  static constexpr std::uint32_t enough = 100'000;

  static void record(operation what, order o) { events.push_back({what, o.value(), o.file(), o.line()}); }

  static void pass(looks) {}
  static void pass(deadline until) {
    if (until == never) refuse("waits for ever: no other thread can change what it waits for");
    clock::time = std::max(clock::time, until);
  }

  template <class T, int Scope>
  static T& one() {
    static_assert(std::is_trivially_destructible_v<T>);
    static constinit T object{};
    [[maybe_unused]] static const bool known = [] {
      renewals.emplace_back([] { std::construct_at(&object); });
      return true;
    }();
    return object;
  }

  static inline std::vector<access> events;
  static inline std::vector<std::shared_ptr<void>> objects;
  static inline std::vector<std::function<void()>> farewells;
  static inline std::vector<std::function<void()>> renewals;
};

static_assert(machine<recorder>);

}  // namespace synchro::tests

#endif
