// Event group: one trigger for n sleepers, k of them on a word.
//
// Problem. One word for all is one call to the kernel, but all the woken fall upon one line and one bucket of the kernel's
// hash table; one word for each is n calls. In between lies a best size: with a fixed cost s of a call, and a delay a of
// each woken thread by each that shares its word, the mean wake time of n is least at about the square root of n s / a.
//
// Picture.   k = 3, n = 8      word 0 [round] <- 0 1 2    word 1 [round] <- 3 4 5    word 2 [round] <- 6 7
//
//   wait(i)     waits until the word of its group is no longer what it was when sleeper i returned last
//   wait_for    gives up at its deadline and leaves the mark of a sleeper behind: the next trigger wakes for nothing
//   trigger()   counts the rounds of each word in turn up, and wakes those who sleep there
//   trigger_first(k)   the same with the groups that are meant as a whole; of the last one each sleeper that is meant is
//               called by its note, and the others wake for nothing
//
// Sleepers have numbers, and a trigger that comes before its sleeper is not lost: the wait returns at once. What every
// team offers, what the word is made of, and the memory orders: `team`.
//
//   synchro::event_group start{11, 4};  // 11 sleepers, 4 on a word
//
//   void sleeper(unsigned i) {
//     for (;;) {
//       start.wait(i);
//       work(i);
//     }
//   }
//   void waker() { start.trigger(); }  // again when all have come back from their wait
//
// Choose it when one thread starts many, again and again, and the best k of the machine is known (`synchroscope run
// wake` finds it; where it finds none, take n, a single word). Do not choose it for a state that comes and goes
// (`event`), nor for very many sleepers with idle processors, where those already awake should help (`cascade`).
//
// Source: `traits.citation`.

#ifndef SYNCHRO_WAKES_EVENT_GROUP_HPP
#define SYNCHRO_WAKES_EVENT_GROUP_HPP

#include <algorithm>

#include "synchro/detail/first_ticket.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/team.hpp"
#include "synchro/wakes/traits.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = yield_then_park>
class basic_event_group : public detail::team<basic_event_group<Machine, Waiting>, Machine, Waiting> {
  using team = detail::team<basic_event_group, Machine, Waiting>;

 public:
  static constexpr wake_traits traits{
      .judgement = "one thread starts many, again and again; not for a state that comes and goes",
      .one_call = false,
      .citation = "sleepers in groups: \"Comparing synchronization methods on Windows\""};
  static constexpr bool merges_triggers = true;
  static constexpr unsigned usual_group = 4;

  /// For `sleepers` threads, `group` of them on a word. Throws std::bad_alloc.
  explicit basic_event_group(unsigned sleepers, unsigned group = usual_group, first_ticket first = {})
      : team(sleepers, std::max(1U, group), first) {}

  /// Sleepers 0 to k - 1; k is at most the number of all.
  void trigger_first(unsigned k) noexcept {
    const unsigned whole = k / team::group_size() * team::group_size();
    for (unsigned i = 0; i < whole; i += team::group_size()) this->trigger_group_of(i);
    if (k == whole) return;
    if (k == team::most())
      this->trigger_group_of(whole);
    else
      this->trigger_part(whole, k);
  }

 private:
  friend team;
  void woken() const noexcept {}
};

using event_group = offered_team<basic_event_group<>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
