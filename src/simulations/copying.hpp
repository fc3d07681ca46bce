// The simulated machine for algorithms that send messages.

#ifndef SYNCHRO_SIMULATIONS_COPYING_HPP
#define SYNCHRO_SIMULATIONS_COPYING_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "simulator/laboratory.hpp"

namespace synchro::simulations {

using simulator::simulated;

/// Loads that do not depend on each other.
class independent_loads {
 public:
  independent_loads() { say(true); }
  ~independent_loads() { say(false); }
  independent_loads(const independent_loads&) = delete;
  independent_loads& operator=(const independent_loads&) = delete;

 private:
  static void say(bool independent) {
    if (simulator::world::inside()) simulator::world::current().loads_are_independent(independent);
  }
};

/// Aligned as a message is, so that a channel still fills one line.
struct eight_bytes {
  std::uint32_t low, high;
};

/// A message, copied eight bytes at a time.
template <class T>
class copied {
 public:
  copied(const T& value) { *this = value; }  // NOLINT(google-explicit-constructor)
  copied& operator=(const T& value) {
    bytes all{};
    std::memcpy(all.data(), &value, sizeof(T));
    for (std::size_t i = 0; i != chunks; ++i) chunks_[i] = all[i];
    if constexpr (odd) rest_ = all[chunks].low;
    return *this;
  }
  operator T() const {  // NOLINT(google-explicit-constructor)
    bytes all{};
    {
      const independent_loads of_chunks;
      for (std::size_t i = 0; i != chunks; ++i) all[i] = chunks_[i];
      if constexpr (odd) all[chunks].low = rest_;
    }
    T value;
    std::memcpy(static_cast<void*>(&value), all.data(), sizeof(T));
    return value;
  }

 private:
  static constexpr std::size_t chunks = sizeof(T) / 8;
  static constexpr bool odd = sizeof(T) % 8 == 4;
  static_assert(odd && alignof(T) == 4);
  using bytes = std::array<eight_bytes, chunks + 1>;

  std::array<simulated::plain<eight_bytes>, chunks> chunks_;
  simulated::plain<std::uint32_t> rest_{0};
};

/// The simulated machine, whose plain fields may also be longer than a register, and whose threads look at as many words
/// as they like, as a server does that polls: by loads that do not depend on each other.
struct copying : simulated {
  template <class T>
  using plain = std::conditional_t<(sizeof(T) > 8), copied<T>, simulated::plain<T>>;

  template <class Step, class... T>
  static std::tuple<T...> await_any(order o, Step step, const atomic<T>&... words) {
    for (std::uint32_t round = 0;; ++round) {
      const std::tuple<T...> values = abreast([o](const auto& word) { return word.load(o); }, words...);
      const look answer =
          std::apply([&](const T&... v) -> look { return synchro::detail::ask(step, round, v...); }, values);
      if (answer.is_done()) return values;
      rest(answer);
    }
  }
};
struct copying_laboratory : simulator::laboratory {
  using machine = copying;
};

}  // namespace synchro::simulations

#endif
