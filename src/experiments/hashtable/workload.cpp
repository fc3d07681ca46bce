#include "experiments/hashtable/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "synchro/hash_table/hash_table.hpp"

namespace synchro::experiments::hashtable {

std::vector<key> keys_of(unsigned buckets, unsigned load, std::uint64_t seed) {
  const synchro::hash_table<key, char> places{fixed_buckets{buckets}};
  const unsigned in_each = 2 * load;
  std::vector<unsigned> in(buckets);
  std::vector<key> keys;
  keys.reserve(std::size_t{buckets} * in_each);
  for (key k = 1; keys.size() != std::size_t{buckets} * in_each; ++k) {
    const std::size_t bucket = places.bucket(k);
    if (bucket >= buckets || in[bucket] == in_each) continue;
    ++in[bucket];
    keys.push_back(k);
  }
  // Half of each bucket's keys at even places: by bucket first, then shuffled among pairs.
  std::stable_sort(keys.begin(), keys.end(), [&](key a, key b) { return places.bucket(a) < places.bucket(b); });
  dice by{seed};
  for (std::size_t pair = keys.size() / 2; pair > 1; --pair) {
    const std::size_t other = by.below(static_cast<std::uint32_t>(pair));
    std::swap(keys[2 * pair - 2], keys[2 * other]);
    std::swap(keys[2 * pair - 1], keys[2 * other + 1]);
  }
  return keys;
}

std::optional<std::string> fault(std::uint64_t at_first, const counts& all, std::uint64_t there) {
  if (all.torn != 0) return fmt::format("{} gets returned another key's payload, or two halves", all.torn);
  const std::uint64_t expected = at_first + all.added - all.removed;
  if (there != expected) return fmt::format("{} elements were put and not removed, but {} are there", expected, there);
  return std::nullopt;
}

}  // namespace synchro::experiments::hashtable
