// Cascade: one trigger for n sleepers; the threads awake help to wake the rest.
//
// Problem. Waking costs the waker t a thread, and n t passes before the last one is told. A woken thread runs w
// later; if n is larger than 1 + w/t there is time for it to help. Trees with a fixed number of children need that
// number tuned to the machine; here every thread that is awake claims the next sleeper from one index until none is
// left, which is the best that can be done (a broadcast in the postal model) whatever w and t are.
//
// Picture.   next [4]    0 woken, 1 woken, 2 claimed by the waker, 3 claimed by 0, 4 ... asleep
//
//   trigger()   sets the index to 0 and claims, one after another, until none is left
//   wait(i)     sleeps on a word of its own; woken, claims and wakes others until none is left, or until it has woken
//               as many as its duty is; then returns
//   wait_for    gives up at its deadline; a sleeper that is away when the trigger comes is claimed like all others, and helps when it
//               waits again, if there is anybody left
//   trigger(i)  calls sleeper i by its note; it helps nobody
//
// In use:
//
//   synchro::cascade start{63};      // start.wait(i) in the sleepers, start.trigger() in the waker
//   synchro::cascade gentle{63, 8};  // each woken thread wakes 8 others at most
//
// Choose it for many sleepers, dozens, and idle processors for them: it pays from about n = 1.4 w/t + 3 on
// (`synchroscope run wake` measures w and t). Do not choose it where the woken have no processor to run on: the flat
// `event_group` is as good there, and one call cheaper for each; on two processors a cascade gains nothing. A helper's
// own work begins later by what it has woken: limit its duty if the mean start counts more than the last. What every
// team offers: `team`.
//
// Memory orders: those of synchro/wakes/team.hpp, and
//   access                                  order     pairs with
//   update of a sleeper's word              release   its wait: what was done before trigger() reaches every sleeper
//                                                     through those who were woken before it
//   index: store, fetch_add                 relaxed   nothing: a helper was woken after the store, so it sees it. One of the
//                                                     last trigger, where that may be, claims a sleeper that is to be woken
//
// Source: `traits.citation`.

#ifndef SYNCHRO_WAKES_CASCADE_HPP
#define SYNCHRO_WAKES_CASCADE_HPP

#include <cstdint>
#include <limits>

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
class basic_cascade : public detail::team<basic_cascade<Machine, Waiting>, Machine, Waiting> {
  using team = detail::team<basic_cascade, Machine, Waiting>;

 public:
  static constexpr wake_traits traits{
      .judgement = "many sleepers and idle processors for them; not where the woken have to queue for a processor",
      .one_call = false,
      .citation =
          "Bar-Noy, Kipnis: Designing Broadcasting Algorithms in the Postal Model for Message-Passing Systems, "
          "SPAA 1992"};
  static constexpr bool merges_triggers = true;
  static constexpr unsigned no_limit = std::numeric_limits<unsigned>::max();

  /// For `sleepers` threads; a woken one wakes `duty` others at most. Throws std::bad_alloc.
  explicit basic_cascade(unsigned sleepers, unsigned duty = no_limit, first_ticket first = {})
      : team(sleepers, 1, first), duty_{duty} {}

  /// Sleepers 0 to k - 1; k is at most the number of all.
  void trigger_first(unsigned k) noexcept {
    if (next_.end != k) next_.end = k;  // unless it changes, a helper of the last trigger may read it still
    next_.index.store(0, memory_order::relaxed);
    wake_others(no_limit);
  }

 private:
  friend team;
  static constexpr bool own_words = true;

  struct alignas(2 * cpu::cache_line) claim {
    typename Machine::template atomic<std::uint32_t> index{0};
    typename Machine::template plain<std::uint32_t> end{0};
  };

  void woken() noexcept { wake_others(duty_); }

  void wake_others(unsigned most) noexcept {
    for (unsigned woken = 0; woken != most; ++woken) {
      const std::uint32_t mine = next_.index.fetch_add(1, memory_order::relaxed);
      if (mine >= next_.end) return;
      this->trigger_group_of(mine);
    }
  }

  claim next_;
  unsigned duty_;
};

using cascade = offered_team<basic_cascade<>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
