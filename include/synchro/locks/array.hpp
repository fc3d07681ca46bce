// Array: Anderson's lock. Each waiter spins on a slot of its own in an array, in the order of arrival.
//
// Problem. The waiters of a ticket lock all read the word that the release writes, so every release costs as many
// transfers as there are waiters. Here each number has a slot on a line of its own, and a release writes the slot of
// the next number only.
//
// Picture.   next 7      slots   [ 4 ][ 5 ][ 2 ][ 3 ]       number n waits at slot n mod 4 until it holds n
//                                       ^                   5 holds the lock, 6 waits at a slot that still says 2
//
//   lock       take next, adding one; look until my slot holds my number.
//   unlock     store my number + 1 in the slot after mine.
//   try_lock   if the slot of number `next` holds it already, the lock is free: compare-and-swap next.
//   timed      a number once taken must be used, so a waiter with a deadline takes none: it waits until the number that
//              would be next has been called, and then tries as try_lock does. Those in line go before it.
//
// A slot holds a number, not a flag. So more threads than slots are no error, only slower: number n + 4 waits at the
// slot of n, sees n come and go, and takes no notice. The slots are a power of two, as many as the machine has
// processors or more; that keeps the slots in turn when the numbers wrap at 2^32, and an index is one AND.
//
//   synchro::array_lock lock;                               // as many slots as processors, or more
//   synchro::array_lock small{synchro::shape{{0, 0, 0}}};   // four slots, for three threads
//
// A node of the caller's own remembers the number of its thread (docs/locks/README.md#using-a-lock).
//
// Since a slot may have several waiters it cannot be slept on: a wake-up for one might reach another. Hence no park
// variant: choose `mcs/park` or `clh/park`.
//
// Choose it for one contended lock with a known number of threads and a processor for each, where the queue locks'
// nodes are not wanted. Do not choose it for many locks (a line per processor each), nor with more threads than
// processors.
//
// Memory orders.
//   access                                 order     pairs with
//   lock: fetch_add of next                relaxed   nothing: that numbers are unique needs no order
//   lock: await of my slot                 acquire   unlock's store: the last critical section happens before this one
//   try_lock, timed: load of next          relaxed   nothing: says where to look
//   try_lock: load of the slot; timed:     acquire   unlock's store: whoever then gets the number has seen it called
//     await of the slot
//   try_lock, timed: compare-and-swap      relaxed   nothing; when it succeeds the number has no other owner and has
//     of next                                        been called
//   unlock: store in the next slot         release   the await or load that reads it
//
// Source: `traits.citation`.

#ifndef SYNCHRO_LOCKS_ARRAY_HPP
#define SYNCHRO_LOCKS_ARRAY_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/first_ticket.hpp"
#include "synchro/domains.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/shape.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin>
class basic_array_lock {
  struct alignas(cpu::cache_line) slot {
    typename Machine::template atomic<std::uint32_t> called{0};
  };

 public:
  static constexpr lock_traits traits{
      .judgement = "one hot lock, a processor per thread, no queue nodes wanted; not for many locks",
      .fair = fairness::first_come,
      .bypass = 0,
      .citation =
          "Anderson: The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors, "
          "IEEE TPDS 1(1), 1990, IV"};

  static_assert(!Waiting::parks, "a slot may have several waiters, and a wake-up would reach any of them");
  static constexpr std::size_t bytes_per_thread = sizeof(slot);

  /// Remembers the number of one acquisition, from lock(node) to unlock(node).
  class node {
    friend class basic_array_lock;
    typename Machine::template plain<std::uint32_t> number{0};
  };

  /// As many slots as the shape has threads, or the next power of two.
  explicit basic_array_lock(const shape& team, first_ticket first = {})
      : basic_array_lock(std::bit_ceil(static_cast<std::uint32_t>(team.threads())), first) {}
  basic_array_lock() : basic_array_lock(Machine::here()) {}
  basic_array_lock(const basic_array_lock&) = delete;
  basic_array_lock& operator=(const basic_array_lock&) = delete;

  void lock() noexcept {
    const std::uint32_t mine = enter();
    holder_ = mine;
  }

  [[nodiscard]] bool try_lock() noexcept {
    node mine;
    if (!try_lock(mine)) return false;
    holder_ = static_cast<std::uint32_t>(mine.number);
    return true;
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return lock_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return lock_until(deadline_of<Machine>(moment));
  }

  void unlock() noexcept { call(static_cast<std::uint32_t>(holder_) + 1); }

  /// The form in which the caller remembers the number.
  void lock(node& mine) noexcept { mine.number = enter(); }

  [[nodiscard]] bool try_lock(node& mine) noexcept {
    std::uint32_t number = next_.load(memory_order::relaxed);
    if (word_of(number).load(memory_order::acquire) != number) return false;
    mine.number = number;
    return next_.compare_exchange_strong(number, number + 1, memory_order::relaxed, memory_order::relaxed);
  }

  void unlock(node& mine) noexcept { call(static_cast<std::uint32_t>(mine.number) + 1); }

 private:
  basic_array_lock(std::uint32_t slots, first_ticket first)
      : slots_{new slot[slots]}, mask_{slots - 1}, next_{first.number} {
    // Every slot says a number whose turn is over, but for the first one's.
    for (std::uint32_t i = 0; i != slots; ++i) {
      const std::uint32_t number = first.number + i;
      word_of(number).store(i == 0 ? number : number - slots, memory_order::relaxed);
    }
  }

  typename Machine::template atomic<std::uint32_t>& word_of(std::uint32_t number) {
    return slots_[number & mask_].called;
  }

  std::uint32_t enter() {
    const std::uint32_t mine = next_.fetch_add(1, memory_order::relaxed);
    Machine::await(word_of(mine), memory_order::acquire, [mine](std::uint32_t called, std::uint32_t round) {
      return called == mine ? look::done() : Waiting::retry(round);
    });
    return mine;
  }

  void call(std::uint32_t number) { word_of(number).store(number, memory_order::release); }

  bool lock_until(typename Machine::deadline until) {
    for (;;) {
      std::uint32_t number = next_.load(memory_order::relaxed);
      // A larger number in the slot says that this one's turn is over: somebody else took it.
      const auto called_or_over = [number](std::uint32_t called, std::uint32_t round) {
        return static_cast<std::int32_t>(called - number) >= 0 ? look::done() : Waiting::retry(round);
      };
      if (!Machine::await_until(word_of(number), memory_order::acquire, called_or_over, until)) return false;
      if (next_.compare_exchange_strong(number, number + 1, memory_order::relaxed, memory_order::relaxed)) {
        holder_ = number;
        return true;
      }
    }
  }

  // Written once, when the lock is made: this line stays in every cache.
  const std::unique_ptr<slot[]> slots_;
  const std::uint32_t mask_;
  // The line of the newcomers.
  alignas(cpu::cache_line) typename Machine::template atomic<std::uint32_t> next_;
  // The holder's: beside `next_` a newcomer would take it away between lock and unlock.
  alignas(cpu::cache_line) typename Machine::template plain<std::uint32_t> holder_{0};
};

using array_lock = offered<basic_array_lock<>>;
using array_yield_lock = offered<basic_array_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
