// From a profile to a closed system: threads that are all alike, each of which works, takes a lock, holds it, gives it back,
// and begins again. docs/predict.md says what is assumed, and which programs are none.

#ifndef SYNCHRO_PROFILE_CLOSED_SYSTEM_HPP
#define SYNCHRO_PROFILE_CLOSED_SYSTEM_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/stored.hpp"
#include "profile/times.hpp"

namespace synchro::profile {

/// Locks of one name, of which an acquisition takes one.
struct lock_kind {
  std::string name;            ///< Printable.
  std::vector<double> shares;  ///< Each lock's share of its acquisitions.
  bool own = false;            ///< Each thread has such locks for itself: no two were seen with the same one.
  double acquisitions = 0;     ///< A second, of all threads, as recorded.
  times hold;                  ///< Without what is taken meanwhile.
  times gap;                   ///< After it, until the thread takes the next.
  think_time hold_think;       ///< Besides.
  think_time gap_think;
  std::vector<double> next;    ///< How likely each kind is taken next; none where it is not known.
  std::vector<double> inside;  ///< How often each kind is taken while this is held, in the mean.
};

struct closed_system {
  std::string program;  ///< Printable.
  std::uint64_t pid = 0;
  std::uint64_t threads = 1;    ///< That were alike.
  double on = 1;                ///< The share of holds and gaps, without think time, that is left: on the processors.
  std::optional<double> think;  ///< The share of the time beside waits for locks that was think time, if that is known.
  double rounds = 0;            ///< Acquisitions a second while nothing else was held, of all threads.
  std::vector<lock_kind> kinds;
  std::vector<double> first;            ///< How likely each kind is taken while nothing else is held.
  std::vector<std::string> simplified;  ///< Sentences: what was left out or taken for something else.

  /// Mean ns that a thread takes for a round, alone: the hold, what is taken meanwhile, and the gap.
  [[nodiscard]] double round_ns() const;
  /// What of that is think time.
  [[nodiscard]] double think_ns() const;
  /// How many think times are in a round, in the mean.
  [[nodiscard]] double thinks() const;
  /// The mean ns of a hold of each kind, with what is taken meanwhile.
  [[nodiscard]] std::vector<double> whole_holds() const;
  /// How often each kind is taken in a round, in the mean.
  [[nodiscard]] std::vector<double> holds_in_a_round() const;
};

/// The system of the process that took most locks. Throws std::runtime_error with one sentence if the program is no such system, or not
/// enough of it is known.
[[nodiscard]] closed_system closed_system_of(const stored& s);

/// Throws std::runtime_error with one sentence if holds of the one with more threads, or its think time in a round, last
/// longer: more than half as long again.
void demand_same_times(const closed_system& a, const closed_system& b);

}  // namespace synchro::profile

#endif
