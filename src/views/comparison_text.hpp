// A comparison of two results files as a terminal shows it.

#ifndef SYNCHRO_VIEWS_COMPARISON_TEXT_HPP
#define SYNCHRO_VIEWS_COMPARISON_TEXT_HPP

#include <cstddef>
#include <string>

#include "results/comparison.hpp"
#include "views/grid.hpp"  // style

namespace synchro::views {

/// Tables of the ratios, for a terminal; only of the resolved differences if `changed_only`.
[[nodiscard]] std::string show(const results::comparison& c, const results::file_names& names, bool changed_only,
                               const style& s);

/// What differs, in at most so many lines: the resolved differences, the largest ratios first, and what was not compared.
[[nodiscard]] std::string findings(const results::comparison& c, const results::file_names& names, const style& s,
                                   std::size_t most_lines);

}  // namespace synchro::views

#endif
