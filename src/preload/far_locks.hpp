// Locks that do not fit into their objects, and which of them are needed yet.
//
// Problem. Nobody says when a std::mutex is no more: its destructor calls nothing. Its lock, a few hundred bytes, would stay for
// ever, and a program that makes a mutex for each of its jobs would grow by one lock a job.
//
// A lock is needed while its object holds its address. So all of them stand in a list, and whenever as many have come as were
// needed the last time, each object is looked at. One whose memory is gone, or holds something else, is no longer needed; twice
// in a row, for a thread may be at the end of its unlock yet. One that was destroyed by a call says so itself, and has the same
// two looks. One whose memory nobody has written over is kept: what is left is bounded by the memory that the program has had
// at once.

#ifndef SYNCHRO_PRELOAD_FAR_LOCKS_HPP
#define SYNCHRO_PRELOAD_FAR_LOCKS_HPP

#include <atomic>

#include "synchro/os.hpp"

namespace synchro::preload {

/// In front of a lock that is not in its object, on a line of its own.
struct alignas(cpu::cache_line) far_lock {
  far_lock(const void* place, void (*with)(far_lock*)) : home{place}, remove{with} {}

  std::atomic<const void*> home;  ///< Where its address stands; null: it was destroyed.
  void (*remove)(far_lock*);
  far_lock* next = nullptr;
  bool was_gone = false;
  std::atomic<bool> sign{false};  ///< Somebody holds it (holding.hpp).
};

/// Its address stands where it is at home. Removes others that are no longer needed.
void enter(far_lock& made) noexcept;

/// Whether there is memory at this address.
[[nodiscard]] bool is_mapped(const void* p) noexcept;

}  // namespace synchro::preload

#endif
