// CC-Synch: a queue of requests whose head runs those behind it.
//
// Problem. Under a contended lock the data travel with every critical section from one processor to the next. If whoever
// has them runs the others' sections, too, only requests travel.
//
// Picture.   tail ----------------------------------------------.
//                                                             v
//            [ request, combines ] -> [ request, waiting ] -> [ empty, waiting ]
//              the combiner             another caller          the next caller's
//
//   execute   brings an empty cell, exchanges it for the one at tail, and writes its request there. So the cell with the
//             request is known to its predecessor before there is a request, as in a CLH lock.
//   wait      until the cell says `done`, or `combines`: then this caller is the combiner.
//   combine   runs its own request and those that follow, up to `Most` in all, and writes `done` into the cell of each;
//             into the cell after the last it writes `combines`, whether there is a caller yet or not.
//
// A caller keeps the cell in which its request stood; it goes to the pool (node_pool.hpp).
//
// Choose it for short operations on shared data under high contention: queues, counters, allocators. Do not choose it
// where fn is long (all behind it wait for one thread), nor where contention is rare: a lock costs less then.
//
// Memory orders.
//   access                                order     pairs with
//   stores of word, next in a new cell    relaxed   nothing: the exchange publishes them
//   exchange of tail                      acq_rel   the next caller's: the cell it gets was prepared
//   store of next                         release   the combiner's load of next: the request was written
//   wait for the cell's word              acquire   hand_over of `done` (what fn did) or `combines` (all before)
//   combine: load of next                 acquire   the store of next
//   hand_over of `done`, `combines`       release   the wait
//   destructor: load of tail              relaxed   nothing: its caller orders it after the last use
//
// Source: Fatourou, Kallimanis: Revisiting the Combining Synchronization Technique, PPoPP 2012.

#ifndef SYNCHRO_DELEGATION_CC_SYNCH_HPP
#define SYNCHRO_DELEGATION_CC_SYNCH_HPP

#include <cstdint>
#include <type_traits>

#include "synchro/delegation/request.hpp"
#include "synchro/detail/node_pool.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `Most`: how many requests one combiner runs before it passes the duty on.
template <class Machine = hardware, class Waiting = spin, std::uint32_t Most = 64>
class basic_cc_synch {
  static_assert(Most >= 1);

  struct alignas(cpu::cache_line) cell {
    typename Machine::template atomic<std::uint32_t> word{combines};
    typename Machine::template plain<detail::request<Machine>*> request{nullptr};
    typename Machine::template atomic<cell*> next{nullptr};
    typename Machine::template plain<cell*> pool_next{nullptr};
    typename Machine::template plain<cell*> pool_batch{nullptr};
  };
  using pool = node_pool<Machine, cell>;

 public:
  static constexpr bool parks = Waiting::parks;

  basic_cc_synch() : tail_{first_cell()} {}
  ~basic_cc_synch() { pool::give(tail_.load(memory_order::relaxed)); }
  basic_cc_synch(const basic_cc_synch&) = delete;
  basic_cc_synch& operator=(const basic_cc_synch&) = delete;

  /// Runs fn alone, here or on another thread, and returns what it returns; what it throws is thrown here. Throws
  /// std::bad_alloc if there is no cell; nothing has happened then.
  template <class F>
  std::invoke_result_t<F&> execute(F&& fn) {
    detail::request_of<Machine, std::remove_reference_t<F>> mine{fn};
    cell* const here = enter(mine);
    if (below_mark(Waiting::template wait<Machine>(here->word, waiting)) == combines) combine(*here);
    pool::give(here);
    return mine.take();
  }

 private:
  static constexpr std::uint32_t waiting = 0, done = 1, combines = 2;
  static constexpr std::uint32_t below_mark(std::uint32_t word) { return word & 0x7fff'ffff; }

  static cell* first_cell() {
    cell* const first = pool::take();
    first->word.store(combines, memory_order::relaxed);
    first->next.store(nullptr, memory_order::relaxed);
    return first;
  }

  cell* enter(detail::request<Machine>& request) {
    cell* const empty = pool::take();
    empty->word.store(waiting, memory_order::relaxed);
    empty->next.store(nullptr, memory_order::relaxed);
    cell* const here = tail_.exchange(empty, memory_order::acq_rel);
    here->request = &request;
    here->next.store(empty, memory_order::release);
    return here;
  }

  void combine(cell& mine) {
    cell* one = &mine;
    for (std::uint32_t ran = 0; ran != Most; ++ran) {
      cell* const next = one->next.load(memory_order::acquire);
      if (next == nullptr) break;
      static_cast<detail::request<Machine>*>(one->request)->run();
      if (one != &mine) Waiting::template hand_over<Machine>(one->word, done, memory_order::release);
      one = next;
    }
    Waiting::template hand_over<Machine>(one->word, combines, memory_order::release);
  }

  typename Machine::template atomic<cell*> tail_;
};

using cc_synch = basic_cc_synch<>;
/// Waiting threads sleep after a while.
using sleeping_cc_synch = basic_cc_synch<hardware, spin_park>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
