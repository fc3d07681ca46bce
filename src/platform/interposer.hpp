// What the program and the interposer (src/preload) have agreed on: the name of the file, and by which variables of the
// environment it is told what to do.

#ifndef SYNCHRO_PLATFORM_INTERPOSER_HPP
#define SYNCHRO_PLATFORM_INTERPOSER_HPP

namespace synchro::platform::interposer {

inline constexpr const char* file = "libsynchro-preload.so";

/// The name of a lock of the catalog, or `native`; `mutex` if it is not set.
inline constexpr const char* lock_variable = "SYNCHRO_PRELOAD_LOCK";

/// As a lock: every object is left to the C library.
inline constexpr const char* native_lock = "native";

/// A folder in which each process writes a file of what its mutexes did (lock_recording.hpp), and out of how many
/// acquisitions one is sampled.
inline constexpr const char* profile_variable = "SYNCHRO_PRELOAD_PROFILE";
inline constexpr const char* every_variable = "SYNCHRO_PRELOAD_PROFILE_EVERY";
inline constexpr unsigned default_every = 64;
/// If it is 1, the innermost calls of each sample are recorded, too: where a lock was taken last.
inline constexpr const char* callers_variable = "SYNCHRO_PRELOAD_PROFILE_CALLERS";
/// If it is 1, the calls that led to waits are recorded.
inline constexpr const char* paths_variable = "SYNCHRO_PRELOAD_PROFILE_PATHS";

/// A file to which each process appends one line of JSON when it ends: what was called how often. "-" is standard error.
inline constexpr const char* report_variable = "SYNCHRO_PRELOAD_REPORT";

/// A file whose first byte, which must be there, becomes 1 when a process first locks a mutex or spin lock that a lock of ours
/// serves. It is in the memory of each process from its start, so neither a limit, a full disk nor another root is in the way.
/// If the byte is 0, nothing was replaced.
inline constexpr const char* seen_variable = "SYNCHRO_PRELOAD_SEEN";

/// A lock that excludes nobody once the process has been sent SIGUSR2, and the variable that must be 1 for there to be one: for
/// the experiments that measure what a program's locks cost it.
inline constexpr const char* unsafe_lock = "unsafe/none";
inline constexpr const char* unsafe_variable = "SYNCHRO_PRELOAD_UNSAFE";

/// What a process ends with whose lock is unknown, and one that would be half interposed: those of the program.
inline constexpr int exit_usage = 2;
inline constexpr int exit_cannot = 3;

}  // namespace synchro::platform::interposer

#endif
