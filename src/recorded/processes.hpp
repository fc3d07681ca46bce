// What was recorded of a program's locks (platform/lock_recording.hpp), read: with the names of functions and objects.

#ifndef SYNCHRO_RECORDED_PROCESSES_HPP
#define SYNCHRO_RECORDED_PROCESSES_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/lock_recording.hpp"

namespace synchro::recorded {

/// An address in a program or library.
struct code_location {
  std::string module;  ///< Its path; empty if the address is in none (heap, stack, made at run time).
  std::uint64_t offset =
      0;                   ///< As in the module's file, so that addr2line and objdump know it; else the address itself.
  std::string symbol;      ///< Function or object; empty if the file does not tell.
  std::uint64_t into = 0;  ///< Bytes from its begin.
  std::uint64_t size = 0;  ///< Bytes of it all; 0 if the file does not tell.
  std::uint64_t step = 0;  ///< Bytes of an element of an array of locks; 0 if it is none, or is not known to be one.
};

/// "symbol", "symbol+0x10", "symbol[6]", "module+0x1234" or "0x1234"; the module without its folder.
[[nodiscard]] std::string text_of(const code_location& p);

using histogram = std::array<std::uint32_t, platform::lock_recording::histogram::buckets>;

/// Counts of samples; of all acquisitions there were about `process::every` times as many. Times are those of samples. Long waits
/// are apart, for they are all counted.
struct lock {
  std::uint64_t address = 0;
  platform::lock_recording::sort what{};
  code_location object;
  bool initialised = false;            ///< A call did it. Else it was found at its first use.
  std::vector<code_location> made_at;  ///< The calls that led there, innermost first.
  std::uint64_t samples = 0, contended = 0, hand_offs = 0, across = 0, holds = 0;
  std::uint64_t wait_ns = 0, hold_ns = 0;
  std::uint64_t long_ns = 0;
  std::uint64_t gaps = 0, gap_ns = 0;                   ///< To what the thread took next, with nothing held in between.
  std::uint64_t condition_waits = 0, condition_ns = 0;  ///< All, not samples.
  unsigned threads = 0;
  bool more_threads = false;  ///< Than can be told apart.
  histogram wait{}, long_wait{}, hold{}, gap{};

  /// The object's name, or where one without a name was made: "made at worker()+0x1c".
  [[nodiscard]] std::string name() const;
  /// The bytes that it takes at least, in a program for this processor.
  [[nodiscard]] std::uint64_t least_bytes() const;
  /// "mutex", "spinlock" or "rwlock"; of the last "writing" or "reading", else nothing.
  [[nodiscard]] const char* kind() const;
  [[nodiscard]] const char* side() const;
};

/// What the samples say of all acquisitions, one in so many of which was looked at. Two standard deviations to each side.
struct estimate {
  double value = 0, scatter = 0;
  double seen = 0;  ///< It is not less than that.

  [[nodiscard]] double low() const { return std::max(seen, value - scatter); }
  [[nodiscard]] double high() const { return value + scatter; }
};
[[nodiscard]] estimate acquisitions_of(const lock& l, unsigned every);
[[nodiscard]] estimate wait_of(const lock& l, unsigned every);  ///< ns, all waits together
[[nodiscard]] estimate hold_of(const lock& l, unsigned every);
/// Whether it was taken or waited for at all, as far as was seen.
[[nodiscard]] bool has_counts(const lock& l);
/// Most of its waits are an estimate from few samples.
[[nodiscard]] bool hardly_waited(const lock& l, unsigned every);
/// How long so many of a hundred waits took at most, long ones among them.
[[nodiscard]] std::optional<double> wait_percentile(const lock& l, unsigned every, double percent);

/// `next` was waited for while `held` was held.
struct order {
  std::size_t held = 0, next = 0;  ///< Places in process::locks.
  std::uint32_t thread = 0;
  std::vector<code_location> calls;  ///< Where, the first time.
};

/// A thread from its first acquisition to one of its last.
struct thread {
  std::uint32_t thread = 0;  ///< As the system knows it.
  std::uint64_t ns = 0, worked_ns = 0, samples = 0, condition_ns = 0;
  std::optional<std::uint64_t>
      queued_ns;  ///< It could have run, and waited for a processor; nothing if the system did not tell.
};

/// For two places in process::locks: how often the thread took `second` after a sample of `first`, with nothing held in between;
/// samples of `second` while `first` was the last that it still held, those that were only tried apart.
struct pair {
  std::size_t first = 0, second = 0;
  std::uint64_t follows = 0, inside = 0, tried = 0;
};

struct span {
  std::uint64_t from = 0, wait = 0, hold = 0;  ///< ns; from the clock's own begin.
  std::uint32_t thread = 0;
  std::size_t lock = 0;
};

/// Where a lock was waited for (platform::lock_recording::path).
struct path {
  std::size_t lock = 0;              ///< A place in process::locks.
  std::vector<code_location> calls;  ///< Innermost first; none if they are not known.
  std::uint64_t waits = 0, ns = 0;
};

struct process {
  std::uint32_t pid = 0, parent = 0;
  std::string program;  ///< Its name and arguments, as far as they were kept.
  unsigned every = 1;
  std::uint64_t clock_ns = 0;  ///< That two readings of the clock are apart at least.
  std::uint64_t begun = 0;
  std::optional<double>
      seconds;  ///< From begin to end; nothing of one that was killed, went on, or became another program.
  std::uint64_t threads = 0;  ///< That locked something.
  std::uint64_t lost_samples = 0, lost_spans = 0, lost_orders = 0;
  std::uint64_t lost_path_ns = 0;   ///< All waits whose paths were not kept.
  std::uint64_t lost_children = 0;  ///< Children of a fork that could not write; also of children's children.
  std::vector<lock> locks;
  std::vector<order> orders;
  std::vector<span> spans;
  std::vector<path> paths;  ///< If they were asked for.
  std::vector<thread> by_thread;
  std::vector<pair> pairs;
};

/// What is recorded in the files of this folder that are this user's own, the earliest process first.
/// Throws std::runtime_error with one sentence if the folder cannot be read.
[[nodiscard]] std::vector<process> read_recordings(const std::string& folder);

/// Finds the arrays among objects that hold three of the locks or more, so that `bank+0x120` is `bank[6]`. No file tells what is one; but
/// where locks stand at multiples of a step that divides the object, and half of that step holds no lock, an array is likely. What was
/// found of fewer of the locks is forgotten.
void find_arrays(std::vector<lock>& locks);

/// Lock-order cycles: orders, each of which begins where the one before ends. Two threads that take them so at
/// the same time wait for each other for ever. Every lock of a cycle differs; at most `most` cycles.
[[nodiscard]] std::vector<std::vector<order>> cycles(const process& p, std::size_t most = 32);

/// How long so many of a hundred took at most, in ns, to within the width of a bucket (a factor of two).
[[nodiscard]] std::optional<double> percentile(const histogram& h, double percent);

}  // namespace synchro::recorded

#endif
