// The hash that a table goes by: 32 bits, in the last of which every bit of the user's hash counts, for many a hash is the
// key itself.
//
// Where a processor multiplies 64 bits by 64 at once, the halves of one product are laid over each other; elsewhere those of a
// product of 64 bits. What comes of it is multiplied once more: of keys at even steps both halves are at even steps, too, and at
// some steps one undoes the other (3140: then all of 64 keys have one bucket of 64).
//
// Source: folded products: Vladimir Makarov: mum-hash, 2016, and Wang Yi: wyhash. With 2^6, 2^8 and 2^10 keys at each step up to
// 300,000, in as many buckets, the squares of the keys in a bucket are 3.8, 2.6 and 2.3 on average at worst; at random, 2.

#ifndef SYNCHRO_HASH_TABLE_TABLE_HASH_HPP
#define SYNCHRO_HASH_TABLE_TABLE_HASH_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// std::hash of an integer is the integer itself, and on a system of 32 bits only its lower half: then the whole is taken.
template <class Hash, class Key>
std::uint64_t whole_hash(const Hash& hash, const Key& key) {
  if constexpr (std::is_same_v<Hash, std::hash<Key>> && std::is_integral_v<Key> && sizeof(Key) > sizeof(std::size_t))
    return static_cast<std::uint64_t>(key);
  else
    return hash(key);
}

constexpr std::uint64_t spread(std::uint64_t hash) {
  constexpr std::uint64_t factor = 0xd6e8'feb8'6659'fd93;
#ifdef __SIZEOF_INT128__
  __extension__ using product = unsigned __int128;
  const product p = product{hash} * factor;
  const std::uint64_t folded = static_cast<std::uint64_t>(p) ^ static_cast<std::uint64_t>(p >> 64);
#else
  const std::uint64_t p = hash * factor;
  const std::uint64_t folded = p ^ p >> 32;
#endif
  return folded * factor >> 32;
}

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
