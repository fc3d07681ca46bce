// A count of readers in several words, one for each processor, so that readers that run at once write no line together.
//
// Picture.   word 0  [ +41 | open ]   word 1  [ -40 | open ]   word 2  [ 0 | closed ]   ...      each on a line of its own
//                      sum 1: one reader is inside, that came on processor 0 or 1 and has not left by either
//
// A word says by one bit whether it takes part; a reader that finds its own closed counts elsewhere, as the owner of this count says. Only
// the sum means something: a reader may leave by another word than it came by. To close a word and to take what it holds is
// one exchange, so each reader is in the sum that close() returns or has found its word closed.
//
// A word also counts, in its upper half, how many came. By that the owner learns whether it was worth while to open them: each
// time that it was not, more readers are to meet before the next time (patience), and fewer each time that it was. Where more have
// left by the words than came by them that number is one too small; it only says when to open.
//
// Source: counters that are spread over processors: Hsieh, Weihl: Scalable Reader-Writer Locks for Parallel Systems, IPPS 1992.

#ifndef SYNCHRO_DETAIL_SPREAD_COUNT_HPP
#define SYNCHRO_DETAIL_SPREAD_COUNT_HPP

#include <array>
#include <cstdint>

#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/os.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace detail {

template <class Machine>
class spread_count {
 private:
  static constexpr std::uint64_t open_bit = 1;
  static constexpr std::uint64_t one = 2;
  static constexpr std::uint64_t coming = std::uint64_t{1} << 32;

 public:
  static constexpr std::uint64_t a_reader = coming + one;
  static constexpr std::uint64_t one_less = std::uint64_t{0} - one;

  /// Adds `a_reader` or `one_less` by the word of this processor. False, and nothing is added, if that is closed.
  bool add(std::uint64_t n, typename Machine::order order) noexcept {
    const auto if_open = [n](std::uint64_t v) {
      using answer = attempt<std::uint64_t>;
      return (v & open_bit) != 0 ? answer::write(v + n) : answer::decline();
    };
    return Machine::update(words_[Machine::processor()].value, if_open, order, memory_order::relaxed).written;
  }

  // For one thread at a time.

  /// Opens this processor's word, and those that were open before.
  void open() noexcept {
    used_ = used_ | 1U << Machine::processor();
    for (std::uint32_t i = 0; i != Machine::processors; ++i)
      if (is_used(i) && words_[i].value.load(memory_order::relaxed) == 0)
        words_[i].value.store(open_bit, memory_order::release);
  }

  /// Closes all words. Returns how many readers are inside of those who came or left by them; below zero if more have left.
  std::uint32_t close() noexcept {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i != Machine::processors; ++i)
      if (is_used(i)) sum += words_[i].value.exchange(0, memory_order::acquire) & ~open_bit;
    learn(static_cast<std::int32_t>(sum / coming));
    // Each word's count has 31 bits, and so has their sum, whatever is carried out of it.
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(sum)) >> 1);
  }

  /// How many readers are to meet, with nobody alone in between, before the words are opened again: 0 to 15.
  [[nodiscard]] std::uint32_t patience() const { return patience_; }

 private:
  /// To open and close costs about what so many readers gain. The explored machine is small, and its programs short.
  static constexpr std::int32_t pays = Machine::processors < 8 ? 1 : 4;
  static constexpr std::uint32_t longest = Machine::processors < 8 ? 1 : 15;

  /// Of so many readers that came; below zero if more have left, or 2^31 came, which is taken for few.
  void learn(std::int32_t came) { patience_ = came < pays ? (2 * patience_ + 1) & longest : patience_ / 2; }

  struct alignas(cpu::cache_line) word {
    typename Machine::template atomic<std::uint64_t> value{0};
  };

  [[nodiscard]] bool is_used(std::uint32_t i) const { return (used_ >> i & 1) != 0; }

  std::array<word, Machine::processors> words_{};
  typename Machine::template plain<std::uint32_t> used_{0};
  typename Machine::template plain<std::uint32_t> patience_{0};
};

}  // namespace detail
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
