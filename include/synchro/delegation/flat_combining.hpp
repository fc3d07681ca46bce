// Flat combining: the holder of the lock runs what all others have posted.
//
// Problem. Of many threads that want the same lock, each fetches the data, works on them, and gives them away.
//
// Picture.   lock    [ free | held ]
//            slots   | state, request |  | state, request |  ...      a line each
//
//   state    free -> claimed -> posted -> done -> free
//                    the caller's         the combiner's
//
//   execute   claims a slot, near one that depends on its thread, posts its request there, and waits until the slot says
//             `done` or the lock is free. The one that takes the lock runs what is posted in all slots, also its own.
//   no slot   all are claimed: the caller takes the lock as any lock, runs its request, and then what is posted.
//
// Choose it for data structures that can make one change of many (the combiner sees them all), and where most threads
// post now and then. Do not choose it with many idle slots: a combiner looks at every one; cc_synch sees only those that
// have come. Waiters spin or yield: nobody can sleep on two words.
//
// Memory orders.
//   access                              order     pairs with
//   claim, post, run, leave                       see request_slots.hpp
//   wait: state, lock                   acquire   the store of `done`: what fn did
//   compare-and-swap, exchange of lock  acquire   unlock: what the last combiner did; relaxed when it fails
//   combine: load of state              acquire   the store of `posted`
//   unlock: store                       release   the next who takes the lock
//
// Source: Hendler, Incze, Shavit, Tzafrir: Flat Combining and the Synchronization-Parallelism Tradeoff, SPAA 2010, with
// slots that are claimed for a call in place of a list of records that threads keep.

#ifndef SYNCHRO_DELEGATION_FLAT_COMBINING_HPP
#define SYNCHRO_DELEGATION_FLAT_COMBINING_HPP

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "synchro/delegation/request.hpp"
#include "synchro/delegation/request_slots.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `Slots`: how many requests can be posted at a time.
template <class Machine = hardware, class Waiting = spin, std::size_t Slots = 32>
class basic_flat_combining {
  static_assert(Slots >= 1);
  static_assert(!Waiting::parks, "nobody can sleep on two words");

 public:
  static constexpr bool parks = false;

  basic_flat_combining() = default;
  basic_flat_combining(const basic_flat_combining&) = delete;
  basic_flat_combining& operator=(const basic_flat_combining&) = delete;

  /// Runs fn alone, here or on another thread, and returns what it returns; what it throws is thrown here.
  template <class F>
  std::invoke_result_t<F&> execute(F&& fn) {
    detail::request_of<Machine, std::remove_reference_t<F>> mine{fn};
    if (slot* const own = slots_.claim(slots_.nearest()))
      post_and_wait(*own, mine);
    else
      run_with_others(mine);
    return mine.take();
  }

 private:
  using slots = detail::request_slots<Machine, Slots>;
  using slot = typename slots::slot;
  static constexpr std::uint32_t free = 0, held = 1;  // of the lock

  void post_and_wait(slot& own, detail::request<Machine>& mine) {
    own.post(mine);
    const auto done_or_unlocked = [](std::uint32_t state, std::uint32_t lock, std::uint32_t round) {
      return state == slot::done || lock == free ? look::done() : Waiting::retry(round);
    };
    while (std::get<0>(Machine::await_any(memory_order::acquire, done_or_unlocked, own.state, lock_)) != slot::done) {
      std::uint32_t seen = free;
      if (!lock_.compare_exchange_strong(seen, held, memory_order::acquire, memory_order::relaxed)) continue;
      combine();
      lock_.store(free, memory_order::release);
    }
    own.leave();
  }

  void run_with_others(detail::request<Machine>& mine) {
    const auto was_free = [](std::uint32_t was, std::uint32_t round) {
      return was == free ? look::done() : Waiting::retry(round);
    };
    Machine::exchange_until(lock_, held, was_free, memory_order::acquire);
    mine.run();
    combine();
    lock_.store(free, memory_order::release);
  }

  void combine() {
    for (slot& one : slots_)
      if (one.state.load(memory_order::acquire) == slot::posted) one.run();
  }

  alignas(cpu::cache_line) typename Machine::template atomic<std::uint32_t> lock_{free};
  slots slots_;
};

using flat_combining = basic_flat_combining<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
