// Software transactional memory: a function reads and writes variables, and all of it happens at once or not at all.
//
// Problem. An operation needs several variables: two accounts, three nodes of a list. With one lock for all of them,
// operations that have nothing in common wait for each other; with a lock for each, their order has to be right in every
// operation, and two correct operations do not make a correct third one.
//
// Picture.   clock     [ version, token ]                       counts commits; the token of the irrevocable one
//            stripes   [ lock | lock | lock | ... ]              a lock for each 32 bytes, by address
//            x, y      words anywhere                            tvar
//
//   lock      free: the version of the commit that wrote the stripe last; taken: the mark of the writer
//
//   begin     notes the version of the clock: the transaction sees memory as it was then.
//   read      looks at the lock, the word, and the lock again. Free, the same both times, and not newer than noted: this is
//             the word as it was then. Taken: waits. Newer: if nothing that was read has changed, the transaction notes the
//             clock anew; otherwise it begins again.
//   write     is kept in a log until the end.
//   commit    takes the locks of all stripes it writes, in the order of their addresses; adds one to the clock, which is the
//             new version; sees that nothing that was read has changed; writes the words; gives the locks back with the new
//             version. A transaction that wrote nothing has nothing to do.
//
//   alone     while threads come one at a time (gate.hpp), none of this happens: the one inside reads and writes in place, and
//             takes back what it wrote if an exception leaves the function. From when two have met all is as above; where the
//             processor has transactions (RTM), they run in place as those, until too many of them do not fit.
//
// So no attempt sees two variables that never had these values together, not even one that will begin again (opacity). No
// attempt divides by a difference that cannot be zero, or walks a list that is cut in two.
//
//   irrevocable   takes the token. While it is away, a transaction that comes to commit writes finds that on the clock, and begins again
//                 when it is back. So nothing that the holder reads changes, and it does not begin again: it may print, send
//                 and receive. There is one such transaction at a time; those that only read go on beside it.
//
// Choose it for operations on several variables that seldom meet: many accounts, trees, lists that are mostly read. Do not
// choose it for one hot variable (an atomic or a lock costs a fraction), for long transactions beside many short writers
// (they begin again, and in the end stop everybody as irrevocable ones), or where waiting threads are to sleep: these spin,
// then give the processor away.
//
// Rules. All access to a tvar while others use it goes through transactions of one stm. The function may run several
// times: what it does besides reading and writing tvars is not undone. A variable that a transaction has unlinked may
// still be read by one that will begin again: use it anew, in a transaction, but do not free it before transactions
// that were running then have ended; the library does not wait for them by itself. The function does not wait for
// another thread's transaction of the same stm: one that is alone or irrevocable keeps the others out. Irrevocable
// transactions of two stms, each of which comes to the other's stm, wait for each other for ever; others begin again
// instead. An exception leaves the function's transaction without its writes; `catch (...)` in it must rethrow, for
// that is also how an attempt ends that begins again. One that does not is noticed at the end, and begins again.
//
// Memory orders.
//   access                               order     pairs with
//   begin, extend: load of the clock     acquire   commit's addition: the locks that were taken before it are seen taken
//   read: first look at the lock         acquire   give: the words under that version
//   read: word                           acquire   commit's word: whoever copies it sees the lock taken, and looks again
//   read: second look                    relaxed   nothing: the acquires before it order it
//   take: update of the lock             acquire   give; relaxed when it is found taken
//   commit: addition to the clock        acq_rel   those of other commits: of two commits the later one sees the locks of
//                                                  the earlier taken, or their new versions; begin
//   validate: load of the lock           relaxed   nothing: the clock orders it
//   commit: words                        release   read's word
//   give: store of the lock              release   read's first look, take; with the old version, too: it hands on what
//                                                  the commit before had written
//   token: update of the clock           acquire   commit's addition, as begin; and the holder before
//   token: given back                    release   the next holder
//   await that a lock is free, that the  relaxed   nothing: what follows looks again
//   token is back, that the clock moves
//
// Source: Dice, Shalev, Shavit: Transactional Locking II, DISC 2006 (clock, versioned locks, commit); Felber, Fetzer, Riegel:
// Dynamic Performance Tuning of Word-Based Software Transactional Memory, PPoPP 2008 (noting the clock anew); Welc, Saha,
// Adl-Tabatabai: Irrevocable Transactions and their Applications, SPAA 2008; Harris, Marlow, Peyton Jones, Herlihy:
// Composable Memory Transactions, PPoPP 2005 (retry); Guerraoui, Kapałka: On the Correctness of Transactional Memory, PPoPP
// 2008 (opacity).

#ifndef SYNCHRO_STM_STM_HPP
#define SYNCHRO_STM_STM_HPP

#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "synchro/detail/exceptions.hpp"
#include "synchro/hardware.hpp"
#include "synchro/hardware_transactions.hpp"
#include "synchro/stm/contention.hpp"
#include "synchro/stm/face.hpp"
#include "synchro/stm/in_place.hpp"
#include "synchro/stm/lock_table.hpp"
#include "synchro/stm/transaction.hpp"
#include "synchro/stm/tvar.hpp"
#include "synchro/transactions.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

struct stm_options {
  /// Locks, 1 to 2^30; rounded up to a power of two. Variables that are apart by a multiple of 32 bytes times this number
  /// share one.
  std::size_t stripes = std::size_t{1} << 14;
  /// Attempts of a transaction before it is run irrevocably, so that it ends; 0: at once.
  unsigned attempts = 64;
  /// Whether a transaction that comes while nobody is in runs alone, until two have met. Without it the function may wait for another
  /// thread's transaction.
  bool alone = true;
  /// Whether those that have met run as transactions of the processor, where it has them, until they do not get on; with
  /// `alone` only.
  bool elide = true;
};

/// A transactional memory. Locks: versioned_locks or guarded_by (lock_table.hpp). Example:
///
///     synchro::stm bank;
///     synchro::tvar<long> a{100}, b{0};
///     bank.atomically([&](auto& tx) {
///       tx.write(a, tx.read(a) - 10);
///       tx.write(b, tx.read(b) + 10);
///     });
template <class Machine = hardware, class Waiting = spin_yield, class Locks = versioned_locks<>>
class basic_stm {
  static_assert(!Waiting::parks, "many wait for one lock, and nobody wakes them");

 public:
  using transaction = basic_transaction<Machine, Waiting, Locks>;
  using reader = basic_transaction_reader<Machine, Waiting, Locks>;

  /// Throws std::length_error for a number of stripes that is out of range, and std::bad_alloc.
  explicit basic_stm(stm_options how = {}) : state_{how.stripes, how.attempts, !how.alone, how.elide} {}
  basic_stm(const basic_stm&) = delete;
  basic_stm& operator=(const basic_stm&) = delete;

  /// Runs fn(transaction&) as a transaction and returns what it returns, which is no reference. What fn throws is thrown
  /// here, and what it wrote is dropped. Within a transaction of the same stm, fn is a part of that one. May also throw
  /// std::bad_alloc, of a transaction that reads or writes much, and what a lock of the table throws.
  template <class F>
  std::invoke_result_t<F&, transaction&> atomically(F&& fn) {
    if (detail::stm_attempt* const whole = running()) {
      transaction part{*whole};
      part.needs_log();
      return fn(part);
    }
    return run<transaction>(fn, detail::stm_purpose::writing);
  }

  /// The same for fn(reader&), which cannot write and costs less: it does not note what it reads, and so begins again where
  /// another would note the clock anew. Within a transaction it is a part of that.
  template <class F>
  std::invoke_result_t<F&, reader&> read_only(F&& fn) {
    if (detail::stm_attempt* const whole = running()) {
      reader part{*whole};
      return fn(part);
    }
    return run<reader>(fn, detail::stm_purpose::reading);
  }

  /// Runs fn(transaction&) once, as the only irrevocable transaction at the time. What it throws is thrown here, and what
  /// it wrote is dropped. Within a transaction, that becomes irrevocable first.
  template <class F>
  std::invoke_result_t<F&, transaction&> irrevocably(F&& fn) {
    if (detail::stm_attempt* const whole = running()) {
      transaction part{*whole};
      part.become_irrevocable();
      return fn(part);
    }
    return run<transaction>(fn, detail::stm_purpose::irrevocable);
  }

 private:
  template <class Face, class F>
  using result_of = std::invoke_result_t<F&, Face&>;

  /// The calling thread's transaction of this stm.
  detail::stm_attempt* running() {
    detail::stm_attempt* one = detail::innermost_attempt<Machine>();
    while (one != nullptr && one->memory != &state_) one = one->outer;
    return one;
  }

  /// An attempt that writes in place and can be undone does not wait for another memory, whose holder may come to this one: it begins
  /// again.
  static void end_solitude() {
    detail::stm_attempt* const around = detail::innermost_attempt<Machine>();
    if (around == nullptr || around->way == detail::stm_way::together || around->is_for_good) return;
    if (around->way == detail::stm_way::elided) transactions_of<Machine>::abort_for_good();
    around->is_over = true;
    detail::raise(detail::transaction_begins_again{});
  }

  template <class R>
  using returned = std::optional<std::conditional_t<std::is_void_v<R>, std::monostate, R>>;

  /// The value that fn has returned, if the attempt has committed. Handlers of exceptions do nothing but note them: no shared memory is
  /// touched before they have ended. If this attempt is not over, it was not ended by what was thrown: that may be what ends
  /// one of another memory around it.
  template <class Face, class Attempt, class F>
  static returned<result_of<Face, F>> try_once(Attempt& t, F& fn, std::exception_ptr& thrown) {
    return detail::or_if_thrown(
        [&]() -> returned<result_of<Face, F>> {
          returned<result_of<Face, F>> r;
          Face face{t};
          if constexpr (std::is_void_v<result_of<Face, F>>)
            fn(face), r.emplace();
          else
            r.emplace(fn(face));
          if (!t.commit()) r.reset();
          return r;
        },
        [&]() -> returned<result_of<Face, F>> {
          thrown = std::current_exception();
          return {};
        });
  }

  template <class Face, class F>
  result_of<Face, F> run(F& fn, detail::stm_purpose why) {
    static_assert(!std::is_reference_v<result_of<Face, F>>, "what a transaction refers to may be another's afterwards");
    if constexpr (!detail::has_exceptions) why = detail::stm_purpose::irrevocable;  // to begin again is to throw
    end_solitude();
    const detail::stm_way way = state_.gate.enter();
    if (way == detail::stm_way::together) return run_together<Face>(fn, why);
    if (auto r = run_in_place<Face>(fn, why, way)) return static_cast<result_of<Face, F>>(*std::move(r));
    return run_together<Face>(fn, why);
  }

  /// Nothing if it is to begin again, with the others. What is made before elide() is not written by a transaction of the
  /// processor, to which each line costs.
  template <class Face, class F>
  returned<result_of<Face, F>> run_in_place(F& fn, detail::stm_purpose why, detail::stm_way way) {
    detail::stm_in_place<Machine, Waiting> t{state_.gate, &state_, way, why == detail::stm_purpose::irrevocable};
    std::exception_ptr thrown;
    if (way == detail::stm_way::elided && !t.elide()) return {};
    auto r = try_once<Face>(t, fn, thrown);
    if (!r) {
      t.undo();
      if (!t.is_over) std::rethrow_exception(thrown);
      ++Machine::template local<detail::stm_attempts>().begun_again;
    }
    return r;
  }

  template <class Face, class F>
  [[gnu::noinline]] result_of<Face, F> run_together(F& fn, detail::stm_purpose why) {
    detail::stm_together<Machine, Waiting, Locks> t{state_, why};
    for (;;) {
      std::exception_ptr thrown;
      t.begin();
      if (auto r = try_once<Face>(t, fn, thrown)) return static_cast<result_of<Face, F>>(*std::move(r));
      if (thrown != nullptr && !t.is_over) {
        t.leave();
        std::rethrow_exception(thrown);
      }
      ++Machine::template local<detail::stm_attempts>().begun_again;
      t.give_way();
    }
  }

  detail::stm_state<Machine, Waiting, Locks> state_;
};

using stm = basic_stm<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
