// A thread as the recorder sees it: what it holds, when its next sample is due; and what a sample leaves in the recording.

#ifndef SYNCHRO_PRELOAD_RECORDED_THREAD_HPP
#define SYNCHRO_PRELOAD_RECORDED_THREAD_HPP

#include <atomic>
#include <cstdint>

#include "preload/recording.hpp"

namespace synchro::preload {

using recording::number;

struct held_lock {
  const void* object;
  std::uint32_t depth;  // a recursive one, or one that is read, may be held several times
  number lock;          // of a readers-writers lock: that of its writers, or of its readers
  number whole;         // the same whoever holds it
  std::uint64_t since;  // of a sample; 0: none
  std::uint64_t asked;
};

/// Only what the thread itself uses: nothing of it is needed when it is gone.
struct per_thread {
  static constexpr unsigned most_held = 16, most_orders = 64;

  std::uint32_t left = 1;       // acquisitions until the next sample
  std::uint32_t random = 0;     // 0: this thread has done nothing yet
  std::uint32_t path_left = 0;  // ns to be waited until the next point of a path
  std::uint32_t later =
      0;  // what `left` was before it was put off, for a gap is timed: its end is the next acquisition
  std::uint64_t released = 0;  // when the gap began; 0: none is timed
  std::uint64_t samples = 0, condition_ns = 0;
  std::uint64_t off = 0;  // ns off the processors, by when it was last asked how many of them it waited for one
  recording::layout::thread* record = nullptr;
  recording::number after = 0;  // which was given back then
  std::uint16_t number = 0;
  bool busy = false;  // in the recorder: what that locks is not looked at
  std::uint8_t count = 0;
  held_lock held[most_held]{};
  std::uint32_t orders[most_orders]{};  // pairs of locks that were noted
};
extern thread_local constinit per_thread mine;

/// One acquisition in so many on average. What it is: at least 1, at most 2^20.
unsigned sample_every(unsigned k) noexcept;

/// The first acquisition of the thread: it gets a number, and the first step to a sample.
void join(per_thread& t) noexcept;

/// How many acquisitions on is the next sample?
[[nodiscard]] std::uint32_t next_step(per_thread& t) noexcept;

/// Of a fork there is one thread, which joins again; what it holds it goes on to hold.
void forget_other_threads() noexcept;

struct sample {
  std::uint64_t asked = 0, got = 0;  // if it is contended
  bool contended = false;
};

/// `last` held it before; 0 if that is not known.
void note(per_thread& t, number lock, std::uint16_t last, const sample& s) noexcept;
/// It was waited for so long, by a sample or not.
void note_wait(number lock, std::uint64_t ns) noexcept;
/// Where that was.
void note_path(per_thread& t, number lock, std::uint64_t ns) noexcept;
/// That this thread takes it.
void note_thread(const per_thread& t, number lock) noexcept;
/// Where the thread is, which has just taken it.
void note_caller(per_thread& t, number lock) noexcept;
/// If it is a sample: its hold has ended.
void note_hold(held_lock& h, std::uint64_t until) noexcept;

/// A sample of this lock has been given back, and nothing is held.
void begin_gap(per_thread& t, number lock) noexcept;
/// What is acquired now; 0 if that is not entered yet.
void end_gap(per_thread& t, number next) noexcept;
/// A sample of `lock` was taken while `held` was; it was only tried, or would have been waited for.
void note_inside(number held, number lock, bool tried) noexcept;

/// Nothing if the thread does not hold it.
[[nodiscard]] held_lock* find(per_thread& t, const void* object) noexcept;

template <class T>
void add(std::atomic<T>& to, T n) noexcept {
  to.fetch_add(n, std::memory_order_relaxed);
}

}  // namespace synchro::preload

#endif
