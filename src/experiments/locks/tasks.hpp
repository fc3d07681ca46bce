// What the bodies of the lock experiments are asked, and what they answer.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_TASKS_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_TASKS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/laboratory.hpp"

namespace synchro::experiments::locks {

/// Threads that take random locks out of n, for a while (contention.hpp).
struct contention_task {
  std::vector<unsigned> cpus = {};  ///< As for Laboratory::team.
  unsigned threads = 1;
  unsigned locks = 1;
  std::uint64_t hold = 0;   ///< Cycles of work inside.
  std::uint64_t gap = 0;    ///< Cycles of work after each release.
  unsigned readers = 0;     ///< Percent of acquisitions that are shared.
  double window_ns = 20e6;  ///< How long the team is watched, after a warm-up of a tenth of that.
  unsigned pairs = 0;       ///< 0: time the acquisition; n: time n times acquisition and release.
  std::uint64_t seed = 1;   ///< Of the choice among the locks.
};

struct contention_result {
  std::vector<double> acquisitions;  ///< Of each thread, in the window.
  double elapsed_ns = 0;             ///< From the opening of the window to the last timed acquisition.
  double exclusive = 0;              ///< Exclusive acquisitions in the window.
  double hand_offs = 0;              ///< Those whose previous exclusive holder was another thread.
  std::vector<double> waits_ns;      ///< What was timed, of all threads, less what stamping costs; see `pairs` above.
  double longest_span_ns = 0;        ///< The longest a thread went from one timed acquisition to the next.
  double overrun_ns = 0;             ///< How long after the end of the window the last thread came out.
  std::optional<std::string> broken = std::nullopt;  ///< Why the lock is broken, if it is.
  measure::team_report team = {};
};

/// One thread that takes free locks after another thread, or itself, had them (previous_holder.hpp).
struct previous_holder_task {
  std::vector<unsigned> cpus = {};  ///< The taker's, then the previous holder's; empty: unpinned.
  bool other_thread = true;         ///< False: the taker is the previous holder.
  unsigned batch = 128;             ///< Locks in a round.
  unsigned rounds = 200;            ///< After ten more to warm up.
  std::uint64_t seed = 1;
};

struct previous_holder_result {
  std::vector<double> acquire_ns, release_ns, pair_ns;  ///< Each second round's mean, less what stamping costs.
  bool chained = false;  ///< Each acquisition waited for the one before; else a processor may have overlapped them.
  std::optional<std::string> broken = std::nullopt;
  measure::team_report team = {};
};

}  // namespace synchro::experiments::locks

#endif
