// A comparison of two results files as a terminal shows it.

#ifndef SYNCHRO_VIEWS_COMPARISON_TEXT_HPP
#define SYNCHRO_VIEWS_COMPARISON_TEXT_HPP

#include <string>

#include "results/comparison.hpp"
#include "views/grid.hpp"  // style

namespace synchro::views {

/// Tables of the ratios, for a terminal; only of the resolved differences if `changed_only`.
[[nodiscard]] std::string show(const results::comparison& c, const results::file_names& names, bool changed_only,
                               const style& s);

}  // namespace synchro::views

#endif
