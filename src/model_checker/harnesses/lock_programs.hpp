// What the programs that try a lock have in common.
//
// Critical sections count on a plain field. Two that are not ordered by the lock are a data race on it, in whatever
// order they happen to run, so a race is what mutual exclusion and every missing memory order come down to.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_LOCK_PROGRAMS_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_LOCK_PROGRAMS_HPP

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "model_checker/harnesses/any_lock.hpp"
#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"

namespace synchro::model_checker {

struct guarded {
  explicit guarded(const lock_type& type, const recipe& how = {}) : whole{type.make(how)} {}

  made<any_lock> whole;
  any_lock& lock = *whole;
  explored::plain<std::uint32_t> count{0};
  std::array<explored::plain<std::uint32_t>, max_threads> entered{};  // each thread's own
};

/// A lock that somebody destroys while others may still be on their way out. Its memory stays until the end.
struct mortal {
  explicit mortal(const lock_type& type) : whole{type.make({})}, to{world::current().made()} {}
  void destroy() { world::current().bury(from, to); }

  const world::extent from = world::current().made();
  made<any_lock> whole;
  any_lock& lock = *whole;
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
class lock_programs {
 public:
  static constexpr std::chrono::nanoseconds patience{1};
  /// As many waiters who have given up as a lock may put up with.
  static constexpr unsigned crowd = 32;

  explicit lock_programs(const lock_type& type) : type_{type} {}

  static void section(guarded& s, unsigned t);
  static void once(guarded& s, unsigned t);
  static void try_once(guarded& s, unsigned t);
  static bool timed_once(guarded& s, unsigned t, std::chrono::nanoseconds how_long);
  static void read_once(guarded& s);
  static void act(guarded& s, unsigned t, deed what);
  /// Takes the nodes that later operations will want from the pool, so that the pool is out of the picture; it is a
  /// subject of its own.
  static void warm(guarded& s, unsigned);
  static void nobody_was_lost(guarded& s);

  /// A stage whose threads are warm.
  [[nodiscard]] stage<guarded> base(const std::string& name, unsigned threads, const recipe& how = {}) const;
  [[nodiscard]] stage<guarded> cold(const std::string& name, unsigned threads, const recipe& how = {}) const;
  /// A stage whose threads, which are warm, play these parts.
  [[nodiscard]] stage<guarded> play(const std::string& name, const parts& all, const recipe& how = {}) const;
  /// A thread holds the lock until it has handed its nodes on and ends: what it gives back is at once another's.
  [[nodiscard]] program held_to_the_end(const std::string& name = "held until a thread ends",
                                        const std::vector<deed>& meanwhile = {deed::lock}) const;
  /// The same of a node that still leads to another one, which was handed on.
  [[nodiscard]] program held_before_another_node() const;

 protected:
  lock_type type_;
};

}  // namespace synchro::model_checker

#endif
