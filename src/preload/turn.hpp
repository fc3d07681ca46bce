// One thread after the other, at what this library keeps for itself.
//
// A signal handler may ask on top of a thread that has its turn. It cannot wait for that one: it is told (`is_mine`), and does
// without.

#ifndef SYNCHRO_PRELOAD_TURN_HPP
#define SYNCHRO_PRELOAD_TURN_HPP

#include <atomic>

#include "synchro/locks/tas.hpp"

namespace synchro::preload {

class turn {
 public:
  using lock = basic_tas_lock<hardware, spin_yield>;

  explicit turn(lock& l) noexcept : lock_{l} {
    mine = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    lock_.lock();
  }
  ~turn() {
    lock_.unlock();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    mine = false;
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

  static bool is_mine() noexcept { return mine; }

 private:
  static inline thread_local constinit bool mine = false;
  lock& lock_;
};

}  // namespace synchro::preload

#endif
