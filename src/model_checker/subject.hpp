// What can be verified: primitives, each with the programs that try it.

#ifndef SYNCHRO_MODEL_CHECKER_SUBJECT_HPP
#define SYNCHRO_MODEL_CHECKER_SUBJECT_HPP

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model_checker/program.hpp"

namespace synchro::model_checker {

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
  /// The same under policies that differ only in how long a waiter looks, and how it rests between looks (waiting.hpp): rests are
  /// nothing here, and how long it looks is the schedule's choice, so what is proved of one is proved of all.
  std::vector<std::string> also = {};

  [[nodiscard]] bool is_called(std::string_view wanted) const {
    return name == wanted || std::find(also.begin(), also.end(), wanted) != also.end();
  }
};

using subjects = std::vector<subject>;

/// Everything there is: the lock catalog under all its waiting policies, and the rest of the library.
const subjects& all_subjects();

/// Takes these in as well, behind all others: primitives that this program was not built with. Before all_subjects() is used, for
/// what that gave is moved. Throws std::invalid_argument, and takes none, if one of their names is taken.
void take_subjects(const subjects& more);

/// "seeded/" and the name: a mistake, and the program that has to find it.
subject seeded(const std::string& name, program finds_it);

/// Classic mistakes, each of which has to be found.
const subjects& seeded_bugs();

/// Adds what each variant of a catalog's line is proved by, which `made(variant)` says: once for all that only look otherwise.
template <class Line, class Make>
void add_variants(subjects& to, Make made) {
  std::array<std::size_t, 2> proved{};  // of those who only look, and of those who park
  Line::each([&]<class Variant>(const Variant& variant) {
    using waiting = typename Variant::waiting;
    std::size_t& by = proved[waiting::parks ? 1 : 0];
    if constexpr (Line::template only_looks_otherwise<waiting>) {
      to[by].also.push_back(variant.name);
    } else {
      by = to.size();
      to.push_back(made(variant));
    }
  });
}

/// Null if there is none of this name among either.
const subject* find_subject(std::string_view name);

}  // namespace synchro::model_checker

#endif
