// A variable of transactions: stm.hpp.

#ifndef SYNCHRO_STM_TVAR_HPP
#define SYNCHRO_STM_TVAR_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "synchro/detail/words.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// A variable that transactions read and write.
using stm_word = std::uint64_t;

/// A value as words.
template <class T>
struct worded {
  static constexpr std::size_t count = words_for<stm_word, T>;
  std::array<stm_word, count> words{};

  static constexpr worded of(const T& value) noexcept { return {words_of<stm_word>(value)}; }
  [[nodiscard]] T value() const {
    T v;
    std::memcpy(static_cast<void*>(&v), words.data(), sizeof v);
    return v;
  }
};

}  // namespace detail

template <class Machine, class Waiting, class Locks>
class basic_transaction;
template <class Machine, class Waiting, class Manager, std::size_t Most>
class basic_served_transaction;

/// A T that transactions read and write, as words of 64 bits. It belongs to one stm at a time.
template <class T, class Machine = hardware>
class basic_tvar {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
                "a transaction copies values word by word");
  using words = detail::worded<T>;

 public:
  using value_type = T;

  constexpr basic_tvar() : basic_tvar(T{}) {}
  constexpr explicit basic_tvar(const T& value)
      : basic_tvar(words::of(value), std::make_index_sequence<words::count>{}) {}
  basic_tvar(const basic_tvar&) = delete;
  basic_tvar& operator=(const basic_tvar&) = delete;

  /// The value, while no transaction uses the variable: before the threads start, or after they have ended.
  [[nodiscard]] T alone() const {
    words copy;
    for (std::size_t i = 0; i != words::count; ++i) copy.words[i] = words_[i].load(memory_order::relaxed);
    return copy.value();
  }
  /// Changes it, while no transaction uses it.
  void set_alone(const T& value) {
    const words copy = words::of(value);
    for (std::size_t i = 0; i != words::count; ++i) words_[i].store(copy.words[i], memory_order::relaxed);
  }

 private:
  template <class, class, class>
  friend class basic_transaction;
  template <class, class, class, std::size_t>
  friend class basic_served_transaction;

  template <std::size_t... I>
  constexpr basic_tvar(const words& first, std::index_sequence<I...>)
      : words_{{typename Machine::template atomic<detail::stm_word>(first.words[I])...}} {}

  std::array<typename Machine::template atomic<detail::stm_word>, words::count> words_{};
};

template <class T>
using tvar = basic_tvar<T>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
