// Hashing of states.

#ifndef SYNCHRO_MODEL_CHECKER_HASHING_HPP
#define SYNCHRO_MODEL_CHECKER_HASHING_HPP

#include <cstdint>

namespace synchro::model_checker {

/// Scatters 64 bits (the finisher of MurmurHash3, by Austin Appleby, with the constants of David Stafford's mix 13).
constexpr std::uint64_t scatter(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9U;
  x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11ebU;
  return x ^ (x >> 31);
}

/// Depends on the order of the parts.
constexpr std::uint64_t chain(std::uint64_t hash, std::uint64_t part) {
  return scatter(hash * 0x9e37'79b9'7f4a'7c15U + part + 1);
}

}  // namespace synchro::model_checker

#endif
