// What the wake experiments ask for and what they are told, whatever the primitive.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_TASKS_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_TASKS_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/laboratory.hpp"
#include "platform/scheduling.hpp"

namespace synchro::experiments::wakes {

using platform::urgency;

struct wake_task {
  unsigned sleepers = 1;
  unsigned group = 0;          ///< How many share an object; 0: as the primitive has it.
  bool each = false;           ///< A call for each sleeper, where one would do.
  std::vector<unsigned> cpus;  ///< Of the waker, then of the sleepers; empty: unpinned.
  unsigned triggers = 1;
  double budget_ns = 1e9;         ///< After this long there is no further trigger; but there is one at least.
  double deadline_ns = 5e9;       ///< A wake-up that takes longer is lost.
  std::optional<double> idle_ns;  ///< Triggers this long after the sleepers began to wait, whether they sleep or not;
                                  ///< nothing: as soon as all are seen asleep.
  urgency priority = urgency::usual;  ///< Of all threads.
};

/// One trigger.
struct wake_round {
  double trigger_ns;            ///< What the call took.
  double idle_ns;               ///< From when the last sleeper began to wait to the call.
  std::vector<double> wake_ns;  ///< By sleeper: from before the call to the first instruction after the wait.
};

struct wake_result {
  std::vector<wake_round> rounds;
  double cpu_ns = 0;       ///< Processor time of all waits of all sleepers, from begin to end of each.
  double cpu_step_ns = 0;  ///< The steps in which the system counts that; 0: exact.
  double wall_ns = 0;      ///< And how long they were.
  double switches = 0;     ///< Context switches of the sleepers in them.
  double slept = 0;        ///< Waits in which the sleeper gave its processor away.
  double waits = 0;        ///< How many waits those are.
  std::map<std::string, unsigned> sleeps_in;  ///< System calls in which sleepers were seen before a trigger.
  measure::team_report team;
  std::vector<std::string> warnings;
  std::optional<std::string> lost;     ///< A sleeper never woke: the clause that says so. The threads are still there.
  std::optional<std::string> refused;  ///< What the system said to a trigger. The threads are still there.
  std::optional<std::string> unseen;   ///< The sleepers could not be seen asleep; nothing was measured from then on.
};

}  // namespace synchro::experiments::wakes

#endif
