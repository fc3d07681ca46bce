#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "results/bit_columns.hpp"
#include "results/coordinate_json.hpp"
#include "results/matrix.hpp"

namespace synchro::results {

namespace {

using values_of_axis = std::pair<std::string, std::vector<coordinate>>;

std::vector<values_of_axis> axes_in(const field& f) {
  std::vector<values_of_axis> axes;
  std::size_t fields = 1;
  for (const field& axis : f.items()) {
    const std::vector<field> parts = axis.items();
    if (parts.size() != 2) axis.fail("must be a name and its values");
    std::vector<coordinate> values;
    for (const field& value : parts[1].items()) values.push_back(coordinate_from(value));
    fields *= values.size();
    if (fields == 0 || fields > most_fields_of_matrix) f.fail("must have a field, and no more than 16,777,216");
    const std::string name = parts[0].text();
    if (std::any_of(axes.begin(), axes.end(), [&](const auto& other) { return other.first == name; }))
      axis.fail("is there twice");
    axes.emplace_back(name, std::move(values));
  }
  return axes;
}

std::string bytes_in(const field& f) {
  if (!f.raw().is_string()) f.must_be("text");
  auto bytes = from_base64(f.raw().get_ref<const std::string&>());
  if (!bytes) f.fail("is not Base64");
  return std::move(*bytes);
}

/// Numbers as they are.
std::vector<double> table_in(const field& f) {
  const std::string bytes = bytes_in(f);
  if (bytes.size() % 8 != 0) f.fail("must have 8 bytes for each number");
  std::vector<double> table;
  table.reserve(bytes.size() / 8);
  for (bit_reader halves{bytes, 32}; table.size() < bytes.size() / 8;) {
    const std::uint64_t low = halves.next(), high = halves.next();
    table.push_back(std::bit_cast<double>(high << 32U | low));
    if (!std::isfinite(table.back())) f.fail("has what is not a finite number");
  }
  return table;
}

/// Whole numbers of few bits.
class packed_column {
 public:
  packed_column() = default;
  packed_column(const field& f, std::size_t numbers) : least_{f["least"].integer()} {
    const std::uint64_t bits = f["bits"].count();
    if (bits > most_bits) f["bits"].fail("must be 55 at most");
    if (std::abs(static_cast<double>(least_)) > static_cast<double>(largest_exact_integer))
      f["least"].must_be("a whole number of 53 bits");
    std::string bytes = bytes_in(f["data"]);
    const std::size_t wanted = bytes_of(numbers, static_cast<unsigned>(bits));
    if (bytes.size() != wanted)
      f["data"].fail("must have " + std::to_string(wanted) + " bytes, not " + std::to_string(bytes.size()));
    bits_ = {std::move(bytes), static_cast<unsigned>(bits)};
  }
  [[nodiscard]] std::int64_t next() { return least_ + static_cast<std::int64_t>(bits_.next()); }

 private:
  std::int64_t least_ = 0;
  bit_reader bits_;
};

/// Which column: its place, and whether its numbers are in a table.
using column_name = std::pair<std::string, bool>;

struct column {
  packed_column numbers;
  std::optional<std::size_t> table;
  std::optional<std::size_t> axis;  ///< The numbers are the cells' coordinates there.
};

enum class role : std::uint8_t { value, low, high, sample, probe, noise };

struct use_of_column {
  std::size_t column;
  role what;
  std::size_t which = 0;  ///< Of the samples, or of the numbers of `noise`.
};

/// What cells have in common but for the numbers of these columns.
struct kind_of_cell {
  cell one;
  std::vector<use_of_column> uses;
  std::size_t size = 0;  ///< Of one as text, about.
  std::size_t cells = 0;
};

role role_at(const std::string& place) {
  if (place == "/value") return role::value;
  if (place == "/ci/0") return role::low;
  if (place == "/ci/1") return role::high;
  if (place == "/probe_ns") return role::probe;
  return place.starts_with("/samples/") ? role::sample : role::noise;
}

constexpr const char* of_all_cells[] = {"experiment", "metric", "unit", "better"};

class matrix_reader {
 public:
  explicit matrix_reader(const field& entry)
      : entry_{entry}, matrix_{entry["matrix"]}, axes_{axes_in(matrix_["axes"])} {
    for (const field& table : matrix_["numbers"].items()) tables_.push_back(table_in(table));
    std::map<column_name, std::size_t> columns;
    const std::vector<field> told = matrix_["columns"].items();
    for (const field& c : told)
      if (!columns.emplace(column_name{c["at"].text(), c.object().contains("numbers")}, columns.size()).second)
        c.fail("is there twice");
    for (const field& kind : matrix_["kinds"].items()) kinds_.push_back(kind_in(kind, columns));
    read_kinds();
    std::vector<std::size_t> numbers(told.size());
    for (const kind_of_cell& kind : kinds_)
      for (const use_of_column& use : kind.uses) numbers[use.column] += kind.cells;
    for (std::size_t i = 0; i < told.size(); ++i) columns_.push_back(column_in(told[i], numbers[i]));
  }

  void check_room(text_limits& left) const {
    for (const kind_of_cell& kind : kinds_) {
      if (kind.cells == 0) continue;
      if (kind.size > left.bytes / kind.cells || kind.uses.size() > left.values / kind.cells)
        matrix_.fail("has more cells than can be read here");
      left.bytes -= kind.size * kind.cells, left.values -= kind.uses.size() * kind.cells;
    }
  }

  void add_to(std::vector<cell>& cells) {
    std::vector<std::size_t> at(axes_.size());
    coordinates place;
    for (const auto& [name, values] : axes_) place.set(name, values.front());
    for (const std::uint32_t kind : kind_of_field_) {
      if (kind > 0) cells.push_back(next_cell(kinds_[kind - 1], place));
      for (std::size_t i = axes_.size(); i-- > 0;) {
        const auto& [name, values] = axes_[i];
        at[i] = at[i] + 1 == values.size() ? 0 : at[i] + 1;
        place.set(name, values[at[i]]);
        if (at[i] > 0) break;
      }
    }
  }

 private:
  kind_of_cell kind_in(const field& f, const std::map<column_name, std::size_t>& columns) const {
    json j = f.object();
    for (const char* name : of_all_cells) j[name] = entry_[name].raw();
    j["at"] = json::object();
    kind_of_cell kind;
    try {
      kind.one = cell_from_json(j);
    } catch (const std::runtime_error& e) {
      throw std::runtime_error(f.place() + ": " + e.what());
    }
    std::size_t in_noise = 0;
    for (const auto& [number, place] : numbers_in_columns(j)) {
      const role what = role_at(place);
      const std::size_t which = what == role::noise    ? in_noise++
                                : what == role::sample ? std::stoul(place.substr(std::string{"/samples/"}.size()))
                                                       : 0;
      const auto found = columns.find({place, number->is_number_float()});
      if (found != columns.end()) kind.uses.push_back({found->second, what, which});
    }
    constexpr std::size_t of_a_number = 20, of_a_place = 50;
    kind.size = dump(j).size() + of_a_number * kind.uses.size() + of_a_place * axes_.size();
    return kind;
  }

  void read_kinds() {
    std::size_t fields = 1;
    for (const auto& [name, values] : axes_) fields *= values.size();
    packed_column kinds{matrix_["kind"], fields};
    kind_of_field_.reserve(fields);
    for (std::size_t i = 0; i < fields; ++i) {
      const std::int64_t kind = kinds.next();
      if (kind < 0 || static_cast<std::uint64_t>(kind) > kinds_.size())
        matrix_["kind"].fail("has a number of no kind: " + std::to_string(kind));
      kind_of_field_.push_back(static_cast<std::uint32_t>(kind));
      if (kind > 0) ++kinds_[static_cast<std::size_t>(kind) - 1].cells;
    }
  }

  column column_in(const field& f, std::size_t numbers) const {
    column c;
    if (f.object().contains("axis")) {
      const std::string name = f["axis"].text();
      const auto found = std::find_if(axes_.begin(), axes_.end(), [&](const auto& axis) { return axis.first == name; });
      if (found == axes_.end()) f["axis"].fail("is not an axis of the matrix");
      c.axis = static_cast<std::size_t>(found - axes_.begin());
      return c;
    }
    if (f.object().contains("numbers")) {
      c.table = f["numbers"].count();
      if (*c.table >= tables_.size()) f["numbers"].fail("is no table of the matrix");
    }
    c.numbers = {f, numbers};
    return c;
  }

  /// As the value's own JSON would be.
  json next_number(const use_of_column& use, const coordinates& place, std::int64_t& base) {
    column& c = columns_[use.column];
    if (c.axis) {
      const auto* const number = std::get_if<std::int64_t>(&place.entries()[*c.axis].second);
      if (number == nullptr) matrix_.fail("has a word where a column has a number, at " + place.to_string());
      return *number;
    }
    std::int64_t number = c.numbers.next();
    if (!c.table) return number;
    if (use.what == role::value)
      base = number;
    else if (*c.table == 0)
      number += base;
    const std::vector<double>& table = tables_[*c.table];
    if (number < 0 || static_cast<std::uint64_t>(number) >= table.size())
      matrix_.fail("has a number that is not in its table, at " + place.to_string());
    return table[static_cast<std::size_t>(number)];
  }

  cell next_cell(const kind_of_cell& kind, const coordinates& place) {
    cell c = kind.one;
    c.at = place;
    if (!kind.uses.empty() && kind.uses.back().what == role::noise) add_numbers_in(c.noise, of_noise_);
    std::int64_t base = 0;
    for (const use_of_column& use : kind.uses) {
      const json number = next_number(use, place, base);
      if (use.what == role::noise) *of_noise_[use.which] = number;
      if (use.what == role::value) c.value = number.get<double>();
      if (use.what == role::low) c.ci->first = number.get<double>();
      if (use.what == role::high) c.ci->second = number.get<double>();
      if (use.what == role::sample) c.samples[use.which] = number.get<double>();
      if (use.what == role::probe) c.probe_ns = number.get<double>();
    }
    of_noise_.clear();
    if (c.probe_ns && !(*c.probe_ns > 0)) c.probe_ns.reset();
    if (c.ci && c.ci->first > c.ci->second)
      matrix_.fail("has an interval that ends before it begins, at " + place.to_string());
    return c;
  }

  field entry_, matrix_;
  std::vector<values_of_axis> axes_;
  std::vector<std::vector<double>> tables_;
  std::vector<kind_of_cell> kinds_;
  std::vector<std::uint32_t> kind_of_field_;
  std::vector<column> columns_;
  std::vector<json*> of_noise_;
};

std::string escaped_name(const std::string& name) {
  if (name.find_first_of("~/") == std::string::npos) return "/" + name;
  return (json::json_pointer{} / name).to_string();
}

void add_numbers_at(json& part, const std::string& place, std::vector<placed_number>& to) {
  if (part.is_number()) to.push_back({&part, place});
  if (part.is_array())
    for (std::size_t i = 0; i < part.size(); ++i) add_numbers_at(part[i], place + "/" + std::to_string(i), to);
  if (part.is_object())
    for (auto& [name, value] : part.get_ref<json::object_t&>()) add_numbers_at(value, place + escaped_name(name), to);
}

}  // namespace

std::vector<placed_number> numbers_in_columns(json& cell) {
  std::vector<placed_number> all;
  for (const char* name : {"value", "ci", "samples", "probe_ns", "noise"})
    if (const auto found = cell.find(name); found != cell.end()) add_numbers_at(*found, escaped_name(name), all);
  return all;
}

void add_numbers_in(json& part, std::vector<json*>& to) {
  if (part.is_number()) to.push_back(&part);
  if (part.is_structured())
    for (json& inner : part) add_numbers_in(inner, to);
}

bool is_matrix(const json& entry) { return entry.is_object() && entry.contains("matrix"); }

void add_cells_of(const json& matrix, text_limits& left, std::vector<cell>& to) {
  matrix_reader reader{field{matrix, ""}};
  reader.check_room(left);
  reader.add_to(to);
}

}  // namespace synchro::results
