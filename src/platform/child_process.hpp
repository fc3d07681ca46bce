// Trying something in a process of its own: what kills or stops that one leaves this one alone.

#ifndef SYNCHRO_PLATFORM_CHILD_PROCESS_HPP
#define SYNCHRO_PLATFORM_CHILD_PROCESS_HPP

#include <functional>
#include <optional>
#include <string>

namespace synchro::platform {

struct child_outcome {
  std::optional<std::string> failure;  ///< What it threw, what ended it, or that it did not come to an end.
  std::string said;                    ///< What the body returned.
};

/// Runs the body in a copy of this process and waits for it, for so many seconds at most. Of this process's threads only
/// the calling one is in the copy.
[[nodiscard]] child_outcome run_in_child(const std::function<std::string()>& body, double seconds);

}  // namespace synchro::platform

#endif
