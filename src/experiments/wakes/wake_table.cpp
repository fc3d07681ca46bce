#include "experiments/wakes/wake_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "catalog/rows.hpp"

namespace synchro::experiments {

const std::vector<wake_row>& all_wakes() {
  static const std::vector<wake_row> rows = catalog::rows_of(add_wake_rows);
  return rows;
}

const wake_row& find_wake(const std::string& name) {
  const auto& rows = all_wakes();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const wake_row& row) { return row.name == name; });
  if (found == rows.end()) throw std::out_of_range{"no wake primitive is called '" + name + "'"};
  return *found;
}

axis primitive_axis(const std::function<bool(const wake_row&, level)>& takes) {
  axis a{"primitive", "the means of waking, of this library or (family/name) of a system, a language or a runtime",
         [takes](const setting& s) {
           std::vector<coordinate> names;
           for (const wake_row& row : all_wakes())
             if (takes(row, s.thoroughness)) names.emplace_back(row.name);
           return names;
         }};
  return a;
}

}  // namespace synchro::experiments
