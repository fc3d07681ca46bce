// The way into a transactional memory: while its threads come one at a time, who comes is alone, and needs no lock of a
// stripe, no version and no log of what it reads. It writes in place, and keeps what was there in case it has to be undone.
//
// Picture.   gate    free <-> alone     one thread after the other
//                    free, alone -> shared     from when two have met: for good
//            asked   1 from when somebody found the gate taken
//
//   enter    free: takes the gate, and is alone. Taken: asks, waits until it is free, and makes it shared. Who is alone, and
//            enters and leaves again and again, sees that somebody has asked, and makes it shared itself.
//   leave    gives it back: a store.
//
// It does not turn back: that would take a count of who is in, which all threads would write.
//
// Memory orders.
//   access                    order     pairs with
//   enter: update of gate     acquire   leave: what was written there is seen, by later ones, too, for the update that makes
//                                       it shared goes on with the release sequence of leave
//   enter: load of gate       acquire   leave, share, and the update as above
//   leave, share: store       release   enter
//   asked: store, load        relaxed   nothing: who does not see it is alone once more
//
// Source: the idea to run without bookkeeping while there is one thread is that of GCC's libitm (its method `serialirr`,
// chosen by the number of threads); Dice, Moir, Scherer: Quickly Reacquirable Locks, Sun Labs 2003 (a lock that is free for
// one thread until a second one comes).

#ifndef SYNCHRO_STM_GATE_HPP
#define SYNCHRO_STM_GATE_HPP

#include <cstdint>

#include "synchro/hardware.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

template <class Machine, class Waiting>
class stm_gate {
  static constexpr std::uint32_t free = 0, alone = 1, shared = 2;

 public:
  explicit stm_gate(bool is_shared) : gate_{is_shared ? shared : free} {}

  /// True: the caller is alone until it leaves or shares. False: nobody is, nor will be.
  bool enter() {
    std::uint32_t seen = gate_.load(memory_order::acquire);
    if (seen == shared) return false;
    if (seen == free && asked_.load(memory_order::relaxed) == 0 &&
        gate_.compare_exchange_strong(seen, alone, memory_order::acquire, memory_order::relaxed))
      return true;
    ask();
    return false;
  }
  /// By who is alone.
  void leave() { gate_.store(free, memory_order::release); }
  /// By who is alone: from now on nobody is.
  void share() { gate_.store(shared, memory_order::release); }

 private:
  [[gnu::noinline]] void ask() {
    asked_.store(1, memory_order::relaxed);
    Machine::update(
        gate_,
        [](std::uint32_t v, std::uint32_t round) {
          using answer = attempt<std::uint32_t>;
          return v == shared ? answer::decline()
                 : v == free ? answer::write(shared)
                             : answer::again(Waiting::again(round));
        },
        memory_order::acquire, memory_order::acquire);
  }

  typename Machine::template atomic<std::uint32_t> gate_;
  typename Machine::template atomic<std::uint32_t> asked_{0};
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
