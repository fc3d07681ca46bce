#include "experiments/hashtable/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "synchro/hash_table/hash_table.hpp"

namespace synchro::experiments::hashtable {

std::vector<key> keys_of(unsigned buckets, unsigned load, std::uint64_t seed) {
  const synchro::hash_table<key, char> places{fixed_buckets{buckets}};
  const unsigned in_each = 2 * load;
  std::vector<unsigned> in(buckets);
  std::vector<key> keys(std::size_t{buckets} * in_each);
  // Half of each bucket's keys at even places: by bucket first, then shuffled among pairs.
  std::size_t left = keys.size();
  for (key k = 1; left != 0; ++k) {
    const std::size_t bucket = places.bucket(k);
    if (bucket >= buckets || in[bucket] == in_each) continue;
    keys[bucket * in_each + in[bucket]++] = k;
    --left;
  }
  dice by{seed};
  for (std::size_t pair = keys.size() / 2; pair > 1; --pair) {
    const std::size_t other = by.below(static_cast<std::uint32_t>(pair));
    std::swap(keys[2 * pair - 2], keys[2 * other]);
    std::swap(keys[2 * pair - 1], keys[2 * other + 1]);
  }
  return keys;
}

std::vector<operation> draw_operations(const std::vector<key>& keys, const zipf* skew, double window_ns,
                                       std::uint64_t seed) {
  constexpr std::size_t least = std::size_t{1} << 14, most = std::size_t{1} << 20;
  constexpr double quickest_ns = 4;
  const auto in_time = static_cast<std::size_t>(window_ns / quickest_ns) + 1;
  dice by{seed};
  std::vector<operation> all;
  for (std::size_t left = std::min(std::clamp(2 * keys.size(), least, most), in_time); left != 0; --left) {
    const std::uint32_t what = by.below(10);
    const key k = keys[skew != nullptr ? skew->draw(by) : by.below(static_cast<std::uint32_t>(keys.size()))];
    all.emplace_back(k, what == 0 ? act::put : what == 1 ? act::remove : act::get);
  }
  return all;
}

std::optional<std::string> fault(std::uint64_t at_first, const counts& all, std::uint64_t there) {
  if (all.torn != 0) return fmt::format("{} gets returned another key's payload, or two halves", all.torn);
  const std::uint64_t expected = at_first + all.added - all.removed;
  if (there != expected) return fmt::format("{} elements were put and not removed, but {} are there", expected, there);
  return std::nullopt;
}

}  // namespace synchro::experiments::hashtable
