// Histories of calls, and whether a sequential specification explains them.
//
// A history is linearizable if its calls can be put into one order in which each has the result that a sequential object
// would give, and in which no call stands before one that had returned when it was made (Herlihy, Wing: Linearizability:
// A Correctness Condition for Concurrent Objects, TOPLAS 12(3), 1990). A call that never returned may stand anywhere behind
// those that had returned before it, with whatever result, or not at all.
//
// The search takes any call that need not stand behind one still left, asks the specification, and goes on (Wing, Gong:
// Testing and Verifying Concurrent Objects, JPDC 17, 1993). Which calls were taken and the state they led to are kept, so
// that nothing is searched twice (Lowe: Testing for Linearizability, CCPE 29(4), 2017).

#ifndef SYNCHRO_MODEL_CHECKER_HISTORY_HPP
#define SYNCHRO_MODEL_CHECKER_HISTORY_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model_checker/limits.hpp"

namespace synchro::model_checker {

enum class verb : std::uint8_t {
  send,
  try_send,
  timed_send,
  receive,
  try_receive,
  timed_receive,
  close,
  read,
  try_read,
  write,
  add,
  put,
  get,
  insert,
  remove,
  contains
};

/// What a call that returns nothing, or true, has for its result.
inline constexpr std::uint64_t said_yes = 1;

struct call {
  verb what = verb::read;
  std::uint64_t argument = 0;
  std::uint64_t second = 0;             ///< of put: the value
  std::optional<std::uint64_t> result;  ///< Nothing: refused, not found, false.
  unsigned thread = 0;
  bool returned = false;
  std::uint64_t behind = 0;  ///< Those that had returned when it was made, by their place in the history, a bit each.
};

using history = std::vector<call>;

/// A state, and which calls are possible in it.
template <class S>
concept specification = requires(S s, const S& a, const call& c) {
  {
    s.accepts(c)
    } -> std::same_as<bool>;  ///< Whether it can have this result, or any if it has not returned; and has it.
  { a < a } -> std::convertible_to<bool>;
};

template <specification Specification>
class explanation {
 public:
  explicit explanation(const history& of) : of_{of} {}

  /// From this state on, with these calls taken already.
  bool exists(const Specification& from, std::uint64_t taken = 0) {
    if (all_returned_are_in(taken)) return true;
    if (!met_.insert({taken, from}).second) return false;
    for (std::size_t i = 0; i < of_.size(); ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      if ((taken & bit) != 0 || (of_[i].behind & ~taken) != 0) continue;
      Specification next = from;
      if (next.accepts(of_[i]) && exists(next, taken | bit)) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] bool all_returned_are_in(std::uint64_t taken) const {
    for (std::size_t i = 0; i < of_.size(); ++i)
      if (of_[i].returned && (taken >> i & 1U) == 0) return false;
    return true;
  }

  const history& of_;
  std::set<std::pair<std::uint64_t, Specification>> met_;
};

/// Of at most 64 calls.
template <specification Specification>
bool is_linearizable(const history& of, const Specification& start) {
  return explanation<Specification>{of}.exists(start);
}

/// Each thread's calls in turn, and which of other threads' had returned before: "a: send 1; b: receive -> 1, after a1".
std::string to_string(const history& of);

/// The calls of one execution as they are made. Each has a number that does not depend on the order in which threads took
/// their steps, so that states can be compared.
class recorder {
 public:
  static constexpr unsigned most_of_a_thread = 8;
  static_assert((max_threads + 1) * most_of_a_thread <= 64, "a set of calls is 64 bits");

  /// False if the thread has made the most already. `returned`: the numbers of those that had.
  [[nodiscard]] bool begin(unsigned thread, call made, std::uint64_t returned);
  /// The call that the thread has made last returns. Its number.
  unsigned end(unsigned thread, std::optional<std::uint64_t> result);
  [[nodiscard]] history all() const;
  /// Does not depend on the order in which threads took their steps, either. Zero if there is none.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  struct entry {
    unsigned number = 0;
    call made;
  };
  std::vector<entry> entries_;
};

}  // namespace synchro::model_checker

#endif
