// Ticket: take a number, wait until it is called. Waiters rest in proportion to their place in the line.
//
// Problem. A lock for which threads race serves the thread nearest to the line, for ever if need be. Two counters make
// it fair: one atomic addition decides the order of all waiters.
//
// Picture.   +--------+-----------+
//            | next 7 | serving 4 |     4 holds the lock, 5 and 6 wait, the next to come gets 7
//            +--------+-----------+     free: both equal
//
//   lock       take next, adding one; look until serving is my number.
//   unlock     store serving + 1. The holder alone writes serving, so a load and a store do; no atomic addition.
//   try_lock   if next equals serving, compare-and-swap next: taking a number only when it is called already.
//   timed      a number once taken must be used, so a waiter with a deadline takes none: it waits outside the line
//              until the lock is free and then tries as try_lock does. Those in line go before it, all of them.
//
// A waiter d places from the front rests d times as long between looks: no look before its turn is of any use, and
// every look fetches the line that the holder needs for its release. Three ways of looking share this code: `ticket`
// (rests in proportion), `ticket_plain` (looks again at once, as the first ticket locks did) and `ticket_prefetch`
// (rests in proportion and asks for the line in a writable state before each look, which spares directory-based
// machines the costly upgrade when its turn has come).
//
// Both counters are on one line, 8 bytes in all. A newcomer must read both and the holder comes back to both, so one
// line makes an uncontended acquisition by another core one transfer and not two. On two lines a newcomer would not
// disturb the waiters' copies of serving; but it comes once an acquisition, while they rest most of the time.
//
// Numbers are 32 bits and wrap; distances are taken modulo 2^32, which is right while fewer than 2^32 threads wait.
//
// Choose it where order matters, threads are fewer than processors, and waiters are a handful. Do not choose it with
// more threads than processors: the lock waits for the next in line even if that one is not running. With many
// waiters a queue lock touches fewer lines at a release.
//
// Memory orders.
//   access                                order     pairs with
//   lock: fetch_add of next               relaxed   nothing: that numbers are unique needs no order
//   lock: await of serving                acquire   unlock's store: the last critical section happens before this one
//   try_lock: load of serving             acquire   the same: whoever then gets the number s has seen serving = s
//   try_lock: compare-and-swap of next    relaxed   nothing; it succeeds only if the number is still s, which then has
//                                                   no other owner and has been called
//   timed: await of serving and next      acquire   as the load of serving. Serving is read first: next, read after it,
//                                                   is never behind it, so their distance is true or too large by
//                                                   newcomers only; next's order needs nothing else
//   unlock: load of serving               relaxed   nothing: the holder wrote or acquired it
//   unlock: store of serving              release   the await or load that reads it
//
// Source: `traits.citation`; prefetch-for-write from David, Guerraoui, Trigonakis: Everything You Always Wanted to Know
// about Synchronization but Were Afraid to Ask, SOSP 2013, section 5.3.

#ifndef SYNCHRO_LOCKS_TICKET_HPP
#define SYNCHRO_LOCKS_TICKET_HPP

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/first_ticket.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// How the waiters of a ticket lock look: what they answer when `distance` numbers come before theirs.
namespace ticket_look {

struct at_once {
  static constexpr std::string_view judgement = "to measure what back-off is worth; for other uses choose ticket";

  template <class Waiting>
  static look retry(std::uint32_t round, std::uint32_t /*distance*/) {
    return Waiting::retry(round);
  }
};

struct in_proportion {
  static constexpr std::string_view judgement =
      "a handful of waiters served in order; not with more threads than processors";

  template <class Waiting>
  static look retry(std::uint32_t round, std::uint32_t distance) {
    // The next in line looks all the time: nobody else is served by its rest.
    return Waiting::retry(round, distance <= 1 ? 1 : std::min(distance, farthest) * pauses_per_place);
  }

 private:
  /// About the time of one hand-off with a very short critical section; longer sections make no look come too late.
  static constexpr std::uint32_t pauses_per_place = 4;
  static constexpr std::uint32_t farthest = 1024;
};

struct in_proportion_fetching {
  static constexpr std::string_view judgement =
      "as ticket, where stores to lines that others read are slow; elsewhere it only takes the line from the holder";

  template <class Waiting>
  static look retry(std::uint32_t round, std::uint32_t distance) {
    return in_proportion::retry<Waiting>(round, distance).fetching();
  }
};

}  // namespace ticket_look

/// The ticket lock under any way of looking. alignas: both counters on one line.
template <class Machine, class Waiting, class Look>
class alignas(8) ticket_lock_with {
 public:
  static constexpr lock_traits traits{
      .judgement = Look::judgement,
      .fair = fairness::first_come,
      .bypass = 0,
      .citation =
          "Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors, "
          "ACM TOCS 9(1), 1991, 2.2"};

  static_assert(!Waiting::parks,
                "this lock cannot sleep: its waiters share a word; mcs and clh are served in order, too");

  ticket_lock_with() = default;
  explicit ticket_lock_with(first_ticket first) : next_{first.number}, serving_{first.number} {}
  ticket_lock_with(const ticket_lock_with&) = delete;
  ticket_lock_with& operator=(const ticket_lock_with&) = delete;

  void lock() noexcept {
    const std::uint32_t mine = next_.fetch_add(1, memory_order::relaxed);
    Machine::await(serving_, memory_order::acquire, [mine](std::uint32_t serving, std::uint32_t round) {
      if (serving == mine) [[likely]]
        return look::done();
      return Look::template retry<Waiting>(round, mine - serving);
    });
  }

  [[nodiscard]] bool try_lock() noexcept {
    std::uint32_t number = serving_.load(memory_order::acquire);
    return next_.compare_exchange_strong(number, number + 1, memory_order::relaxed, memory_order::relaxed);
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return lock_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return lock_until(deadline_of<Machine>(moment));
  }

  void unlock() noexcept { serving_.store(serving_.load(memory_order::relaxed) + 1, memory_order::release); }

 private:
  bool lock_until(typename Machine::deadline until) {
    const auto is_free = [](std::uint32_t serving, std::uint32_t next, std::uint32_t round) {
      return next == serving ? look::done() : Look::template retry<Waiting>(round, next - serving);
    };
    for (;;) {
      const auto seen = Machine::await_any_until(memory_order::acquire, is_free, until, serving_, next_);
      if (!seen) return false;
      std::uint32_t number = std::get<0>(*seen);
      if (next_.compare_exchange_strong(number, number + 1, memory_order::relaxed, memory_order::relaxed)) return true;
    }
  }

  typename Machine::template atomic<std::uint32_t> next_{0};
  typename Machine::template atomic<std::uint32_t> serving_{0};
};

template <class Machine = hardware, class Waiting = spin>
using basic_ticket_lock = ticket_lock_with<Machine, Waiting, ticket_look::in_proportion>;

using ticket_lock = offered<basic_ticket_lock<>>;
using ticket_yield_lock = offered<basic_ticket_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
