// The period of the system's timer, by which it ends sleeps and slices: Windows lets programs ask for a shorter one.

#ifndef SYNCHRO_PLATFORM_TIMER_HPP
#define SYNCHRO_PLATFORM_TIMER_HPP

#include <optional>
#include <string>

namespace synchro::platform {

/// The calling thread sleeps about so long, by the finest timer that the system has for it. It may sleep longer, by
/// `oversleep_ns()` as a rule.
void sleep_about(double ns);
[[nodiscard]] double oversleep_ns();

/// Returns when `left()`, in ns, says that no time is left: sleeps by `sleep(ns)` as long as what that may take too long leaves
/// time, and watches the rest by `watch()`.
template <class Left, class Sleep, class Watch>
void let_pass(Left left, double too_long_ns, Sleep sleep, Watch watch) {
  for (double ns = left(); ns > 0; ns = left())
    if (ns > 2 * too_long_ns)
      sleep(ns - too_long_ns);
    else
      watch();
}

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
