// The machine this program runs on: std::atomic and the operating system, nothing in between.
//
// `hardware::atomic<T>` is std::atomic<T> and `hardware::plain<T>` is T, so a lock on this machine compiles to what the
// same algorithm takes when written directly on std::atomic. Contracts: machine.hpp.

#ifndef SYNCHRO_HARDWARE_HPP
#define SYNCHRO_HARDWARE_HPP

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "synchro/detail/chrono.hpp"
#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/os.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

struct shape;

namespace detail {

/// The limit of a wait that has none.
struct unlimited {};

/// The numbers of the threads alive, dense from 0: one bit each. Threads beyond the bits share numbers.
class slot_register {
 public:
  unsigned claim() noexcept {
    for (unsigned group = 0; group < groups_.size(); ++group) {
      std::uint64_t taken = groups_[group].load(std::memory_order_relaxed);
      while (~taken != 0) {
        const auto bit = static_cast<unsigned>(std::countr_one(taken));
        if (groups_[group].compare_exchange_weak(taken, taken | std::uint64_t{1} << bit, std::memory_order_relaxed))
          return group * 64 + bit;
      }
    }
    return capacity + overflow_.fetch_add(1, std::memory_order_relaxed) % capacity;
  }

  void release(unsigned slot) noexcept {
    if (slot >= capacity) return;
    groups_[slot / 64].fetch_and(~(std::uint64_t{1} << slot % 64), std::memory_order_relaxed);
  }

  /// Nobody else is alive; `slot_plus_one` is 0 for a thread that has none.
  void keep_only(unsigned slot_plus_one) noexcept {
    for (auto& group : groups_) group.store(0, std::memory_order_relaxed);
    if (slot_plus_one == 0 || slot_plus_one > capacity) return;
    groups_[(slot_plus_one - 1) / 64].store(std::uint64_t{1} << (slot_plus_one - 1) % 64, std::memory_order_relaxed);
  }

 private:
  static constexpr unsigned capacity = 1024;
  std::array<std::atomic<std::uint64_t>, capacity / 64> groups_{};
  std::atomic<unsigned> overflow_{0};
};

struct slot_state {
  unsigned number_plus_one = 0;
};

/// The facts that calibration may tell the library about this machine; until then, constants.
struct tuning {
  std::atomic<std::uint32_t> spin_looks{1000};
};

}  // namespace detail

/// The machine this program runs on.
struct hardware {
  template <class T>
  using atomic = std::atomic<T>;
  template <class T>
  using plain = T;
  using order = std::memory_order;

  using clock = std::chrono::steady_clock;
  using deadline = clock::time_point;
  static constexpr deadline never = deadline::max();

  static void fence() noexcept { std::atomic_thread_fence(std::memory_order_seq_cst); }
  static void prefetch_for_write(const void* p) noexcept { cpu::prefetch_for_write(p); }
  static void pause(std::uint32_t n) noexcept {
    if (n == 1)  // apart, so that the usual waiting loop compiles to one loop and not to a loop in a loop
      cpu::pause();
    else
      for (; n != 0; --n) cpu::pause();
  }

  // Waiting.

  template <class T, class Step, class Limit>
  static std::optional<T> await_until(const std::atomic<T>& word, order o, Step step, Limit limit) {
    for (std::uint32_t round = 0;; ++round) {
      const bool last = out_of(limit, round);
      const T value = word.load(o);
      const look answer = detail::ask(step, round, value);
      if (answer.is_done()) return value;
      if (last) return std::nullopt;
      rest(answer);
      if (answer.fetches()) prefetch_for_write(&word);
    }
  }
  /// A loop of its own, inlined: compilers would call the one with a limit, and calls need a stack.
  template <class T, class Step>
  [[gnu::always_inline]] static T await(const std::atomic<T>& word, order o, Step step) {
    if constexpr (std::is_same_v<decltype(detail::ask(step, 0, T{})), look_when_written>)
      return await_write(word, o, step);
    for (std::uint32_t round = 0;; ++round) {
      const T value = word.load(o);
      const look answer = detail::ask(step, round, value);
      if (answer.is_done()) return value;
      rest(answer);
      if (answer.fetches()) prefetch_for_write(&word);
    }
  }

  template <class Step, class Limit, class... T>
  static std::optional<std::tuple<T...>> await_any_until(order o, Step step, Limit limit,
                                                         const std::atomic<T>&... words) {
    for (std::uint32_t round = 0;; ++round) {
      const bool last = out_of(limit, round);
      const std::tuple<T...> values{words.load(o)...};
      const look answer = std::apply([&](const T&... v) -> look { return detail::ask(step, round, v...); }, values);
      if (answer.is_done()) return values;
      if (last) return std::nullopt;
      rest(answer);
    }
  }
  template <class Step, class... T>
  static std::tuple<T...> await_any(order o, Step step, const std::atomic<T>&... words) {
    return *await_any_until(o, step, detail::unlimited{}, words...);
  }

  template <class T, class F, class Limit>
  static std::optional<updated<T>> update_until(std::atomic<T>& word, F f, order success, order failure, Limit limit) {
    T seen = word.load(failure);
    for (std::uint32_t round = 0;; ++round) {
      const bool last = out_of(limit, round);
      const attempt<T> answer = detail::ask(f, round, seen);
      if (answer.declines()) return updated<T>{false, seen};
      if (answer.writes()) {
        if (word.compare_exchange_weak(seen, answer.value(), success, failure)) return updated<T>{true, seen};
        if (last) return std::nullopt;
      } else {
        if (last) return std::nullopt;
        rest(answer.rest());
        seen = word.load(failure);
      }
    }
  }
  template <class T, class F>
  static updated<T> update(std::atomic<T>& word, F f, order success, order failure) {
    return *update_until(word, f, success, failure, detail::unlimited{});
  }

  template <class T, class Accept, class Limit>
  static std::optional<T> exchange_until(std::atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o,
                                         Limit limit) {
    for (std::uint32_t round = 0;; ++round) {
      const bool last = out_of(limit, round);
      const T old = word.exchange(value, o);
      const look answer = detail::ask(accept, round, old);
      if (answer.is_done()) return old;
      if (last) return std::nullopt;
      rest(answer);
    }
  }
  template <class T, class Accept>
  static T exchange_until(std::atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o) {
    return *exchange_until(word, value, accept, o, detail::unlimited{});
  }

  // Sleeping. Not inlined: it would put the registers of a system call on the stack of every unlock.

  [[gnu::noinline]] static bool park(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                                     deadline until) noexcept {
    return os::park(&word, expected, until);
  }
  [[gnu::noinline]] static void unpark(const std::atomic<std::uint32_t>* word, std::uint32_t n) noexcept {
    os::unpark(word, n);
  }

  // Threads and memory of their own.

  template <class T>
  static T& local() noexcept {
    static_assert(std::is_trivially_destructible_v<T>, "a lock may be used after this thread's destructors have run");
    return os::own<T>();
  }

  template <class T>
  static T& global() noexcept {
    static_assert(std::is_trivially_destructible_v<T>, "a lock may be used after the program's destructors have run");
    static constinit T one{};
    return one;
  }

  template <void (*F)(void*)>
  static bool at_thread_exit(void* p) noexcept {
    return global<os::thread_exit_hook<F>>().arm(p);
  }

  template <void (*F)()>
  static void at_fork() noexcept {
    global<os::fork_hook<F>>().arm();
  }

  template <class T, class... Args>
  static T* make(Args&&... args) {
    return new T(std::forward<Args>(args)...);
  }
  template <class T>
  static void destroy(T* p) noexcept {
    delete p;
  }

  static unsigned slot() noexcept {
    detail::slot_state& mine = local<detail::slot_state>();
    if (mine.number_plus_one == 0) [[unlikely]]
      claim_slot(mine);
    return mine.number_plus_one - 1;
  }

  static constexpr unsigned processors = 32;
  static unsigned processor() noexcept { return os::current_cpu() % processors; }

  // Defined in synchro/hardware_transactions.hpp.
  struct transactions;

  // Defined in synchro/domains.hpp.
  static inline unsigned domain() noexcept;
  static inline shape here();

  static looks spin_looks() noexcept {
    return looks{global<detail::tuning>().spin_looks.load(std::memory_order_relaxed)};
  }
  /// Tells the library how long to spin before sleeping: about as long as going to sleep and waking cost.
  static void calibrate(looks spin) noexcept {
    global<detail::tuning>().spin_looks.store(spin.count, std::memory_order_relaxed);
  }

  static bool expired(deadline until) noexcept { return until != never && clock::now() >= until; }

 private:
  /// Once in a thread's life; apart from slot(), so that what asks for it needs no stack.
  [[gnu::noinline]] static void claim_slot(detail::slot_state& mine) noexcept {
    at_fork<keep_own_slot>();
    mine.number_plus_one = global<detail::slot_register>().claim() + 1;
    at_thread_exit<give_slot_back>(&mine);
  }

  static void give_slot_back(void* p) {
    auto* const mine = static_cast<detail::slot_state*>(p);
    global<detail::slot_register>().release(mine->number_plus_one - 1);
    mine->number_plus_one = 0;
  }

  static void keep_own_slot() {
    global<detail::slot_register>().keep_only(local<detail::slot_state>().number_plus_one);
  }

  template <class Step>
  static std::uint32_t await_write(const std::atomic<std::uint32_t>& word, order o, Step step) {
    for (;;) {
      const std::uint32_t value = word.load(o);
      if (step(value).is_done()) return value;
      cpu::rest_until_written(word, value);
    }
  }

  static void rest(look answer) noexcept {
    if (answer.yields())
      os::yield();
    else
      pause(answer.pauses());
  }

  static bool out_of(detail::unlimited, std::uint32_t) noexcept { return false; }
  static bool out_of(looks limit, std::uint32_t round) noexcept { return round >= limit.count; }
  static bool out_of(deadline limit, std::uint32_t) noexcept { return expired(limit); }
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4,
              "a 32-bit atomic is the word the system sleeps on");
static_assert(machine<hardware>);

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
