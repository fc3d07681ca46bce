// What a header with its alterations in it asks: which of them is on (tests/model_checker/alter.py makes such headers).

#ifndef SYNCHRO_MODEL_CHECKER_ALTERED_HPP
#define SYNCHRO_MODEL_CHECKER_ALTERED_HPP

#include <cstdint>
#include <type_traits>

namespace altered {

/// Notes that the program has come to this one, and says whether it is on.
bool meet(std::uint32_t number);

constexpr bool is(std::uint32_t number) { return !std::is_constant_evaluated() && meet(number); }

template <class T>
constexpr bool counts = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
constexpr decltype(auto) more(std::uint32_t number, T&& value) {
  if constexpr (counts<std::remove_cvref_t<T>>) {
    return static_cast<std::remove_cvref_t<T>>(is(number) ? value + 1 : value);
  } else {
    return static_cast<T&&>(value);
  }
}

template <class T>
constexpr decltype(auto) one(std::uint32_t number, T&& value) {
  if constexpr (counts<std::remove_cvref_t<T>>) {
    return is(number) ? std::remove_cvref_t<T>{1} : std::remove_cvref_t<T>(value);
  } else {
    return static_cast<T&&>(value);
  }
}

}  // namespace altered

#endif
