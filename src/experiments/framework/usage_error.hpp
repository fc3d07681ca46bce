// A user's mistake in what to measure: an axis that is not there, a value it does not have.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_USAGE_ERROR_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_USAGE_ERROR_HPP

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace synchro::experiments {

/// what() is one sentence; the parts stand beside it for those who suggest the nearest names.
struct usage_error : std::invalid_argument {
  usage_error(const std::string& sentence, std::string what_kind, std::string what_word,
              std::vector<std::string> what_names)
      : std::invalid_argument{sentence},
        kind{std::move(what_kind)},
        word{std::move(what_word)},
        names{std::move(what_names)} {}

  std::string kind;                ///< "axis", or the name of the axis whose value it is.
  std::string word;                ///< What the user said.
  std::vector<std::string> names;  ///< What could have been said; empty where it is a range of numbers.
};

}  // namespace synchro::experiments

#endif
