// Which bound on preemptions fits a program that does not fit in all schedules: fitting_bounds.txt, which is part of the program.

#ifndef SYNCHRO_MODEL_CHECKER_FITTING_BOUNDS_HPP
#define SYNCHRO_MODEL_CHECKER_FITTING_BOUNDS_HPP

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace synchro::model_checker {

/// All that are known, by primitive and program.
const std::map<std::pair<std::string, std::string>, unsigned>& fitting_bounds();

/// The largest number of preemptions under which the program was found to fit the standard budget; nothing if it fits in all
/// schedules, or was never tried.
std::optional<unsigned> fitting_bound(const std::string& primitive, const std::string& program);

}  // namespace synchro::model_checker

#endif
