#include <algorithm>
#include <bit>
#include <list>
#include <map>
#include <utility>

#include "results/bit_columns.hpp"
#include "results/coordinate_json.hpp"
#include "results/matrix.hpp"

namespace synchro::results {

namespace {

/// A matrix with more holes, or with more that its cells do not have in common, is none.
constexpr std::size_t most_fields_of_a_cell = 4;
constexpr std::size_t fewest_cells_of_a_kind = 4;

bool have_one_metric(const cell& a, const cell& b) {
  const auto same_name = [](const auto& one, const auto& other) { return one.first == other.first; };
  const auto& here = a.at.entries();
  const auto& there = b.at.entries();
  return a.experiment == b.experiment && a.metric == b.metric && a.unit == b.unit && a.direction == b.direction &&
         std::equal(here.begin(), here.end(), there.begin(), there.end(), same_name);
}

bool is_number_at(const cell& c, const char* axis) {
  const coordinate* const value = c.at.find(axis);
  return value != nullptr && std::holds_alternative<std::int64_t>(*value);
}

/// The values of an axis, in the order in which rows have them.
class values_in_order {
 public:
  void begin_row() { last_ = order_.end(); }
  /// Whether the value is another than before.
  bool add(const coordinate& value) {
    if (last_ != order_.end() && *last_ == value) return false;
    const auto found = places_.find(value);
    if (found != places_.end()) {
      last_ = found->second;
    } else {
      last_ = order_.insert(last_ == order_.end() ? order_.begin() : std::next(last_), value);
      places_.emplace(value, last_);
    }
    return true;
  }
  [[nodiscard]] std::vector<coordinate> all() const { return {order_.begin(), order_.end()}; }

 private:
  std::list<coordinate> order_;
  std::list<coordinate>::iterator last_ = order_.end();
  std::map<coordinate, std::list<coordinate>::iterator> places_;
};

/// Of each axis the values in order.
using axes_values = std::vector<std::vector<coordinate>>;

axes_values axes_of(std::span<const cell> cells) {
  std::vector<values_in_order> axes(cells.front().at.entries().size());
  for (values_in_order& axis : axes) axis.begin_row();
  for (const cell& c : cells) {
    bool is_new_row = false;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (is_new_row) axes[i].begin_row();
      if (axes[i].add(c.at.entries()[i].second)) is_new_row = true;
    }
  }
  axes_values all;
  for (const values_in_order& axis : axes) all.push_back(axis.all());
  return all;
}

/// Rows with holes here and there may not tell in which order all are: it is that of the numbers, then, or none.
axes_values with_numbers_sorted(axes_values axes) {
  const auto is_number = [](const coordinate& c) { return std::holds_alternative<std::int64_t>(c); };
  for (std::vector<coordinate>& values : axes)
    if (std::all_of(values.begin(), values.end(), is_number)) std::sort(values.begin(), values.end());
  return axes;
}

/// Which field each cell is; nothing unless they are in order.
std::optional<std::vector<std::size_t>> fields_of(std::span<const cell> cells, const axes_values& axes) {
  std::vector<std::map<coordinate, std::size_t>> places(axes.size());
  std::size_t fields = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (const coordinate& value : axes[i]) places[i].emplace(value, places[i].size());
    fields *= places[i].size();
    if (fields > most_fields_of_matrix || fields / most_fields_of_a_cell > cells.size()) return std::nullopt;
  }
  std::vector<std::size_t> all;
  all.reserve(cells.size());
  for (const cell& c : cells) {
    std::size_t field = 0;
    for (std::size_t i = 0; i < axes.size(); ++i)
      field = field * places[i].size() + places[i].at(c.at.entries()[i].second);
    if (!all.empty() && field <= all.back()) return std::nullopt;
    all.push_back(field);
  }
  return all;
}

/// The bits of a finite number as one that is greater for a greater number, and back.
constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
std::uint64_t in_order(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
std::uint64_t bits_of_ordered(std::uint64_t v) { return (v & sign) != 0 ? v ^ sign : ~v; }

json column_json(const std::vector<std::int64_t>& numbers) {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const std::int64_t first = numbers.empty() ? 0 : *least;
  const auto bits =
      numbers.empty() ? 0U : static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(*most - first)));
  std::vector<std::uint64_t> above;
  above.reserve(numbers.size());
  for (const std::int64_t n : numbers) above.push_back(static_cast<std::uint64_t>(n - first));
  return {{"bits", bits}, {"least", first}, {"data", to_base64(bytes_of_numbers(above, bits))}};
}

/// The numbers that occur, each once.
class table_of_numbers {
 public:
  void add(double v) { all_.push_back(in_order(v)); }
  void sort() {
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
  }
  [[nodiscard]] std::int64_t code_of(double v) const {
    return std::lower_bound(all_.begin(), all_.end(), in_order(v)) - all_.begin();
  }
  [[nodiscard]] std::string text() const {
    std::vector<std::uint64_t> halves;
    halves.reserve(2 * all_.size());
    for (const std::uint64_t v : all_)
      halves.push_back(bits_of_ordered(v) & 0xFFFFFFFFU), halves.push_back(bits_of_ordered(v) >> 32U);
    return to_base64(bytes_of_numbers(halves, 32));
  }

 private:
  std::vector<std::uint64_t> all_;
};

/// Numbers of one quantity share a table: value, interval and samples; each field of the evidence of noise.
std::string quantity_at(const std::string& place) {
  if (place.starts_with("/noise/")) return place.substr(0, place.find('/', std::string_view{"/noise/"}.size()));
  return place == "/probe_ns" ? place : "";
}

class matrix_writer {
 public:
  explicit matrix_writer(std::size_t most_kinds) : most_kinds_{most_kinds} { (void)table_at(""); }

  /// False if there are too many kinds.
  bool add(const cell& c) {
    json j = to_json(c);
    for (const char* name : {"experiment", "at", "metric", "unit", "better"}) j.erase(name);
    std::vector<double> numbers;
    const std::vector<placed_number> placed = numbers_in_columns(j);
    for (const placed_number& n : placed) {
      numbers.push_back(n.number->get<double>());
      *n.number = n.number->is_number_float() ? json(0.0) : json(0);
    }
    const auto [known, is_new] = kinds_.try_emplace(dump(j), kinds_.size());
    if (is_new) {
      if (kinds_.size() > most_kinds_) return false;
      std::vector<std::size_t>& columns = columns_of_kind_.emplace_back();
      for (const placed_number& n : placed) columns.push_back(column_at(n));
      kinds_json_.push_back(std::move(j));
    }
    kind_of_cell_.push_back(known->second);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      keep(columns_[columns_of_kind_[known->second][i]], numbers[i], c.at);
    return true;
  }

  [[nodiscard]] json told(const cell& one, const axes_values& axes, const std::vector<std::size_t>& fields) {
    json m;
    std::size_t all = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      json values = json::array();
      for (const coordinate& value : axes[i]) values.push_back(coordinate_json(value));
      all *= values.size();
      m["axes"].push_back({one.at.entries()[i].first, std::move(values)});
    }
    m["kinds"] = std::move(kinds_json_);
    std::vector<std::int64_t> kinds(all);
    for (std::size_t i = 0; i < fields.size(); ++i) kinds[fields[i]] = static_cast<std::int64_t>(kind_of_cell_[i]) + 1;
    m["kind"] = column_json(kinds);
    encode();
    m["numbers"] = json::array();
    for (const table_of_numbers& table : tables_) m["numbers"].push_back(table.text());
    m["columns"] = json::array();
    for (column& c : columns_) m["columns"].push_back(column_told(c, one.at));
    return m;
  }

 private:
  struct column {
    std::string at;
    std::optional<std::size_t> table;  // of numbers that are not whole
    std::vector<double> numbers;       // in the order of the cells
    std::vector<std::int64_t> codes = {};
    std::vector<bool> is_axis = {};  // all numbers so far are the cells' coordinates there
  };

  std::size_t table_at(const std::string& quantity) {
    const auto [known, is_new] = table_of_quantity_.try_emplace(quantity, tables_.size());
    if (is_new) tables_.emplace_back();
    return known->second;
  }

  std::size_t column_at(const placed_number& n) {
    const bool in_table = n.number->is_number_float();
    const auto [known, is_new] = column_of_.try_emplace({n.place, in_table}, columns_.size());
    if (is_new)
      columns_.push_back({n.place, in_table ? std::optional{table_at(quantity_at(n.place))} : std::nullopt, {}});
    return known->second;
  }

  void keep(column& c, double number, const coordinates& at) {
    const auto& entries = at.entries();
    if (c.numbers.empty()) c.is_axis.assign(entries.size(), !c.table);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto* const value = std::get_if<std::int64_t>(&entries[i].second);
      if (c.is_axis[i] && (value == nullptr || *value != static_cast<std::int64_t>(number))) c.is_axis[i] = false;
    }
    c.numbers.push_back(number);
    if (c.table) tables_[*c.table].add(number);
  }

  /// In place of numbers their places in the tables; of an interval's ends and samples as the distance from the value's.
  void encode() {
    for (table_of_numbers& table : tables_) table.sort();
    for (const std::size_t kind : kind_of_cell_) {
      std::int64_t base = 0;
      for (const std::size_t i : columns_of_kind_[kind]) {
        column& c = columns_[i];
        const double number = c.numbers[c.codes.size()];
        std::int64_t code = c.table ? tables_[*c.table].code_of(number) : static_cast<std::int64_t>(number);
        if (c.at == "/value")
          base = code;
        else if (c.table == 0U)
          code -= base;
        c.codes.push_back(code);
      }
    }
  }

  static json column_told(const column& c, const coordinates& at) {
    json j = json::object();
    j["at"] = c.at;
    const auto axis = std::find(c.is_axis.begin(), c.is_axis.end(), true);
    if (axis != c.is_axis.end()) {
      j["axis"] = at.entries()[static_cast<std::size_t>(axis - c.is_axis.begin())].first;
      return j;
    }
    if (c.table) j["numbers"] = *c.table;
    j.update(column_json(c.codes));
    return j;
  }

  std::size_t most_kinds_;
  std::map<std::string, std::size_t> kinds_;
  json kinds_json_ = json::array();
  std::vector<std::vector<std::size_t>> columns_of_kind_;
  std::vector<std::size_t> kind_of_cell_;
  std::vector<column> columns_;
  std::map<std::pair<std::string, bool>, std::size_t> column_of_;
  std::vector<table_of_numbers> tables_;
  std::map<std::string, std::size_t> table_of_quantity_;
};

}  // namespace

std::size_t cells_of_a_matrix(std::span<const cell> cells) {
  if (cells.empty() || !is_number_at(cells.front(), "from") || !is_number_at(cells.front(), "to")) return 0;
  const auto other =
      std::find_if(cells.begin(), cells.end(), [&](const cell& c) { return !have_one_metric(cells.front(), c); });
  return static_cast<std::size_t>(other - cells.begin());
}

std::optional<json> matrix_json(std::span<const cell> cells) {
  axes_values axes = axes_of(cells);
  auto fields = fields_of(cells, axes);
  if (!fields) fields = fields_of(cells, axes = with_numbers_sorted(std::move(axes)));
  if (!fields) return std::nullopt;
  matrix_writer writer{cells.size() / fewest_cells_of_a_kind};
  for (const cell& c : cells)
    if (!writer.add(c)) return std::nullopt;
  const cell& one = cells.front();
  return json{{"experiment", one.experiment},
              {"metric", one.metric},
              {"unit", one.unit},
              {"better", to_string(one.direction)},
              {"matrix", writer.told(one, axes, *fields)}};
}

}  // namespace synchro::results
