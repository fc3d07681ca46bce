// A program of the system, run for what it writes.

#ifndef SYNCHRO_PLATFORM_TOOL_HPP
#define SYNCHRO_PLATFORM_TOOL_HPP

#include <optional>
#include <string>
#include <vector>

namespace synchro::platform {

struct tool_outcome {
  bool well = false;   ///< It ended with status 0.
  std::string out;     ///< What it wrote to standard output,
  std::string errors;  ///< and to standard error.
};

/// Runs a program, found by its name as a shell would, with these arguments and this standard input, and waits for its end.
/// Nothing if there is no such program. Throws std::runtime_error with one sentence if the system refuses.
[[nodiscard]] std::optional<tool_outcome> run_tool(const std::string& name, const std::vector<std::string>& arguments,
                                                   const std::string& input);

}  // namespace synchro::platform

#endif
