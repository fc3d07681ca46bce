// Somebody else's program: where it is, what keeps a library from being loaded into it, and how to become it.

#ifndef SYNCHRO_PLATFORM_EXECUTABLE_HPP
#define SYNCHRO_PLATFORM_EXECUTABLE_HPP

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace synchro::platform {

/// The file that a shell would run for this word; nothing if there is none, or none that may be run.
[[nodiscard]] std::optional<std::string> find_executable(const std::string& word);

/// Why a library that is loaded before all others cannot stand in front of `function` in this program, as the end of a
/// sentence about it: it is static, is started with another user's rights, is for another processor, has a `function` of
/// its own. For a script, its interpreter decides. Nothing if no reason is seen.
[[nodiscard]] std::optional<std::string> preload_unavailable(const std::string& path, const std::string& function);

/// A file beside this program, or in one of these folders relative to it.
[[nodiscard]] std::optional<std::string> beside_this_program(const std::string& file,
                                                             const std::vector<std::string>& folders);

/// The name of the file of a program that is called so.
[[nodiscard]] std::string program_file(const std::string& name);

/// The value of a variable of the environment.
[[nodiscard]] std::optional<std::string> environment_variable(const std::string& name);

/// Becomes this program, with these variables in the environment besides. Signals do what they do in a new process. (Where a
/// system cannot do that, the program is run, and this process ends when it has, with its status.) Returns only if that
/// fails: why.
[[nodiscard]] std::string become(const std::string& path, const std::vector<std::string>& words,
                                 const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace synchro::platform

#endif
