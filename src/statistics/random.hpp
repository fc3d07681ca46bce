// Random numbers that are the same everywhere.

#ifndef SYNCHRO_STATISTICS_RANDOM_HPP
#define SYNCHRO_STATISTICS_RANDOM_HPP

#include <cstdint>

namespace synchro::statistics {

/// SplitMix64: the same on every platform, which std::shuffle and the distributions of <random> do not promise.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_{seed} {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
    return z ^ (z >> 31);
  }
  /// From 0 to n - 1, one of at most 2^32 values; 0 if n is.
  std::uint64_t below(std::uint64_t n) {
    if (n == 0) return 0;
    const std::uint64_t drawn = next() >> 32;
    return drawn * (n >> 32) + (drawn * (n & 0xFFFF'FFFF) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace synchro::statistics

#endif
