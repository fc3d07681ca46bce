// What the lock experiments' cells have in common.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_LOCK_CELLS_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_LOCK_CELLS_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/locks/lock_table.hpp"

namespace synchro::experiments::locks {

/// A pause in core cycles: what a thread works after each release.
[[nodiscard]] std::uint64_t cycles_of(double pause_ns);

/// How long a repetition watches its team: 20, 50 or 100 ms, and long enough for each thread to have its processor
/// twice.
[[nodiscard]] double window_ns(const setting& s, const coordinates& at);

/// The task of a cell, by its coordinates `threads` and `placement`: team and window.
[[nodiscard]] contention_task task_of(const setting& s, const coordinates& at, std::uint64_t seed);

/// Seconds of one repetition. Threads that only spin, more than there are processors, take a while to come out.
[[nodiscard]] double contention_seconds(const setting& s, const coordinates& at);

/// What a cell must say of how it was bounded, if anything.
[[nodiscard]] std::optional<std::string> remark_on(const setting& s, const lock_bodies& lock,
                                                   const contention_task& task, const contention_result& r);

/// Whether the lock of this cell has its body on demand.
[[nodiscard]] bool needs_body(const coordinates& at);

}  // namespace synchro::experiments::locks

#endif
