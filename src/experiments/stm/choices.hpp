// What the transactions of a thread are about, drawn before they run: four random numbers cost as much as locking a free lock
// and unlocking it.

#ifndef SYNCHRO_EXPERIMENTS_STM_CHOICES_HPP
#define SYNCHRO_EXPERIMENTS_STM_CHOICES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace synchro::experiments::transactions {

struct choice {
  static constexpr std::uint32_t kinds = 200;  ///< Half percents.

  std::uint32_t one, other;  ///< Two of the places that there are.
  std::uint16_t kind;        ///< Below `kinds`.
  std::uint16_t amount;      ///< Below 100.
};

/// What one thread does, over and over (framework/drawn_again.hpp): two choices for each place, at least 4096, at most 2^20 (12 MiB). Each place and each
/// kind comes as often as any other, in a random order, so that no repetition has more of what takes long.
[[nodiscard]] std::vector<choice> draw_choices(std::uint32_t places, std::uint64_t seed);

}  // namespace synchro::experiments::transactions

#endif
