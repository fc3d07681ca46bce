// Flawed: a ticket lock with a mistake that no test finds on a processor that keeps loads in order.
//
// Problem. try_lock forgets to acquire: that the number it draws has been called, it knows from a relaxed load, so the
// last critical section does not happen before its own. The model checker has to find that out.

#ifndef SYNCHRO_LOCKS_FLAWED_HPP
#define SYNCHRO_LOCKS_FLAWED_HPP

#include <cstdint>

#include "synchro/hardware.hpp"
#include "synchro/traits.hpp"
#include "synchro/waiting.hpp"

namespace synchro {

template <class Machine = hardware, class Waiting = spin>
class basic_flawed_lock {
 public:
  static constexpr lock_traits traits{.judgement = "never", .citation = "none"};

  void lock() noexcept {
    const std::uint32_t mine = next_.fetch_add(1, memory_order::relaxed);
    Machine::await(serving_, memory_order::acquire, [mine](std::uint32_t serving, std::uint32_t round) {
      return serving == mine ? look::done() : Waiting::retry(round);
    });
  }
  bool try_lock() noexcept {
    std::uint32_t number = serving_.load(memory_order::relaxed);
    return next_.compare_exchange_strong(number, number + 1, memory_order::relaxed, memory_order::relaxed);
  }
  void unlock() noexcept { serving_.store(serving_.load(memory_order::relaxed) + 1, memory_order::release); }

 private:
  typename Machine::template atomic<std::uint32_t> next_{0};
  typename Machine::template atomic<std::uint32_t> serving_{0};
};

using flawed_lock = basic_flawed_lock<>;

}  // namespace synchro

#endif
