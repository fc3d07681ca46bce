// The overhead paper's Table 1 with two files of different systems in it.

#ifndef SYNCHRO_VIEWS_SYSTEMS_HPP
#define SYNCHRO_VIEWS_SYSTEMS_HPP

#include <optional>

#include "results/document.hpp"
#include "views/pivot.hpp"

namespace synchro::views {

/// A row for each of the paper's calls; a column for each system, by that system's own primitives, in microseconds, B over
/// A, and the paper's columns. Nothing unless both measured the calls on different systems.
[[nodiscard]] std::optional<laid_out> systems_table(const results::document& a, const results::document& b,
                                                    const style& s);

}  // namespace synchro::views

#endif
