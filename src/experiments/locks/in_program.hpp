// Locks of ours in place of those of a whole program, which is started with the interposer in front (docs/preload.md).

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_IN_PROGRAM_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_IN_PROGRAM_HPP

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments::in_program {

/// The program as it is, with the C library's locks.
inline constexpr const char* native = "pthread/mutex";

/// Of these names those that this build has, each once.
[[nodiscard]] std::vector<coordinate> known_locks(const std::vector<std::string>& names);

/// The system's does not.
[[nodiscard]] bool only_spins(const std::string& lock);

/// What the program's environment has besides, so that this lock serves its mutexes. Throws std::runtime_error with one sentence.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> variables_for(const std::string& lock);

/// Why this lock cannot serve another program's mutexes here, found out once for a run; nothing if it can.
[[nodiscard]] std::optional<std::string> unavailable_of(const std::string& lock);

}  // namespace synchro::experiments::in_program

#endif
