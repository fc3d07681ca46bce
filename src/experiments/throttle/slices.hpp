// How much work is enough: the scheduler's time slice, and what a part takes alone.

#ifndef SYNCHRO_EXPERIMENTS_THROTTLE_SLICES_HPP
#define SYNCHRO_EXPERIMENTS_THROTTLE_SLICES_HPP

#include <cstdint>
#include <optional>

#include "experiments/throttle/parts.hpp"

namespace synchro::experiments::throttle {

/// The turns of a thread that looks at the clock all the time: where it did not for far longer than an interrupt takes, another
/// one had the processor.
class seen_turns {
 public:
  explicit seen_turns(double now_ns) : last_{now_ns} {}

  void look(double now_ns) {
    constexpr double long_ns = 0.5e6;
    const double since = now_ns - last_;
    last_ = now_ns;
    if (since < long_ns)
      had_ += since;
    else
      ++losses_;
  }

  [[nodiscard]] double had_ns() const { return had_; }
  [[nodiscard]] std::uint64_t losses() const { return losses_; }

 private:
  double last_, had_ = 0;
  std::uint64_t losses_ = 0;
};

/// How long a thread runs, ns, before another one that wants the same processor has its turn: two threads that compute
/// on `cpu`, the longest of three tries, for others who want it, too, only shorten it. A try lasts 60 ms, and longer until both
/// have lost the processor twice. By the system's count of switches, or where it has none by the clock. Nothing where there
/// were none.
[[nodiscard]] std::optional<double> watch_slice(unsigned cpu);

/// What one pass over a part takes alone, ns: the shortest of many short tries, so that other programs on this processor
/// do not matter.
[[nodiscard]] double time_pass(const part& p);

/// `passes` rounded up to 1, 2, 3, 4, 6, 8, 12, ..., so that another run on this machine mostly does the same work.
[[nodiscard]] std::uint64_t round_number(double passes);

}  // namespace synchro::experiments::throttle

#endif
