// Whether somebody holds a mutex: which locks say so themselves, and where a sign is kept of the others.
//
// Problem. glibc lets any thread unlock a plain mutex, one that nobody holds, too, and destroys none that is held. The locks
// of the catalog leave both to their callers. A sign beside the lock would answer; but inside a pthread object it is on
// the line that the waiters look at, and takes two more writes there for each acquisition.
//
//   tas, ttas, mutex,   A word that is 0 while the lock is free. To unlock a free one writes that 0 once more, so unlock
//   shared_mutex        looks at nothing.
//   ticket              Free while both counters are equal. To unlock a free one would call a number that nobody has:
//                       unlock looks first. See `misused` below.
//   fair_mutex          Two bits of its state. Unlock looks first.
//   elided              The word of the lock below, or a transaction that is under way. Unlock looks first: without either there
//                       is nothing to commit.
//   others              A sign. If the lock is in the object (mcs, clh) it is there, too: their waiters look at nodes of
//                       their own. Otherwise it is beside the lock, on a line of its own: of the object nothing is written.

#ifndef SYNCHRO_PRELOAD_HOLDING_HPP
#define SYNCHRO_PRELOAD_HOLDING_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "preload/object.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/elided.hpp"
#include "synchro/locks/fair_mutex.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/shared_mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/look.hpp"

namespace synchro::preload {

/// The first words of a lock, which has nothing in front of them.
template <class Lock>
std::uint32_t word_of(const Lock& l, std::size_t i) noexcept {
  using word = hardware::atomic<std::uint32_t>;
  static_assert(std::is_standard_layout_v<Lock> && sizeof(Lock) >= sizeof(word));
  return reinterpret_cast<const word*>(&l)[i].load(std::memory_order_relaxed);
}

/// What a lock says of itself: nothing.
template <class Lock>
struct holding {
  static constexpr bool is_said = false;
};

struct said_by_first_word {
  static constexpr bool is_said = true;
  static constexpr bool unlock_looks = false;
  template <class Lock>
  static bool is_held(const Lock& l) noexcept {
    return word_of(l, 0) != 0;
  }
};
template <class Waiting>
struct holding<basic_tas_lock<hardware, Waiting>> : said_by_first_word {};
template <class Waiting>
struct holding<basic_ttas_lock<hardware, Waiting>> : said_by_first_word {};
template <class Waiting>
struct holding<basic_mutex_lock<hardware, Waiting>> : said_by_first_word {};
template <class Waiting>
struct holding<basic_shared_mutex_lock<hardware, Waiting>> : said_by_first_word {};  // its door

template <class Waiting, class Look>
struct holding<ticket_lock_with<hardware, Waiting, Look>> {
  static constexpr bool is_said = true;
  static constexpr bool unlock_looks = true;
  template <class Lock>
  static bool is_held(const Lock& l) noexcept {
    return word_of(l, 0) != word_of(l, 1);
  }
};

template <class Waiting, std::uint32_t Bypasses>
struct holding<basic_fair_mutex_lock<hardware, Waiting, Bypasses>> {
  static constexpr bool is_said = true;
  static constexpr bool unlock_looks = true;
  template <class Lock>
  static bool is_held(const Lock& l) noexcept {
    return (word_of(l, 0) & 3) != 0;
  }
};

template <class Lock, class Waiting>
struct holding<elided<Lock, hardware, Waiting>> {
  static constexpr bool is_said = true;
  static constexpr bool unlock_looks = true;
  static bool is_held(const elided<Lock, hardware, Waiting>& l) noexcept {
    return l.word().load(memory_order::relaxed) != 0 || hardware::transactions::is_under_way();
  }
};

/// A program that unlocks once too often while others wait calls a number before its thread has looked. That one would wait
/// for 2^32 others; here it goes in beside the next, as it would with glibc. Then either unlocks once too often.
template <class Look>
struct misused {
  static constexpr std::string_view judgement = Look::judgement;

  template <class Waiting>
  static look retry(std::uint32_t round, std::uint32_t distance) {
    const bool is_over = static_cast<std::int32_t>(distance) < 0;
    return is_over ? look::done() : Look::template retry<Waiting>(round, distance);
  }
};

/// How a lock is kept in the place of a mutex.
template <class Lock>
struct kept {
  using type = Lock;
};
template <class Waiting, class Look>
struct kept<ticket_lock_with<hardware, Waiting, Look>> {
  using type = ticket_lock_with<hardware, Waiting, misused<Look>>;
};

}  // namespace synchro::preload

#endif
