// Event group: one trigger for n sleepers, k of them on a word.
//
// Problem. One word for all is one call to the kernel, but all the woken fall upon one line and one bucket of the kernel's
// hash table; one word for each is n calls. In between lies a best size: with a fixed cost s of a call, and a delay a of
// each woken thread by each that shares its word, the mean wake time of n is least at about the square root of n s / a.
//
// Picture.   k = 3, n = 8      word 0 [round] <- 0 1 2    word 1 [round] <- 3 4 5    word 2 [round] <- 6 7
//
//   wait(i)     waits until the word of its group is no longer the number of the triggers that sleeper i has seen
//   wait_for    gives up at its deadline and leaves the mark of a sleeper behind: the next trigger wakes for nothing
//   trigger()   writes the number of this trigger into each word in turn, and wakes those who sleep there
//
// Choose it when one thread starts many, again and again, and the machine's best k is known (`synchroscope run
// wake` finds it). Do not choose it for a state that comes and goes (event), nor for very many sleepers with idle
// processors, where those already awake should help (cascade).
//
// A sleeper that stays away for 2^31 triggers would miss them; the contract (traits.hpp) allows one.
//
// Memory orders.
//   access                              order     pairs with
//   trigger: store or exchange          release   wait's loads (acquire; see synchro/waiting.hpp), that of try_wait
//   everything else is its thread's own
//
// Source: groups of sleepers per event: the comparison of synchronization methods on Windows that
// docs/wakes/README.md names.

#ifndef SYNCHRO_WAKES_EVENT_GROUP_HPP
#define SYNCHRO_WAKES_EVENT_GROUP_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/traits.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// What a sleeper of a wake primitive has of its own: on lines of its own, for it is written at every wait.
template <class Machine>
struct alignas(2 * cpu::cache_line) sleeper {
  typename Machine::template plain<std::uint32_t> rounds{
      0};  ///< Triggers it has seen, in the 31 bits that a waiting policy leaves.
};
inline constexpr std::uint32_t round_bits = 0x7fff'ffff;

template <class Machine>
struct alignas(2 * cpu::cache_line) wake_word {
  typename Machine::template atomic<std::uint32_t> round{0};
};

}  // namespace detail

template <class Machine = hardware, class Waiting = brief_park>
class basic_event_group {
 public:
  static constexpr wake_traits traits{
      .judgement = "one thread starts many, again and again; not for a state that comes and goes",
      .one_call = false,
      .citation = "sleepers in groups: \"Comparing synchronization methods on Windows\""};
  static constexpr bool parks = Waiting::parks;
  static constexpr unsigned usual_group = 4;

  /// For `sleepers` threads, `group` of them on a word. Throws std::bad_alloc.
  explicit basic_event_group(unsigned sleepers, unsigned group = usual_group)
      : group_{std::max(1U, group)}, words_((sleepers + group_ - 1) / group_), sleepers_(sleepers) {}
  basic_event_group(const basic_event_group&) = delete;
  basic_event_group& operator=(const basic_event_group&) = delete;

  /// Sleeper i waits for the next trigger that it has not seen.
  void wait(unsigned i) noexcept {
    Waiting::template wait<Machine>(words_[i / group_].round, sleepers_[i].rounds);
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
    const std::uint32_t round = words_[i / group_].round.load(memory_order::acquire) & detail::round_bits;
    if (round == sleepers_[i].rounds) return false;
    see(i);
    return true;
  }

  void trigger() noexcept {
    const std::uint32_t round = (triggers_ + 1) & detail::round_bits;
    triggers_ = round;
    for (auto& word : words_) detail::release_all<Machine, Waiting>(word.round, round);
  }

 private:
  void see(unsigned i) { sleepers_[i].rounds = (sleepers_[i].rounds + 1) & detail::round_bits; }

  bool wait_until_deadline(unsigned i, typename Machine::deadline until) {
    if (!Waiting::template wait_until<Machine>(words_[i / group_].round, sleepers_[i].rounds, until)) return false;
    see(i);
    return true;
  }

  unsigned group_;
  typename Machine::template plain<std::uint32_t> triggers_{0};  // the triggering thread's
  std::vector<detail::wake_word<Machine>> words_;
  std::vector<detail::sleeper<Machine>> sleepers_;
};

using event_group = offered_team<basic_event_group<>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
