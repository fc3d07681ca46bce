// How a sleeper of a wake primitive waits, and how many of them are released together.
//
// Waiting for a lock ends with a section. Waiting to be woken takes as long as others like: a thread that is answered within
// a microsecond should not sleep for it, and one that looks in vain keeps a processor from those who were woken with it. So the
// primitives here, and all else that sleeps by default, learn which it is:
//
//   policy            looks                                                    then
//   yield_then_park   for about as long as going to sleep and waking costs     gives way, and looks five times; then sleeps
//                     (as waiting.hpp's spin_park), if that has helped
//                     the thread of late (detail/experience.hpp)
//   spin_park         for so long, always                                      sleeps
//   spin, spin_yield  as waiting.hpp says
//
// To give way costs about a microsecond, of a waiter that would sleep anyway. Where threads are more than processors,
// those that lie down at once are woken in an order in which the waker has to stop for them: with four sleepers on two
// processors a trigger took 7 % longer, and the mean sleeper woke 6 % later (bench/wakes). libstdc++ gives way four
// times, too.
//
// A policy's pair of wait(word) and hand_over(word) is for one waiter. Where several threads wait on one word, all for the
// same value to go away, the thread that changes it takes the mark away, and wakes all if it was there (team.hpp).

#ifndef SYNCHRO_WAKES_WAITING_HPP
#define SYNCHRO_WAKES_WAITING_HPP

#include "synchro/detail/experience.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// Looks for as long as looking has helped this thread, then a few times more, giving the processor away, then sleeps.
struct yield_then_park : detail::sleeps<yield_then_park> {
  static constexpr const char* name = "brief";

  template <class Machine, class LookFor>
  static auto look_first(const void* word, LookFor look_for) {
    const auto give_way = [&] { return look_for(detail::one_yield{}, looks{most_yields}); };
    const looks as_long_as_a_sleep = Machine::spin_looks();
    if (as_long_as_a_sleep.count == 0) return give_way();
    detail::experience& mine = Machine::template local<detail::experience>();
    if (!mine.says_look(word)) return give_way();
    if (auto found = look_for(detail::one_pause{}, as_long_as_a_sleep)) {
      mine.found(word);
      return found;
    }
    const auto late = give_way();
    mine.looked_in_vain(word, static_cast<bool>(late));
    return late;
  }

 private:
  static constexpr std::uint32_t most_yields = 4;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
