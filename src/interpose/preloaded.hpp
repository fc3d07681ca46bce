// A user's command, to be run with the interposer in front of its locks (docs/preload.md).

#ifndef SYNCHRO_INTERPOSE_PRELOADED_HPP
#define SYNCHRO_INTERPOSE_PRELOADED_HPP

#include <string>
#include <utility>
#include <vector>

namespace synchro::terminal {
class options;
}

namespace synchro::interpose {

struct preloaded {
  std::string path;                ///< The program's.
  std::vector<std::string> words;  ///< Its name as typed, and its arguments.
  /// Variables to add to the environment, so that the loader takes the interposer. What that is to do is the caller's
  /// to add (platform/interposer.hpp).
  std::vector<std::pair<std::string, std::string>> variables;
};

/// Looks at the program first. Throws failure with one sentence: (usage) if there is no command or no such program, (cannot)
/// if its locks cannot be replaced or the interposer is not there. `example` is what the user might have typed:
/// "with needs a command: EXAMPLE". `library` is an interposer with a lock of the user's own in it; empty: the usual one.
[[nodiscard]] preloaded prepare_preloaded(const std::vector<std::string>& words, const std::string& verb,
                                          const std::string& example, const std::string& library = {});

/// Throws failure (cannot) if an emulator runs this program, and so the command: how long its locks are waited for would be the
/// emulator's.
void refuse_to_measure_under_an_emulator(const std::string& verb);

/// Locks of the catalog, which the interposer can put in the place of the program's.
[[nodiscard]] std::vector<std::string> names_of_own_locks();
/// The locks whose waiters give their processor away, at once or after a while.
[[nodiscard]] std::vector<std::string> names_of_yielding_locks();

/// Throws failure (usage) if the lock is none of these.
void demand_lock(const std::string& lock, const std::vector<std::string>& known);

/// What the recorder in front of a command is to do, as it is typed.
struct recorder_options {
  std::string every;            ///< Looked at is one acquisition in so many; empty: the usual number.
  std::string lock = "native";  ///< What serves the mutexes: the C library, or a lock of the catalog.

  /// Throws failure (usage) if that is no such number.
  [[nodiscard]] unsigned samples_one_in() const;
};

/// --every and --lock.
void declare_recorder(terminal::options& its, recorder_options& typed);
/// Throws failure (usage) if there is no such lock.
void demand_lock(const recorder_options& options);
/// Has the command recorded, by files in this folder.
void record_locks(preloaded& command, const recorder_options& options, const std::string& folder);

}  // namespace synchro::interpose

#endif
