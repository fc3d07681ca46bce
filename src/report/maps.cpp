#include "report/maps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>

#include "report/packed.hpp"

namespace synchro::report {

namespace {

using results::cell;
using json = nlohmann::ordered_json;

/// Fewer are no burden.
constexpr std::size_t fewest = 1024;
/// Of so many processors that a map is an overview, each cell alone takes more than 200 letters: no limits::detailed (page.hpp) in
/// use has room for as many.
constexpr std::size_t fewest_of_overview = std::size_t{1} << 17U;

const std::int64_t* number_at(const cell& c, const char* axis) {
  const results::coordinate* const value = c.at.find(axis);
  return value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
}

/// Nothing of it is lost where it is a field of a map, but for single repetitions and what disturbed them.
bool is_field(const cell& c) {
  if (number_at(c, "from") == nullptr || number_at(c, "to") == nullptr) return false;
  if (!c.value || !std::isfinite(*c.value) || !c.valid || c.reason || !c.quantiles.empty() || !c.conditions.empty())
    return false;
  return !c.ci || (std::isfinite(c.ci->first) && std::isfinite(c.ci->second) && c.ci->first <= *c.value &&
                   *c.value <= c.ci->second);
}

/// What all cells of a map have in common.
std::string common(const cell& c) {
  std::string key = c.experiment + " " + c.metric + " " + c.unit + " " + results::to_string(c.direction);
  for (const auto& [axis, value] : c.at.entries())
    key += " " + axis + (axis == "from" || axis == "to" ? "" : "=" + results::to_string(value));
  return key;
}

std::pair<std::int64_t, std::int64_t> pair_of(const cell& c) { return {*number_at(c, "from"), *number_at(c, "to")}; }

std::vector<std::int64_t> processors_of(std::span<const cell> cells) {
  std::set<std::int64_t> all;
  for (const cell& c : cells) all.insert(pair_of(c).first), all.insert(pair_of(c).second);
  return {all.begin(), all.end()};
}

bool is_overview(std::size_t processors) { return processors > largest_map; }

/// So many cells of so many processors are one: also with holes.
bool is_map(std::size_t cells, std::size_t processors) {
  return cells >= (is_overview(processors) ? fewest_of_overview : fewest);
}

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

/// For each field the cell that stands for it: of several that with the median value, the lower one.
std::vector<const cell*> representatives_of(std::span<const cell> cells, const places& at, std::size_t side) {
  std::vector<std::vector<const cell*>> all(side * side);
  for (const cell& c : cells) {
    const auto [from, to] = pair_of(c);
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

results::document maps_together(results::document d) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < d.cells.size(); ++i)
    if (is_field(d.cells[i])) groups[common(d.cells[i])].push_back(i);
  std::erase_if(groups, [](const auto& g) { return g.second.size() < fewest; });
  if (groups.empty()) return d;
  std::vector<bool> moved(d.cells.size());
  for (const auto& [key, members] : groups)
    for (const std::size_t i : members) moved[i] = true;
  std::vector<cell> sorted;
  sorted.reserve(d.cells.size());
  for (std::size_t i = 0; i < d.cells.size(); ++i)
    if (!moved[i]) sorted.push_back(std::move(d.cells[i]));
  std::vector<cell> overviews;
  for (auto& [key, members] : groups) {
    std::stable_sort(members.begin(), members.end(),
                     [&](std::size_t a, std::size_t b) { return pair_of(d.cells[a]) < pair_of(d.cells[b]); });
    std::set<std::int64_t> processors;
    for (const std::size_t i : members) processors.insert({pair_of(d.cells[i]).first, pair_of(d.cells[i]).second});
    const bool last = is_overview(processors.size()) && is_map(members.size(), processors.size());
    std::vector<cell>& to = last ? overviews : sorted;
    for (const std::size_t i : members) to.push_back(std::move(d.cells[i]));
  }
  std::move(overviews.begin(), overviews.end(), std::back_inserter(sorted));
  d.cells = std::move(sorted);
  return d;
}

stretch first_stretch(std::span<const cell> cells) {
  if (cells.size() < fewest || !is_field(cells.front())) return {};
  const std::string key = common(cells.front());
  std::size_t n = 1;
  // Each pair once, in order.
  while (n < cells.size() && is_field(cells[n]) && common(cells[n]) == key && pair_of(cells[n - 1]) < pair_of(cells[n]))
    ++n;
  return {n, n >= fewest && is_map(n, processors_of(cells.first(n)).size())};
}

std::size_t before_overviews(std::span<const cell> cells) {
  std::size_t n = 0;
  while (n < cells.size()) {
    const stretch next = first_stretch(cells.subspan(n));
    if (next.is_map && is_overview(processors_of(cells.subspan(n, next.cells)).size())) return n;
    n += next.cells;
  }
  return n;
}

json map_json(std::span<const cell> cells, std::span<const std::int64_t> order) {
  cell one = cells.front();
  one.samples.clear(), one.noise = nullptr, one.probe_ns.reset();
  std::vector<std::int64_t> processors = processors_of(cells);
  std::size_t block = 1;
  const places at = places_of(processors, order, block);
  const std::size_t side = (processors.size() + block - 1) / block;
  json map{{"map", results::to_json(one)}, {"processors", processors}, {"block", block}};
  map.update(packed(representatives_of(cells, at, side), side));
  return map;
}

}  // namespace synchro::report
