// Hierarchical ticket: a ticket lock per cache domain below a global one, handed over within the domain first.
//
// Problem. A line moves an order of magnitude faster between two cores of one cache domain than between two domains. A
// lock that serves by arrival sends itself, and the data it protects, across that gap at almost every hand-off.
//
// Picture. The holder has the turn in its domain and its domain has the turn in the machine.
//
//      domain 0: next 9, serving 5, place 3      domain 1: next 4, serving 2, place 4
//                    |  (its turn)                             |  (waits for its place)
//                    +---------> global: serving 3, next 5 <---+
//
//   lock     draw a ticket of the domain and wait for it; if the domain has no place in the global queue, draw one;
//            wait until the domain's place is served.
//   unlock   if a thread of the domain waits, and fewer than `pass_limit` passes were made in a row or no other domain
//            waits: serve the next ticket of the domain, whose place stays valid. Otherwise draw the new place of the
//            domain's waiters on their behalf, if there are any, so that a domain that has waiters stays in the global
//            queue and never loses its place by being slow; serve the domain's next ticket; and serve the next place,
//            which alone lets anybody in.
//   domain() is read once, in lock(); the lock remembers the holder's domain, so the thread may migrate, and another
//   thread, of any domain, may unlock.
//
// Overtaking. A waiter stands in line as soon as it waits and nobody of its domain is on the way in. Its domain then has
// its place in the global queue, or draws it when the holder has gone that left without having seen it. Places are
// served in order, so each other domain has one turn, of at most pass_limit + 1 critical sections, before this one. A
// thread cannot be its own successor, so one thread that stays in its domain passes at most (pass_limit + 2) / 2 times.
// This holds while no more than pass_limit + 1 threads of the waiter's domain contend; with more, once for each
// pass_limit + 1 of those that came before it. Within a domain, service is by arrival. At its limit the holder asks,
// by adding nothing to the counter, whether anybody waits: a relaxed load may miss for ever that another domain has drawn a place.
//
//   synchro::hticket_lock lock;                                                       // a queue for each domain here
//   synchro::hticket_lock fairer{synchro::shape{{0, 0, 1, 1}}, synchro::first_ticket{}, 16};  // two domains, 16 passes
//
// `pass_limit` is 64 unless the constructor says otherwise. There is no park variant: many threads wait on one word.
//
// Choose it for one hot lock on a machine of several cache domains, with a processor per thread. Do not choose it on a
// machine of one domain (`ticket` is the same with half the work), where contention is rare, or with more threads than
// processors. See docs/rights.md before shipping it.
//
// try_lock takes both tickets only if nobody is ahead of them. A ticket once drawn must be served, so a waiter with a
// deadline draws none: it waits outside until the lock is free and then tries as try_lock does. Those who have drawn go
// before it, all of them.
//
// Memory orders.
//   access                                        order     pairs with
//   lock: fetch_add of the domain's next, and     relaxed   nothing: they only number; the waits below acquire
//   of the global next
//   lock: wait for the domain's serving           acquire   unlock's store of it: the domain's plain fields and, when
//                                                           passed on, the critical section
//   lock: wait for the global serving             acquire   unlock's store of it: the other domain's critical section
//   try_lock: load of either serving; timed:      acquire   the same stores; the compare-and-swap of next that follows
//   await of all four words                                 succeeds only if that serving is still the latest
//   try_lock, timed: compare-and-swap of either   relaxed   nothing, as fetch_add
//   next
//   try_lock, timed: store of the domain's        release   lock's wait for it, try_lock's load of it
//   serving, when the second ticket is gone
//   unlock: load of the domain's next, serving    relaxed   nothing: a hint; written by holders only
//   unlock: fetch_add of the global next, of      relaxed   nothing: the number travels in a plain field. Of 0: as a
//   0 or 1                                                  read-modify-write it finds the latest number drawn
//   unlock: store of the global serving           release   lock's wait for it, try_lock's load of it
//   unlock: store of the domain's serving         release   lock's wait for it, try_lock's load of it
//
// Source: `traits.citation` (C-TKT-TKT); hticket in David, Guerraoui, Trigonakis: Everything You Always Wanted to Know
// about Synchronization but Were Afraid to Ask, SOSP 2013. That a releaser draws its followers' place is this
// implementation's.

#ifndef SYNCHRO_LOCKS_HIERARCHICAL_HTICKET_HPP
#define SYNCHRO_LOCKS_HIERARCHICAL_HTICKET_HPP

#include <cstdint>
#include <tuple>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/first_ticket.hpp"
#include "synchro/detail/per_domain.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin>
class basic_hticket_lock {
 public:
  /// Passes in a row within a domain while other domains wait.
  static constexpr std::uint32_t default_pass_limit = 64;

  static constexpr lock_traits traits{
      .judgement = "one hot lock on a machine of several cache domains; not on one domain, nor oversubscribed",
      .fair = fairness::bounded,
      .bypass = (default_pass_limit + 2) / 2,
      .domain_aware = true,
      .citation = "Dice, Marathe, Shavit: Lock Cohorting: A General Technique for Designing NUMA Locks, PPoPP 2012",
      .rights = "US 8,694,706 (lock cohorting)"};

  static_assert(!Waiting::parks, "this lock cannot sleep: its waiters share words; hmcs and hclh are ones that sleep");

  basic_hticket_lock() : basic_hticket_lock(Machine::here()) {}

  /// One queue for each domain of `team`.
  explicit basic_hticket_lock(const shape& team, first_ticket first = {}, std::uint32_t pass_limit = default_pass_limit)
      : domains_{team, first}, pass_limit_{pass_limit}, next_{first.number}, serving_{first.number} {}

  basic_hticket_lock(const basic_hticket_lock&) = delete;
  basic_hticket_lock& operator=(const basic_hticket_lock&) = delete;

  void lock() noexcept {
    cohort& mine = domains_.mine();
    const std::uint32_t ticket = mine.next.fetch_add(1, memory_order::relaxed);
    await_turn(mine.serving, ticket);
    if (!static_cast<bool>(mine.placed)) take_place(mine, next_.fetch_add(1, memory_order::relaxed));
    await_turn(serving_, mine.place);
    holder_ = &mine;
  }

  [[nodiscard]] bool try_lock() noexcept {
    const std::uint32_t place = serving_.load(memory_order::acquire);
    if (next_.load(memory_order::relaxed) != place) return false;
    cohort& mine = domains_.mine();
    return draw_both(mine, mine.serving.load(memory_order::acquire), place);
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return lock_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return lock_until(deadline_of<Machine>(moment));
  }

  void unlock() noexcept {
    cohort& mine = *static_cast<cohort*>(holder_);
    const std::uint32_t follower = mine.serving.load(memory_order::relaxed) + 1;
    const bool followed = mine.next.load(memory_order::relaxed) != follower;
    if (followed && may_pass(mine)) {
      mine.serving.store(follower, memory_order::release);
      return;
    }
    const std::uint32_t other = mine.place + 1;
    if (followed)
      take_place(mine, next_.fetch_add(1, memory_order::relaxed));
    else
      mine.placed = false;
    mine.serving.store(follower, memory_order::release);
    serving_.store(other, memory_order::release);  // last: who is served now may be the lock's last user and destroy it
  }

 private:
  using rest = ticket_look::in_proportion;

  /// The threads of one domain. The plain fields belong to the thread that has the turn in the domain.
  struct alignas(cpu::cache_line) cohort {
    explicit cohort(first_ticket first) : next{first.number}, serving{first.number} {}

    typename Machine::template atomic<std::uint32_t> next;
    typename Machine::template atomic<std::uint32_t> serving;
    typename Machine::template plain<bool> placed{false};       // whether the domain is in the global queue
    typename Machine::template plain<std::uint32_t> place{0};   // and with which ticket
    typename Machine::template plain<std::uint32_t> passes{0};  // in a row, with this place
  };

  static void await_turn(const typename Machine::template atomic<std::uint32_t>& serving, std::uint32_t ticket) {
    Machine::await(serving, memory_order::acquire, [=](std::uint32_t now, std::uint32_t round) {
      return now == ticket ? look::done() : rest::retry<Waiting>(round, ticket - now);
    });
  }

  /// Draws exactly this ticket; false if it is gone already.
  static bool draw(typename Machine::template atomic<std::uint32_t>& next, std::uint32_t ticket) {
    return next.compare_exchange_strong(ticket, ticket + 1, memory_order::relaxed, memory_order::relaxed);
  }

  /// Takes the lock with exactly these tickets, which were both being served when the caller looked, with acquire.
  bool draw_both(cohort& mine, std::uint32_t ticket, std::uint32_t place) {
    if (!draw(mine.next, ticket)) return false;
    if (!draw(next_, place)) {
      mine.serving.store(ticket + 1, memory_order::release);
      return false;
    }
    take_place(mine, place);
    holder_ = &mine;
    return true;
  }

  bool lock_until(typename Machine::deadline until) {
    cohort& mine = domains_.mine();
    // What is served is read before what is drawn: so the latter is never behind, and the distances are true.
    const auto is_free = [](std::uint32_t called, std::uint32_t ticket, std::uint32_t served, std::uint32_t place,
                            std::uint32_t round) {
      const bool free = ticket == called && place == served;
      return free ? look::done() : rest::retry<Waiting>(round, (ticket - called) + (place - served));
    };
    for (;;) {
      const auto seen =
          Machine::await_any_until(memory_order::acquire, is_free, until, mine.serving, mine.next, serving_, next_);
      if (!seen) return false;
      if (draw_both(mine, std::get<0>(*seen), std::get<2>(*seen))) return true;
    }
  }

  static void take_place(cohort& mine, std::uint32_t place) {
    mine.placed = true;
    mine.place = place;
    mine.passes = 0;
  }

  /// Counts the pass if it is allowed. At the limit it is while no other domain waits, and the count begins anew.
  bool may_pass(cohort& mine) {
    std::uint32_t passes = mine.passes;
    if (passes >= pass_limit_) {
      if (next_.fetch_add(0, memory_order::relaxed) != mine.place + 1) return false;
      passes = 0;
    }
    mine.passes = passes + 1;
    return true;
  }

  // Three lines: what everybody reads and nobody writes, what every holder writes, what waiting domains look at.
  const per_domain<Machine, cohort> domains_;
  const std::uint32_t pass_limit_;
  alignas(cpu::cache_line) typename Machine::template plain<cohort*> holder_{nullptr};  // where the lock was taken
  alignas(cpu::cache_line) typename Machine::template atomic<std::uint32_t> next_;
  typename Machine::template atomic<std::uint32_t> serving_;
};

using hticket_lock = offered<basic_hticket_lock<>>;
using hticket_yield_lock = offered<basic_hticket_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
