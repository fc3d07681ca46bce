// The parts of a long sum: 1 + 2 + 3 + ... + count * parts, cut into as many pieces as there are threads.

#ifndef SYNCHRO_EXPERIMENTS_THROTTLE_PARTS_HPP
#define SYNCHRO_EXPERIMENTS_THROTTLE_PARTS_HPP

#include <cstdint>
#include <memory>

#include "platform/topology.hpp"

namespace synchro::experiments::throttle {

enum class work : std::uint8_t {
  integer,   ///< Integer additions in registers.
  floating,  ///< The same in double precision: all values and sums are whole numbers that a double holds exactly.
  memory,  ///< The terms stand in memory, larger than a processor's private caches, and are read in a scattered order.
};

/// The terms first + 1 ... first + count.
class part {
 public:
  part() = default;
  virtual ~part() = default;
  part(const part&) = delete;
  part& operator=(const part&) = delete;

  /// Adds all terms up, once.
  [[nodiscard]] virtual std::uint64_t sum() const = 0;
};

/// `count` of a part in memory is a power of two.
[[nodiscard]] std::unique_ptr<part> make_part(work kind, std::uint64_t first, std::uint64_t count);

/// How many terms a part has: few where one pass is in registers, and twice the private caches of a processor in memory.
[[nodiscard]] std::uint64_t terms_of(work kind, const platform::topology& machine);

/// 1 + 2 + ... + n, modulo 2^64.
[[nodiscard]] constexpr std::uint64_t progression(std::uint64_t n) {
  return n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n;
}

}  // namespace synchro::experiments::throttle

#endif
