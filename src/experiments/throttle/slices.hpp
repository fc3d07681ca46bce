// How much work is enough: the scheduler's time slice, and what a part takes alone.

#ifndef SYNCHRO_EXPERIMENTS_THROTTLE_SLICES_HPP
#define SYNCHRO_EXPERIMENTS_THROTTLE_SLICES_HPP

#include <cstdint>
#include <optional>

#include "experiments/throttle/parts.hpp"

namespace synchro::experiments::throttle {

/// How long a thread runs, ns, before another one that wants the same processor has its turn: two threads that compute
/// on `cpu`, the longest of three tries of 60 ms, for others who want it, too, only shorten it. Nothing where the system does not count switches, or made none.
[[nodiscard]] std::optional<double> watch_slice(unsigned cpu);

/// What one pass over a part takes alone, ns: the shortest of many short tries, so that other programs on this processor
/// do not matter.
[[nodiscard]] double time_pass(const part& p);

/// `passes` rounded up to 1, 2, 3, 4, 6, 8, 12, ..., so that another run on this machine mostly does the same work.
[[nodiscard]] std::uint64_t round_number(double passes);

}  // namespace synchro::experiments::throttle

#endif
