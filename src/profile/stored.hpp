// A profile's JSON document, read back: checked, and what advice needs of it as numbers.

#ifndef SYNCHRO_PROFILE_STORED_HPP
#define SYNCHRO_PROFILE_STORED_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace synchro::profile {

inline constexpr const char* format_name = "synchroscope-profile-1";

/// So many samples lasted from here on, less than twice as long.
struct bucket {
  std::uint64_t from_ns = 0, count = 0;
};

/// The counts of one lock, or of one side of a readers-writers lock. Times of samples, in ns.
struct stored_lock {
  std::string name;
  std::string variable;  ///< That it is in, if it is and the file told its name.
  std::uint64_t address = 0;
  std::string kind, side;  ///< As in the document; no side: empty.
  std::uint64_t acquisitions = 0, samples = 0, contended = 0, threads = 0;
  std::uint64_t holds = 0, hold_ns = 0, wait_ns = 0;
  std::uint64_t long_ns = 0;           ///< All long waits, not only samples'.
  std::uint64_t gaps = 0, gap_ns = 0;  ///< From a hold's end to what the thread took next.
  std::uint64_t condition_waits = 0, condition_ns = 0;
  std::vector<bucket> waits, longs, hold_times, gap_times;
};

/// A thread from its first acquisition to one of its last.
struct stored_thread {
  double seconds = 0, worked_seconds = 0;
  std::uint64_t samples = 0;
  double condition_seconds = 0;  ///< Waits for conditions.
  std::optional<double> queued_seconds =
      std::nullopt;  ///< It could have run, and waited for a processor. Earlier files do not know.
};

/// Counts of two places in stored_process::locks, as in the document.
struct stored_pair {
  std::size_t first = 0, second = 0;
  std::uint64_t follows = 0, inside = 0, tried = 0;
};

struct stored_process {
  std::uint64_t pid = 0;
  std::string program;
  std::optional<double> seconds;
  std::uint64_t threads = 0, every = 1;
  std::uint64_t lost_samples = 0;
  std::size_t cycles = 0;  ///< In the order of its locks.
  std::vector<stored_lock> locks;
  bool has_gaps = false;  ///< What follows, and what is between holds, is known: earlier files have none of it.
  std::uint64_t clock_ns = 0;
  std::vector<stored_thread> by_thread;
  std::vector<stored_pair> pairs;
};

struct stored {
  std::vector<std::string> command;
  std::string lock;  ///< What served the locks.
  std::vector<stored_process> processes;
};

/// Whether this says of itself that it is a profile, of whatever version.
[[nodiscard]] bool is_profile(const nlohmann::ordered_json& j);

/// Throws std::runtime_error with one sentence unless everything that docs/profile.md describes is there.
[[nodiscard]] stored read_stored(const nlohmann::ordered_json& j);

}  // namespace synchro::profile

#endif
