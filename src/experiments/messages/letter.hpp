// The messages that are sent: a word, or as much as fills a cache line beside a channel's word.

#ifndef SYNCHRO_EXPERIMENTS_MESSAGES_LETTER_HPP
#define SYNCHRO_EXPERIMENTS_MESSAGES_LETTER_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "synchro/hardware.hpp"

namespace synchro::experiments::messages {

/// Its number stands at both ends, so half a message is noticed.
template <std::size_t Words>
struct letter {
  static_assert(Words >= 2);
  std::array<std::uint32_t, Words> words{};

  static letter numbered(std::uint32_t n) {
    letter l;
    l.words.fill(n);
    l.words.back() = ~n;
    return l;
  }
  [[nodiscard]] bool is(std::uint32_t n) const { return words.front() == n && words.back() == ~n; }
};

using word_letter = letter<2>;
using line_letter = letter<cpu::cache_line / 4 - 1>;

}  // namespace synchro::experiments::messages

#endif
