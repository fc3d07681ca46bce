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
  std::uint64_t wait_ns = 0, long_ns = 0;  ///< Samples' waits; all long waits.
  std::uint64_t alone_ns = 0;              ///< The part of hold_ns that one thread had to itself: not readers'.
  std::vector<bucket> waits, longs;        ///< All its locks'.

  void add(const stored_lock& l);
  /// ns, all waits together, those of samples times K.
  [[nodiscard]] std::uint64_t waited() const { return wait_ns * process->every + long_ns; }
};

/// The groups that were sampled, the one that was waited for longest first. They refer to `s`.
[[nodiscard]] std::vector<group> groups_of(const stored& s);

/// A name of a lock or program, fit for a sentence.
[[nodiscard]] std::string shown_name(const std::string& name);

}  // namespace synchro::profile

#endif
