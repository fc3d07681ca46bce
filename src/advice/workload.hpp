// What a program does with its locks and threads: what is asked when advice is asked for.
//
// Advice reads nothing else of a program. Whatever else can describe one (a profile of a run) fills this in.

#ifndef SYNCHRO_ADVICE_WORKLOAD_HPP
#define SYNCHRO_ADVICE_WORKLOAD_HPP

#include <cstdint>
#include <optional>

namespace synchro::advice {

struct workload {
  std::int64_t threads = 0;  ///< That want the locks; 0: one for each processor of the machine.
  double critical_ns = 100;  ///< Work inside a critical section.
  double gap_ns = 1000;      ///< Work of a thread from one release to its next acquisition.
  std::int64_t locks = 1;    ///< Each acquisition is of a random one.
  std::int64_t readers = 0;  ///< Share of acquisitions that only read, percent.
  /// Share of its threads' time that they waited for it, where that was seen (a profile).
  std::optional<double> waiting = {};
  bool sleeps = false;  ///< Waiters have to sleep.
  bool fair = false;    ///< There has to be a bound to how often a waiter is overtaken.
};

}  // namespace synchro::advice

#endif
