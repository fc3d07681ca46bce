// Team: what the wake primitives of numbered sleepers have in common.
//
// Problem. A trigger is for all, again and again; but now and then it is for one sleeper, or for the first few, and in the end
// somebody wants them all to go home. Sleepers that share a word cannot tell from it which of them is meant, and the
// thread that asks them to stop is not the one that triggers.
//
// A team (`event_group`, `cascade`, `rendezvous`) is made for n sleepers, with the numbers 0 to n - 1. One thread
// triggers; it does not trigger a sleeper again before that one has returned from its wait. Each team offers
//
//   to                                          by                                    in
//   wake all                                    trigger()                             the triggering thread
//   wake one given sleeper                      trigger(i)                            the triggering thread
//   wake the first k of n: sleepers 0 to k - 1  trigger_first(k)                      the triggering thread
//   wake any k of n                             trigger_some(which): a std::span of   the triggering thread
//                                               their numbers
//   have another number of sleepers from        resize(n), up to what it was made     the triggering thread
//   the next round on                           for
//   wait, and give up in time                   try_wait(i), wait_for(i, duration),   sleeper i
//                                               wait_until(i, moment)
//   send all home, for good                     stop()                                any thread
//   send one home                               stop(i); it may come back after       any thread
//                                               resume(i)
//   be asked by a std::stop_token               wait(team, i, token), wait_for,       sleeper i
//                                               wait_until (stop_token.hpp)
//   wait until all have finished their round    join() of a joined team (joined.hpp)  the triggering thread
//
// A wait is true for a trigger, however late the sleeper comes, and false for a stop or the deadline; stopped(i) tells
// which. No trigger is lost: after a deadline it is still the next one, and after a stop the wait is true for the
// trigger first, and the next one false. Stops may come at any time, even beside a trigger. A sleeper that
// trigger_first or resize leaves out is not woken by later triggers until it is included again. A sleeper that comes
// back after resume(i) may find one trigger waiting that came while it was away. In a group that shares a word, waking
// or stopping one thread wakes the others, too; they look and sleep again. A `cascade` has a word for each. With a
// counter of those who still work a team is `joined`; examples/job_team.cpp shows one.
//
// Picture.   word   [ asleep |        nudges        |        rounds        ]   one for each group of sleepers
//            note   [ all stop | this one stops |          calls           ]   one for each sleeper
//
//   wait(i)       returns when the rounds of its word are not those it has seen, or its note has news; what woke it
//                 otherwise was meant for another of its group, and it sleeps on
//   trigger       counts the rounds of the words up: the whole group is meant
//   trigger(i)    counts the calls of the note up, then nudges the word; trigger_some does it for each that is meant, and
//                 nudges a word once for neighbours that share it
//   stop, stop(i) set a bit of the note, then nudge the word. wait is false from then on, but a trigger that has come
//                 before is not lost: wait is true for that first
//
// Every change of a word is a read-modify-write, so that a trigger and a nudge at the same time both count; and the note is
// written before the word, so that a sleeper that sees the nudge finds the note. A sleeper looks at its note first: that is a load of
// a line of its own.
//
// A sleeper that is between its look and its sleep for exactly 2^15 nudges sleeps on, and one that stays away for exactly
// 2^16 triggers misses them; the contract (traits.hpp) allows one.
//
// Memory orders.
//   access                              order     pairs with
//   trigger, nudge: update of the word  release   wait's loads (acquire; see synchro/waiting.hpp), that of take_if_there
//   trigger(i): update of the note      release   news: load (acquire)
//   stop: fetch_or of the note          release   that, and stopped()
//   resume: fetch_and of the note       relaxed   nothing: it says nothing about the past
//   everything else is its thread's own

#ifndef SYNCHRO_WAKES_TEAM_HPP
#define SYNCHRO_WAKES_TEAM_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "synchro/detail/first_ticket.hpp"
#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/traits.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// What a sleeper of a wake primitive has of its own: on lines of its own, for it is written at every wait.
template <class Machine>
struct alignas(2 * cpu::cache_line) sleeper {
  typename Machine::template plain<std::uint32_t> rounds{0};  ///< Of its word, when it returned last.
  typename Machine::template plain<std::uint32_t> calls{0};   ///< Of its note.
  typename Machine::template atomic<std::uint32_t> note{0};
};

template <class Machine>
struct alignas(2 * cpu::cache_line) wake_word {
  typename Machine::template atomic<std::uint32_t> round{0};
};

/// `Self` is the primitive: woken() is what a sleeper does when its group was triggered, trigger_first(k) wakes sleepers 0 to
/// k - 1. If it has own_words, each sleeper is a group.
template <class Self, class Machine, class Waiting>
class team : public timed_team<Self, Machine> {
 public:
  using machine = Machine;
  static constexpr bool parks = Waiting::parks;

  team(const team&) = delete;
  team& operator=(const team&) = delete;

  /// Sleeper i waits for the next trigger that it has not seen. False if it is stopped, and no trigger has come before.
  bool wait(unsigned i) noexcept {
    return sleep(i, [](word& w, std::uint32_t seen) {
      return std::optional<std::uint32_t>{Waiting::template wait<Machine>(w, seen)};
    });
  }

  /// Whether a trigger has come that sleeper i has not seen; it has seen it then.
  [[nodiscard]] bool try_wait(unsigned i) noexcept {
    sleeper<Machine>& mine = sleepers_[i];
    word& w = word_for(i);
    return take_if_there(mine, w) || news(mine, w).value_or(false);
  }

  /// All that are in the team, each once.
  void trigger() noexcept { self().trigger_first(present_); }

  /// Sleeper i alone. By the triggering thread, and not again before that sleeper has returned.
  void trigger(unsigned i) noexcept { trigger_part(i, i + 1); }

  /// These sleepers alone, whichever they are, each of them once; by the triggering thread, as trigger(i). Ascending
  /// numbers cost the fewest wake-ups.
  void trigger_some(std::span<const unsigned> which) noexcept {
    for (std::size_t i = 0; i != which.size(); ++i) {
      call(which[i]);
      if (i + 1 == which.size() || &word_for(which[i]) != &word_for(which[i + 1])) nudge(word_for(which[i]));
    }
  }

  /// From the next trigger on the team is sleepers 0 to n - 1, at most as many as it was made for. By the triggering
  /// thread, when all have returned. A sleeper no longer in the team may sleep on, and may be in it again later.
  void resize(unsigned n) noexcept { present_ = n; }
  [[nodiscard]] unsigned size() const noexcept { return present_; }
  [[nodiscard]] unsigned most() const noexcept { return static_cast<unsigned>(sleepers_.size()); }

  /// All sleepers, those to come as well, return from their waits with false, for good. By any thread at any time.
  void stop() noexcept {
    for (auto& each : sleepers_) each.note.fetch_or(all_stop, memory_order::release);
    for (auto& each : words_) nudge(each.round);
  }
  /// Sleeper i does, until resume(i).
  void stop(unsigned i) noexcept {
    sleepers_[i].note.fetch_or(one_stops, memory_order::release);
    nudge(word_for(i));
  }
  void resume(unsigned i) noexcept { sleepers_[i].note.fetch_and(~one_stops, memory_order::relaxed); }
  [[nodiscard]] bool stopped(unsigned i) const noexcept {
    return (sleepers_[i].note.load(memory_order::acquire) & (all_stop | one_stops)) != 0;
  }

 protected:
  using word = word_of<Machine>;

  /// Throws std::bad_alloc.
  team(unsigned sleepers, unsigned group, first_ticket first = {})
      : group_{group}, present_{sleepers}, words_((sleepers + group - 1) / group), sleepers_(sleepers) {
    if (first.number != 0) begin_at(first.number);
  }
  ~team() = default;

  /// All of sleeper i's group.
  void trigger_group_of(unsigned i) noexcept {
    word& w = word_for(i);
    Machine::prefetch_for_write(&w);
    change(w, [](std::uint32_t v) { return (v & nudges) | ((v + 1) & rounds); });
  }
  /// Sleepers `first` to `last` - 1, all of one group, which is larger.
  void trigger_part(unsigned first, unsigned last) noexcept {
    for (unsigned i = first; i != last; ++i) call(i);
    nudge(word_for(first));
  }
  [[nodiscard]] unsigned group_size() const noexcept { return group_; }

 private:
  friend timed_team<Self, Machine>;

  static constexpr std::uint32_t rounds = 0xffff;
  static constexpr std::uint32_t one_nudge = rounds + 1;
  static constexpr std::uint32_t mark = 0x8000'0000;  // the waiting policy's
  static constexpr std::uint32_t nudges = ~mark & ~rounds;

  static constexpr std::uint32_t all_stop = 0x8000'0000;
  static constexpr std::uint32_t one_stops = 0x4000'0000;
  static constexpr std::uint32_t calls = one_stops - 1;

  /// All that is counted begins with this number.
  void begin_at(std::uint32_t number) noexcept {
    for (auto& each : words_) each.round.store(number & ~mark, memory_order::relaxed);
    for (auto& each : sleepers_) {
      each.rounds = number & ~mark;
      each.calls = number & calls;
      each.note.store(number & calls, memory_order::relaxed);
    }
  }

  Self& self() noexcept { return static_cast<Self&>(*this); }
  word& word_for(unsigned i) noexcept {
    if constexpr (requires { Self::own_words; })
      return words_[i].round;
    else
      return words_[i / group_].round;
  }

  /// What the bits above the count are is left alone: somebody may ask the sleeper to stop at the same time.
  void call(unsigned i) noexcept {
    const auto one_more = [](std::uint32_t v) {
      return attempt<std::uint32_t>::write((v & ~calls) | ((v + 1) & calls));
    };
    Machine::update(sleepers_[i].note, one_more, memory_order::release, memory_order::relaxed);
  }

  /// Writes next(value), by release and without the mark, and wakes all who sleep on the word.
  template <class Next>
  static void change(word& w, Next next) noexcept {
    const auto write = [=](std::uint32_t v) { return attempt<std::uint32_t>::write(next(v)); };
    [[maybe_unused]] const auto old = Machine::update(w, write, memory_order::release, memory_order::relaxed).seen;
    if constexpr (Waiting::parks) {
      if ((old & mark) != 0) Machine::unpark(&w, std::numeric_limits<std::uint32_t>::max());
    }
  }
  static void nudge(word& w) noexcept {
    change(w, [](std::uint32_t v) { return (v + one_nudge) & ~mark; });
  }

  template <class Wait>
  bool sleep(unsigned i, Wait wait_on) noexcept {
    sleeper<Machine>& mine = sleepers_[i];
    word& w = word_for(i);
    for (;;) {
      if (const std::optional<bool> told = news(mine, w)) return *told;
      const std::optional<std::uint32_t> v = wait_on(w, mine.rounds);
      if (!v) return false;
      if (take(mine, *v)) return true;
    }
  }
  bool wait_by(unsigned i, typename Machine::deadline until) noexcept {
    return sleep(
        i, [until](word& w, std::uint32_t seen) { return Waiting::template wait_until<Machine>(w, seen, until); });
  }

  /// Whether the value of the word tells of a trigger; the sleeper has seen it then.
  bool take(sleeper<Machine>& mine, std::uint32_t v) noexcept {
    const bool triggered = ((v ^ mine.rounds) & rounds) != 0;
    mine.rounds = v & ~mark;
    if (triggered) self().woken();
    return triggered;
  }
  bool take_if_there(sleeper<Machine>& mine, word& w) noexcept { return take(mine, w.load(memory_order::acquire)); }

  /// What the note tells: nothing new, a trigger (true), or to stop.
  std::optional<bool> news(sleeper<Machine>& mine, word& w) noexcept {
    const std::uint32_t note = mine.note.load(memory_order::acquire);
    const std::uint32_t known = mine.calls;
    if (note == known) [[likely]]
      return std::nullopt;
    if ((note & calls) == known) return take_if_there(mine, w);
    mine.calls = note & calls;
    return true;
  }

  unsigned group_;
  unsigned present_;  // the triggering thread's
  std::vector<wake_word<Machine>> words_;
  std::vector<sleeper<Machine>> sleepers_;
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
