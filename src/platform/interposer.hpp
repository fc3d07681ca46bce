// What the program and the interposer (src/preload) have agreed on: the name of the file, and by which variables of the
// environment it is told what to do.

#ifndef SYNCHRO_PLATFORM_INTERPOSER_HPP
#define SYNCHRO_PLATFORM_INTERPOSER_HPP

namespace synchro::platform::interposer {

inline constexpr const char* file = "libsynchro-preload.so";

/// The name of a lock of the catalog; `mutex` if it is not set.
inline constexpr const char* lock_variable = "SYNCHRO_PRELOAD_LOCK";

/// A file to which each process appends one line of JSON when it ends: what was called how often. "-" is standard error.
inline constexpr const char* report_variable = "SYNCHRO_PRELOAD_REPORT";

/// A lock that excludes nobody once the process has been sent SIGUSR2, and the variable that must be 1 for there to be one: for
/// the experiments that measure what a program's locks cost it.
inline constexpr const char* unsafe_lock = "unsafe/none";
inline constexpr const char* unsafe_variable = "SYNCHRO_PRELOAD_UNSAFE";

/// What a process ends with whose lock is unknown, and one that would be half interposed: those of the program.
inline constexpr int exit_usage = 2;
inline constexpr int exit_cannot = 3;

}  // namespace synchro::platform::interposer

#endif
