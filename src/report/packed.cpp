#include "report/packed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

namespace synchro::report {

namespace {

using results::cell;
using json = nlohmann::ordered_json;

/// What JSON and a script take as it is.
constexpr std::string_view letters =
    "!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
constexpr unsigned group = 13;
static_assert(letters.size() * letters.size() >= 1U << group);

unsigned bits_of(std::uint64_t v) { return static_cast<unsigned>(std::bit_width(v)); }

std::uint64_t growing_bits(std::uint64_t value, unsigned order) {
  return 2 * bits_of(value + (std::uint64_t{1} << order)) - 1 - order;
}

std::uint64_t growing_bits(const std::vector<std::uint64_t>& all, unsigned order) {
  std::uint64_t sum = 0;
  for (const std::uint64_t v : all) sum += growing_bits(v, order);
  return sum;
}

/// With which these numbers take least.
unsigned best_order(const std::vector<std::uint64_t>& all) {
  std::uint64_t sum = 0;
  for (const std::uint64_t v : all) sum += v;
  const unsigned middle = all.empty() ? 0 : bits_of(sum / all.size());
  unsigned best = middle;
  for (unsigned order = middle - std::min(middle, 4U); order < middle; ++order)
    if (growing_bits(all, order) < growing_bits(all, best)) best = order;
  return best;
}

/// Its bits as a number that is greater for a greater number.
std::uint64_t in_order(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v);
  constexpr std::uint64_t first = std::uint64_t{1} << 63U;
  return (bits & first) != 0 ? ~bits : bits | first;
}

std::int64_t floor_of(std::int64_t v, std::int64_t step) { return (v >= 0 ? v : v - step + 1) / step; }

/// Which of the numbers with so many digits is nearest, counted from 0 on.
std::int64_t decimal_code(double v, int digits) {
  if (v == 0) return 0;
  const std::string text = fmt::format("{:.{}e}", std::abs(v), digits - 1);
  std::int64_t mantissa = 0, least = 1;
  for (int i = 1; i < digits; ++i) least *= 10;
  const std::size_t end = text.find('e');
  for (const char c : text.substr(0, end))
    if (c != '.') mantissa = 10 * mantissa + (c - '0');
  const std::int64_t code = (std::stoi(text.substr(end + 1)) + 400) * 9 * least + mantissa - least;
  return v < 0 ? -code : code;
}

/// How numbers are written: as they are, or rounded.
struct form {
  int digits;  ///< 0: as they are.
  std::int64_t step;
};
constexpr std::array<form, 5> forms{{{0, 1}, {9, 1}, {7, 1}, {7, 10}, {7, 100}}};

/// All numbers of the cells in codes.
struct coded {
  form how{0, 1};
  std::vector<std::uint64_t> table;  ///< Of numbers as they are.
  std::int64_t first = 0;
  unsigned bits = 0;
  std::vector<std::uint64_t> values, below, above;  ///< The latter of those cells that have an interval.

  [[nodiscard]] std::vector<std::uint64_t> table_steps() const {
    std::vector<std::uint64_t> steps;
    for (std::size_t i = 0; i < table.size(); ++i)
      steps.push_back((table[i] >> 32U) - (i == 0 ? 0 : table[i - 1] >> 32U));
    return steps;
  }
  [[nodiscard]] std::uint64_t size() const {
    const std::vector<std::uint64_t> steps = table_steps();
    return growing_bits(steps, best_order(steps)) + 32 * table.size() + bits * values.size() +
           growing_bits(below, best_order(below)) + growing_bits(above, best_order(above));
  }
};

std::vector<std::uint64_t> table_of(const std::vector<const cell*>& cells) {
  std::vector<std::uint64_t> all;
  for (const cell* c : cells) {
    all.push_back(in_order(*c->value));
    if (c->ci) all.push_back(in_order(c->ci->first)), all.push_back(in_order(c->ci->second));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

coded coded_as(form how, const std::vector<const cell*>& cells) {
  coded to;
  to.how = how;
  if (how.digits == 0) to.table = table_of(cells);
  const auto code = [&](double v) -> std::int64_t {
    if (how.digits != 0) return decimal_code(v, how.digits);
    return std::lower_bound(to.table.begin(), to.table.end(), in_order(v)) - to.table.begin();
  };
  std::vector<std::int64_t> values;
  for (const cell* c : cells) {
    values.push_back(code(*c->value));
    if (!c->ci) continue;
    const std::int64_t base = floor_of(values.back(), how.step);
    to.below.push_back(static_cast<std::uint64_t>(base - floor_of(code(c->ci->first), how.step)));
    to.above.push_back(static_cast<std::uint64_t>(-floor_of(-code(c->ci->second), how.step) - base));
  }
  to.first = values.empty() ? 0 : *std::min_element(values.begin(), values.end());
  for (const std::int64_t v : values) to.values.push_back(static_cast<std::uint64_t>(v - to.first));
  for (const std::uint64_t v : to.values) to.bits = std::max(to.bits, bits_of(v));
  return to;
}

/// As exact as there is room for.
coded fitting(const std::vector<const cell*>& cells, std::size_t room) {
  coded to;
  for (const form how : forms) {
    to = coded_as(how, cells);
    if (2 * to.size() / group <= room) break;
  }
  return to;
}

/// What the fields have besides numbers: flag, repetitions, whether there is an interval.
using kind = std::tuple<results::flag, std::size_t, bool>;
kind kind_of(const cell& c) { return {c.quality, c.n, c.ci.has_value()}; }

bool alike(const cell* a, const cell* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->value == b->value && a->ci == b->ci && kind_of(*a) == kind_of(*b);
}

bool is_symmetric(std::span<const cell* const> fields, std::size_t side) {
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t column = row + 1; column < side; ++column)
      if (!alike(fields[row * side + column], fields[column * side + row])) return false;
  return true;
}

std::vector<const cell*> upper_half(std::span<const cell* const> fields, std::size_t side) {
  std::vector<const cell*> half;
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t column = row; column < side; ++column) half.push_back(fields[row * side + column]);
  return half;
}

/// Which fields are cells, and of which kind. Gives the kinds.
json put_kinds(bit_text& to, const std::vector<const cell*>& fields) {
  std::map<kind, std::uint64_t> place;
  for (const cell* c : fields)
    if (c != nullptr) place.emplace(kind_of(*c), 0);
  json kinds = json::array();
  for (auto& [k, at] : place) {
    kinds.push_back({results::to_string(std::get<0>(k)), std::get<1>(k), std::get<2>(k)});
    at = kinds.size();
  }
  const auto at = [&](const cell* c) { return c == nullptr ? 0 : place.at(kind_of(*c)); };
  for (std::size_t from = 0; from < fields.size();) {
    std::size_t end = from + 1;
    while (end < fields.size() && at(fields[end]) == at(fields[from])) ++end;
    to.put(at(fields[from]), bits_of(kinds.size()));
    to.put_growing(end - from - 1, 0);
    from = end;
  }
  return kinds;
}

/// The table of numbers, and those of each cell. Adds to `j` what tells how.
void put_numbers(bit_text& to, json& j, const std::vector<const cell*>& cells, const coded& numbers) {
  if (numbers.how.digits != 0) {
    j["digits"] = numbers.how.digits;
    j["step"] = numbers.how.step;
  } else {
    const std::vector<std::uint64_t> steps = numbers.table_steps();
    j["numbers"] = numbers.table.size();
    j["table_order"] = best_order(steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      to.put_growing(steps[i], j["table_order"]);
      to.put(numbers.table[i] & 0xFFFFFFFFU, 32);
    }
  }
  const unsigned below = best_order(numbers.below), above = best_order(numbers.above);
  j["first"] = numbers.first, j["bits"] = numbers.bits, j["below"] = below, j["above"] = above;
  for (std::size_t i = 0, with_ends = 0; i < cells.size(); ++i) {
    to.put(numbers.values[i], numbers.bits);
    if (!cells[i]->ci) continue;
    to.put_growing(numbers.below[with_ends], below);
    to.put_growing(numbers.above[with_ends++], above);
  }
}

}  // namespace

void bit_text::put(std::uint64_t value, unsigned bits) {
  for (unsigned put = 0; put < bits;) {
    const unsigned more = std::min(bits - put, group - count_);
    held_ |= (value >> put & ((std::uint64_t{1} << more) - 1)) << count_;
    put += more, count_ += more;
    if (count_ < group) return;
    text_ += letters[held_ / letters.size()];
    text_ += letters[held_ % letters.size()];
    held_ = 0, count_ = 0;
  }
}

void bit_text::put_growing(std::uint64_t value, unsigned order) {
  const std::uint64_t sum = value + (std::uint64_t{1} << order);
  const unsigned bits = bits_of(sum) - 1;
  put(std::uint64_t{1} << (bits - order), bits - order + 1);
  put(sum - (std::uint64_t{1} << bits), bits);
}

std::string bit_text::text() && {
  if (count_ > 0) put(0, group - count_);
  return std::move(text_);
}

json packed(std::span<const cell* const> fields, std::size_t side, std::size_t room) {
  const bool symmetric = is_symmetric(fields, side);
  const std::vector<const cell*> told =
      symmetric ? upper_half(fields, side) : std::vector<const cell*>(fields.begin(), fields.end());
  std::vector<const cell*> cells;
  std::copy_if(told.begin(), told.end(), std::back_inserter(cells), [](const cell* c) { return c != nullptr; });
  bit_text text;
  json j{{"symmetric", symmetric}, {"kinds", put_kinds(text, told)}};
  put_numbers(text, j, cells, fitting(cells, room));
  j["data"] = std::move(text).text();
  return j;
}

}  // namespace synchro::report
