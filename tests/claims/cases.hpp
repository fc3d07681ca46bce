// For each judge, measurements with which a claim must hold and others with which it must not.

#ifndef SYNCHRO_TESTS_CLAIMS_CASES_HPP
#define SYNCHRO_TESTS_CLAIMS_CASES_HPP

#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::tests {

struct judge_case {
  std::string id;
  results::document holds;
  std::vector<results::document> fails;  ///< One for each part of the sentence, at least.
};

[[nodiscard]] std::vector<judge_case> hardware_cases();
[[nodiscard]] std::vector<judge_case> lock_cases();
[[nodiscard]] std::vector<judge_case> table_cases();
[[nodiscard]] std::vector<judge_case> starting_cases();
[[nodiscard]] std::vector<judge_case> waking_cases();
[[nodiscard]] std::vector<judge_case> system_cases();
[[nodiscard]] std::vector<judge_case> program_cases();

}  // namespace synchro::tests

#endif
