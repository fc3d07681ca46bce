// The clock that experiments read: the processor's invariant counter where it can be trusted.

#ifndef SYNCHRO_PLATFORM_CLOCK_HPP
#define SYNCHRO_PLATFORM_CLOCK_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace synchro::platform {

/// What was found out about the clock. Times in nanoseconds.
struct clock_facts {
  std::string source;      ///< "tsc", "cntvct" or "CLOCK_MONOTONIC_RAW".
  double hz;               ///< Ticks a second.
  double calibration_ppm;  ///< Spread between repeated calibrations.
  double resolution_ns;    ///< The step in which it advances, which may be many ticks.
  double read_cost_ns;     ///< One ordered reading's.
  bool invariant;
  std::optional<double> cross_cpu_offset_ns;  ///< Largest offset between two processors that cannot be excluded.
  std::string offset_unknown = {};            ///< Why that is not known, if it is not.
  std::vector<std::string> warnings = {};     ///< Plain sentences, e.g. why the counter is not used.
};

/// Ordered readings: everything before the stamp has completed, nothing after it has begun (fences around the counter
/// where the processor needs them). Unit: ticks of the calibrated clock.
class tick_clock {
 public:
  /// Calibrates (about 50 ms) and cross-checks the clock between these processors (on a big machine between the first
  /// and sixteen spread over the list), by threads of its own. Once per process is enough; a clock got earlier stays
  /// valid. If the counter cannot be trusted, times come from the system's clock and a warning says why.
  static const tick_clock& calibrate(const std::vector<unsigned>& cpus);
  /// The clock calibrated before; calibrates on the present processor alone if none was.
  static const tick_clock& get();
  /// The clock as another process of this machine has calibrated it: of the facts, the source and the rate are looked at.
  static const tick_clock& adopt(const clock_facts& calibrated);

  [[nodiscard]] const clock_facts& facts() const noexcept { return facts_; }
  [[nodiscard]] double to_ns(std::uint64_t ticks) const noexcept { return static_cast<double>(ticks) * ns_per_tick_; }
  [[nodiscard]] std::uint64_t from_ns(double ns) const noexcept {
    return static_cast<std::uint64_t>(ns / ns_per_tick_);
  }

  /// An ordered stamp. Inline and branch-predictable: part of every measured interval.
  [[nodiscard]] std::uint64_t now() const noexcept;

 private:
  tick_clock() = default;
  static const tick_clock& keep(const tick_clock& clock);
  void use_counter(double hz, double spread_ppm);
  void settle();

  clock_facts facts_{};
  double ns_per_tick_ = 1;
  bool counter_ = false;
};

/// Core cycles: a loop of dependent additions, one a cycle on every processor of the field, tells the core clock.
/// Hertz, measured now (about 1 ms); also the spin-speed proxy of the noise evidence.
[[nodiscard]] double core_hz();

/// How many additions that do not wait for each other the core does in the time of one, measured now (about 0.1 ms): fewer
/// while something else uses its other hardware threads, even another virtual machine of which nothing here tells.
[[nodiscard]] double additions_at_once();

}  // namespace synchro::platform

#include "platform/clock_inline.hpp"  // now()

#endif
