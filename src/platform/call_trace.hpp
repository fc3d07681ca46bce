// Counting the system calls of a piece of code: it runs in a process of its own, which is traced.

#ifndef SYNCHRO_PLATFORM_CALL_TRACE_HPP
#define SYNCHRO_PLATFORM_CALL_TRACE_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace synchro::platform {

/// Calls are counted by sections, which the traced code says it enters. Section 0, where every thread begins, is not
/// counted.
struct call_trace {
  struct section {
    std::uint64_t entered = 0;
    std::map<std::string, std::uint64_t> calls;  ///< By the name of the call.
  };

  std::optional<std::string> failure;  ///< Why nothing is known, in one clause.
  std::map<unsigned, section> sections;
};

/// Runs the body in a copy of this process, for so many seconds at most. Of this process's threads only the calling one is
/// in the copy.
[[nodiscard]] call_trace trace_calls(const std::function<void()>& body, unsigned seconds);

/// In the traced process: from here on the calling thread is in this section.
void enter_section(unsigned section);

}  // namespace synchro::platform

#endif
