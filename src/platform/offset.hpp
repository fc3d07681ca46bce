// How far the clocks of two processors are apart, bounded by stamped messages between them.

#ifndef SYNCHRO_PLATFORM_OFFSET_HPP
#define SYNCHRO_PLATFORM_OFFSET_HPP

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace synchro::platform {

/// What is known of (second clock - first clock), in ticks. Empty (low > high) if no constant offset explains the
/// stamps.
struct offset_bounds {
  std::int64_t low;
  std::int64_t high;
  bool operator==(const offset_bounds&) const = default;

  [[nodiscard]] bool possible() const noexcept { return low <= high; }
  /// The clocks may agree.
  [[nodiscard]] bool includes_zero() const noexcept { return low <= 0 && 0 <= high; }
  /// How much they leave open.
  [[nodiscard]] std::uint64_t width() const noexcept { return possible() ? static_cast<std::uint64_t>(high - low) : 0; }
  /// The largest offset that cannot be excluded.
  [[nodiscard]] std::uint64_t largest() const noexcept;
};

/// A message leaves the first processor at `sent`, is stamped by the second, and is back at `received`: on one true
/// time line the stamp lies between the two, which bounds the offset. Many exchanges, each leaving less room.
struct stamped_exchange {
  std::uint64_t sent;
  std::uint64_t stamped;
  std::uint64_t received;
};
[[nodiscard]] offset_bounds bounds_of(const std::vector<stamped_exchange>& exchanges);

/// Exchanges between two threads of their own, pinned to these processors; a millisecond if nothing else runs there. Nothing if the threads
/// cannot be started or pinned, or do not run at the same time.
[[nodiscard]] std::optional<offset_bounds> measure_offset(unsigned first, unsigned second,
                                                          const std::function<std::uint64_t()>& now);

/// What repeated measurements of one pair came to: bounds narrow enough to mean something, or why there are none.
struct offset_estimate {
  std::optional<offset_bounds> bounds = {};
  std::string doubt = {};  ///< "their messages took 8.3 ms at least", as a part of a sentence.
};
/// Measures until the bounds are at most `widest` ticks apart, some times at most. Where other programs hold one of the
/// processors, a message takes as long as its receiver sleeps, which bounds nothing. `hz`: ticks a second.
[[nodiscard]] offset_estimate estimate_offset(const std::function<std::optional<offset_bounds>()>& measure,
                                              std::uint64_t widest, double hz);

/// The pairs to compare: all of them if they are few, else the first processor with others evenly spread.
[[nodiscard]] std::vector<std::pair<unsigned, unsigned>> pairs_to_compare(const std::vector<unsigned>& cpus);

}  // namespace synchro::platform

#endif
