// All cells as one table: a row for each cell, a column for each coordinate and each thing told of it.

#ifndef SYNCHRO_VIEWS_EXPORTS_TIDY_HPP
#define SYNCHRO_VIEWS_EXPORTS_TIDY_HPP

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "results/document.hpp"

namespace synchro::views {

/// Nothing, a whole number, a number or text.
using tidy_value = std::variant<std::monostate, std::int64_t, double, std::string>;

class tidy_table {
 public:
  explicit tidy_table(const results::document& d);

  [[nodiscard]] const std::vector<std::string>& headings() const { return headings_; }
  [[nodiscard]] std::vector<tidy_value> row(const results::cell& c) const;

 private:
  std::string run_;
  std::vector<std::string> axes_, quantiles_, headings_;
};

/// The shortest text that reads back as the same number.
[[nodiscard]] std::string exact(double value);

}  // namespace synchro::views

#endif
