// From a profile to what a program does with one of its locks.

#ifndef SYNCHRO_PROFILE_WORKLOAD_HPP
#define SYNCHRO_PROFILE_WORKLOAD_HPP

#include <string>

#include "profile/stored.hpp"

namespace synchro::profile {

/// The workload of one lock, or of all locks of its name: those that were made at one place are taken for one group, of which each
/// acquisition takes any. Each figure with the sentence where it is from.
struct lock_use {
  std::string name;     ///< Printable.
  std::string process;  ///< The program's, printable.
  std::uint64_t pid = 0;
  std::uint64_t threads = 1, locks = 1;
  double hold_ns = 0;    ///< The mean of a critical section.
  double gap_ns = 0;     ///< From a release to the same thread's next acquisition, the mean.
  double readers = 0;    ///< Share of the acquisitions that only read, 0 to 1.
  double waiting = 0;    ///< Share of its threads' time that they waited for it.
  double contended = 0;  ///< Share of the acquisitions.
  std::vector<std::string> sources;
};

/// The lock that was waited for longest; if none was, that which was acquired most often. Or that of this name; a part of
/// it will do if only one has it. Throws std::runtime_error with one sentence if there is no such lock, or not enough of it is known.
[[nodiscard]] lock_use use_of(const stored& s, const std::string& name = "");

}  // namespace synchro::profile

#endif
