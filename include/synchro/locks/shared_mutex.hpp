// Shared mutex: readers together or one writer alone; readers that meet count apart; waiting threads sleep.
//
// Problem. A reader-writer lock for any program must put threads to sleep, and must not starve its writers while readers
// come and go. Readers and writers that wait for different things on one word wake each other for nothing; a queue that
// tells them apart takes memory. And readers that all write one count wait for its line, though they do not exclude each other.
//
// Picture.   door    a mutex. A writer holds it from lock to unlock; readers that find a writer pass through it.
//            state   [ writer | upgrading | upgradable | asleep | meetings: 4 bits | readers: 24 bits ]
//            spread  null, or -> [ +7 | open ]  [ -6 | open ]  [ 0 | closed ] ...     a word on a line for each processor
//            kept    the same words, while spread is null as well
//
//   lock            takes the door, puts up the sign `writer`, gathers, and waits until there are no readers and nobody who
//                   may upgrade. New readers see the sign.
//   unlock          takes the sign down, and opens the door. If spreading has paid lately, it opens the words before.
//   lock_shared     the word of this processor is open: one reader more there, and that is all. Otherwise, no sign: one
//                   reader more in the state. Otherwise take the door, which is free when the writer is gone; one reader
//                   more; open the door for the next. A reader that finds another one in the state takes one from the
//                   meetings that are to pass; if there are none, it spreads.
//   unlock_shared   one reader less, by the word of this processor if it is open, else by the state; the last one wakes the
//                   writer that waits.
//   to spread       takes the door if it is free; opens the words. `readers` is larger by `spread` from now on, so that a
//                   writer sees that there may be readers.
//   to gather       the holder of the door closes the words, and moves what they hold to the state: the sum, less
//                   `spread`. Readers that came by a word leave by the state from now on. If few came by them, more
//                   meetings than before are to pass.
//   lock_upgrade    passes the door, gathers, and takes `upgradable`, which one thread has at a time, beside readers. While it
//                   has it, nobody spreads.
//   to upgrade      puts up the sign `upgrading`, and waits until there are no readers. It does not take the door: a
//                   writer may stand there that waits for this one.
//
// So one kind of waiting is left to the state: for readers to go, for an upgrader to go. Mostly one thread waits there,
// and all are woken. Everything else sleeps at the door, in the mutex, where each wakes the next.
//
// Only sums mean something, so a reader remembers nothing: it may leave on another processor or thread than it came on. What
// says that no more readers may come is in the word that a reader writes, so its arrival needs no fence. The words are taken from
// the heap when readers first meet (33 lines: a word on a line for each of up to 32 processors) and given back when the
// lock is destroyed; a lock whose readers never meet, or for whose words there is no memory, has the state alone. Opening
// and closing the words costs as much as some readers gain by them. So the words learn how many come between two writers
// (spread_count.hpp): where that is enough, a writer that came by the door opens them again as it leaves; where it is not,
// up to 15 readers must meet before they are opened once more, counted anew from each such writer.
//
// Preference: a writer that waits holds off all readers that come later. Those and other writers meet at the door, which
// serves them in no order, as mutex does: under steady writing readers get in between, as often as a thread gets a mutex.
// A thread that upgrades goes before the writer at the door.
//
// Choose it when in doubt between reader-writer locks: any number of threads, sections of any length, many locks. Do
// not choose it where sections are so short that counting readers costs more than exclusion would (`mutex`), or where a
// bound on waiting is needed (`phase_fair`).
//
// Rule. A thread must not take the shared side twice, nor the lock alone while it reads: a writer between the two waits
// for the first, and the second waits for the writer.
//
// `synchro::shared_mutex` is constant-initialised; `synchro::shared_timed_mutex` is the same type. Besides the
// standard's functions it has
//
//   from         to                  by
//   nothing      upgradable          lock_upgrade, try_lock_upgrade, _for, _until; unlock_upgrade
//   upgradable   alone               unlock_upgrade_and_lock, try_unlock_upgrade_and_lock, _for, _until
//   shared       alone               try_unlock_shared_and_lock: the only reader, and nobody upgradable
//   alone        shared, upgradable  unlock_and_lock_shared, unlock_and_lock_upgrade
//   upgradable   shared              unlock_upgrade_and_lock_shared
//
// In use:
//
//   synchro::shared_mutex lock;
//
//   void write_if_needed(int& value) {
//     lock.lock_upgrade();  // one thread at a time, beside readers
//     if (value == 0) {
//       lock.unlock_upgrade_and_lock();  // what was read still holds
//       value = 1;
//       lock.unlock();
//     } else {
//       lock.unlock_upgrade();
//     }
//   }
//
// A reader who destroys the lock must know that the last writer's unlock has returned: a writer takes its sign down
// before it opens the door.
//
// Memory orders.
//   access                                      order     pairs with
//   come in (lock_shared, try): update          acquire   unlock's store: the last writer's section; relaxed when it
//                                                         declines. At the door also the update by which an
//                                                         upgradable thread leaves
//   lock_shared by a word: update               acquire   the store that opened the word, by a thread that is a reader
//   unlock_shared: fetch_sub                    release   a writer's or upgrader's next three
//   unlock_shared by a word: update             release   gathering's exchange of it (spread_count.hpp)
//   lock: fetch_add of the sign                 acquire   unlock_shared, leave: their sections, if all had left
//   try_lock: update                            acquire   the same; relaxed when it declines
//   to upgrade: fetch_add, update               acquire   the same
//   wait: see marked_wait.hpp                   acquire   the same
//   unlock: load                                relaxed   nothing: whether this thread is an upgraded one, it knows
//   unlock, downgrade: store                    release   the updates that come in
//   unlock_upgrade: update                      release   the updates that come in or take `upgradable`
//   spreading: state                            relaxed   nothing: the door orders it; it continues the releases of readers
//   spreading by unlock: store                  release   the updates that come in by the state
//   gathering: state                            release   try_unlock_shared_and_lock, which does not take the door once the
//                                                         readers are gathered: sections of those that left by words
//   readers: load of spread                     acquire   spreading's store of it (release): the words as they were made
//   gathering: store of null to spread          relaxed   nothing: a thread that still has the pointer finds its
//                                                         word closed
//   the door: see mutex.hpp
//
// Source: `traits.citation`. The door is that of the first (the mutex r of problem 2), the interface that of the
// second, a count that is spread over processors that of the third.

#ifndef SYNCHRO_LOCKS_SHARED_MUTEX_HPP
#define SYNCHRO_LOCKS_SHARED_MUTEX_HPP

#include <cstdint>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/exceptions.hpp"
#include "synchro/detail/marked_wait.hpp"
#include "synchro/detail/spread_count.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin_park>
class basic_shared_mutex_lock {
 public:
  static constexpr lock_traits traits{
      .judgement = "many readers, when in doubt; not for very short sections, nor where waits must be bounded",
      .citation =
          "Courtois, Heymans, Parnas: Concurrent Control with \"Readers\" and \"Writers\", CACM 14(10), 1971; "
          "Hinnant: Shared locking in C++, N3427, 2012; "
          "Hsieh, Weihl: Scalable Reader-Writer Locks for Parallel Systems, IPPS 1992"};

  static_assert(Waiting::parks, "this lock is a way to sleep; phase_fair is one without");
  static constexpr bool parks = true;

  constexpr basic_shared_mutex_lock() = default;
  basic_shared_mutex_lock(const basic_shared_mutex_lock&) = delete;
  basic_shared_mutex_lock& operator=(const basic_shared_mutex_lock&) = delete;

  /// Afterwards it can be used as a new one, as threads do with static objects at the end of a program.
  constexpr ~basic_shared_mutex_lock() {
    if (spread_count* const own = kept_) {
      gather();
      kept_ = nullptr;
      Machine::destroy(own);
    }
  }

  // Alone.

  void lock() noexcept {
    door_.lock();
    if (!alone(state_.fetch_add(writer, memory_order::acquire))) [[unlikely]]
      become_alone(Machine::never);
  }

  [[nodiscard]] bool try_lock() noexcept {
    if (!door_.try_lock()) return false;
    gather();
    const auto if_alone = [](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return alone(v) ? answer::write(v + writer) : answer::decline();
    };
    if (Machine::update(state_, if_alone, memory_order::acquire, memory_order::relaxed).written) return true;
    door_.unlock();
    return false;
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return try_lock() || lock_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return try_lock() || lock_until(deadline_of<Machine>(moment));
  }

  void unlock() noexcept { leave_alone(0); }

  // Shared.

  void lock_shared() noexcept {
    if (!try_lock_shared()) [[unlikely]]
      lock_shared_until(Machine::never);
  }

  [[nodiscard]] bool try_lock_shared() noexcept {
    if (count_apart(spread_count::a_reader, memory_order::acquire)) return true;
    const auto came =
        Machine::update(state_, meet_unless(writer | upgrading), memory_order::acquire, memory_order::relaxed);
    if (came.written && is_to_spread(came.seen)) [[unlikely]]
      spread_out();
    return came.written;
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_shared_for(const std::chrono::duration<Rep, Period>& patience) {
    return try_lock_shared() || lock_shared_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return try_lock_shared() || lock_shared_until(deadline_of<Machine>(moment));
  }

  void unlock_shared() noexcept {
    if (count_apart(spread_count::one_less, memory_order::release) || leave_where_none_came()) return;
    const std::uint32_t old = state_.fetch_sub(reader, memory_order::release);
    if ((old & (readers | asleep)) == (reader | asleep)) [[unlikely]]
      Machine::unpark(&state_, detail::everybody);
  }

  // Upgradable: beside readers, and the only one that may become a writer without letting go.

  void lock_upgrade() noexcept { lock_upgrade_until(Machine::never); }

  /// Declines, too, while another thread is at the door.
  [[nodiscard]] bool try_lock_upgrade() noexcept {
    if (!door_.try_lock()) return false;
    const bool taken = take_upgradable();
    door_.unlock();
    return taken;
  }

  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_upgrade_for(const std::chrono::duration<Rep, Period>& patience) {
    return lock_upgrade_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_upgrade_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return lock_upgrade_until(deadline_of<Machine>(moment));
  }

  void unlock_upgrade() noexcept { leave(upgradable, 0); }

  // From one to the other. Nobody is alone with the lock in between.

  void unlock_upgrade_and_lock() noexcept { upgrade_until(Machine::never); }

  /// Whether it could be had at once; if not, the caller is upgradable still.
  [[nodiscard]] bool try_unlock_upgrade_and_lock() noexcept {
    const auto alone_here = [](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return no_readers(v) ? answer::write(v + upgrading) : answer::decline();
    };
    return Machine::update(state_, alone_here, memory_order::acquire, memory_order::relaxed).written;
  }
  template <class Rep, class Period>
  [[nodiscard]] bool try_unlock_upgrade_and_lock_for(const std::chrono::duration<Rep, Period>& patience) {
    return upgrade_until(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_unlock_upgrade_and_lock_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return upgrade_until(deadline_of<Machine>(moment));
  }

  /// From shared to alone, if the caller is the only reader, nobody is upgradable and, where readers are counted apart, nobody
  /// else is at the door; otherwise it is a reader still.
  [[nodiscard]] bool try_unlock_shared_and_lock() noexcept {
    if (is_spread(state_.load(memory_order::relaxed)) && door_.try_lock()) {
      gather();
      door_.unlock();
    }
    const auto only_reader = [](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return (v & (readers | upgradable)) == reader ? answer::write(v - reader + (upgradable | upgrading))
                                                    : answer::decline();
    };
    return Machine::update(state_, only_reader, memory_order::acquire, memory_order::relaxed).written;
  }

  void unlock_and_lock_shared() noexcept { leave_alone(reader); }
  void unlock_and_lock_upgrade() noexcept { leave_alone(upgradable); }
  void unlock_upgrade_and_lock_shared() noexcept { leave(upgradable, reader); }

 private:
  using spread_count = detail::spread_count<Machine>;

  static constexpr std::uint32_t reader = 1;
  static constexpr std::uint32_t readers = 0x00ff'ffff;
  // So many `readers` stand for those who are counted apart: few on the explored machine, whose programs are to reach its half.
  static constexpr std::uint32_t spread = Machine::processors < 8 ? 16 : 0x0080'0000;
  static constexpr std::uint32_t meeting = 0x0100'0000;
  static constexpr std::uint32_t meetings = 0x0f00'0000;  // so many readers are to meet before they spread
  static constexpr std::uint32_t asleep = 0x1000'0000;    // somebody waits on the state, or did
  static constexpr std::uint32_t upgradable = 0x2000'0000;
  static constexpr std::uint32_t upgrading = 0x4000'0000;  // and has upgraded, when there are no readers
  static constexpr std::uint32_t writer = 0x8000'0000;     // who has the door wants to be alone, or is

  /// Where there is one processor, or no memory is to be taken, readers are counted in the state alone.
  static constexpr bool can_spread = Machine::processors > 1;

  /// Those who come or leave by the state are fewer than half of `spread`, above or below.
  static constexpr bool is_spread(std::uint32_t v) { return (v & readers) >= spread / 2; }
  static constexpr bool alone(std::uint32_t v) { return (v & (readers | upgradable)) == 0; }
  static constexpr bool no_readers(std::uint32_t v) { return (v & readers) == 0; }
  static constexpr bool none_upgradable(std::uint32_t v) { return (v & upgradable) == 0; }
  static constexpr bool none_upgrading(std::uint32_t v) { return (v & upgrading) == 0; }

  static constexpr auto come_in_unless(std::uint32_t signs) {
    return [signs](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return (v & signs) == 0 ? answer::write(v + reader) : answer::decline();
    };
  }

  static constexpr bool is_to_spread(std::uint32_t v) { return !no_readers(v) && (v & meetings) == 0; }

  /// The same, and counts whom it meets.
  static constexpr auto meet_unless(std::uint32_t signs) {
    return [signs](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      if ((v & signs) != 0) return answer::decline();
      return answer::write(no_readers(v) || (v & meetings) == 0 ? v + reader : v + reader - meeting);
    };
  }

  /// Counts a reader in or out by the word of its processor. False if the words are closed.
  bool count_apart(std::uint64_t n, typename Machine::order order) noexcept {
    if constexpr (!can_spread) return false;
    spread_count* const own = spread_.load(memory_order::acquire);
    return own != nullptr && own->add(n, order);
  }

  /// For a reader that leaves on a processor where readers never met, while they are counted apart: opens its word, too, so that
  /// the state does not go down by one for each that leaves there. False if it is to leave by the state.
  bool leave_where_none_came() noexcept {
    if constexpr (!can_spread) return false;
    if (spread_.load(memory_order::relaxed) == nullptr || !is_spread(state_.load(memory_order::relaxed))) return false;
    spread_out();
    return count_apart(spread_count::one_less, memory_order::release);
  }

  /// For a reader that has met another: from now on they count apart. Not while somebody is at the door, or may upgrade.
  [[gnu::noinline]] void spread_out() noexcept {
    if (!can_spread || !door_.try_lock()) return;
    const std::uint32_t now = state_.load(memory_order::relaxed);
    if ((now & (upgradable | upgrading | meetings)) == 0) {
      if (spread_count* const own = own_count()) {
        if (!is_spread(now)) state_.fetch_add(spread, memory_order::relaxed);
        own->open();
        spread_.store(own, memory_order::release);
      }
    }
    door_.unlock();
  }

  /// Only for the thread that has the door: null if there is no memory for it.
  spread_count* own_count() noexcept {
    if (kept_ == nullptr)
      kept_ = detail::or_if_thrown([] { return Machine::template make<spread_count>(); },
                                   [] { return static_cast<spread_count*>(nullptr); });
    return kept_;
  }

  /// Only for the thread that has the door: from now on all are counted in the state.
  void gather() noexcept {
    if (!is_spread(state_.load(memory_order::relaxed))) return;
    spread_count* const own = kept_;
    spread_.store(nullptr, memory_order::relaxed);
    const std::uint32_t inside = own->close();
    state_.fetch_add(inside - spread + own->patience() * meeting, memory_order::release);
  }

  [[gnu::noinline]] bool become_alone(typename Machine::deadline until) {
    gather();
    return wait_until(alone, until);
  }

  /// Waits until the state is so. False if the deadline came first.
  template <class Wanted>
  bool wait_until(Wanted wanted, typename Machine::deadline until) {
    return detail::wait_marked<Machine, Waiting>(state_, asleep, wanted, until);
  }

  bool lock_until(typename Machine::deadline until) {
    if (!door_.try_lock_until(until)) return false;
    if (alone(state_.fetch_add(writer, memory_order::acquire)) || become_alone(until)) return true;
    leave(writer, 0);
    door_.unlock();
    return false;
  }

  [[gnu::noinline]] bool lock_shared_until(typename Machine::deadline until) {
    for (;;) {
      if (!door_.try_lock_until(until)) return false;
      const bool inside =
          Machine::update(state_, come_in_unless(upgrading), memory_order::acquire, memory_order::relaxed).written;
      door_.unlock();
      if (inside) return true;
      if (!wait_until(none_upgrading, until)) return false;
    }
  }

  /// Only for the thread that has the door.
  bool take_upgradable() {
    gather();
    const auto take = [](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return none_upgradable(v) ? answer::write(v | upgradable) : answer::decline();
    };
    return Machine::update(state_, take, memory_order::acquire, memory_order::relaxed).written;
  }

  bool lock_upgrade_until(typename Machine::deadline until) {
    for (;;) {
      if (!door_.try_lock_until(until)) return false;
      const bool taken = take_upgradable();
      door_.unlock();
      if (taken) return true;
      if (!wait_until(none_upgradable, until)) return false;
    }
  }

  bool upgrade_until(typename Machine::deadline until) {
    if (no_readers(state_.fetch_add(upgrading, memory_order::acquire)) || wait_until(no_readers, until)) return true;
    leave(upgrading, 0);
    return false;
  }

  /// From alone to `next`. While a writer that came by the door is alone, nobody else writes the state.
  void leave_alone(std::uint32_t next) noexcept {
    const std::uint32_t now = state_.load(memory_order::relaxed);
    if ((now & upgrading) != 0) [[unlikely]]
      return leave(upgradable | upgrading, next);
    std::uint32_t patience = 0;
    if (spread_count* const own = kept_; own != nullptr) {
      patience = own->patience();
      if (patience == 0 && next != upgradable) [[unlikely]]
        return open_to_readers(*own, next);
    }
    state_.store(next + patience * meeting, memory_order::release);
    door_.unlock();
  }

  /// From alone to `next`, where to count apart has paid: opens the words, and then the door.
  [[gnu::noinline]] void open_to_readers(spread_count& own, std::uint32_t next) noexcept {
    state_.store(next + spread, memory_order::release);
    own.open();
    spread_.store(&own, memory_order::release);
    door_.unlock();
  }

  /// Takes these signs away, and wakes all who may wait for that.
  [[gnu::noinline]] void leave(std::uint32_t signs, std::uint32_t next) {
    const auto change = [=](std::uint32_t v) { return attempt<std::uint32_t>::write((v & ~(signs | asleep)) + next); };
    const std::uint32_t old = Machine::update(state_, change, memory_order::release, memory_order::relaxed).seen;
    if ((old & asleep) != 0) Machine::unpark(&state_, detail::everybody);
  }

  basic_mutex_lock<Machine, Waiting> door_;
  typename Machine::template atomic<std::uint32_t> state_{0};
  typename Machine::template atomic<spread_count*> spread_{nullptr};  // while readers count apart
  typename Machine::template plain<spread_count*> kept_{nullptr};     // of who has the door
};

using shared_mutex = offered<basic_shared_mutex_lock<>>;
using shared_timed_mutex = shared_mutex;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
