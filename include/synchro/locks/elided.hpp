// Lock elision: sections run as hardware transactions, beside each other, and take the lock only if that fails.
//
// Problem. A lock keeps out everybody, though most sections under it touch different lines: two updates in one table, two
// readers that change nothing. Locks for parts of the data are much work. A processor with transactions can run sections at
// the same time and finds out itself whether two of them have met.
//
// Picture.   word:  0 free   otherwise held          (that of the lock below: ttas, or mutex where waiters sleep)
//
//   lock     wait until the word is 0, begin a transaction, and read the word. 0: the section runs in the transaction, and
//            nobody sees that somebody is in. Held: abort.
//   aborted  the processor takes back all that was done, and lock goes on from where the transaction began: again from the
//            first step, three times at most; if the processor sees no use in it (too large, a call of the system), it takes
//            the lock below at once.
//   unlock   the word is 0: commit. Otherwise this thread has the lock below, and gives it back.
//
// The word was read in the transaction, so whoever takes the lock below writes what all transactions under way have read, and
// aborts them. Those wait until it is free before they try again; if they took the lock themselves, each would abort all
// others, and all sections would run one after the other for a long time (the lemming effect).
//
// Where the processor has no transactions (found at run time, by CPUID and by one that commits, since microcode often
// switches them off), on other architectures, on simulated machines and under ThreadSanitizer, which does not see what
// a transaction orders, this is the lock below with one branch more. `synchroscope list locks` says which it is here,
// and `synchro::hardware::transactions::why_not()` why. A debugger or Valgrind sees the lock below, too: they abort
// transactions, or hide that there are any.
//
// Choose it for short sections that seldom touch the same lines, on processors that have Intel's RTM. Do not choose it where each
// section writes a line that all write (a counter), where sections call the system or write more than fits in the first-level
// cache: all of these run once in vain and then take the lock. Nobody's wait is bounded. What sections write must not stand on
// the line of the lock, which all of them read:
//
//   alignas(64) synchro::elided_lock lock;
//   alignas(64) int accounts[16 * 1000];
//
//   void transfer(int from, int to, int amount) {
//     const std::lock_guard guard{lock};  // others transfer at the same time, between other accounts
//     accounts[16 * from] -= amount;
//     accounts[16 * to] += amount;
//   }
//
// The lock below is `ttas`. `synchro::elided_park_lock` has `mutex` below, whose waiters sleep; it is
// `synchro::elided<synchro::basic_mutex_lock<>, synchro::hardware, synchro::spin_park>`. Any lock will do that has a
// word() which is 0 while nobody holds it and which lock() changes by a read-modify-write.
//
// Rules. The section may run several times up to any point, and only its last run is seen; what it does besides reading
// and writing memory ends the transaction, and it runs again with the lock: nothing need be changed in it for that. Two
// elided locks may be held at once: one transaction contains the other, and both commit when the last is unlocked. A
// try within a transaction ends it, for only the lock below can say whether this thread has it already; so
// std::scoped_lock over two elided locks takes them for real. An exception that leaves the section commits it, as it
// unlocks a lock. To unlock what nobody has locked ends the program, as a commit without a transaction does.
//
// In other programs (`synchroscope with`, docs/preload.md) sections under plain mutexes are elided, too. Sections under
// recursive and error-checking ones write the owner beside the word of the lock, and so abort each other.
//
// The lock is proved on the explored machine (docs/verification.md#transactions), beside sections that hold it, and was
// tested on a processor with RTM.
//
// Memory orders.
//   access                           order     pairs with
//   transaction: load of the word    relaxed   nothing: it orders the transaction behind whoever unlocked before and in front
//                                              of the read-modify-write that takes the lock below (transactions.hpp)
//   unlock: load of the word         relaxed   nothing: this thread wrote it, or its transaction has read it
//   await that the word is 0         relaxed   nothing: the transaction looks again
//
// The load needs no fence on x86, where a read-modify-write is complete before any later load. Where it is not
// (Armv8), elision would be wrong without one (Chong, Sorensen, Wickerson: PLDI 2018).
//
// Source: `traits.citation`; Dice, Lev, Moir, Nussbaum: Early Experience with a Commercial Hardware Transactional
// Memory Implementation, ASPLOS 2009 (kinds of aborts); Afek, Levy, Morrison: Programming with Hardware Lock Elision,
// PPoPP 2013, and Software-Improved Hardware Lock Elision, PODC 2014 (the lemming effect).

#ifndef SYNCHRO_LOCKS_ELIDED_HPP
#define SYNCHRO_LOCKS_ELIDED_HPP

#include <cstdint>

#include "synchro/hardware.hpp"
#include "synchro/hardware_transactions.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/transactions.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// A lock with a word that is 0 while nobody has it, which lock() changes by a read-modify-write.
template <class L>
concept elidable = try_lockable<L> && requires(const L& lock) {
  lock.word();
};

/// Elision of any such lock on the same machine.
template <elidable Lock, class Machine = hardware, class Waiting = spin_yield>
class elided {
  using transactions = transactions_of<Machine>;

 public:
  static constexpr lock_traits traits{
      .judgement =
          "short sections that seldom touch the same lines, on processors with RTM; not for system calls inside",
      .citation =
          "Rajwar, Goodman: Speculative Lock Elision: Enabling Highly Concurrent Multithreaded Execution, MICRO 2001"};
  static constexpr bool parks = Waiting::parks;

  elided() = default;
  elided(const elided&) = delete;
  elided& operator=(const elided&) = delete;

  void lock() noexcept {
    if (!transactions::are_usable() || !elide()) lock_.lock();
  }

  [[nodiscard]] bool try_lock() noexcept {
    if (transactions::are_usable()) {
      transactions::abort_for_good();
      if (attempt() == transaction_start::started) return true;
    }
    return lock_.try_lock();
  }

  void unlock() noexcept {
    if (transactions::are_usable() && lock_.word().load(memory_order::relaxed) == 0) return transactions::commit();
    lock_.unlock();
  }

  /// The word of the lock below: 0 while nobody has it, and within transactions.
  [[nodiscard]] const auto& word() const noexcept { return lock_.word(); }

  /// Whether sections can be elided on this machine.
  [[nodiscard]] static bool elides() noexcept { return transactions::are_usable(); }

 private:
  /// True in a transaction that is to run the section.
  bool elide() noexcept {
    for (unsigned left = transactions::attempts; left != 0; --left) {
      if (!transactions::is_under_way() && !await_free()) return false;
      const transaction_start outcome = attempt();
      if (outcome == transaction_start::started) return true;
      if (outcome == transaction_start::hopeless) return false;
    }
    return false;
  }

  transaction_start attempt() noexcept {
    const transaction_start outcome = transactions::begin();
    if (outcome != transaction_start::started) return outcome;
    if (lock_.word().load(memory_order::relaxed) == 0) return transaction_start::started;
    transactions::abort_to_retry();
    return transaction_start::retry;
  }

  /// A waiter that would sleep waits only for as long as it would look before that: false if the lock is still held.
  bool await_free() noexcept {
    const auto is_free = [](std::uint32_t word, std::uint32_t round) {
      return word == 0 ? look::done() : Waiting::retry(round);
    };
    if constexpr (Waiting::parks) {
      return Machine::await_until(lock_.word(), memory_order::relaxed, is_free, Machine::spin_looks()).has_value();
    } else {
      Machine::await(lock_.word(), memory_order::relaxed, is_free);
      return true;
    }
  }

  Lock lock_;
};

namespace detail {

template <class Machine, class Waiting>
struct below_elided {
  using type = basic_ttas_lock<Machine, Waiting>;
};
template <class Machine>
struct below_elided<Machine, spin_park> {
  using type = basic_mutex_lock<Machine, spin_park>;
};

}  // namespace detail

template <class Machine = hardware, class Waiting = spin>
using basic_elided_lock = elided<typename detail::below_elided<Machine, Waiting>::type, Machine, Waiting>;

using elided_lock = offered<basic_elided_lock<>>;
using elided_yield_lock = offered<basic_elided_lock<hardware, spin_yield>>;
using elided_park_lock = offered<basic_elided_lock<hardware, spin_park>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
