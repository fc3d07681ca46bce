// How often a thread that is to work for a while looks at the clock: a reading costs as much as ten operations.

#ifndef SYNCHRO_MEASURE_BATCH_HPP
#define SYNCHRO_MEASURE_BATCH_HPP

#include <algorithm>
#include <cstdint>

namespace synchro::measure {

/// The operations between two looks: few at first, then as many as take about a span. Under contention an operation
/// costs a hundred times as much from one moment to the next, so a batch that took long is followed by a small one.
class batch {
 public:
  explicit batch(std::uint64_t span_ticks) : span_{std::max<std::uint64_t>(1, span_ticks)} {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  void took(std::uint64_t ticks) noexcept {
    if (ticks < span_)
      size_ = std::min(2 * size_, most);
    else if (ticks > 4 * span_)
      size_ = std::max<std::uint64_t>(1, size_ / (ticks / span_));
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 20;

  std::uint64_t span_;
  std::uint64_t size_ = 16;
};

}  // namespace synchro::measure

#endif
