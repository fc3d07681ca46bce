#include "report/maps.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace synchro::report {

namespace {

using results::cell;
using json = nlohmann::ordered_json;

/// Fewer are no burden.
constexpr std::size_t fewest = 1024;
constexpr unsigned no_interval = 511, farthest = 510;
constexpr double nearest = 1e-5, widest = 10;
const double ratio = std::pow(widest / nearest, 1.0 / (farthest - 1));

const std::int64_t* number_at(const cell& c, const char* axis) {
  const results::coordinate* const value = c.at.find(axis);
  return value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
}

/// How far an end of the interval is from the value; nothing if that cannot be kept.
std::optional<unsigned> code_of(double distance) {
  if (!(distance > 0)) return 0U;
  if (distance > widest) return std::nullopt;
  return static_cast<unsigned>(std::max(1.0, std::ceil(1 + std::log(distance / nearest) / std::log(ratio) - 1e-9)));
}

struct field {
  float value = std::numeric_limits<float>::quiet_NaN();
  unsigned below = 0, above = 0;
};

/// Nothing of a cell that says more than a field of a map can hold.
std::optional<field> field_of(const cell& c) {
  if (!c.value || !c.valid || c.quality > results::flag::clock_limited || c.reason || !c.quantiles.empty() ||
      !c.conditions.empty())
    return std::nullopt;
  const auto value = static_cast<float>(*c.value);
  const double kept = value;
  if (!std::isfinite(value) || !(value > 0)) return std::nullopt;
  if (!c.ci) return field{value, no_interval, no_interval};
  const auto below = code_of((kept - c.ci->first) / kept), above = code_of((c.ci->second - kept) / kept);
  if (!below || !above) return std::nullopt;
  return field{value, *below, *above};
}

bool is_field(const cell& c) { return number_at(c, "from") && number_at(c, "to") && field_of(c); }

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

/// From this many processors on a map is an overview.
bool is_overview(std::size_t processors) { return processors > largest_map; }

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) -> std::uint32_t { return i + k < bytes.size() ? bytes[i + k] : 0U; };
    const std::uint32_t three = at(0) << 16 | at(1) << 8 | at(2);
    for (const int shift : {18, 12, 6, 0}) text += letters[three >> shift & 63U];
  }
  for (std::size_t k = bytes.size() % 3; k != 0 && k < 3; ++k) text[text.size() - 3 + k] = '=';
  return text;
}

/// The numbers of repetitions that are told apart, the least first.
std::vector<std::size_t> repetitions_of(std::span<const cell> cells) {
  std::set<std::size_t> all;
  for (const cell& c : cells) all.insert(c.n);
  if (all.size() > 16) return {*all.begin()};
  return {all.begin(), all.end()};
}

void put(std::uint8_t* to, const cell& c, const std::vector<std::size_t>& repetitions) {
  const field f = field_of(c).value();
  const auto bits = std::bit_cast<std::uint32_t>(f.value);
  const auto n =
      static_cast<unsigned>(std::upper_bound(repetitions.begin(), repetitions.end(), c.n) - repetitions.begin() - 1);
  const std::uint32_t rest = static_cast<unsigned>(c.quality) | n << 2 | f.below << 6 | f.above << 15;
  for (unsigned i = 0; i < 4; ++i) to[i] = static_cast<std::uint8_t>(bits >> 8 * i);
  for (unsigned i = 0; i < 3; ++i) to[4 + i] = static_cast<std::uint8_t>(rest >> 8 * i);
}

constexpr std::size_t field_bytes = 7;

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

std::vector<std::uint8_t> fields_of(const std::vector<const cell*>& cells,
                                    const std::vector<std::size_t>& repetitions) {
  std::vector<std::uint8_t> bytes(cells.size() * field_bytes);
  const auto nothing = std::bit_cast<std::uint32_t>(field{}.value);
  for (std::size_t at = 0; at < bytes.size(); at += field_bytes)
    for (unsigned i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(nothing >> 8 * i);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i] != nullptr) put(&bytes[i * field_bytes], *cells[i], repetitions);
  return bytes;
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
    std::vector<cell>& to = is_overview(processors.size()) ? overviews : sorted;
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
  if (n < fewest) return {n, false};
  const std::size_t side = processors_of(cells.first(n)).size();
  return {n, side * (side - 1) <= 2 * n};  // each pair in one direction, at least
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
  const std::vector<std::size_t> repetitions = repetitions_of(cells);
  return {{"map", results::to_json(one)},
          {"processors", processors},
          {"block", block},
          {"repetitions", repetitions},
          {"least", nearest},
          {"ratio", ratio},
          {"data", base64(fields_of(representatives_of(cells, at, side), repetitions))}};
}

}  // namespace synchro::report
