#include "profile/think_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace synchro::profile {

namespace {

/// A bucket of one of them.
struct piece {
  std::size_t of = 0, place = 0;
  double ns = 0;     ///< Each.
  double count = 0;  ///< As recorded_times::count counts them.
};

std::vector<piece> longest_first(const std::vector<recorded_times>& all) {
  std::vector<piece> pieces;
  for (std::size_t i = 0; i < all.size(); ++i) {
    double count = 0, sum = 0;
    for (const bucket& b : all[i].buckets)
      count += static_cast<double>(b.count), sum += static_cast<double>(b.count) * middle_of(b);
    if (!(all[i].mean > 0) || !(sum > 0)) continue;
    for (std::size_t b = 0; b < all[i].buckets.size(); ++b)
      pieces.push_back({i, b, middle_of(all[i].buckets[b]) * all[i].mean * count / sum,
                        static_cast<double>(all[i].buckets[b].count) * all[i].count / count});
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const piece& a, const piece& b) { return a.ns > b.ns; });
  return pieces;
}

/// Of one of them.
struct part {
  double count = 0, ns = 0;
  std::vector<bucket> buckets;

  void add(const piece& p, const bucket& b, double share) {
    const auto samples = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(b.count)));
    count += share * p.count, ns += share * p.count * p.ns;
    buckets.push_back({b.from_ns, std::max<std::uint64_t>(samples, 1)});
  }
};

double share_of(const piece& p, double left) { return std::clamp(left / (p.ns * p.count), 0.0, 1.0); }

/// The longest, so many ns together.
std::vector<part> longest(const std::vector<recorded_times>& all, double ns) {
  std::vector<part> parts(all.size());
  for (const piece& p : longest_first(all)) {
    if (!(ns > 0)) break;
    const double share = share_of(p, ns);
    parts[p.of].add(p, all[p.of].buckets[p.place], share);
    ns -= share * p.count * p.ns;
  }
  return parts;
}

void take_longest(std::vector<recorded_times>& all, double ns) {
  std::vector<double> gone(all.size());
  for (const piece& p : longest_first(all)) {
    if (!(ns > 0)) break;
    const double share = share_of(p, ns);
    bucket& b = all[p.of].buckets[p.place];
    b.count -= static_cast<std::uint64_t>(std::llround(share * static_cast<double>(b.count)));
    gone[p.of] += share * p.count * p.ns, ns -= share * p.count * p.ns;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!(gone[i] > 0)) continue;
    all[i].mean = std::max(0.0, all[i].mean - gone[i] / all[i].count);
    std::erase_if(all[i].buckets, [](const bucket& b) { return b.count == 0; });
  }
}

}  // namespace

std::vector<think_time> take_think_times(std::vector<recorded_times>& all, double think_ns, double other_ns) {
  std::vector<think_time> thinks(all.size());
  if (!(think_ns > 0)) return thinks;
  double sum = 0, there = 0;
  for (const recorded_times& one : all) sum += one.mean * one.count;
  const double beyond = std::max(0.0, sum - other_ns);
  const std::vector<part> parts = longest(all, std::max(beyond, think_ns));
  for (const part& its : parts) there += its.ns;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const part& its = parts[i];
    if (!(its.count > 0)) continue;
    const double each = think_ns / there * its.ns / all[i].count;  // ns of a hold or gap
    const double chance = std::min(1.0, think_ns / there * its.count / all[i].count);
    thinks[i] = {chance, times{each / chance, its.buckets}};
  }
  take_longest(all, beyond);
  return thinks;
}

}  // namespace synchro::profile
