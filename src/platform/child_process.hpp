// Doing something in a process of its own: what kills or stops that one leaves this one alone, and nothing of what it did to
// its memory is left.

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

/// What a child tells while it runs: one line, without its end.
using line_listener = std::function<void(const std::string&)>;

struct child_end {
  bool ran;  ///< False where the body was not run: this system copies no process, or `failure` says why not now.
  std::optional<std::string>
      failure;  ///< What ended the child before the end of its body: "signal 11 (Segmentation fault)".
};

/// Runs the body in a copy of this process, as long as it takes, and hears each line that it tells as soon as it is told; the
/// body goes on when the line was heard, so that only one of the two works. Once `interrupted` says so (it is asked when a
/// signal comes, and once a second), the child gets what Ctrl-C sends. A body that throws ends with an exit status.
[[nodiscard]] child_end hear_child(const std::function<void(const line_listener& tell)>& body,
                                   const line_listener& hear, const std::function<bool()>& interrupted);

}  // namespace synchro::platform

#endif
