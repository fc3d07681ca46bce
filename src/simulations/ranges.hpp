// Models whose assumed constants stand at the ends of their ranges. What holds as the models are and at all four corners that
// are tried hangs on these constants at none of them; what is between and at the other corners is not tried.
//
// The constants are taken in three groups, and of the eight corners of these four are simulated, half of a factorial
// design: each group stands at either end in two of them, and each two groups stand together in every way (Box, Hunter,
// Hunter: Statistics for Experimenters, fractional factorial designs, 2^(3-1)). What one group does by itself cannot be told from
// what the other two do together: each main effect is aliased with the interaction of the other two.

#ifndef SYNCHRO_SIMULATIONS_RANGES_HPP
#define SYNCHRO_SIMULATIONS_RANGES_HPP

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "claims/verdict.hpp"

namespace synchro::simulations {

/// What a core spends without memory, what it does while an access is under way, what a line does meanwhile.
inline constexpr std::array group_names{"times of the core", "overlap", "service of lines"};

/// By group: whether its constants are the most that is plausible, else the least.
using corner = std::array<bool, group_names.size()>;
inline constexpr std::array<corner, 4> corners{
    {{false, false, true}, {false, true, false}, {true, false, false}, {true, true, true}}};

/// The group of an assumed constant, by its place in the model. Throws std::invalid_argument if none is said to have it.
[[nodiscard]] std::size_t group_of(const std::string& place);

/// The model with all constants that have a range at the ends of a corner.
[[nodiscard]] nlohmann::ordered_json at_corner(const nlohmann::ordered_json& model, const corner& c);

/// The model with one constant at an end of its range; as it is if it has no such constant, or this has no range.
[[nodiscard]] nlohmann::ordered_json at_end(const nlohmann::ordered_json& model, const std::string& place, bool most);

/// Whether what the range of an assumed constant rests on is published, in words. What it says of the value is in the model.
[[nodiscard]] std::string source_of_range(const std::string& place);

/// What becomes of a verdict over the corners, in words: "holds", or in how many of them it holds, and the group whose
/// ends the verdict follows if it follows one's.
[[nodiscard]] std::string over_ranges(claims::verdict nominal, const std::array<claims::verdict, corners.size()>& at);

}  // namespace synchro::simulations

#endif
