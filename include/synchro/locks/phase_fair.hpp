// Phase-fair: a reader-writer lock in which readers and writers take turns.
//
// Problem. A lock that prefers readers starves writers under steady reading, one that prefers writers starves readers,
// and one that serves everybody by arrival gives away the parallelism of readers. Here reading and writing phases
// alternate while both kinds wait: a writer waits for the readers of one phase, a reader for one writer.
//
// Picture.
//
//      in   [ readers that came | the writer's sign ]        writers   [ next ticket ]
//      out  [ readers that left |         0         ]                  [ serving     ]
//
//   lock_shared     count myself in; if a writer has put its sign there, wait until the sign changes: that writer left,
//                   or another phase began, and the next writer waits for me.
//   unlock_shared   count myself out.
//   lock            draw a ticket and wait for my turn among writers; put my sign into `in`, which tells how many
//                   readers came before; wait until that many have left.
//   unlock          take the sign away, so that the waiting readers go first; serve the next writer.
//
// Signs. Writers that wait for readers use two signs in turn. A reader that looks late cannot mistake the next writer
// but one for the writer it waits for, for the writer between them waits for this reader. try_lock does not wait for
// readers, so it must stay out of this order, or a late reader and a writer could wait for each other: it has a third
// sign, and spends no turn of the other two. The counts are compared for equality and wrap freely.
//
// A writer that leaves lets readers in before it serves the next writer: a reader who destroys the lock must know that
// the last writer's unlock has returned.
//
// Choose it where readers are many and writers must not starve, or where a bound on waiting matters: it has one for
// both. A reader waits for one writer at most, a writer for the writers that came before it and the readers of one
// phase for each. Do not choose it where sections are so short that the two counters cost more than the exclusion would
// (an exclusive lock is cheaper then), nor for reading without pause on many cores (`big_reader` keeps readers apart),
// nor with more threads than processors.
//
// Rule. A thread must not take the shared side twice: a writer between the two waits for the first, and the second
// waits for the writer.
//
// try_lock_shared declines while a writer is present; try_lock while there is a writer or a reader. There are no timed
// forms: a waiter with a deadline could only wait outside the phases, without the bound that is the point of this lock.
// There is no park variant: many threads wait on one word.
//
// Memory orders.
//   access                                   order     pairs with
//   lock_shared: fetch_add of in             acquire   unlock's clearing of the sign (directly, or through the
//                                                      read-modify-writes since): the last writer's section
//   lock_shared: wait on in                  acquire   the same
//   try_lock_shared: compare-and-swap of in  acquire   the same; relaxed when it fails
//   unlock_shared: fetch_add of out          release   the writer's wait on out (through later readers' additions)
//   lock: fetch_add of the ticket            relaxed   nothing: it only numbers
//   lock: wait for serving                   acquire   unlock's store of serving: the last writer's section
//   lock: fetch_add of in                    relaxed   nothing: readers before it are waited for by `out`; to readers
//                                                      after it it continues the release of the last clearing
//   lock: wait on out                        acquire   unlock_shared: the readers' sections
//   try_lock: load of serving                acquire   unlock's store; the compare-and-swap of the ticket (relaxed)
//                                                      that follows succeeds only if it is still the latest
//   try_lock: load of out                    acquire   unlock_shared; the compare-and-swap of in (relaxed) that follows
//                                                      succeeds only if all readers who came had left by that load
//   unlock: fetch_and of in                  release   lock_shared
//   unlock, try_lock: store of serving       release   the next writer's wait
//   unlock: load of serving                  relaxed   nothing: only the holder writes it
//
// Source: `traits.citation` (PF-T).

#ifndef SYNCHRO_LOCKS_PHASE_FAIR_HPP
#define SYNCHRO_LOCKS_PHASE_FAIR_HPP

#include <cstdint>

#include "synchro/detail/first_ticket.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// The word `in` of phase-fair locks: a count of readers above the two bits of the writer's sign.
struct phase_word {
  static constexpr std::uint32_t sign = 3;           // where it is: 1 or 2 in turn, or
  static constexpr std::uint32_t sign_of_trial = 3;  // of a writer that does not wait for readers
  static constexpr std::uint32_t reader = 4;

  /// A reader's part: comes in, and waits while the writer that it met is there. Returns what it found.
  template <class Machine, class Waiting>
  static std::uint32_t enter(typename Machine::template atomic<std::uint32_t>& in) {
    const std::uint32_t found = in.fetch_add(reader, memory_order::acquire);
    const std::uint32_t met = found & sign;
    if (met == 0) return found;
    Machine::await(in, memory_order::acquire, [=](std::uint32_t now, std::uint32_t round) {
      return (now & sign) != met ? look::done() : Waiting::retry(round, pauses);
    });
    return found;
  }

  /// The same unless a writer is there.
  template <class Machine>
  static bool try_enter(typename Machine::template atomic<std::uint32_t>& in) {
    const auto come_in = [](std::uint32_t now) {
      using answer = attempt<std::uint32_t>;
      return (now & sign) == 0 ? answer::write(now + reader) : answer::decline();
    };
    return Machine::update(in, come_in, memory_order::acquire, memory_order::relaxed).written;
  }

  /// Rest of those who wait on a word that arriving readers change.
  static constexpr std::uint32_t pauses = 4;
};

/// The order among the writers of phase-fair locks: a ticket lock that also gives out the signs.
template <class Machine, class Waiting>
class writer_queue {
 public:
  constexpr explicit writer_queue(first_ticket first) : next_{first.number}, serving_{first.number} {}

  /// Waits for the turn; returns the sign to put up, which is not that of the writer who had it from here before.
  std::uint32_t enter() {
    const std::uint32_t ticket = next_.fetch_add(1, memory_order::relaxed);
    Machine::await(serving_, memory_order::acquire, [=](std::uint32_t now, std::uint32_t round) {
      return now == ticket ? look::done() : ticket_look::in_proportion::retry<Waiting>(round, ticket - now);
    });
    const std::uint32_t sign = 3 - sign_;
    sign_ = sign;
    return sign;
  }

  /// Takes the turn if nobody has it or waits for it.
  bool try_enter() {
    std::uint32_t ticket = serving_.load(memory_order::acquire);
    return next_.compare_exchange_strong(ticket, ticket + 1, memory_order::relaxed, memory_order::relaxed);
  }

  void leave() { serving_.store(serving_.load(memory_order::relaxed) + 1, memory_order::release); }

 private:
  typename Machine::template atomic<std::uint32_t> next_;
  typename Machine::template atomic<std::uint32_t> serving_;
  typename Machine::template plain<std::uint32_t> sign_{2};  // the last one given out; of who has the turn
};

}  // namespace detail

template <class Machine = hardware, class Waiting = spin>
class basic_phase_fair_lock {
 public:
  static constexpr lock_traits traits{
      .judgement = "many readers, and neither they nor writers may starve; not for very short sections",
      .fair = fairness::first_come,
      .bypass = 0,
      .citation =
          "Brandenburg, Anderson: Spin-Based Reader-Writer Synchronization for Multiprocessor Real-Time Systems, "
          "Real-Time Systems 46(1), 2010"};

  static_assert(!Waiting::parks, "this lock cannot sleep: its waiters share words");

  /// The readers' counts start at `first`, too, as far as their 30 bits go.
  constexpr explicit basic_phase_fair_lock(first_ticket first = {})
      : in_{first.number * bits::reader}, out_{first.number * bits::reader}, writers_{first} {}

  basic_phase_fair_lock(const basic_phase_fair_lock&) = delete;
  basic_phase_fair_lock& operator=(const basic_phase_fair_lock&) = delete;

  void lock() noexcept {
    const std::uint32_t came = in_.fetch_add(writers_.enter(), memory_order::relaxed);
    Machine::await(out_, memory_order::acquire, [=](std::uint32_t left, std::uint32_t round) {
      return left == came ? look::done() : Waiting::retry(round, bits::pauses);
    });
  }

  [[nodiscard]] bool try_lock() noexcept {
    if (!writers_.try_enter()) return false;
    std::uint32_t all = out_.load(memory_order::acquire);
    const std::uint32_t closed = all | bits::sign_of_trial;
    if (in_.compare_exchange_strong(all, closed, memory_order::relaxed, memory_order::relaxed)) return true;
    writers_.leave();
    return false;
  }

  void unlock() noexcept {
    in_.fetch_and(~bits::sign, memory_order::release);
    writers_.leave();
  }

  void lock_shared() noexcept { bits::template enter<Machine, Waiting>(in_); }

  [[nodiscard]] bool try_lock_shared() noexcept { return bits::template try_enter<Machine>(in_); }

  void unlock_shared() noexcept { out_.fetch_add(bits::reader, memory_order::release); }

 private:
  using bits = detail::phase_word;

  // All on one line: a thread that wants one of them mostly wants another.
  alignas(16) typename Machine::template atomic<std::uint32_t> in_;
  typename Machine::template atomic<std::uint32_t> out_;
  detail::writer_queue<Machine, Waiting> writers_;
};

using phase_fair_lock = offered<basic_phase_fair_lock<>>;
using phase_fair_yield_lock = offered<basic_phase_fair_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
