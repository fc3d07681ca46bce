// What to say of a file in which no value is sure: every view says this, and nothing that rests on a value.

#ifndef SYNCHRO_RESULTS_DOUBT_HPP
#define SYNCHRO_RESULTS_DOUBT_HPP

#include <optional>
#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::results {

/// Two sentences: that no value is sure and why, and the command that measures again; one of what an emulator ran. Nothing if a value is sure, or there
/// is none, nor of what was published, which is as it was printed.
[[nodiscard]] std::optional<std::string> nothing_sure(const document& d);

/// The command that measures these experiments again, with the values of their axes that the run was asked for:
/// "synchroscope run EXPERIMENTS --lock mcs,tas". Of a simulation "synchroscope simulate ... --machine opteron". Odd names
/// are quoted for a shell. The page says the same (report/src/doubts.ts).
[[nodiscard]] std::string repetition(const document& d, const std::vector<std::string>& experiments);

/// "To measure again, when nothing else runs (synchroscope check): synchroscope run WHAT"; of a run that was stopped, how it goes
/// on; of a simulation, with more repetitions, and on which machine.
[[nodiscard]] std::string how_to_repeat(const document& d, const std::string& what);

/// What is missing for a choice between locks that several threads want.
struct missing_contention {
  std::string why;      ///< "no value of such a lock is sure"
  std::string command;  ///< What measures them; empty for what an emulator ran.
};

/// Of a document that has cells of locks, or was to have some: nothing if a value of a lock that several threads want is sure.
[[nodiscard]] std::optional<missing_contention> no_contended_lock_sure(const document& d);

}  // namespace synchro::results

#endif
