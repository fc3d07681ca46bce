#include "simulator/core_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "results/file.hpp"
#include "results/text.hpp"

namespace synchro::simulator {

namespace {

constexpr std::size_t most_threads = 4096;
constexpr std::string_view ending = ".csv";
constexpr double longest_ns = 1e6, directions_apart = 1.25;

struct fields {
  std::size_t line;
  std::vector<std::optional<double>> times;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \r\""), last = text.find_last_not_of(" \r\"");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first, last - first + 1);
}

std::optional<double> time_of(std::string_view field, std::size_t line, std::size_t column) {
  field = trimmed(field);
  if (field.empty() || field == "nan" || field == "NaN" || field == "-") return std::nullopt;
  double v = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), v);
  if (error != std::errc{} || end != field.data() + field.size() || !(v >= 0 && v <= longest_ns))
    throw std::runtime_error(fmt::format("line {}, column {}: '{}' is no time in nanoseconds from 0 to {:.0f}", line,
                                         column, results::printable(field, 40), longest_ns));
  return v > 0 ? std::optional{v} : std::nullopt;
}

fields fields_of(std::string_view text, std::size_t line) {
  const std::size_t separator = text.find_first_of(",;\t");
  const char by = separator == std::string_view::npos ? ',' : text[separator];
  fields f{line, {}};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(by, begin), text.size());
    f.times.push_back(time_of(text.substr(begin, end - begin), line, f.times.size() + 1));
    begin = end + 1;
  }
  return f;
}

std::vector<fields> rows_of(std::string_view csv) {
  std::vector<fields> rows;
  std::size_t number = 0;
  bool empty_first = false;
  for (std::size_t begin = 0; begin < csv.size();) {
    const std::size_t end = std::min(csv.find('\n', begin), csv.size());
    const std::string_view line = csv.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (!line.empty() && line.front() == '#') continue;
    if (trimmed(line).empty()) {
      empty_first = empty_first || rows.empty();
      continue;
    }
    // The first row of a triangle may be an empty line.
    if (rows.empty() && empty_first && line.find_first_of(",;\t") == std::string_view::npos)
      rows.push_back({number, {}});
    rows.push_back(fields_of(line, number));
    if (rows.size() > most_threads)
      throw std::runtime_error(fmt::format("it has more than {} rows, the most processors of a matrix", most_threads));
  }
  return rows;
}

/// Both ways become one, their mean.
class joined_ways {
 public:
  explicit joined_ways(const std::vector<fields>& rows)
      : rows_{rows}, matrix_{statistics::distances{rows.size()}, {}} {}

  core_matrix take() {
    for (std::size_t a = 0; a < rows_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) join(a, b);
    check_columns();
    check_diagonal();
    tell();
    return std::move(matrix_);
  }

 private:
  std::optional<double> at(std::size_t row, std::size_t column) const {
    const auto& times = rows_[row].times;
    return column < times.size() ? times[column] : std::nullopt;
  }

  void join(std::size_t a, std::size_t b) {
    const auto one = at(a, b), other = at(b, a);
    if (one && other && std::max(*one, *other) > directions_apart * std::min(*one, *other)) ++asymmetric_;
    if (one && other)
      matrix_.ns.set(a, b, (*one + *other) / 2);
    else if (one || other)
      matrix_.ns.set(a, b, one ? *one : *other);
    else
      ++holes_;
  }

  void check_columns() {
    const auto longest = std::max_element(
        rows_.begin(), rows_.end(), [](const fields& x, const fields& y) { return x.times.size() < y.times.size(); });
    if (longest->times.size() > rows_.size())
      matrix_.remarks.push_back(
          fmt::format("it has {} rows and {} columns: only the {} processors that have a row are used", rows_.size(),
                      longest->times.size(), rows_.size()));
  }

  /// A triangle whose rows begin with the first pair would lose a processor.
  void check_diagonal() const {
    bool lower = false, upper = false, own = false;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      own = own || at(a, a).has_value();
      for (std::size_t b = 0; b < a; ++b) lower = lower || at(a, b), upper = upper || at(b, a);
    }
    bool shrinks = rows_.size() > 1;
    for (std::size_t a = 1; a < rows_.size(); ++a)
      shrinks = shrinks && rows_[a].times.size() + 1 == rows_[a - 1].times.size();
    if ((own && lower != upper) || shrinks)
      throw std::runtime_error(
          "it is unclear which pair of processors a time belongs to: half of a matrix has a row for each processor, a "
          "field for each pair, and nothing or 0 on its diagonal");
  }

  void tell() {
    const std::size_t pairs = rows_.size() * (rows_.size() - 1) / 2;
    if (2 * holes_ > pairs)
      throw std::runtime_error(fmt::format("{} of the {} pairs of its {} processors have no time; a model needs half",
                                           holes_, pairs, rows_.size()));
    if (asymmetric_ > 0)
      matrix_.remarks.push_back(fmt::format(
          "{} of {} pairs took a quarter longer one way than the other: the mean is used", asymmetric_, pairs));
    if (holes_ == 0) return;
    if (statistics::distances whole = matrix_.ns; !statistics::complete(whole))
      throw std::runtime_error("some processors have no time to any of the others, so how far they are is not known");
    matrix_.remarks.push_back(
        fmt::format("{} of {} pairs have no time: each is taken to be as far as the longest step of the best way over "
                    "other processors",
                    holes_, pairs));
  }

  const std::vector<fields>& rows_;
  core_matrix matrix_;
  std::size_t holes_ = 0, asymmetric_ = 0;
};

}  // namespace

core_matrix read_core_matrix(std::string_view csv) {
  const std::vector<fields> rows = rows_of(csv);
  if (rows.size() < 2)
    throw std::runtime_error(fmt::format("it has {} rows of times, and a machine needs two processors", rows.size()));
  return joined_ways{rows}.take();
}

bool is_core_matrix(const std::string& file) { return file.size() > ending.size() && file.ends_with(ending); }

nlohmann::ordered_json model_from_matrix_file(const std::string& file, std::optional<double> ghz, unsigned packages) {
  const std::string text = results::read_file(file, results::content::text);
  const std::size_t folder = file.find_last_of("/\\");
  std::string name = file.substr(folder == std::string::npos ? 0 : folder + 1);
  name.resize(name.size() - ending.size());
  try {
    return model_from_matrix(read_core_matrix(text), {results::printable(name, 60), ghz, packages});
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(results::printable(file, 200) + ": " + e.what());
  }
}

}  // namespace synchro::simulator
