// Patience: how a waiter looks that sleeps in the end.
//
// A look while the holder is at it takes the holder's line away, which its release then has to fetch; and a processor
// spent on looking may be the one that the holder waits for. So the first looks stand further and further apart, and from
// then on the processor is given away between looks: where nobody wants it that is one more rest, about as long as the
// longest before; where threads are more than processors it is what lets the holder go on.
//
// Source: parking_lot's SpinWait (Amanieu d'Antras, 2016): that it is short, grows, and yields.

#ifndef SYNCHRO_DETAIL_PATIENCE_HPP
#define SYNCHRO_DETAIL_PATIENCE_HPP

#include <cstdint>

#include "synchro/look.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace detail {

class patience {
 public:
  /// Looks that rest between: 2, 4 and 8 pauses.
  static constexpr std::uint32_t short_rounds = 3;

  /// As long as so many looks with one pause each, roughly: a yield counts as many of them.
  static constexpr std::uint32_t rounds_of(looks all) {
    return (all.count < short_rounds ? all.count : short_rounds) + all.count / looks_per_yield;
  }

  static constexpr look rest(std::uint32_t round) {
    return round < short_rounds ? look::retry(2U << round) : look::after_yield();
  }

 private:
  static constexpr std::uint32_t looks_per_yield = 128;
};

}  // namespace detail
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
