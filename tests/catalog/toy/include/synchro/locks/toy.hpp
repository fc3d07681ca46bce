// Toy: the smallest lock that the catalog takes. It shows what a new lock needs: this header and one catalog line.
//
// Problem. None; it is a test-and-set lock under another name.
//
// Memory orders.
//   access                             order     pairs with
//   lock, try_lock: exchange           acquire   unlock's store
//   unlock: store                      release   the exchange that reads it

#ifndef SYNCHRO_LOCKS_TOY_HPP
#define SYNCHRO_LOCKS_TOY_HPP

#include <cstdint>

#include "synchro/hardware.hpp"
#include "synchro/traits.hpp"
#include "synchro/waiting.hpp"

namespace synchro {

template <class Machine = hardware, class Waiting = spin>
class basic_toy_lock {
 public:
  static constexpr lock_traits traits{.judgement = "for demonstration only", .citation = "none"};

  void lock() noexcept {
    Machine::exchange_until(
        state_, 1,
        [](std::uint32_t old, std::uint32_t round) { return old == 0 ? look::done() : Waiting::retry(round); },
        memory_order::acquire);
  }
  bool try_lock() noexcept { return state_.exchange(1, memory_order::acquire) == 0; }
  void unlock() noexcept { state_.store(0, memory_order::release); }

 private:
  typename Machine::template atomic<std::uint32_t> state_{0};
};

using toy_lock = basic_toy_lock<>;

}  // namespace synchro

#endif
