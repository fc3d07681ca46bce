#include "results/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "results/json_fields.hpp"

namespace synchro::results {

namespace {

constexpr unsigned no_interval = 511, farthest = 510;
constexpr double least_distance = 1e-5, greatest_distance = 10;
const double distance_ratio = std::pow(greatest_distance / least_distance, 1.0 / (farthest - 1));
constexpr std::size_t field_bytes = 7, most_repetitions = 16;

const std::int64_t* number_at(const cell& c, const char* axis) {
  const coordinate* const value = c.at.find(axis);
  return value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
}

/// To seven digits, as the page has it.
double kept_of(float value) { return std::stod(fmt::format("{:.6e}", value)); }

/// How far an end of the interval is from the value; nothing if that cannot be kept.
std::optional<unsigned> code_of(double distance) {
  if (!(distance > 0)) return 0U;
  if (distance > greatest_distance) return std::nullopt;
  return static_cast<unsigned>(
      std::max(1.0, std::ceil(1 + std::log(distance / least_distance) / std::log(distance_ratio) - 1e-9)));
}

struct short_field {
  float value = std::numeric_limits<float>::quiet_NaN();
  unsigned below = 0, above = 0;
};

/// Nothing of a cell that says more than a field of a matrix can hold.
std::optional<short_field> field_of(const cell& c) {
  if (!c.value || !c.valid || c.quality > flag::clock_limited || c.reason || !c.quantiles.empty() ||
      !c.conditions.empty())
    return std::nullopt;
  const auto exact = static_cast<float>(*c.value);
  if (!std::isfinite(exact) || !(exact > 0)) return std::nullopt;
  const auto value = static_cast<float>(kept_of(exact));  // so that what was read is written as it was
  if (!c.ci) return short_field{value, no_interval, no_interval};
  const double kept = kept_of(value);
  const auto below = code_of((kept - c.ci->first) / kept), above = code_of((c.ci->second - kept) / kept);
  if (!below || !above) return std::nullopt;
  return short_field{value, *below, *above};
}

bool is_field(const cell& c) { return number_at(c, "from") && number_at(c, "to") && field_of(c); }

/// What all cells of a matrix have in common.
std::string common_part(const cell& c) {
  std::string key = c.experiment + " " + c.metric + " " + c.unit + " " + to_string(c.direction);
  for (const auto& [axis, value] : c.at.entries())
    key += " " + axis + (axis == "from" || axis == "to" ? "" : "=" + to_string(value));
  return key;
}

/// The numbers of repetitions that are told apart, the least first.
std::vector<std::size_t> repetitions_of(const std::vector<const cell*>& fields) {
  std::set<std::size_t> all;
  for (const cell* c : fields)
    if (c != nullptr) all.insert(c->n);
  const auto end = all.size() > most_repetitions ? std::next(all.begin(), most_repetitions) : all.end();
  return {all.begin(), end};
}

void put_number(std::uint8_t* to, std::uint32_t number, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(number >> 8 * i);
}

std::uint32_t number_in(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << 8 * i;
  return number;
}

void put_field(std::uint8_t* to, const cell* c, const std::vector<std::size_t>& repetitions) {
  const short_field f = c == nullptr ? short_field{} : field_of(*c).value();
  put_number(to, std::bit_cast<std::uint32_t>(f.value), 4);
  if (c == nullptr) return;
  const auto n =
      static_cast<unsigned>(std::upper_bound(repetitions.begin(), repetitions.end(), c->n) - repetitions.begin() - 1);
  put_number(to + 4, static_cast<unsigned>(c->quality) | n << 2 | f.below << 6 | f.above << 15, 3);
}

constexpr std::string_view base64_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) -> std::uint32_t { return i + k < bytes.size() ? bytes[i + k] : 0U; };
    const std::uint32_t three = at(0) << 16 | at(1) << 8 | at(2);
    for (const int shift : {18, 12, 6, 0}) text += base64_letters[three >> shift & 63U];
  }
  for (std::size_t k = bytes.size() % 3; k != 0 && k < 3; ++k) text[text.size() - 3 + k] = '=';
  return text;
}

/// The bytes up to what is no letter of the code.
std::string from_base64(std::string_view text) {
  std::array<std::uint8_t, 256> value{};
  value.fill(64);
  for (std::uint8_t i = 0; i < 64; ++i) value[static_cast<unsigned char>(base64_letters[i])] = i;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  unsigned known = 0;
  for (const char c : text) {
    const std::uint8_t six = value[static_cast<unsigned char>(c)];
    if (six == 64) break;
    bits = bits << 6 | six;
    if ((known += 6) < 8) continue;
    known -= 8;
    bytes += static_cast<char>(bits >> known & 255U);
  }
  return bytes;
}

}  // namespace

std::pair<std::int64_t, std::int64_t> pair_of(const cell& c) { return {*number_at(c, "from"), *number_at(c, "to")}; }

std::vector<std::int64_t> processors_of(std::span<const cell> cells) {
  std::set<std::int64_t> all;
  for (const cell& c : cells) all.insert(pair_of(c).first), all.insert(pair_of(c).second);
  return {all.begin(), all.end()};
}

document matrices_together(document d, std::size_t fewest) {
  if (d.cells.size() < fewest) return d;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < d.cells.size(); ++i)
    if (is_field(d.cells[i])) groups[common_part(d.cells[i])].push_back(i);
  std::erase_if(groups, [&](const auto& g) { return g.second.size() < fewest; });
  if (groups.empty()) return d;
  std::vector<bool> moved(d.cells.size());
  std::multimap<std::size_t, std::vector<std::size_t>> by_size;
  for (auto& [key, members] : groups) {
    std::set<std::int64_t> processors;
    for (const std::size_t i : members) {
      moved[i] = true;
      const auto [from, to] = pair_of(d.cells[i]);
      processors.insert(from), processors.insert(to);
    }
    std::stable_sort(members.begin(), members.end(),
                     [&](std::size_t a, std::size_t b) { return pair_of(d.cells[a]) < pair_of(d.cells[b]); });
    by_size.emplace(processors.size(), std::move(members));
  }
  std::vector<cell> sorted;
  sorted.reserve(d.cells.size());
  for (std::size_t i = 0; i < d.cells.size(); ++i)
    if (!moved[i]) sorted.push_back(std::move(d.cells[i]));
  for (const auto& [size, members] : by_size)
    for (const std::size_t i : members) sorted.push_back(std::move(d.cells[i]));
  d.cells = std::move(sorted);
  return d;
}

stretch first_stretch(std::span<const cell> cells, std::size_t fewest) {
  if (cells.size() < fewest || !is_field(cells.front())) return {};
  const std::string key = common_part(cells.front());
  std::size_t n = 1;
  // Each pair once, in order.
  while (n < cells.size() && is_field(cells[n]) && common_part(cells[n]) == key &&
         pair_of(cells[n - 1]) < pair_of(cells[n]))
    ++n;
  if (n < fewest) return {n, false};
  const std::size_t side = processors_of(cells.first(n)).size();
  return {n, side * (side - 1) <= 2 * n};  // each pair in one direction, at least
}

json matrix_json(const std::vector<const cell*>& fields, const std::vector<std::int64_t>& processors,
                 std::size_t block) {
  cell one = **std::find_if(fields.begin(), fields.end(), [](const cell* c) { return c != nullptr; });
  one.samples.clear(), one.noise = nullptr, one.probe_ns.reset();
  const std::vector<std::size_t> repetitions = repetitions_of(fields);
  std::vector<std::uint8_t> bytes(fields.size() * field_bytes);
  for (std::size_t i = 0; i < fields.size(); ++i) put_field(&bytes[i * field_bytes], fields[i], repetitions);
  return {{"map", to_json(one)},     {"processors", processors}, {"block", block},       {"repetitions", repetitions},
          {"least", least_distance}, {"ratio", distance_ratio},  {"data", base64(bytes)}};
}

json matrix_json(std::span<const cell> cells) {
  const std::vector<std::int64_t> processors = processors_of(cells);
  std::map<std::int64_t, std::size_t> place;
  for (const std::int64_t p : processors) place.emplace(p, place.size());
  std::vector<const cell*> fields(processors.size() * processors.size(), nullptr);
  for (const cell& c : cells) {
    const auto [from, to] = pair_of(c);
    fields[place.at(from) * processors.size() + place.at(to)] = &c;
  }
  return matrix_json(fields, processors);
}

bool is_matrix(const json& entry) { return entry.is_object() && entry.contains("map"); }

namespace {

/// A matrix as it was read.
struct read_matrix {
  cell one;
  std::vector<std::int64_t> processors;
  std::vector<std::size_t> repetitions;
  std::vector<double> distances;
  std::string data;
};

read_matrix matrix_from(const field& f) {
  read_matrix m;
  m.one = cell_from_json(f["map"].raw());
  if (!number_at(m.one, "from") || !number_at(m.one, "to")) f["map"].fail("must be of two processors, from and to");
  if (!m.one.value || !m.one.samples.empty()) f["map"].fail("must have a value, and no samples");
  for (const field& p : f["processors"].items()) m.processors.push_back(p.integer());
  if (std::set<std::int64_t>(m.processors.begin(), m.processors.end()).size() != m.processors.size())
    f["processors"].fail("must not name one twice");
  if (f["block"].count() != 1) f["block"].fail("must be 1: an overview is of a page and no measurement");
  for (const field& n : f["repetitions"].items()) m.repetitions.push_back(n.count());
  m.repetitions.resize(most_repetitions);
  const double least = f["least"].number(), step = f["ratio"].number();
  for (unsigned k = 0; k < no_interval; ++k) m.distances.push_back(k == 0 ? 0 : least * std::pow(step, k - 1));
  if (!(least >= 0) || !(step >= 0) || !std::isfinite(m.distances.back())) f["ratio"].fail("is no ratio of distances");
  m.data = from_base64(f["data"].text());
  if (m.data.size() != m.processors.size() * m.processors.size() * field_bytes)
    f["data"].fail("is not of as many fields as there are pairs of processors");
  return m;
}

/// The field of two processors as a cell; nothing if there is none.
std::optional<cell> cell_at(const read_matrix& m, std::size_t row, std::size_t column) {
  const std::string_view bytes =
      std::string_view{m.data}.substr((row * m.processors.size() + column) * field_bytes, field_bytes);
  const auto value = std::bit_cast<float>(number_in(bytes.substr(0, 4)));
  if (std::isnan(value)) return std::nullopt;
  if (!std::isfinite(value) || !(value > 0)) throw std::runtime_error("a field of the matrix has no value");
  const std::uint32_t rest = number_in(bytes.substr(4));
  const unsigned below = rest >> 6 & no_interval, above = rest >> 15 & no_interval;
  cell c = m.one;
  c.at.set("from", m.processors[row]);
  c.at.set("to", m.processors[column]);
  const double kept = kept_of(value);
  c.value = kept;
  c.ci.reset();
  if (below != no_interval && above != no_interval)
    c.ci.emplace(kept * (1 - m.distances[below]), kept * (1 + m.distances[above]));
  c.n = m.repetitions[rest >> 2 & (most_repetitions - 1)];
  c.quality = static_cast<flag>(rest & 3U);
  return c;
}

}  // namespace

std::vector<cell> cells_of_matrix(const json& entry) {
  const read_matrix m = matrix_from(field{entry, ""});
  std::vector<cell> cells;
  cells.reserve(m.processors.size() * m.processors.size());
  for (std::size_t row = 0; row < m.processors.size(); ++row)
    for (std::size_t column = 0; column < m.processors.size(); ++column)
      if (auto c = cell_at(m, row, column)) cells.push_back(*std::move(c));
  return cells;
}

}  // namespace synchro::results
