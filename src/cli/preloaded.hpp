// What the commands that give a lock of ours to somebody else's program have in common.

#ifndef SYNCHRO_CLI_PRELOADED_HPP
#define SYNCHRO_CLI_PRELOADED_HPP

#include <string>
#include <vector>

namespace synchro::cli {

/// The locks that the interposer has, in the order of the catalog; or only those whose waiters sleep or give way.
[[nodiscard]] std::vector<std::string> names_of_own_locks(bool with_those_that_spin = true);

/// Where libsynchro-preload.so is. Throws failure (cannot).
[[nodiscard]] std::string interposer();

/// The file that a command's first word names, if its locks can be replaced. Throws failure (usage, cannot).
[[nodiscard]] std::string replaceable_program(const std::string& word);

}  // namespace synchro::cli

#endif
