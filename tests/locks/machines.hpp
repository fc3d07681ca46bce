// Hardware with an ear to it: machines that run as hardware does and tell the test what went by.

#ifndef SYNCHRO_TESTS_LOCKS_MACHINES_HPP
#define SYNCHRO_TESTS_LOCKS_MACHINES_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "synchro/domains.hpp"
#include "synchro/hardware.hpp"
#include "synchro/look.hpp"

namespace synchro::tests {

/// Counts the shared objects that are made.
struct counting : hardware {
  static inline std::atomic<std::size_t> made{0};

  template <class T, class... Args>
  static T* make(Args&&... args) {
    made.fetch_add(1, std::memory_order_relaxed);
    return hardware::make<T>(std::forward<Args>(args)...);
  }
};
static_assert(machine<counting>);

/// Tells when the calling thread has looked at something and must go on waiting: whatever it does before it waits, such
/// as joining a queue, is done by then.
struct watched : hardware {
  /// Set by the test before it calls the lock, in the thread that is going to wait.
  static inline thread_local std::atomic<bool>* told_when_waiting = nullptr;

 private:
  static void tell_unless(bool content) {
    if (!content && told_when_waiting != nullptr) told_when_waiting->store(true, std::memory_order_release);
  }

  template <class... T, class Step>
  static auto telling(Step step) {
    return [step](const T&... values, std::uint32_t round) {
      const look answer = detail::ask(step, round, values...);
      tell_unless(answer.is_done());
      return answer;
    };
  }

  template <class T, class F>
  static auto telling_update(F f) {
    return [f](const T& seen, std::uint32_t round) {
      const attempt<T> answer = detail::ask(f, round, seen);
      tell_unless(answer.writes() || answer.declines());
      return answer;
    };
  }

 public:
  template <class T, class Step, class Limit>
  static std::optional<T> await_until(const atomic<T>& word, order o, Step step, Limit limit) {
    return hardware::await_until(word, o, telling<T>(step), limit);
  }
  template <class T, class Step>
  static T await(const atomic<T>& word, order o, Step step) {
    return hardware::await(word, o, telling<T>(step));
  }
  template <class Step, class Limit, class... T>
  static std::optional<std::tuple<T...>> await_any_until(order o, Step step, Limit limit, const atomic<T>&... words) {
    return hardware::await_any_until(o, telling<T...>(step), limit, words...);
  }
  template <class Step, class... T>
  static std::tuple<T...> await_any(order o, Step step, const atomic<T>&... words) {
    return hardware::await_any(o, telling<T...>(step), words...);
  }
  template <class T, class F, class Limit>
  static std::optional<updated<T>> update_until(atomic<T>& word, F f, order success, order failure, Limit limit) {
    return hardware::update_until(word, telling_update<T>(f), success, failure, limit);
  }
  template <class T, class F>
  static updated<T> update(atomic<T>& word, F f, order success, order failure) {
    return hardware::update(word, telling_update<T>(f), success, failure);
  }
  template <class T, class Accept, class Limit>
  static std::optional<T> exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o,
                                         Limit limit) {
    return hardware::exchange_until(word, value, telling<T>(accept), o, limit);
  }
  template <class T, class Accept>
  static T exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o) {
    return hardware::exchange_until(word, value, telling<T>(accept), o);
  }
};
static_assert(machine<watched>);

}  // namespace synchro::tests

#endif
