// Lock elision: critical sections run as hardware transactions, beside each other, and take the lock only if that fails.
//
// Problem. A lock keeps out everybody, though most critical sections under it touch different lines: two of them in one
// table, two readers that change nothing. Finer locks are much work.
//
// Picture.   elided   | held | skip, counts | lock |   a line or more each
//
//   lock     begins a transaction and looks at `held`. Zero: the section runs within the transaction, and nobody else sees
//            that somebody is in. Who takes the lock after that writes `held`, and so aborts it.
//   aborted  the processor takes back all that was done, and lock goes on from the beginning: again, up to so many times;
//            after that, or if the processor sees no use in it, it takes the lock as it is, and writes `held`.
//   skip     who has failed leaves a number of calls that shall take the lock at once: sections that never commit (they
//            are too large, or call the system) do not pay for attempts each time.
//   unlock   `held` is zero: this is a transaction, which commits. Otherwise it gives the lock back.
//
// Where the processor has no transactions (hardware_transactions.hpp: found by CPUID, and by one that has committed), this is
// the lock itself and one branch.
//
// Choose it for a lock around sections that are short and seldom touch the same lines, on processors that have RTM; many had
// it switched off by microcode. Do not choose it where sections call the system or write a common counter.
//
// Tried: its decisions, with transactions that the tests make up, and the lock on processors without transactions. No
// processor with RTM has run it yet.
//
// Rules. The section may run, up to any point, several times, and what it does besides reading and writing memory ends the
// transaction. It does not ask whether the lock is held. Sections under two elided locks may be nested; they are given back
// in the reverse order.
//
// Memory orders.
//   access                       order     pairs with
//   transaction: load of held    relaxed   nothing: the line is one of the transaction's
//   lock: store of held          relaxed   and a fence after it: no access of the section comes before it, so that a
//                                          transaction commits before all of them or is aborted
//   unlock: store of held        release   nothing on its own: no access of the section comes after it
//   skip, counts                 relaxed   nothing: a lost one only costs an attempt
//   await that held is zero      relaxed   nothing: the next transaction looks again
//
// Source: Rajwar, Goodman: Speculative Lock Elision, MICRO 2001; Dice, Lev, Moir, Nussbaum: Early Experience with a Commercial
// Hardware Transactional Memory Implementation, ASPLOS 2009 (skipping, kinds of aborts); Intel: Optimization Reference Manual,
// chapter on TSX.

#ifndef SYNCHRO_ELIDED_HPP
#define SYNCHRO_ELIDED_HPP

#include <cstdint>
#include <utility>

#include "synchro/hardware.hpp"
#include "synchro/hardware_transactions.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// How often elision failed, of a lock. Sections that committed are not counted: all would write the count.
struct elision_counts {
  std::uint64_t met_holder = 0;  ///< Aborts because the lock was held.
  std::uint64_t met_other = 0;   ///< Aborts because two touched one line.
  std::uint64_t hopeless = 0;    ///< Aborts for other reasons.
  std::uint64_t locked = 0;      ///< Sections that took the lock, skipped ones, too.
};

struct elision_options {
  unsigned tries = 4;   ///< Transactions that are begun for one section, at most.
  unsigned skips = 16;  ///< Sections after one that failed that take the lock at once.
};

/// Lock: any with lock() and unlock(). Example:
///
///     synchro::elided<synchro::ticket_lock> l;
///     std::lock_guard guard{l};
template <class Lock, class Transactions = hardware_transactions, class Machine = hardware, class Waiting = spin_yield>
class basic_elided {
  template <class T>
  using word = typename Machine::template atomic<T>;

 public:
  basic_elided() = default;
  explicit basic_elided(elision_options how) : how_{how} {}
  basic_elided(const basic_elided&) = delete;
  basic_elided& operator=(const basic_elided&) = delete;

  /// May throw what Lock::lock throws.
  void lock() {
    if (!is_available()) return lock_.lock();
    if (!elide(true)) take();
  }

  /// True if the section may run: in a transaction, or with the lock. It does not wait.
  [[nodiscard]] bool try_lock() requires requires(Lock& l) { l.try_lock(); }
  {
    if (!is_available()) return lock_.try_lock();
    if (elide(false)) return true;
    if (!lock_.try_lock()) return false;
    taken();
    return true;
  }

  void unlock() {
    if (!is_available()) return lock_.unlock();
    if (held_.load(memory_order::relaxed) == 0) return Transactions::commit();
    held_.store(0, memory_order::release);
    lock_.unlock();
  }

  /// Whether sections can be elided on this machine; Transactions::why_not() says why not.
  [[nodiscard]] static bool is_available() { return Transactions::why_not() == nullptr; }

  [[nodiscard]] elision_counts counts() const {
    return {met_holder_.load(memory_order::relaxed), met_other_.load(memory_order::relaxed),
            hopeless_.load(memory_order::relaxed), locked_.load(memory_order::relaxed)};
  }

 private:
  /// True within a transaction.
  bool elide(bool may_wait) {
    if (const std::uint32_t left = skips_.load(memory_order::relaxed); left != 0) {
      skips_.store(left - 1, memory_order::relaxed);
      return false;
    }
    for (unsigned tries = 0; tries != how_.tries; ++tries) {
      elision what = Transactions::begin();
      if (what == elision::started) {
        if (held_.load(memory_order::relaxed) == 0) return true;
        Transactions::abort();
        what = elision::is_held;
      }
      if (!is_worth_another(what)) break;
      if (what != elision::is_held) continue;
      if (!may_wait) return false;
      await_free();
    }
    skips_.store(how_.skips, memory_order::relaxed);
    return false;
  }

  void await_free() {
    Machine::await(held_, memory_order::relaxed, [](std::uint32_t held, std::uint32_t round) {
      return held == 0 ? look::content() : Waiting::again(round);
    });
  }

  bool is_worth_another(elision what) {
    if (what == elision::is_held) {
      met_holder_.fetch_add(1, memory_order::relaxed);
      return true;
    }
    (what == elision::again ? met_other_ : hopeless_).fetch_add(1, memory_order::relaxed);
    return what == elision::again;
  }

  void take() {
    lock_.lock();
    taken();
  }
  void taken() {
    locked_.fetch_add(1, memory_order::relaxed);
    held_.store(1, memory_order::relaxed);
    Machine::fence();
  }

  alignas(cpu::cache_line) word<std::uint32_t> held_{0};
  elision_options how_;  // is not written: it may stand beside
  alignas(cpu::cache_line) word<std::uint32_t> skips_{0};
  word<std::uint64_t> met_holder_{0}, met_other_{0}, hopeless_{0}, locked_{0};
  alignas(cpu::cache_line) Lock lock_;
};

template <class Lock>
using elided = basic_elided<Lock>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
