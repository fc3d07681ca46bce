// For each judge, measurements with which a claim must hold and others with which it must not: a file of cases,
// <name>_cases.cpp with <name>_cases(), for each of claims.

#ifndef SYNCHRO_TESTS_CLAIMS_CASES_HPP
#define SYNCHRO_TESTS_CLAIMS_CASES_HPP

#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::tests {

struct judge_case {
  std::string id;
  results::document holds;
  std::vector<results::document> fails;            ///< One for each part of the sentence, at least.
  std::vector<results::document> also_holds = {};  ///< On other machines, of which the sentence says another thing.
};

/// Those of every file of cases (CMakeLists.txt).
[[nodiscard]] std::vector<judge_case> all_cases();

}  // namespace synchro::tests

#endif
