// The locks of a profile, those of one name together: they were made at one place of the program.

#ifndef SYNCHRO_PROFILE_GROUPS_HPP
#define SYNCHRO_PROFILE_GROUPS_HPP

#include <set>
#include <string>
#include <vector>

#include "profile/stored.hpp"

namespace synchro::profile {

/// All locks of one name in one process, both sides of readers-writers locks.
struct group {
  const stored_process* process = nullptr;
  std::string name;
  std::set<std::uint64_t> addresses;
  std::uint64_t acquisitions = 0, samples = 0, contended = 0, threads = 0, reads = 0;
  std::uint64_t holds = 0, hold_ns = 0;
  std::uint64_t wait_ns = 0, long_ns = 0;  ///< Of samples; of all waits that are long.
  std::uint64_t alone_ns = 0;              ///< Of hold_ns what one thread had to itself: not that of readers.
  std::vector<bucket> waits, longs;        ///< Of all its locks.

  void add(const stored_lock& l);
  /// ns, all waits together, those of samples times K.
  [[nodiscard]] std::uint64_t waited() const { return wait_ns * process->every + long_ns; }
};

/// Those that were sampled, that which was waited for longest first. They refer to `s`.
[[nodiscard]] std::vector<group> groups_of(const stored& s);

/// A name of a lock or program, fit for a sentence.
[[nodiscard]] std::string shown_name(const std::string& name);

}  // namespace synchro::profile

#endif
