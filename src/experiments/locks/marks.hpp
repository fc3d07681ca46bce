// Where in its own bytes a lock shows that it is held: what makes one timed acquisition wait for the one before.
//
// Processors overlap what does not depend on each other: 128 acquisitions of independent locks, one after the other, take
// hardly longer than the few transfers that a core cannot have under way at the same time. So the address of the next
// lock is made to depend on a byte that lock() has changed. Such a byte is known only after the lock's line has come over
// and the read-modify-write is done; which bytes these are is found by trying, for locks of any library. Of a lock that
// keeps the words that it contends for outside of itself (one for each domain of the machine) only what it stores in the
// end can be waited for, so its transfers may still overlap.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_MARKS_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_MARKS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "experiments/locks/guarded_locks.hpp"

namespace synchro::experiments::locks {

class held_marks {
 public:
  /// Takes the lock, which is free, and releases it. In each word that changes one byte is a mark: a shorter look at what
  /// was just stored may be answered from the store, a longer one must wait.
  template <class Lock>
  static held_marks find(Lock& lock) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    grip<Lock> mine;
    mine.lock(lock), mine.unlock(lock);  // the first time may be special
    std::vector<unsigned char> before(sizeof(Lock));
    for (std::size_t i = 0; i < sizeof(Lock); ++i) before[i] = byte_of(&lock, i);
    mine.lock(lock);
    held_marks found;
    for (std::size_t i = 0; i < sizeof(Lock); ++i)
      if (byte_of(&lock, i) != before[i] && (found.places_.empty() || found.places_.back() / word != i / word))
        found.places_.push_back(i);
    mine.unlock(lock);
    return found;
  }

  [[nodiscard]] bool none() const noexcept { return places_.empty(); }

  /// Any value, but not before the thread that asks has the lock.
  [[nodiscard]] std::size_t read(const void* lock) const noexcept {
    std::size_t all = 0;
    for (const std::size_t i : places_) all |= byte_of(lock, i);
    return all;
  }

 private:
  static unsigned char byte_of(const void* object, std::size_t i) noexcept {
    return static_cast<const volatile unsigned char*>(object)[i];
  }

  std::vector<std::size_t> places_;
};

}  // namespace synchro::experiments::locks

#endif
