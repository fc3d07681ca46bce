#include "report/maps.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace synchro::report {

namespace {

using results::cell;
using json = nlohmann::ordered_json;

/// Fewer are no burden.
constexpr std::size_t fewest = 1024;

/// Which row and column a processor has a part of.
using places = std::map<std::int64_t, std::size_t>;

/// In this order, as many together as leave no more than are shown. `block` is set to that number.
places places_of(std::vector<std::int64_t>& processors, std::span<const std::int64_t> order, std::size_t& block) {
  block = (processors.size() + largest_map - 1) / largest_map;
  if (block > 1) {
    std::map<std::int64_t, std::size_t> rank;
    for (const std::int64_t p : order) rank.emplace(p, rank.size());
    const auto key = [&](std::int64_t p) { return rank.contains(p) ? rank.at(p) : rank.size(); };
    std::stable_sort(processors.begin(), processors.end(),
                     [&](std::int64_t a, std::int64_t b) { return key(a) < key(b); });
  }
  places at;
  for (std::size_t i = 0; i < processors.size(); ++i) at[processors[i]] = i / block;
  return at;
}

/// Of each field the cell that stands for it: of several that with the median value, the lower one.
std::vector<const cell*> representatives_of(std::span<const cell> cells, const places& at, std::size_t side) {
  std::vector<std::vector<const cell*>> all(side * side);
  for (const cell& c : cells) {
    const auto [from, to] = results::pair_of(c);
    all[at.at(from) * side + at.at(to)].push_back(&c);
  }
  std::vector<const cell*> one(all.size(), nullptr);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].empty()) continue;
    const auto middle = all[i].begin() + static_cast<std::ptrdiff_t>((all[i].size() - 1) / 2);
    std::nth_element(all[i].begin(), middle, all[i].end(), [](auto* a, auto* b) { return *a->value < *b->value; });
    one[i] = *middle;
  }
  return one;
}

}  // namespace

results::document maps_together(results::document d) { return results::matrices_together(std::move(d), fewest); }

results::stretch first_stretch(std::span<const cell> cells) { return results::first_stretch(cells, fewest); }

std::size_t before_overviews(std::span<const cell> cells) {
  std::size_t n = 0;
  while (n < cells.size()) {
    const results::stretch next = first_stretch(cells.subspan(n));
    if (next.is_matrix && results::processors_of(cells.subspan(n, next.cells)).size() > largest_map) return n;
    n += next.cells;
  }
  return n;
}

json map_json(std::span<const cell> cells, std::span<const std::int64_t> order) {
  std::vector<std::int64_t> processors = results::processors_of(cells);
  std::size_t block = 1;
  const places at = places_of(processors, order, block);
  const std::size_t side = (processors.size() + block - 1) / block;
  return results::matrix_json(representatives_of(cells, at, side), processors, block);
}

}  // namespace synchro::report
