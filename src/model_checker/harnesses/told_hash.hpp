// Keys of a hash table whose bucket a program knows.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_TOLD_HASH_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_TOLD_HASH_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "synchro/hash_table/table_hash.hpp"

namespace synchro::model_checker {

/// The hash that the table spreads to the key itself in its last six bits, so that programs know which keys share a bucket.
struct told_hash {
  std::size_t operator()(std::uint32_t key) const { return hashes[key % keys]; }

 private:
  static constexpr std::uint32_t keys = 64;
  static constexpr std::array<std::size_t, keys> hashes = [] {
    std::array<std::size_t, keys> all{};
    std::uint32_t found = 1;  // the hash of 0 is 0
    for (std::size_t hash = 1; found != keys; ++hash) {
      std::size_t& of_key = all[detail::spread(hash) % keys];
      if (of_key == 0 && detail::spread(hash) % keys != 0) of_key = hash, ++found;
    }
    return all;
  }();
};

}  // namespace synchro::model_checker

#endif
