// What the recorder in the interposer (src/preload) writes and `synchroscope profile` and `top` read: one file for each
// process.
//
// The file is the recorder's memory, mapped: nothing is lost by a process that is killed, becomes another program, or ends
// without a word. Its areas have fixed places; each is allocated piece by piece as it is filled, so a file is as large as
// what was seen, and at most `bytes`. What does not fit is counted.
//
//   header | modules | stacks | orders | spans | paths | threads | pairs | locks
//
// A process that has given up root's rights can make no file in root's folder. So a file that root's process makes has room for further
// parts of this form: a child of a fork that can make no file takes the next.
//
// Numbers of locks and stacks begin at 1. Fields that threads write at the same time are atomic; a reader of a file that is
// still written sees some counts a little older than others.

#ifndef SYNCHRO_PLATFORM_LOCK_RECORDING_HPP
#define SYNCHRO_PLATFORM_LOCK_RECORDING_HPP

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace synchro::platform::lock_recording {

inline constexpr std::uint64_t magic = 0x37'4B'43'4F'4C'4E'59'53;  // "SYNLOCK7"

inline constexpr std::size_t most_modules = 512;
inline constexpr std::size_t most_stacks = 8192;
inline constexpr std::size_t most_orders = 65536;
inline constexpr std::size_t most_spans = 65536;
inline constexpr std::size_t most_paths = 8192;
inline constexpr std::size_t most_threads = 4096;
inline constexpr std::size_t most_pairs = 16384;
inline constexpr std::size_t most_locks = 65534;
inline constexpr std::size_t most_parts = 64;

struct header {
  std::uint64_t magic;
  std::uint32_t pid, parent;
  std::uint32_t every;  ///< One acquisition in so many was sampled, on average.
  std::uint32_t modules;
  std::atomic<std::uint32_t> stacks, orders, spans, paths, locks;
  std::atomic<std::uint32_t> threads;  ///< That locked something.
  std::atomic<std::uint32_t> heirs;    ///< In the first part: who asked for another, whether or not there was one.
  std::uint32_t clock;                 ///< ns that two readings of the clock are apart at least.
  std::uint64_t begun;                 ///< ns, of the monotonic clock, as all moments here.
  std::atomic<std::uint64_t> ended;    ///< 0: it did not come to its end, or has not yet.
  // What did not fit.
  std::atomic<std::uint64_t> lost_samples;  ///< Samples of locks beyond the most.
  std::atomic<std::uint64_t> lost_spans;
  std::atomic<std::uint64_t>
      lost_orders;  ///< Orders and pairs beyond the most, and locks held by one thread beyond 16.
  std::atomic<std::uint64_t> lost_path_ns;  ///< Waits on paths beyond the most.
  char program[256];
};

/// An object in memory: the program or a library.
struct module {
  std::uint64_t from, to;  ///< Addresses.
  std::uint64_t bias;      ///< What was added to the addresses in its file.
  char path[488];
};

/// Addresses to which calls return, innermost first.
struct stack {
  static constexpr std::size_t most = 16;
  std::uint32_t depth, unused;
  std::uint64_t calls[most];
};

/// One lock was waited for while another was held.
struct order {
  std::uint16_t held, next;  ///< Numbers of locks.
  std::uint32_t stack;       ///< Where it was first seen.
  std::uint32_t thread;      ///< As the system knows it.
};

/// A sampled acquisition.
struct span {
  std::uint64_t wait, hold;  ///< ns
  std::uint32_t thread;
  std::uint32_t lock;
  std::atomic<std::uint64_t> from;  ///< When it was asked for. 0: not written yet.
};

/// Where a lock was waited for, if that is asked for. Waits of `every` ns (paths_every) and more are all here; of shorter ones
/// those that a point of their common time falls into, one in `every` ns, and each point stands for so many ns.
struct path {
  std::uint32_t lock, stack;         ///< Numbers.
  std::atomic<std::uint64_t> waits;  ///< As many as there were, or as those that are here stand for.
  std::atomic<std::uint64_t> ns;
};
inline constexpr std::uint64_t paths_every = 50'000;  // ns
/// What a thread did from its first acquisition on, as it stood when its processor time was read last: with a sample, a
/// millisecond after the time before or later.
struct thread {
  std::uint32_t thread, unused;                      ///< As the system knows it.
  std::uint64_t begun;                               ///< When it first took a lock;
  std::uint64_t worked_before;                       ///< ns it had been on a processor by then.
  std::atomic<std::uint64_t> seen, worked, samples;  ///< When that was; as above; samples by then;
  std::atomic<std::uint64_t> condition_ns;           ///< waits for conditions that had ended.
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};
  std::uint64_t queued_before;        ///< ns that it could have run, and waited for a processor: by its begin;
  std::atomic<std::uint64_t> queued;  ///< by the moment `seen`, or `unknown`. Less by 1/256 of its life at most.
};

/// Two locks, in a place of an open table: both numbers, 0 if there is nothing in it.
struct pair {
  std::atomic<std::uint32_t> both;     ///< The first one's number in the upper half.
  std::atomic<std::uint32_t> follows;  ///< So often, after a sample of the first, the thread took the second next.
  std::atomic<std::uint32_t>
      inside;                        ///< Samples of the second, taken while the first was the last that was still held.
  std::atomic<std::uint32_t> tried;  ///< The same, of those that the thread would not have waited for.
};

/// How often something took how long: [2^i, 2^(i+1)) ns; the first also holds 0, the last all that is longer.
struct histogram {
  static constexpr std::size_t buckets = 40;
  std::atomic<std::uint32_t> counts[buckets];

  static constexpr std::size_t bucket_of(std::uint64_t ns) noexcept {
    const auto width = static_cast<std::size_t>(std::bit_width(ns | 1)) - 1;
    return width < buckets ? width : buckets - 1;
  }
};

/// What a record is about. A readers-writers lock has two, one after the other: of those who write, and of those who read.
enum class sort : std::uint16_t { mutex, spin, writing, reading };

/// A wait from here on is counted whether its acquisition is a sample or not: of those that matter most there may be few.
inline constexpr std::size_t long_bucket = 10;
inline constexpr std::uint64_t long_wait = std::uint64_t{1} << long_bucket;  // ns

/// Counts of sampled acquisitions, except for long waits and waits for conditions, which are all counted.
struct lock {
  static constexpr std::uint32_t most_threads = 256;

  std::uint64_t address;
  std::uint32_t made_at;      ///< Number of the stack of its initialisation or first use; 0: unknown.
  std::uint16_t initialised;  ///< 1: by a call; 0: found at its first use.
  sort what;
  std::atomic<std::uint64_t> samples, contended;
  std::atomic<std::uint64_t> hand_offs;  ///< From another thread than the last holder;
  std::atomic<std::uint64_t> across;     ///< of those, from a processor with which no last-level cache is shared.
  std::atomic<std::uint64_t> wait_ns;    ///< Of contended ones that are not long,
  std::atomic<std::uint64_t> long_ns;    ///< and of all that are.
  std::atomic<std::uint64_t> holds, hold_ns;
  /// From a sample's end to what its thread took next, where it held nothing in between.
  std::atomic<std::uint64_t> gaps, gap_ns;
  std::atomic<std::uint64_t> condition_waits, condition_ns;
  std::atomic<std::uint32_t> waiting;   ///< Sampled acquisitions that wait at this moment.
  std::atomic<std::uint32_t> taken_at;  ///< Number of the stack of the last sample, if that is asked for; 0: unknown.
  std::atomic<std::uint64_t>
      threads[most_threads / 64];  ///< A bit for each of the first threads; the last for all others.
  histogram wait, hold, gap;
};

template <class T, std::size_t Most, std::size_t At>
struct area {
  static constexpr std::size_t at = At, most = Most;
  static constexpr std::size_t end = (At + Most * sizeof(T) + 4095) / 4096 * 4096;
};
using modules = area<module, most_modules, 4096>;
using stacks = area<stack, most_stacks, modules::end>;
using orders = area<order, most_orders, stacks::end>;
using spans = area<span, most_spans, orders::end>;
using paths = area<path, most_paths, spans::end>;
using threads = area<thread, most_threads, paths::end>;
using pairs = area<pair, most_pairs, threads::end>;
using locks = area<lock, most_locks, pairs::end>;
inline constexpr std::size_t bytes = locks::end;
static_assert(sizeof(header) <= 4096 && std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace synchro::platform::lock_recording

#endif
