// Which slot of a hash table's block has a key.

#ifndef SYNCHRO_HASH_TABLE_TABLE_MATCH_HPP
#define SYNCHRO_HASH_TABLE_TABLE_MATCH_HPP

#include <bit>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "synchro/hash_table/table_cell.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

template <class Key, class Equal>
struct table_match {
  /// Keys of a word are handed on by value: compilers keep them in a register.
  static constexpr bool short_key = short_word<Key>;
  using passed = std::conditional_t<short_key, const Key, const Key&>;
  /// Whether to compare keys reads these and nothing else, so that it may be done with whatever stands in a slot.
  static constexpr bool compares_any =
      std::is_scalar_v<Key> && (std::is_same_v<Equal, std::equal_to<Key>> || std::is_same_v<Equal, std::equal_to<>>);

  /// The slot with this key; Block::slots if there is none. Short keys are all compared, also those of free slots, for a
  /// branch that nobody can foresee costs more.
  template <class Block>
  static unsigned slot_in(const Block& b, std::uint32_t head, passed key, const Equal& equal) {
    if constexpr (short_key && compares_any) {
      const std::uint32_t found =
          equals(b, key, equal, std::make_integer_sequence<unsigned, Block::slots>{}) & Block::used(head);
      return found == 0 ? Block::slots : static_cast<unsigned>(std::countr_zero(found));
    } else {
      for (std::uint32_t left = Block::used(head); left != 0; left &= left - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(left));
        if (equal(b.keys[slot].read(), key)) return slot;
      }
      return Block::slots;
    }
  }

 private:
  /// A bit for each slot with this key; written out, for compilers do not unroll it, from the last, for "twice and one
  /// more" is one instruction.
  template <class Block, unsigned... Slot>
  static std::uint32_t equals(const Block& b, passed key, const Equal& equal,
                              std::integer_sequence<unsigned, Slot...>) {
    std::uint32_t found = 0;
    ((found = 2 * found + static_cast<std::uint32_t>(equal(b.keys[Block::slots - 1 - Slot].read(), key))), ...);
    return found;
  }
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
