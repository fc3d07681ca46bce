// Cascade: one trigger for n sleepers; the threads awake help to wake the rest.
//
// Problem. Waking costs the waker t a thread, and n t passes before the last one is told. A woken thread comes to itself
// w later; if n is larger than 1 + w/t there is time for it to help. Trees with a fixed number of children need that
// number tuned to the machine; here every thread that is awake claims the next sleeper from one index until none is
// left, which is the best that can be done (a broadcast in the postal model) whatever w and t are.
//
// Picture.   next [4]    0 woken, 1 woken, 2 claimed by the waker, 3 claimed by 0, 4 ... asleep
//
//   wait_for    gives up at its deadline; who is away when the trigger comes is claimed like all others, and helps when it
//               waits again, if there is anybody left
//   trigger()   sets the index to 0 and claims, one after another, until none is left
//   wait(i)     sleeps on a word of its own; woken, claims and wakes others until none is left, or until it has woken
//               as many as its duty is; then returns
//
// Choose it for many sleepers and idle processors for them: it pays from about n = 1.4 w/t + 3 on. Do not choose it
// where the woken have no processor to run on: the flat event_group is as good there, and one call cheaper for each. A
// helper's own work begins later by what it has woken: limit its duty if the mean start counts more than the last.
//
// Memory orders.
//   access                                  order     pairs with
//   hand_over to a sleeper's word           release   its wait or try_wait (acquire): what was done before trigger() reaches every
//                                                     sleeper through those who were woken before it
//   index: store, fetch_add                 relaxed   nothing: a helper was woken after the store, so it sees it, and
//                                                     those of the last trigger have returned before (the contract)
//
// Source: Bar-Noy, Kipnis: Designing Broadcasting Algorithms in the Postal Model for Message-Passing Systems, SPAA 1992.

#ifndef SYNCHRO_WAKES_CASCADE_HPP
#define SYNCHRO_WAKES_CASCADE_HPP

#include <cstdint>
#include <limits>
#include <vector>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/traits.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = brief_park>
class basic_cascade {
 public:
  static constexpr wake_traits traits{
      .judgement = "many sleepers and idle processors for them; not where the woken have to queue for a processor",
      .one_call = false,
      .citation =
          "Bar-Noy, Kipnis: Designing Broadcasting Algorithms in the Postal Model for Message-Passing Systems, "
          "SPAA 1992"};
  static constexpr bool parks = Waiting::parks;
  static constexpr unsigned no_limit = std::numeric_limits<unsigned>::max();

  /// For `sleepers` threads; a woken one wakes `duty` others at most. Throws std::bad_alloc.
  explicit basic_cascade(unsigned sleepers, unsigned duty = no_limit)
      : duty_{duty}, words_(sleepers), sleepers_(sleepers) {}
  basic_cascade(const basic_cascade&) = delete;
  basic_cascade& operator=(const basic_cascade&) = delete;

  /// Sleeper i waits for the next trigger that it has not seen.
  void wait(unsigned i) noexcept {
    Waiting::template wait<Machine>(words_[i].round, sleepers_[i].rounds);
    see(i);
  }

  /// The same until the deadline; whether the trigger came. If not, it is still the next one.
  template <class Rep, class Period>
  bool wait_for(unsigned i, const std::chrono::duration<Rep, Period>& patience) {
    return wait_until_deadline(i, deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  bool wait_until(unsigned i, const std::chrono::time_point<Clock, Duration>& moment) {
    return wait_until_deadline(i, deadline_of<Machine>(moment));
  }
  [[nodiscard]] bool try_wait(unsigned i) noexcept {
    const std::uint32_t round = words_[i].round.load(memory_order::acquire) & detail::round_bits;
    if (round == sleepers_[i].rounds) return false;
    see(i);
    return true;
  }

  void trigger() noexcept {
    const std::uint32_t round = (triggers_ + 1) & detail::round_bits;
    triggers_ = round;
    next_.index.store(0, memory_order::relaxed);
    wake_others(round, no_limit);
  }

 private:
  struct alignas(2 * cpu::cache_line) claim {
    typename Machine::template atomic<std::uint32_t> index{0};
  };

  /// Woken: wakes others.
  void see(unsigned i) {
    const std::uint32_t round = (sleepers_[i].rounds + 1) & detail::round_bits;
    sleepers_[i].rounds = round;
    wake_others(round, duty_);
  }

  bool wait_until_deadline(unsigned i, typename Machine::deadline until) {
    if (!Waiting::template wait_until<Machine>(words_[i].round, sleepers_[i].rounds, until)) return false;
    see(i);
    return true;
  }

  void wake_others(std::uint32_t round, unsigned most) {
    for (unsigned woken = 0; woken != most; ++woken) {
      const std::uint32_t mine = next_.index.fetch_add(1, memory_order::relaxed);
      if (mine >= words_.size()) return;
      Waiting::template hand_over<Machine>(words_[mine].round, round, memory_order::release);
    }
  }

  claim next_;
  unsigned duty_;
  typename Machine::template plain<std::uint32_t> triggers_{0};  // the triggering thread's
  std::vector<detail::wake_word<Machine>> words_;
  std::vector<detail::sleeper<Machine>> sleepers_;
};

using cascade = offered_team<basic_cascade<>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
