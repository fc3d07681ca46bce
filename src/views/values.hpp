// Values of axes as people read them.

#ifndef SYNCHRO_VIEWS_VALUES_HPP
#define SYNCHRO_VIEWS_VALUES_HPP

#include <cstddef>
#include <string>

#include "results/cell.hpp"
#include "views/grid.hpp"

namespace synchro::views {

/// The value as it stands in a table: a time in the largest unit in which it is a whole number ("100 ms"), as --idle and
/// --work take it in nanoseconds.
[[nodiscard]] std::string value_words(const std::string& axis, const results::coordinate& value, const style& s,
                                      std::size_t columns = 40);
}  // namespace synchro::views

#endif
