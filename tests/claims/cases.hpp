// For each judge, measurements with which a claim must hold and others with which it must not; a file of cases for each of
// claims.

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

[[nodiscard]] std::vector<judge_case> coherence_cases();
[[nodiscard]] std::vector<judge_case> atomics_cases();
[[nodiscard]] std::vector<judge_case> free_locks_cases();
[[nodiscard]] std::vector<judge_case> contended_locks_cases();
[[nodiscard]] std::vector<judge_case> messages_cases();
[[nodiscard]] std::vector<judge_case> hash_table_cases();
[[nodiscard]] std::vector<judge_case> memcached_cases();
[[nodiscard]] std::vector<judge_case> other_systems_cases();
[[nodiscard]] std::vector<judge_case> forkjoin_cases();
[[nodiscard]] std::vector<judge_case> windows_study_cases();
[[nodiscard]] std::vector<judge_case> throttle_cases();
[[nodiscard]] std::vector<judge_case> bogner_cases();

}  // namespace synchro::tests

#endif
