// spin_fetching: a waiter that fetches the line it looks at in a writable state.
//
// Problem. A thread that waits for a message will write the same line next: the receiver gives the slot back, the sender fills it. A
// look by a plain load takes a shared copy, and the write that follows has to call for the line a second time.
//
// Picture.   spin            load (copy) ... load (copy), store (call for the line)      two transfers a side
//            spin_fetching   prefetch for writing, load (own line), store (own line)     one transfer a side
//
// Choose it where the measurement shows that it is the faster one: on machines that send an invalidation to everybody when a
// shared line is written (the Opteron of the paper: up to 2.5 times). Do not choose it where several threads look at the
// same word, or for long waits: every look takes the line away from the other side, who is about to write it.
//
// Memory orders. Those of spin (waiting.hpp); a prefetch has none.
//
// Source: David, Guerraoui, Trigonakis, SOSP 2013, sections 5.3 and 6.2 (libssmp with prefetchw).

#ifndef SYNCHRO_MESSAGES_SPIN_FETCHING_HPP
#define SYNCHRO_MESSAGES_SPIN_FETCHING_HPP

#include <cstdint>
#include <optional>

#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// A waiting policy like spin, for words whose waiter writes next: it fetches before its first look, too. Example:
/// `synchro::basic_channel<request, synchro::hardware, synchro::spin_fetching>`.
struct spin_fetching : detail::wakes_nobody<spin_fetching> {
  static constexpr const char* name = "fetch";

  /// For waits that the pair does not cover.
  static constexpr look retry(std::uint32_t /*round*/, std::uint32_t pauses = 1) {
    return look::retry(pauses).fetching();
  }
  static constexpr auto step(std::uint32_t awaited) {
    return [=](std::uint32_t v, std::uint32_t round) { return v != awaited ? look::done() : retry(round); };
  }

  template <class Machine, class Limit>
  static std::optional<std::uint32_t> wait_until(detail::word_of<Machine>& word, std::uint32_t awaited, Limit limit) {
    Machine::prefetch_for_write(&word);
    return detail::wakes_nobody<spin_fetching>::wait_until<Machine>(word, awaited, limit);
  }

  template <class Machine>
  static std::uint32_t wait(detail::word_of<Machine>& word, std::uint32_t awaited) {
    Machine::prefetch_for_write(&word);
    return detail::wakes_nobody<spin_fetching>::wait<Machine>(word, awaited);
  }
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
