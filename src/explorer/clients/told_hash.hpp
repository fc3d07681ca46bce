// Keys of a hash table whose bucket a program knows.

#ifndef SYNCHRO_EXPLORER_CLIENTS_TOLD_HASH_HPP
#define SYNCHRO_EXPLORER_CLIENTS_TOLD_HASH_HPP

#include <cstddef>
#include <cstdint>

namespace synchro::explorer {

/// The hash that the table mixes to the key itself, so that programs know which keys share a bucket.
struct told_hash {
  std::size_t operator()(std::uint32_t key) const {
    constexpr std::uint64_t inverse = [] {
      const std::uint64_t factor = 0x9e37'79b9'7f4a'7c15;
      std::uint64_t x = factor;  // right in the last three bits; each step doubles them
      for (int i = 0; i != 5; ++i) x *= 2 - factor * x;
      return x;
    }();
    const std::uint64_t h = (std::uint64_t{key} << 32) * inverse;
    return (h ^ h >> 32) * inverse;
  }
};

}  // namespace synchro::explorer

#endif
