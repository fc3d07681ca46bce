// The hardware with a stage manager: threads stand in the domains that the test puts them into, and the test sees when
// they wait.

#ifndef SYNCHRO_TESTS_HIERARCHICAL_STAGED_MACHINE_HPP
#define SYNCHRO_TESTS_HIERARCHICAL_STAGED_MACHINE_HPP

#include <atomic>
#include <cstdint>
#include <functional>
#include <latch>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "synchro/hardware.hpp"
#include "synchro/shape.hpp"

namespace synchro::tests {

/// What the calling thread plays.
struct role {
  unsigned domain = 0;
  std::uint32_t wandering = 0;    ///< Not 0: in another domain at each question, by this state of a generator.
  std::latch* curtain = nullptr;  ///< Where the next wait stops after its first look.

  /// Played once, in this thread, before the read-modify-write that so many others precede.
  std::function<void()> interlude = nullptr;
  int changes_before_interlude = 0;
};
inline role& my_role() {
  static thread_local role mine;
  return mine;
}

/// Waits, since the last reset, whose first look did not find what they wait for: without and with a limit.
struct audience {
  std::atomic<int> waits{0};
  std::atomic<int> limited_waits{0};
};
inline audience& seen() {
  static audience all;
  return all;
}

inline void eventually(const std::function<bool()>& happens) {
  while (!happens()) std::this_thread::yield();
}

inline void before_change() {
  role& mine = my_role();
  if (mine.interlude && mine.changes_before_interlude-- == 0) std::exchange(mine.interlude, nullptr)();
}

/// std::atomic with interludes.
template <class T>
struct staged_atomic : std::atomic<T> {
  using std::atomic<T>::atomic;
  using base = std::atomic<T>;

  T exchange(T value, std::memory_order o) {
    before_change();
    return base::exchange(value, o);
  }
  T fetch_add(T value, std::memory_order o) {
    before_change();
    return base::fetch_add(value, o);
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order success, std::memory_order failure) {
    before_change();
    return base::compare_exchange_strong(expected, value, success, failure);
  }
};

/// `Domains` domains, of two threads each.
template <unsigned Domains>
struct staged_machine : hardware {
  template <class T>
  using atomic = staged_atomic<T>;

  static unsigned domain() {
    role& mine = my_role();
    if (mine.wandering == 0) return mine.domain;
    mine.wandering ^= mine.wandering << 13;
    mine.wandering ^= mine.wandering >> 17;
    mine.wandering ^= mine.wandering << 5;
    return mine.wandering % (2 * Domains);  // half of them unknown to the shape
  }

  static shape here() {
    shape team;
    for (unsigned i = 0; i < 2 * Domains; ++i) team.domain_of_thread.push_back(i % Domains);
    return team;
  }

  template <class T, class Step>
  static T await(const std::atomic<T>& word, order o, Step step) {
    return hardware::await(word, o, watched<T>(step, seen().waits));
  }
  template <class T, class Step, class Limit>
  static std::optional<T> await_until(const std::atomic<T>& word, order o, Step step, Limit limit) {
    return hardware::await_until(word, o, watched<T>(step, seen().limited_waits), limit);
  }
  template <class Step, class Limit, class... T>
  static std::optional<std::tuple<T...>> await_any_until(order o, Step step, Limit limit,
                                                         const std::atomic<T>&... words) {
    return hardware::await_any_until(o, watched<T...>(step, seen().limited_waits), limit, words...);
  }

 private:
  template <class... T, class Step>
  static auto watched(Step step, std::atomic<int>& count) {
    return [step, &count](T... values, std::uint32_t round) -> look {
      const look answer = detail::ask(step, round, values...);
      if (!answer.is_done() && round == 0) {
        std::latch* const curtain = std::exchange(my_role().curtain, nullptr);
        count.fetch_add(1);
        if (curtain != nullptr) curtain->wait();
      }
      return answer;
    };
  }
};
static_assert(machine<staged_machine<2>>);

/// A thread that plays a role.
template <class Body>
std::thread actor(role part, Body body) {
  return std::thread{[part, body]() mutable {
    my_role() = part;
    body();
  }};
}

/// Starts an actor and returns when it waits, which it will.
template <class Body>
std::thread waiting_actor(role part, Body body) {
  const int before = seen().waits;
  std::thread t = actor(part, body);
  eventually([before] { return seen().waits > before; });
  return t;
}

}  // namespace synchro::tests

#endif
