// Which cells may be held against each other.

#ifndef SYNCHRO_RESULTS_COMPARABLE_HPP
#define SYNCHRO_RESULTS_COMPARABLE_HPP

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "results/cell.hpp"

namespace synchro::results {

/// The mode by its name; cells without one were measured in the near mode, or in the only one.
[[nodiscard]] std::string mode_of(const cell& c);

/// The protocol set the same, up to the digits in which what it measured for that can be repeated (2 %).
[[nodiscard]] bool alike(const std::map<std::string, double>& a, const std::map<std::string, double>& b);

/// No setting outside of these bounds is like this one.
[[nodiscard]] std::pair<double, double> alike_within(double setting);

/// Why two measurements of the same place say nothing of each other: the processors were at another distance, or the
/// protocol set something else. "probes 45 ns and 190 ns"; nothing if they may be compared. Where only one of them was
/// probed, or none, the names of their modes decide.
[[nodiscard]] std::optional<std::string> why_not_comparable(const cell& a, const cell& b);

}  // namespace synchro::results

#endif
