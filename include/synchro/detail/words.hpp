// A value as words, for what is copied word by word while others write it: sequence locks, variables of transactions.

#ifndef SYNCHRO_DETAIL_WORDS_HPP
#define SYNCHRO_DETAIL_WORDS_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace detail {

/// How many words hold a T.
template <class Word, class T>
inline constexpr std::size_t words_for = (sizeof(T) + sizeof(Word) - 1) / sizeof(Word);

/// Its bytes, and zeros up to the end of the last word. Constant for a constant T without padding.
template <class Word, class T>
constexpr std::array<Word, words_for<Word, T>> words_of(const T& value) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  using words = std::array<Word, words_for<Word, T>>;
  if constexpr (sizeof(T) == sizeof(words)) {
    return std::bit_cast<words>(value);
  } else {
    struct filled_up {
      T value;
      unsigned char zeros[sizeof(words) - sizeof(T)];
    };
    return std::bit_cast<words>(filled_up{value, {}});
  }
}

}  // namespace detail
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
