// The period of the system's timer, by which it ends sleeps and slices: Windows lets programs ask for a shorter one.

#ifndef SYNCHRO_PLATFORM_TIMER_HPP
#define SYNCHRO_PLATFORM_TIMER_HPP

#include <optional>
#include <string>

namespace synchro::platform {

/// Whether programs can ask this system for a period.
[[nodiscard]] bool takes_timer_periods();

/// Holds the timer to this period while it lives, in ms; 0 asks for nothing.
class timer_period {
 public:
  explicit timer_period(unsigned ms);
  ~timer_period();
  timer_period(const timer_period&) = delete;
  timer_period& operator=(const timer_period&) = delete;

  /// Why it was not granted, as a clause; nothing if it was.
  [[nodiscard]] const std::optional<std::string>& refusal() const noexcept { return refusal_; }

 private:
  unsigned ms_;
  std::optional<std::string> refusal_;
};

}  // namespace synchro::platform

#endif
