// The rounds of `tune`: the command under each lock and under its own, in random order, as long as there is something to find
// out.

#ifndef SYNCHRO_INTERPOSE_TUNE_RACE_HPP
#define SYNCHRO_INTERPOSE_TUNE_RACE_HPP

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpose/preloaded.hpp"
#include "interpose/tune_metric.hpp"
#include "statistics/race.hpp"

namespace synchro::interpose {

/// What is to be run.
struct tuning_task {
  preloaded command;
  std::vector<std::string> locks;
  run_metric metric;
  std::uint64_t seed = 1;
  unsigned rounds = 10;             ///< At most.
  double seconds = 0;               ///< No round begins when so many have passed; 0: no bound.
  double limit = 0;                 ///< Seconds for one run; 0: ten times the longest under its own locks.
  std::function<bool()> stop = {};  ///< Asked while a run goes on.
  std::function<void(const std::string&)> tell = {};  ///< Takes a line about what happened.
};

struct tuning_entry {
  std::string name;                        ///< A lock; of the first one "native": the program's own.
  std::vector<double> values = {};         ///< One a round, as long as it ran.
  std::optional<std::string> failed = {};  ///< Why it is out.
};

struct tuning {
  std::vector<tuning_entry> entries;  ///< As the contestants of the race: the first is the yardstick.
  std::vector<double> control;        ///< The yardstick's second runs.
  statistics::race race;
  bool interrupted = false;

  /// The best of those that are resolved to be ahead of the program's own locks.
  [[nodiscard]] std::optional<std::size_t> winner() const;
  /// All others that did not fail are resolved to be behind its own locks.
  [[nodiscard]] bool own_are_best() const;
  [[nodiscard]] bool all_failed() const;
};

/// Runs the command under its own locks once, which does not count, and then in rounds. Throws failure (cannot) if that
/// first run fails or is interrupted.
[[nodiscard]] tuning tune_in_rounds(const tuning_task& task);

/// So many rounds are needed before any difference between so many contestants can be resolved.
[[nodiscard]] unsigned fewest_rounds(std::size_t contestants);

}  // namespace synchro::interpose

#endif
