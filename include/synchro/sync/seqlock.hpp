// Sequence lock: readers copy a value and look whether somebody wrote meanwhile; they write nothing.
//
// Problem. A small value is read very often and written rarely. Any lock makes readers write to memory, so that its line
// goes from one to the other.
//
// Picture.   sequence   even: nobody writes; odd: somebody does        value   in words
//
//   store   takes the writers' lock, makes the sequence odd, writes the words, makes it even again.
//   load    waits until the sequence is even, copies the words, and is done if the sequence is still the same.
//
// Writers keep each other out by a `mutex`. In use:
//
//   struct position {
//     double x, y;
//   };
//   synchro::seqlock<position> where;
//
//   void move() {
//     where.update([](position& p) { p.x += 1; });
//   }
//   position look() { return where.load(); }
//
// Choose it for values of a few words that are copied: times, positions, configuration. Do not choose it where writing is
// frequent (readers begin again each time), nor for what has pointers or takes long to copy.
//
// Memory orders. The words are atomic, so that a copy that is thrown away is no data race.
//   access                        order     pairs with
//   store: load of the sequence   relaxed   nothing: only the holder of the writers' lock writes it
//   store: to odd                 relaxed   nothing: the words publish it
//   store: words                  release   load's: a reader that copies one of them sees the odd sequence before it, and rejects
//   store: to even                release   load's first look: the words
//   load: first look              acquire   that
//   load: words                   acquire   store's words
//   load: second look             relaxed   nothing: the acquires before it order it
//
// Source: Lameter: Effective Synchronization on Linux/NUMA Systems, Gelato, 2005; orders: Boehm: Can Seqlocks Get Along with
// Programming Language Memory Models?, MSPC 2012.

#ifndef SYNCHRO_SYNC_SEQLOCK_HPP
#define SYNCHRO_SYNC_SEQLOCK_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "synchro/detail/first_ticket.hpp"
#include "synchro/detail/words.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class T, class Machine = hardware, class Lock = basic_mutex_lock<Machine>>
class basic_seqlock {
 public:
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
                "a sequence lock copies its value word by word");

  constexpr basic_seqlock() : basic_seqlock(T{}) {}
  constexpr explicit basic_seqlock(const T& value) : basic_seqlock(value, first_ticket{}) {}
  /// The sequence begins with this number, which is even: tests begin just before it wraps.
  constexpr basic_seqlock(const T& value, first_ticket first)
      : basic_seqlock(detail::words_of<word>(value), first.number, std::make_index_sequence<count>{}) {}
  basic_seqlock(const basic_seqlock&) = delete;
  basic_seqlock& operator=(const basic_seqlock&) = delete;

  void store(const T& value) noexcept {
    update([&value](T& now) { now = value; });
  }

  /// Changes the value by f(T&). Other writers wait; f must not throw.
  template <class F>
  void update(F f) noexcept {
    writers_.lock();
    const std::uint32_t before = sequence_.load(memory_order::relaxed);
    T value = copy();
    f(value);
    sequence_.store(before + 1, memory_order::relaxed);
    write(value);
    sequence_.store(before + 2, memory_order::release);
    writers_.unlock();
  }

  [[nodiscard]] T load() const noexcept {
    for (;;) {
      const std::uint32_t before = Machine::await(
          sequence_, memory_order::acquire,
          [](std::uint32_t v, std::uint32_t round) { return v % 2 == 0 ? look::done() : spin_yield::retry(round); });
      const T value = copy();
      if (sequence_.load(memory_order::relaxed) == before) return value;
    }
  }

  /// Nothing if somebody writes just now.
  [[nodiscard]] std::optional<T> try_load() const noexcept {
    const std::uint32_t before = sequence_.load(memory_order::acquire);
    if (before % 2 != 0) return std::nullopt;
    const T value = copy();
    if (sequence_.load(memory_order::relaxed) != before) return std::nullopt;
    return value;
  }

 private:
  using word = std::uint32_t;
  static constexpr std::size_t count = detail::words_for<word, T>;

  template <std::size_t... I>
  constexpr basic_seqlock(const std::array<word, count>& first, std::uint32_t sequence, std::index_sequence<I...>)
      : sequence_{sequence}, words_{typename Machine::template atomic<word>(first[I])...} {}

  T copy() const noexcept {
    word words[count];
    for (std::size_t i = 0; i != count; ++i) words[i] = words_[i].load(memory_order::acquire);
    T value;
    std::memcpy(&value, words, sizeof value);
    return value;
  }
  void write(const T& value) noexcept {
    const auto words = detail::words_of<word>(value);
    for (std::size_t i = 0; i != count; ++i) words_[i].store(words[i], memory_order::release);
  }

  typename Machine::template atomic<std::uint32_t> sequence_;
  Lock writers_;
  typename Machine::template atomic<word> words_[count];
};

template <class T>
using seqlock = basic_seqlock<T>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
