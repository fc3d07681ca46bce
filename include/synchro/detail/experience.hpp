// Experience: whether a thread that waits should look for a while before it sleeps.
//
// Problem. To look for as long as a sleep costs is never much worse than to sleep, and much better where what is waited for
// comes soon. But where it does not (nobody is about to do it, or the thread that would has no processor, for threads are more
// than processors) all of these looks are lost, and another thread could have had the processor. No thread can ask which it
// is; but it was mostly so the last few times.
//
// Picture.   a thread   [ waits until a trial, how far apart trials are ]
//                       [ trust ][ trust ] ... [ trust ]     one for the words whose addresses say so
//            trust      0: look only on trial      1 ... 7: look
//
//   looked, and found   one more trust
//   looked in vain      two less, so that looking must pay two times of three; four less if it came as soon as the processor
//                       was given away, for then it was needed there
//   trials              the first wait is one, and so is each wait without trust after a trial that found. After one in vain
//                       4 waits do not look, then 8, 16, ..., 1024; at once that many if giving way has helped
//
// It is the waiting thread's own, so it costs the word nothing, and nobody is waited for. Two words that share a trust, and a
// new word where another was, learn together: at worst a few waits look in vain, or sleep.
//
// Source: that a waiter learns from its success, up by a little and down by more: HotSpot, objectMonitor.cpp (docs/rights.md).

#ifndef SYNCHRO_DETAIL_EXPERIENCE_HPP
#define SYNCHRO_DETAIL_EXPERIENCE_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace detail {

/// For one thread.
class experience {
 public:
  /// Whether the next wait on this word should look. Asked once for each wait; if so, what has come of it is told.
  bool says_look(const void* word) noexcept {
    if (trust_in(word) != 0 || waits_to_trial_ == 0) return true;
    --waits_to_trial_;
    return false;
  }

  void found(const void* word) noexcept {
    std::uint8_t& trust = trust_in(word);
    if (trust < most_trust) ++trust;
    if (trust == 1) distance_ = first_distance;
  }

  /// `gave_way`: it came as soon as the processor was given away.
  void looked_in_vain(const void* word, bool gave_way) noexcept {
    std::uint8_t& trust = trust_in(word);
    const unsigned less = gave_way ? 4 : 2;
    trust = static_cast<std::uint8_t>(trust > less ? trust - less : 0);
    if (trust != 0) return;
    waits_to_trial_ = gave_way ? most_distance : distance_;
    if (distance_ < most_distance) distance_ *= 2;
  }

 private:
  static constexpr unsigned bits = 4;
  static constexpr std::uint8_t most_trust = 7;
  static constexpr std::uint16_t first_distance = 4;
  static constexpr std::uint16_t most_distance = 1024;

  std::uint8_t& trust_in(const void* word) noexcept {
    // The golden ratio's bits: neighbours are spread.
    const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(word) * std::uint64_t{0x9e37'79b9'7f4a'7c15};
    return trust_[static_cast<std::size_t>(mixed >> (64 - bits))];
  }

  std::uint16_t waits_to_trial_ = 0;
  std::uint16_t distance_ = first_distance;
  std::array<std::uint8_t, std::size_t{1} << bits> trust_{};
};

}  // namespace detail
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
