// The simulated machine: what machine.hpp asks for, on a world. The library's headers run on it unchanged.
//
// Values are in the program's memory, as on hardware; what is simulated is when each access happens and what it costs.
// An exchange that writes 1 (or true) is a test-and-set, for which some machines have an instruction of its own.

#ifndef SYNCHRO_SIMULATOR_SIMULATED_HPP
#define SYNCHRO_SIMULATOR_SIMULATED_HPP

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "simulator/world.hpp"
#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/shape.hpp"

namespace synchro::simulator {

namespace detail {

/// An access to a value: in a simulated thread it takes its time, elsewhere it happens at once.
template <class Apply>
auto perform(access what, const void* p, Apply apply) {
  if (!world::inside()) return apply();
  world& w = world::current();
  w.begin(what, p);
  const auto result = apply();
  w.end();
  return result;
}

template <class T>
T read(const T& value) {
  if (!world::inside()) return value;
  world& w = world::current();
  if (const std::uint64_t* const waiting = w.buffered(&value)) {
    T own;
    std::memcpy(static_cast<void*>(&own), waiting, sizeof(T));
    w.forwarded();
    return own;
  }
  return perform(access::load, &value, [&] { return value; });
}

template <class T>
void write(T& value, T desired) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  if (!world::inside()) {
    value = desired;
    return;
  }
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &desired, sizeof(T));
  world::current().store(&value, bytes, sizeof(T));
}

}  // namespace detail

struct simulated {
  using order = std::memory_order;

  template <class T>
  class atomic {
   public:
    constexpr atomic() : value_{} {}
    constexpr atomic(T value) : value_{value} {}  // NOLINT(google-explicit-constructor)
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(order) const { return detail::read(value_); }
    void store(T value, order) { detail::write(value_, value); }
    T exchange(T value, order) {
      return detail::perform(is_set(value) ? access::tas : access::swap, &value_,
                             [&] { return std::exchange(value_, value); });
    }
    bool compare_exchange_strong(T& expected, T value, order, order) {
      return detail::perform(access::cas, &value_, [&] {
        if (value_ != expected) {
          expected = value_;
          return false;
        }
        value_ = value;
        return true;
      });
    }
    bool compare_exchange_weak(T& expected, T value, order success, order failure) {
      return compare_exchange_strong(expected, value, success, failure);
    }
    T fetch_add(T n, order) requires std::is_integral_v<T> {
      return fetch([n](T v) { return static_cast<T>(v + n); });
    }
    T fetch_sub(T n, order) requires std::is_integral_v<T> {
      return fetch([n](T v) { return static_cast<T>(v - n); });
    }
    T fetch_or(T n, order) requires std::is_integral_v<T> {
      return fetch([n](T v) { return static_cast<T>(v | n); });
    }
    T fetch_and(T n, order) requires std::is_integral_v<T> {
      return fetch([n](T v) { return static_cast<T>(v & n); });
    }
    /// One access of this kind, which may read and change the value as it likes.
    template <class F>
    auto access_as(access what, F f) {
      return detail::perform(what, &value_, [&] { return f(value_); });
    }

   private:
    friend struct simulated;
    static constexpr bool is_set(T value) {
      if constexpr (std::is_integral_v<T>)
        return value == T{1};
      else
        return false;
    }
    template <class F>
    T fetch(F f) {
      return detail::perform(access::fai, &value_, [&] { return std::exchange(value_, f(value_)); });
    }
    T value_;
  };

  template <class T>
  class plain {
   public:
    constexpr plain() : value_{} {}
    constexpr plain(T value) : value_{value} {}  // NOLINT(google-explicit-constructor)
    plain(const plain&) = delete;
    plain& operator=(const plain&) = delete;
    plain& operator=(T value) {
      detail::write(value_, value);
      return *this;
    }
    operator T() const { return detail::read(value_); }  // NOLINT(google-explicit-constructor)
    T operator->() const requires std::is_pointer_v<T> { return detail::read(value_); }

   private:
    T value_;
  };

  struct clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<clock>;
    static constexpr bool is_steady = true;
    static time_point now() {
      if (!world::any()) return time_point{};
      const world& w = world::current();
      return time_point{duration{static_cast<rep>(w.machine().ns_of(w.now()))}};
    }
  };
  using deadline = clock::time_point;
  static constexpr deadline never = deadline::max();
  static bool expired(deadline until) { return until != never && clock::now() >= until; }

  static void fence() {
    if (world::inside()) world::current().fence();
  }
  static void prefetch_for_write(const void* p) {
    if (world::inside()) world::current().prefetch(p);
  }
  static void pause(std::uint32_t n) {
    if (world::inside()) world::current().rest(n * world::current().machine().pause());
  }
  /// What experiments ask of a machine that can tell: this thread's stores have reached the cache.
  static void settle() {
    if (world::inside()) world::current().settle();
  }

  // Waiting.

  template <class T, class Step, class Limit>
  static std::optional<T> await_until(const atomic<T>& word, order o, Step step, Limit limit) {
    const auto seen = await_any_until(o, step, limit, word);
    return seen ? std::optional{std::get<0>(*seen)} : std::nullopt;
  }
  template <class T, class Step>
  static T await(const atomic<T>& word, order o, Step step) {
    return *await_until(word, o, step, never);
  }

  template <class Step, class Limit, class... T>
  static std::optional<std::tuple<T...>> await_any_until(order o, Step step, Limit limit, const atomic<T>&... words) {
    static_assert(sizeof...(T) <= thread::most_watched, "a simulated thread cannot watch so many words at a time");
    for (std::uint32_t round = 0;;) {
      const bool last = out_of(limit, round);
      std::array<world::watched, sizeof...(T)> watched{};
      const std::tuple<T...> values = look_at(o, watched, words...);
      const auto ask = [&](std::uint32_t r) {
        return std::apply([&](const T&... v) -> look { return synchro::detail::ask(step, r, v...); }, values);
      };
      const look answer = ask(round);
      if (answer.is_done()) return values;
      if (last) return std::nullopt;
      round = rest_until_change(watched, ask, round, limit);
      if (answer.fetches()) (prefetch_for_write(&words), ...);
    }
  }
  template <class Step, class... T>
  static std::tuple<T...> await_any(order o, Step step, const atomic<T>&... words) {
    return *await_any_until(o, step, never, words...);
  }

  template <class T, class F, class Limit>
  static std::optional<updated<T>> update_until(atomic<T>& word, F f, order success, order failure, Limit limit) {
    std::array<world::watched, 1> watched{};
    T seen = std::get<0>(look_at(failure, watched, word));
    for (std::uint32_t round = 0;;) {
      const bool last = out_of(limit, round);
      const attempt<T> answer = synchro::detail::ask(f, round, seen);
      if (answer.declines()) return updated<T>{false, seen};
      if (answer.writes()) {
        if (word.compare_exchange_strong(seen, answer.value(), success, failure)) return updated<T>{true, seen};
        if (last) return std::nullopt;
        ++round;
        continue;
      }
      if (last) return std::nullopt;
      // The value of an update may become good by waiting alone (a clock), so its rests are looked at one by one.
      const auto ask = [&](std::uint32_t r) {
        const attempt<T> a = synchro::detail::ask(f, r, seen);
        return a.writes() || a.declines() ? look::done() : a.rest();
      };
      round = rest_until_change(watched, ask, round, limit);
      seen = std::get<0>(look_at(failure, watched, word));
    }
  }
  template <class T, class F>
  static updated<T> update(atomic<T>& word, F f, order success, order failure) {
    return *update_until(word, f, success, failure, never);
  }

  template <class T, class Accept, class Limit>
  static std::optional<T> exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o,
                                         Limit limit) {
    for (std::uint32_t round = 0;; ++round) {
      const bool last = out_of(limit, round);
      const T old = word.exchange(value, o);
      const look answer = synchro::detail::ask(accept, round, old);
      if (answer.is_done()) return old;
      if (last) return std::nullopt;
      rest(answer);
    }
  }
  template <class T, class Accept>
  static T exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o) {
    return *exchange_until(word, value, accept, o, never);
  }

  /// Loads that do not depend on each other: as many are under way at a time as the core can have.
  template <class Load, class... T>
  static std::tuple<T...> abreast(Load load, const atomic<T>&... words) {
    if (sizeof...(T) == 1 || !world::inside()) return std::tuple<T...>{load(words)...};
    world& w = world::current();
    const std::array<const void*, sizeof...(T)> all{&words...};
    std::size_t begun = 0, asked = 0;
    w.loads_are_independent(true);
    const auto one = [&](const auto& word) {
      asked = std::max(asked, ++begun);
      while (asked < all.size() && w.ask_ahead(access::load, all[asked], w.came_to_it())) ++asked;
      return load(word);
    };
    const std::tuple<T...> values{one(words)...};
    w.loads_are_independent(false);
    return values;
  }

  // Sleeping.

  static bool park(const atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
    world& w = world::current();
    w.enter_system();
    w.begin(access::load, &word.value_);
    return w.park(&word, word.value_ == expected, moment(until));
  }
  static void unpark(const atomic<std::uint32_t>* word, std::uint32_t n) {
    if (world::inside()) world::current().unpark(word, n);
  }

  // Threads and memory of their own.

  template <class T>
  static T& local() {
    static_assert(std::is_trivially_destructible_v<T>);
    return world::current().running_or_outside().own_objects.template get<T>(allocate);
  }
  template <class T>
  static T& global() {
    static_assert(std::is_trivially_destructible_v<T>);
    return world::current().shared_storage().template get<T>(allocate);
  }
  template <void (*F)(void*)>
  static bool at_thread_exit(void* p) {
    if (!world::inside()) return false;
    world::current().running().farewells.emplace_back(F, p);
    return true;
  }
  template <void (*F)()>
  static void at_fork() {}
  /// The memory is given back when the world ends.
  template <class T, class... Args>
  static T* make(Args&&... args) {
    return ::new (allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }
  template <class T>
  static void destroy(T* p) {
    if (p != nullptr) p->~T();
  }

  static unsigned slot() { return world::current().running_or_outside().number; }
  static constexpr unsigned processors = 32;
  static unsigned processor() { return world::current().running_or_outside().core % processors; }
  static unsigned domain() {
    const world& w = world::current();
    return w.machine().die_of_core(world::current().running_or_outside().core);
  }
  static shape here() {
    shape s;
    const model& m = world::current().machine();
    for (unsigned p = 0; p < m.processors(); ++p) s.domain_of_thread.push_back(m.die_of_core(m.core_of(p)));
    return s;
  }
  static looks spin_looks() { return looks{1000}; }

 protected:
  /// Between two looks of a thread that waits.
  static void rest(look answer) {
    if (!world::inside()) return;
    if (answer.yields())
      world::current().yield();
    else
      world::current().rest(length(answer));
  }

 private:
  static void* allocate(std::size_t bytes, std::size_t alignment) {
    return world::current().allocate(bytes, alignment);
  }

  static bool out_of(looks limit, std::uint32_t round) { return round >= limit.count; }
  static bool out_of(deadline limit, std::uint32_t) { return expired(limit); }

  static ticks moment(deadline until) {
    if (until == never) return world::never;
    const double ns = static_cast<double>(until.time_since_epoch().count());
    return static_cast<ticks>(std::max(0.0, ns) * world::current().machine().ghz() * per_cycle);
  }

  template <class... T>
  static std::tuple<T...> look_at(order o, std::array<world::watched, sizeof...(T)>& watched,
                                  const atomic<T>&... words) {
    std::size_t i = 0;
    return abreast(
        [&](const auto& word) {
          const auto value = word.load(o);
          if (world::inside()) watched[i++] = world::current().watch(&word);
          return value;
        },
        words...);
  }

  static ticks length(look answer) {
    const model& m = world::current().machine();
    return answer.yields() ? m.wake().call : answer.pauses() * m.pause();
  }
  /// How a wait goes on while nothing changes: the rest after each look, until it always rests the same.
  static constexpr std::uint32_t settled = 256;

  /// Rests after a look that was not content, and goes on looking, until one of the lines has changed or the limit is
  /// near; returns the number of the look that comes next, whose time it is then. The looks between, which would find
  /// what the last one found, are not carried out.
  template <std::size_t N, class Ask, class Limit>
  static std::uint32_t rest_until_change(const std::array<world::watched, N>& watched, const Ask& ask,
                                         std::uint32_t round, Limit limit) {
    world& w = world::current();
    const ticks a_look = w.machine().a_look();
    const ticks first = w.now() + w.stretched(length(ask(round)));
    const bool yields = ask(round + settled).yields();
    w.wait_for_change(watched, timeout(limit, first, round, ask, a_look), yields,
                      [&] { return next_look(w, first, a_look, ask, round, limit); });
    return round;
  }

  /// When a thread looks again whose wait is over now and that rests until `first` anyway; counts the looks until then.
  template <class Ask, class Limit>
  static ticks next_look(world& w, ticks first, ticks a_look, const Ask& ask, std::uint32_t& round, Limit limit) {
    ++round;
    if (w.now() <= first) return first;
    const std::uint32_t stable = round + settled;
    ticks next = first;
    while (next < w.now() && round < stable && !out_of(limit, round)) {
      const look answer = ask(round);
      if (answer.is_done()) break;  // by waiting alone
      next += a_look + length(answer);
      ++round;
    }
    if (next < w.now()) {
      const look answer = ask(round);
      const ticks period = a_look + (answer.is_done() ? 0 : length(answer));
      if (!answer.is_done()) round = later(round, (w.now() - next) / std::max<ticks>(period, 1), limit);
      return w.now() + w.phase(period);
    }
    return next == first ? first : w.now() + w.phase(next - w.now());
  }

  static std::uint32_t later(std::uint32_t round, ticks by, looks limit) {
    return static_cast<std::uint32_t>(std::min<ticks>(round + by, limit.count));
  }
  static std::uint32_t later(std::uint32_t round, ticks by, deadline) {
    return static_cast<std::uint32_t>(std::min<ticks>(round + by, std::numeric_limits<std::uint32_t>::max() / 2));
  }

  template <class Ask>
  static ticks timeout(deadline limit, ticks, std::uint32_t, const Ask&, ticks) {
    return moment(limit);
  }
  /// When the last look is due, if nothing changes.
  template <class Ask>
  static ticks timeout(looks limit, ticks first, std::uint32_t round, const Ask& ask, ticks a_look) {
    ticks at = first;
    const std::uint32_t stable = round + settled;
    for (++round; round < limit.count && round < stable; ++round) at += a_look + length(ask(round));
    if (round < limit.count) at += (limit.count - round) * (a_look + length(ask(round)));
    return at;
  }
};

static_assert(machine<simulated>);

}  // namespace synchro::simulator

#endif
