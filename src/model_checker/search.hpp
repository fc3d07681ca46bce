// The search through all executions of a program.
//
// Depth first: an execution is run to its end, then again up to the last step that could have gone otherwise. A state
// that has been met before is not gone into again (state caching); nor are two independent steps tried in both orders
// (sleep sets, with the rule of Godefroid: Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032,
// 1996, for a state met again with another sleep set). Large programs can be bounded to schedules with a number of
// preemptions, which is said in the report; larger ones are sampled at random with priorities that change at a few
// random steps (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs, ASPLOS 2010).

#ifndef SYNCHRO_MODEL_CHECKER_SEARCH_HPP
#define SYNCHRO_MODEL_CHECKER_SEARCH_HPP

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model_checker/mutation.hpp"
#include "model_checker/program.hpp"
#include "model_checker/world.hpp"

namespace synchro::model_checker {

struct search_options {
  std::optional<unsigned> preemptions;  ///< At most so many; nothing: all schedules.
  std::uint64_t most_states = 0;        ///< Then it stops, unfinished; 0: no bound.
  const mutation* mutant = nullptr;
  std::set<site>* census = nullptr;
  bool caching = true;     ///< For checking the search itself.
  bool sleep_sets = true;  ///< The same.
};

/// One step of a schedule: a thread, and which of its outcomes.
struct move {
  std::uint8_t thread = 0;
  std::uint16_t choice = 0;
};

struct search_result {
  enum verdict : std::uint8_t {
    proved,
    refuted,
    undecided,  ///< it exceeds a bound or breaks a rule, which `why` names
    unfinished
  } result = proved;
  bool wrapped = false;  ///< An addition has wrapped on the way.
  std::uint64_t states = 0;
  std::uint64_t executions = 0;  ///< That ran to their end.
  std::uint64_t steps = 0;       ///< With those run again.
  double seconds = 0;
  std::optional<refutation> why;
  std::vector<move> schedule;  ///< That shows it.
};

search_result explore(const program& what, const search_options& how);

/// A schedule that refutes the program too, with fewer steps if a search of schedules with few preemptions has one.
search_result shortened(const program& what, const search_options& how, search_result long_one);

/// Random schedules, from this seed on.
search_result sample(const program& what, const search_options& how, std::uint64_t seed, unsigned schedules,
                     unsigned changes);

/// A schedule as text, and back; nothing if the text is none.
std::string encode(const std::vector<move>& schedule);
std::optional<std::vector<move>> decode(std::string_view text);

/// Runs one schedule and describes every step.
struct replay_trace {
  std::vector<std::string> steps;
  std::optional<refutation> why;
  bool fits = true;  ///< False if the program cannot take this schedule.
};
replay_trace replay(const program& what, const std::vector<move>& schedule, const mutation* mutant);

}  // namespace synchro::model_checker

#endif
