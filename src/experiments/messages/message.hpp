// The messages that are sent: a word, or as much as fills a cache line beside a channel's word.

#ifndef SYNCHRO_EXPERIMENTS_MESSAGES_MESSAGE_HPP
#define SYNCHRO_EXPERIMENTS_MESSAGES_MESSAGE_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "synchro/hardware.hpp"

namespace synchro::experiments::messages {

/// Its number stands at both ends, so half a message is noticed.
template <std::size_t Words>
struct numbered_message {
  static_assert(Words >= 2);
  std::array<std::uint32_t, Words> words{};

  static numbered_message numbered(std::uint32_t n) {
    numbered_message m;
    m.words.fill(n);
    m.words.back() = ~n;
    return m;
  }
  [[nodiscard]] bool is(std::uint32_t n) const { return words.front() == n && words.back() == ~n; }
};

using word_message = numbered_message<2>;
using line_message = numbered_message<cpu::cache_line / 4 - 1>;

}  // namespace synchro::experiments::messages

#endif
