// How a waiter waits: spin, spin_yield or spin_park; or spin_monitor, if the processor is to wait for a line.
//
// A waiting policy is a pair, wait(word) and hand_over(word, value, order), on a 32-bit word that exactly one thread
// waits on. Queue locks give every waiter such a word, so only the next holder is touched by a release.
//
//   policy       the waiter                                     the releaser              choose it when
//   spin         reads its word until it changes                stores                    every thread has a processor
//   spin_yield   the same, then gives its processor away        stores                    threads are many, sleeping is
//                between looks                                                            not allowed
//   spin_park    the same, then sleeps in the kernel            exchanges, and wakes if   threads are many, waits long
//                                                               the sleeper's mark is set
//   spin_monitor reads its word until it changes, and lets      stores                    every thread has a processor,
//                the processor wait for that between looks                                which is to rest
//
// The sleeper announces itself by a read-modify-write on the very word it sleeps on, and the releaser sees the mark in
// the value it exchanges out: one modification order, so one of the two always sees the other. (A release by plain
// store with a check beside it loses a wake-up with two threads already.)
//
// A waiter with a deadline may leave its mark behind. A later waiter on the same word takes it for its own: it still
// waits for anything but `awaited`, with or without the mark.
//
// A word holds 31 bits of the lock's own; the top bit is the sleeper's mark and the policy's alone.
//
//   access                              order     pairs with
//   wait: load of the word              acquire   hand_over's store or exchange (release)
//   wait: mark by compare-and-swap      relaxed   nothing: the mark publishes nothing, and a value that is found instead
//                                                 is read again with acquire
//   hand_over: store, exchange          release   the acquire loads of wait

#ifndef SYNCHRO_WAITING_HPP
#define SYNCHRO_WAITING_HPP

#include <cstdint>
#include <optional>

#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

template <class Machine>
using word_of = typename Machine::template atomic<std::uint32_t>;

/// Waits by looking, and hands over by a plain store: for policies whose waiters never sleep. They differ in nothing but how
/// a waiter rests between looks, which `Policy::step(awaited)` says.
template <class Policy>
struct wakes_nobody {
  static constexpr bool parks = false;

  /// Looks until the word holds anything but `awaited`; returns that. `Limit` as for the verbs of a machine.
  template <class Machine, class Limit>
  static std::optional<std::uint32_t> wait_until(word_of<Machine>& word, std::uint32_t awaited, Limit limit) {
    return Machine::await_until(word, memory_order::acquire, Policy::step(awaited), limit);
  }

  template <class Machine>
  static std::uint32_t wait(word_of<Machine>& word, std::uint32_t awaited) {
    return Machine::await(word, memory_order::acquire, Policy::step(awaited));
  }

  template <class Machine>
  static void hand_over(word_of<Machine>& word, std::uint32_t value, typename Machine::order order) {
    word.store(value, order);
  }
};

}  // namespace detail

/// Waits by looking, without ever giving up the processor.
struct spin : detail::wakes_nobody<spin> {
  static constexpr const char* name = "spin";

  /// For waits that the pair does not cover: rest this long, then look again.
  static constexpr look retry(std::uint32_t /*round*/, std::uint32_t pauses = 1) { return look::retry(pauses); }
  static constexpr auto step(std::uint32_t awaited) {
    return [=](std::uint32_t v) { return v != awaited; };
  }
};

/// Waits as spin does, and has the processor wait for the word's line to be written where it has an instruction for that
/// (cpu::rest_until_written): it uses less energy, and leaves the core to its other thread. What a wake-up costs then depends on the
/// processor, so nothing here chooses it by itself. Without such an instruction, before a deadline, and on words that several
/// threads wait on it is spin.
struct spin_monitor : detail::wakes_nobody<spin_monitor> {
  static constexpr const char* name = "monitor";

  static constexpr look retry(std::uint32_t round, std::uint32_t pauses = 1) { return spin::retry(round, pauses); }
  static constexpr auto step(std::uint32_t awaited) {
    return [=](std::uint32_t v) { return look_when_written{v != awaited}; };
  }
};

/// Waits by looking, and after a while gives the processor away between looks.
struct spin_yield : detail::wakes_nobody<spin_yield> {
  static constexpr const char* name = "yield";

  /// `round * pauses` is about what this wait has rested so far: long rests use the patience up in fewer looks.
  static constexpr look retry(std::uint32_t round, std::uint32_t pauses = 1) {
    return std::uint64_t{round} * (pauses + std::uint64_t{pauses == 0}) < patience ? look::retry(pauses)
                                                                                   : look::after_yield();
  }
  static constexpr auto step(std::uint32_t awaited) {
    return [=](std::uint32_t v, std::uint32_t round) { return v != awaited ? look::done() : retry(round); };
  }

 private:
  static constexpr std::uint32_t patience = 128;
};

namespace detail {

/// Rests between the looks of a waiter that is to sleep. Types, so that callbacks need no room for them: the model checker takes a larger
/// one for one that may keep what it has seen.
struct one_pause {
  constexpr look operator()(std::uint32_t /*round*/ = 0) const { return look::retry(); }
};
struct one_yield {
  constexpr look operator()(std::uint32_t /*round*/ = 0) const { return look::after_yield(); }
};

/// The pair of policies that sleep. They differ in how they look before they do:
/// Policy::look_first<Machine>(&word, look_for) calls look_for(rest, looks), perhaps more than once, and returns what it
/// has returned; that is false, as a condition, if what is waited for was not found. `rest` is one of the above.
template <class Policy>
struct sleeps {
  static constexpr bool parks = true;

  /// For waits on words that several threads wait on: they cannot be slept on, so the processor is given away.
  static constexpr look retry(std::uint32_t round, std::uint32_t pauses = 1) {
    return spin_yield::retry(round, pauses);
  }

  template <class Machine>
  static std::uint32_t wait(word_of<Machine>& word, std::uint32_t awaited) {
    return *wait_until<Machine>(word, awaited, Machine::never);
  }

  /// When the deadline comes first the word holds `awaited` with the mark, or, if sleeping never began, without.
  template <class Machine>
  static std::optional<std::uint32_t> wait_until(word_of<Machine>& word, std::uint32_t awaited,
                                                 typename Machine::deadline until) {
    const auto changed = [=](std::uint32_t v) { return (v & ~asleep) != awaited; };
    const auto look_for = [&]<class Rest>(Rest /*rest*/, looks many) {
      const auto step = [=](std::uint32_t v) { return changed(v) ? look::done() : Rest{}(); };
      return Machine::await_until(word, memory_order::acquire, step, many);
    };
    if (const auto v = Policy::template look_first<Machine>(&word, look_for)) return v;
    std::uint32_t seen = awaited;
    if (!word.compare_exchange_strong(seen, awaited | asleep, memory_order::relaxed, memory_order::relaxed) &&
        changed(seen))
      return word.load(memory_order::acquire);
    for (;;) {
      const bool too_late = Machine::park(word, awaited | asleep, until);
      const std::uint32_t v = word.load(memory_order::acquire);
      if (changed(v)) return v;
      if (too_late) return std::nullopt;
    }
  }

  template <class Machine>
  static void hand_over(word_of<Machine>& word, std::uint32_t value, typename Machine::order order) {
    if ((word.exchange(value, order) & asleep) != 0) Machine::unpark(&word, 1);
  }

  /// The sleeper's mark.
  static constexpr std::uint32_t asleep = 0x8000'0000;
};

/// Sleeps, after a single look: for a thread that has looked already, or knows that it takes long.
struct at_once : sleeps<at_once> {
  template <class Machine, class LookFor>
  static auto look_first(const void* /*word*/, LookFor look_for) {
    return look_for(one_pause{}, looks{0});
  }
};

}  // namespace detail

/// Waits by looking for a while, then sleeps.
struct spin_park : detail::sleeps<spin_park> {
  static constexpr const char* name = "park";

  template <class Machine, class LookFor>
  static auto look_first(const void* /*word*/, LookFor look_for) {
    return look_for(detail::one_pause{}, Machine::spin_looks());
  }
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
