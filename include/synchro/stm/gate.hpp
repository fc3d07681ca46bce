// The way into a transactional memory: while its threads come one at a time, each of them is alone, and needs no lock of a
// stripe, no version and no log of what it reads. It writes in place, and keeps what was there in case it has to be undone.
// When two have met, transactions of the processor take over where it has them (in_place.hpp), and then those of stm.hpp.
//
// Picture.   gate    free <-> alone        one thread after the other
//                    free, alone -> shared     side by side: for good
//            met     1 from when somebody found the gate taken
//
//   enter    free, and nobody has met: takes the gate, and is alone. Otherwise notes that two have met. Without transactions
//            of the processor it waits until the gate is free and makes it shared; with them it is to run in one of those.
//   elided   begins a transaction of the processor and reads the gate: free, it runs in place, and whoever takes the gate
//            aborts it. Whoever cannot run so waits until the gate is free, takes it, and is alone.
//   leave    gives the gate back: a store. If too many had to be alone, it makes it shared.
//
// Shared does not turn back: that would take a count of those inside, which all threads would write. Transactions of the processor
// are of little use where many do not fit: each that is alone stops everybody. So whoever takes the gate although two have met
// notes whether its thread has committed `worth` others on the processor since it did so last. If not, that is a mark against
// them, otherwise one is taken back; more than `most_marks` make the gate shared. `worth` is four, so that about a fifth may be
// alone. On two processors transactions of the processor were ahead at all shares, two to four times; on many, those that
// are alone weigh more.
//
// Memory orders.
//   access                      order     pairs with
//   enter: update of gate       acquire   leave: what was written there is seen, by later ones, too, for the update that makes
//                                         it shared goes on with the release sequence of leave; and the transactions of the
//                                         processor that have read it (transactions.hpp)
//   enter: load of gate         acquire   leave, share, and the update as above
//   leave, share: store         release   enter; the load in a transaction of the processor
//   elided: load of gate        relaxed   nothing: the transaction orders it
//   wait that it is not taken   acquire   leave, share: a thread that finds it shared goes on without a transaction of the processor
//   met: store, load            relaxed   nothing: a thread that does not see it is alone once more
//
// Source: the idea to run without bookkeeping while there is one thread is that of GCC's libitm (its method `serialirr`,
// chosen by the number of threads); Dice, Moir, Scherer: Quickly Reacquirable Locks, Sun Labs 2003 (a lock that is free for
// one thread until a second one comes); Lev, Moir, Nussbaum: PhTM: Phased Transactional Memory, TRANSACT 2007 (all transactions
// run on the processor, or all by the software).

#ifndef SYNCHRO_STM_GATE_HPP
#define SYNCHRO_STM_GATE_HPP

#include <cstdint>

#include "synchro/hardware.hpp"
#include "synchro/look.hpp"
#include "synchro/transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// How a transaction is to run.
enum class stm_way : std::uint8_t { alone, elided, together };

template <class Machine, class Waiting>
class stm_gate {
  static constexpr std::uint32_t free = 0, alone = 1, shared = 2;
  static constexpr unsigned worth = 4;
  using transactions = transactions_of<Machine>;

 public:
  stm_gate(bool is_shared, bool elides, unsigned most_marks)
      : gate_{is_shared ? shared : free}, elides_{elides && transactions::are_usable()}, most_marks_{most_marks} {}

  /// Alone: until the caller leaves or shares.
  stm_way enter() {
    std::uint32_t seen = gate_.load(memory_order::acquire);
    if (seen == shared) return stm_way::together;
    const bool have_met = met_.load(memory_order::relaxed) != 0;
    if (have_met && elides_) return stm_way::elided;
    if (seen == free && !have_met &&
        gate_.compare_exchange_strong(seen, alone, memory_order::acquire, memory_order::relaxed))
      return stm_way::alone;
    return meet();
  }
  /// True: the caller is alone, although two have met. False: nobody is, nor will be. `elided`: how many transactions of the
  /// processor its thread has committed since it did so last, for it to count.
  [[gnu::noinline]] bool enter_alone(std::uint32_t& elided) {
    if (!take(alone)) return false;
    const bool pays = elided >= worth;
    elided = 0;
    const unsigned marks = marks_;
    marks_ = pays ? marks - (marks != 0 ? 1 : 0) : marks + 1;
    return true;
  }
  /// Called by the thread that is alone.
  void leave() { gate_.store(marks_ <= most_marks_ ? free : shared, memory_order::release); }
  /// Called by the thread that is alone: from now on none is.
  void share() { gate_.store(shared, memory_order::release); }

  /// In a transaction of the processor: whether it may go on.
  [[nodiscard]] bool is_free() const { return gate_.load(memory_order::relaxed) == free; }
  /// Waits while somebody is alone. False: all run side by side.
  [[nodiscard]] bool await_free() const {
    return Machine::await(gate_, memory_order::acquire, [](std::uint32_t v, std::uint32_t round) {
             return v == alone ? Waiting::retry(round) : look::done();
           }) == free;
  }

 private:
  [[gnu::noinline]] stm_way meet() {
    met_.store(1, memory_order::relaxed);
    if (elides_) return stm_way::elided;
    take(shared);
    return stm_way::together;
  }
  /// Makes it this when it is free. False: it was shared.
  bool take(std::uint32_t what) {
    const updated<std::uint32_t> outcome = Machine::update(
        gate_,
        [what](std::uint32_t v, std::uint32_t round) {
          using answer = attempt<std::uint32_t>;
          return v == shared ? answer::decline()
                 : v == free ? answer::write(what)
                             : answer::retry(Waiting::retry(round));
        },
        memory_order::acquire, memory_order::acquire);
    return outcome.written;
  }

  typename Machine::template atomic<std::uint32_t> gate_;
  typename Machine::template atomic<std::uint32_t> met_{0};
  const bool elides_;
  const unsigned most_marks_;
  typename Machine::template plain<unsigned> marks_{0};  ///< Of who is alone.
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
