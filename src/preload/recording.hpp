// The recorder's memory: a file of its own, mapped (platform/lock_recording.hpp says what is in it).
//
// What is rare is done here, behind one lock: to enter an object, a call stack, an order of two locks. Nothing here asks the
// program's malloc for anything or locks one of its mutexes. To find the modules in memory, and to unwind the stack, the
// loader's list is read under a lock that it holds only while it changes that list, and not while constructors run.

#ifndef SYNCHRO_PRELOAD_RECORDING_HPP
#define SYNCHRO_PRELOAD_RECORDING_HPP

#include <cstdint>

#include "platform/lock_recording.hpp"

namespace synchro::preload::recording {

namespace layout = platform::lock_recording;

using number = std::uint16_t;

/// Of a lock that the file has no room for.
inline constexpr number beyond = 0xFFFF;

/// What is recorded beside counts.
struct extent {
  unsigned every = 1;    ///< One acquisition in so many is looked at.
  bool callers = false;  ///< Who takes a lock, with each sample.
  bool paths = false;    ///< Where waits were.
};

/// Begins a file in this folder. False if there can be none: then nothing is to be recorded.
[[nodiscard]] bool open(const char* folder, const extent& asked) noexcept;
[[nodiscard]] bool records_callers() noexcept;
[[nodiscard]] bool records_paths() noexcept;

/// In the child of a fork: the locks that are known, with nothing counted, in a file of its own or a further part of its
/// parent's. False as above.
[[nodiscard]] bool open_again() noexcept;

[[nodiscard]] layout::header& head() noexcept;
/// Not of 0 or `beyond`.
[[nodiscard]] layout::lock& at(number lock) noexcept;
/// Whether it is one: a word in an object that another process shares may be from there.
[[nodiscard]] bool is_lock(number lock) noexcept;

/// The number of the object at this address, made where the caller was called from; `beyond` if there is no room. Of
/// `sort::writing` the next number is of those who read.
[[nodiscard]] number enter(const void* address, bool initialised, layout::sort what) noexcept;

/// The number of the stack of its innermost calls here: few, for this is done with each sample. 0 if there is no room.
[[nodiscard]] std::uint32_t enter_callers() noexcept;

/// `next` is waited for by a thread that holds `held`.
void note_order(number held, number next, std::uint32_t thread) noexcept;

/// The thread, where it is, has waited for the lock: `waits` times, `ns` together.
void note_path(number lock, std::uint64_t waits, std::uint64_t ns) noexcept;
/// The record of the thread that has this number here; nullptr if there is no room.
[[nodiscard]] layout::thread* enter_thread(std::uint32_t n) noexcept;

/// The counts of two locks; nullptr if there is no room.
[[nodiscard]] layout::pair* pair_of(number first, number second) noexcept;

void note_span(number lock, std::uint32_t thread, std::uint64_t from, std::uint64_t wait, std::uint64_t hold) noexcept;

/// ns that the calling thread has been on a processor.
[[nodiscard]] std::uint64_t worked() noexcept;

/// ns that it could have run, and waited for a processor; layout::thread::unknown where the system does not tell. Takes
/// microseconds.
[[nodiscard]] std::uint64_t queued() noexcept;

/// ns, of the monotonic clock.
[[nodiscard]] std::uint64_t now() noexcept;

}  // namespace synchro::preload::recording

#endif
