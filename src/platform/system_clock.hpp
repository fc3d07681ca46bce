// What the operating system knows about time: its own steady clock, and whether it trusts the processor's counter.

#ifndef SYNCHRO_PLATFORM_SYSTEM_CLOCK_HPP
#define SYNCHRO_PLATFORM_SYSTEM_CLOCK_HPP

#include <cstdint>
#include <optional>
#include <string>

namespace synchro::platform {

/// The name of the system's steady clock that nobody adjusts, as in results.
[[nodiscard]] const char* system_clock_name() noexcept;
/// Its reading in nanoseconds.
[[nodiscard]] std::uint64_t system_clock_ns() noexcept;

/// What the system says about the processor's counter.
struct counter_opinion {
  std::optional<bool> steady;         ///< One rate, also in sleep; nothing if the system does not say.
  std::optional<std::string> reject;  ///< Why the system does not keep time by it, as the rest of a sentence.
  bool keeps_time = false;            ///< The system's own clock is this counter.
};
/// `root` is where the system's files are looked for.
[[nodiscard]] counter_opinion opinion_on_counter(const std::string& root = "/");

}  // namespace synchro::platform

#endif
