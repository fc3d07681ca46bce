// The content of a slot of a hash table: a key, or a value.
//
// Trivially copyable types are held as atomic words, so that a reader may copy them while somebody writes: the copy may be
// made of two halves, is no data race, and is thrown away. Other types are objects in raw memory, which only the holder of
// the bucket's lock touches.
//
//   access   order     pairs with
//   read     acquire   fill: a reader of a word of a new value sees all that the writer did before it, the odd version first
//   fill     release   read

#ifndef SYNCHRO_HASH_TABLE_TABLE_CELL_HPP
#define SYNCHRO_HASH_TABLE_TABLE_CELL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "synchro/machine.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

template <class U>
inline constexpr bool copied_as_words = std::is_trivially_copyable_v<U>&& std::is_default_constructible_v<U>;

/// Handed on by value, in a register.
template <class U>
inline constexpr bool short_word = copied_as_words<U> && sizeof(U) <= sizeof(std::uint64_t);

/// The word of which a cell is made.
template <class U>
using cell_word = std::conditional_t<sizeof(U) % sizeof(std::uint64_t) == 0, std::uint64_t, std::uint32_t>;
template <class U>
inline constexpr std::size_t cell_alignment = copied_as_words<U> ? alignof(cell_word<U>) : alignof(U);
template <class U>
inline constexpr std::size_t cell_bytes = copied_as_words<U> ? (sizeof(U) + sizeof(cell_word<U>) - 1) /
                                                                   sizeof(cell_word<U>) * sizeof(cell_word<U>)
                                                             : sizeof(U);

template <class U, class Machine, bool = copied_as_words<U>>
class table_cell {
 public:
  [[nodiscard]] U read() const noexcept {
    U value;
    read(value);
    return value;
  }
  /// Word by word to where it is wanted: a reader that copied it on in larger pieces would wait until the words are stored. A line of
  /// words is written out, for compilers do not unroll it.
  void read(U& to) const noexcept {
    if constexpr (count <= 8)
      read_words(to, std::make_index_sequence<count>{});
    else
      for (std::size_t i = 0; i != count; ++i) read_word(i, to);
  }
  void fill(const U& value) noexcept {
    if constexpr (count <= 8)
      fill_words(value, std::make_index_sequence<count>{});
    else
      for (std::size_t i = 0; i != count; ++i) fill_word(i, value);
  }
  void replace(const U& value) noexcept { fill(value); }
  void drop() noexcept {}

 private:
  using word = cell_word<U>;
  static constexpr std::size_t count = cell_bytes<U> / sizeof(word);

  template <std::size_t... I>
  void read_words(U& to, std::index_sequence<I...> /*written out*/) const noexcept {
    (read_word(I, to), ...);
  }
  void read_word(std::size_t i, U& to) const noexcept {
    const word w = words_[i].load(memory_order::acquire);
    std::memcpy(reinterpret_cast<std::byte*>(&to) + i * sizeof w, &w, bytes_of(i));
  }
  template <std::size_t... I>
  void fill_words(const U& value, std::index_sequence<I...> /*written out*/) noexcept {
    (fill_word(I, value), ...);
  }
  void fill_word(std::size_t i, const U& value) noexcept {
    word w = 0;
    std::memcpy(&w, reinterpret_cast<const std::byte*>(&value) + i * sizeof w, bytes_of(i));
    words_[i].store(w, memory_order::release);
  }
  /// The last word may be more than is left.
  static constexpr std::size_t bytes_of(std::size_t i) { return std::min(sizeof(word), sizeof(U) - i * sizeof(word)); }

  typename Machine::template atomic<word> words_[count];
};

template <class U, class Machine>
class table_cell<U, Machine, false> {
  static_assert(std::is_nothrow_move_constructible_v<U>, "a table that grows moves its elements");

 public:
  [[nodiscard]] U& read() noexcept { return *std::launder(reinterpret_cast<U*>(raw_)); }
  [[nodiscard]] const U& read() const noexcept { return *std::launder(reinterpret_cast<const U*>(raw_)); }
  void fill(U&& value) noexcept { ::new (static_cast<void*>(raw_)) U(std::move(value)); }
  void replace(U&& value) noexcept {
    drop();
    fill(std::move(value));
  }
  void drop() noexcept { std::destroy_at(&read()); }

 private:
  alignas(U) std::byte raw_[sizeof(U)];
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
