// What can be verified: primitives, each with the programs that try it.

#ifndef SYNCHRO_EXPLORER_SUBJECT_HPP
#define SYNCHRO_EXPLORER_SUBJECT_HPP

#include <string>
#include <string_view>
#include <vector>

#include "explorer/program.hpp"

namespace synchro::explorer {

/// How far a program is explored.
enum class depth : std::uint8_t {
  exhausted,       ///< All executions, or it is a failure of the budget.
  as_far_as_fits,  ///< All executions if the states fit the budget, otherwise those of a few preemptions.
  widened,         ///< The same, tried from one preemption on: cheaper where all executions do not fit.
  one_preemption   ///< Those of at most one preemption, or of none, of a program whose states never fit.
};

struct check {
  program what;
  depth how_far = depth::exhausted;
};

struct subject {
  std::string name;    ///< as on the command line
  std::string header;  ///< relative to the include folder
  std::vector<check> checks;
  std::vector<check> samples = {};  ///< too large for anything but random schedules
  bool seeded_bug = false;          ///< is to be refuted
};

using subjects = std::vector<subject>;

/// Everything there is: the lock catalog under all its waiting policies, and the rest of the library.
const subjects& all_subjects();

/// "seeded/" and the name: a mistake, and the program that has to find it.
subject seeded(const std::string& name, program finds_it);

/// Classic mistakes, each of which has to be found.
const subjects& seeded_bugs();

/// Null if there is none of this name among either.
const subject* find_subject(std::string_view name);

}  // namespace synchro::explorer

#endif
