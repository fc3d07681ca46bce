// What the programs that try a lock have in common.
//
// Critical sections count on a plain field. Two that are not ordered by the lock are a data race on it, in whatever
// order they happen to run, so a race is what mutual exclusion and every missing memory order come down to.

#ifndef SYNCHRO_EXPLORER_CLIENTS_LOCK_PROGRAMS_HPP
#define SYNCHRO_EXPLORER_CLIENTS_LOCK_PROGRAMS_HPP

#include <array>
#include <chrono>
#include <string>
#include <type_traits>
#include <vector>

#include "catalog/lock_line.hpp"
#include "explorer/clients/stage.hpp"
#include "explorer/subject.hpp"
#include "synchro/detail/first_ticket.hpp"
#include "synchro/traits.hpp"

namespace synchro::explorer {

template <class Lock>
struct guarded {
  guarded() : lock{catalog::make_lock<Lock>(explored::here())} {}
  template <class... Arguments>
  explicit guarded(const Arguments&... arguments) : lock(arguments...) {}

  Lock lock;
  explored::plain<std::uint32_t> count{0};
  std::array<explored::plain<std::uint32_t>, max_threads> entered{};  // each thread's own
};

/// How a lock can be made.
template <class Lock>
struct ways_to_make {
  static constexpr bool counts = std::is_constructible_v<Lock, first_ticket>;
  static constexpr bool counts_in_shape = std::is_constructible_v<Lock, const shape&, first_ticket>;
  static constexpr bool limits_passes_of_tickets =
      std::is_constructible_v<Lock, const shape&, first_ticket, std::uint32_t>;
  static constexpr bool limits_passes = std::is_constructible_v<Lock, const shape&, std::uint32_t>;
};

/// Whether its queue is made of nodes from the pool.
template <class Lock>
concept takes_nodes = requires {
  Lock::bytes_per_held_lock;
};

/// A lock that somebody destroys while others may still be on their way out. Its memory stays until the end.
template <class Lock>
struct mortal {
  mortal() : lock{catalog::make_lock<Lock>(explored::here())}, to{world::current().made()} {}
  void destroy() { world::current().bury(from, to); }

  const world::extent from = world::current().made();
  Lock lock;
  const world::extent to;
};

/// One thing that a thread does with a lock: a section, if it gets in.
enum class deed : std::uint8_t {
  lock,
  try_lock,
  timed,    ///< with a deadline that may pass at any moment
  late,     ///< with one that has passed already
  endless,  ///< with one that never passes
  read,
  try_read
};
/// What each thread does, one thing after the other.
using parts = std::vector<std::vector<deed>>;

/// What threads do with a lock, and the stage on which they do it.
template <class Lock>
struct lock_programs {
  using scene = guarded<Lock>;
  static constexpr std::chrono::nanoseconds patience{1};

  static void section(scene& s, unsigned t) {
    s.count = s.count + 1;
    s.entered[t] = s.entered[t] + 1;
  }
  static void once(scene& s, unsigned t) {
    s.lock.lock();
    section(s, t);
    s.lock.unlock();
  }
  static void try_once(scene& s, unsigned t) {
    if (!s.lock.try_lock()) return;
    section(s, t);
    s.lock.unlock();
  }
  static bool timed_once(scene& s, unsigned t, std::chrono::nanoseconds how_long) {
    if (!s.lock.try_lock_for(how_long)) return false;
    section(s, t);
    s.lock.unlock();
    return true;
  }
  static void read_once(scene& s) {
    s.lock.lock_shared();
    expect(s.count + 1 != 0, "");
    s.lock.unlock_shared();
  }
  static void act(scene& s, unsigned t, deed what) {
    if (what == deed::lock) return once(s, t);
    if constexpr (try_lockable<Lock>)
      if (what == deed::try_lock) return try_once(s, t);
    if constexpr (timed_lockable<Lock>) {
      if (what == deed::timed || what == deed::late)
        return void(timed_once(s, t, what == deed::timed ? patience : std::chrono::nanoseconds{0}));
      if (what == deed::endless)
        return expect(timed_once(s, t, std::chrono::nanoseconds::max()), "gives up before the deadline");
    }
    if constexpr (shared_lockable<Lock>) {
      if (what == deed::read) return read_once(s);
      if constexpr (requires { s.lock.try_lock_shared(); }) {
        if (what != deed::try_read || !s.lock.try_lock_shared()) return;
        expect(s.count + 1 != 0, "");
        s.lock.unlock_shared();
      }
    }
  }
  /// Takes the nodes that later operations will want from the pool, so that the pool is out of the picture; it is a
  /// subject of its own.
  static void warm(scene& s, unsigned) {
    s.lock.lock();
    s.lock.unlock();
  }
  static void nobody_was_lost(scene& s) {
    std::uint32_t sum = 0;
    for (auto& each : s.entered) sum += each;
    expect(s.count == sum, "the sections counted and those entered differ");
  }

  /// A stage whose threads are warm.
  template <class... Arguments>
  static stage<scene> base(const std::string& name, unsigned threads, Arguments... arguments) {
    stage<scene> s = cold(name, threads, arguments...);
    s.warms_up(warm);
    return s;
  }
  template <class... Arguments>
  static stage<scene> cold(const std::string& name, unsigned threads, Arguments... arguments) {
    stage<scene> s{name, threads, arguments...};
    s.then_checks(nobody_was_lost);
    if (Lock::traits.domain_aware) s.in_domains(two_domains(threads));
    return s;
  }

  /// A stage whose threads, which are warm, play these parts.
  template <class... Arguments>
  static stage<scene> play(const std::string& name, const parts& all, Arguments... arguments) {
    stage<scene> s = base(name, static_cast<unsigned>(all.size()), arguments...);
    s.does([all](scene& it, unsigned t) {
      std::uint64_t done = 0;
      for (const deed each : all[t]) {
        settle(done++);
        act(it, t, each);
      }
      settle(done);
    });
    s.with().counts_nodes = true;
    return s;
  }

 private:
  /// Domain 0, 0, 1, 0, 1, ...: with two threads one each, with three two and one.
  static std::vector<unsigned> two_domains(unsigned threads) {
    std::vector<unsigned> domains(threads);
    for (unsigned t = 0; t < threads; ++t) domains[t] = threads == 2 ? t : t == 0 ? 0 : (t + 1) % 2;
    return domains;
  }
};

}  // namespace synchro::explorer

#endif
