// What a thread asks of the explored machine in one step, and the ways in which that can turn out.

#ifndef SYNCHRO_MODEL_CHECKER_OPERATION_HPP
#define SYNCHRO_MODEL_CHECKER_OPERATION_HPP

#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "model_checker/limits.hpp"
#include "model_checker/order.hpp"

namespace synchro::model_checker {

enum class action : std::uint8_t {
  load,
  store,
  exchange,
  add,
  subtract,
  bit_or,
  bit_and,
  compare_exchange,
  await,  ///< await and await_any
  update,
  exchange_until,
  fence,
  park,   ///< compares, and returns or goes to sleep
  sleep,  ///< the second half of park
  unpark,
  expire,  ///< asks whether a deadline has passed
  locate,  ///< asks in which domain its thread is, which may have moved since
  mark,    ///< tells the harness's monitor something
  write,   ///< to a plain field; no step, only a place to mutate
  begin,   ///< of a transaction, which is one step if it commits (world_transactions.cpp)
  abort    ///< no step, only a place to mutate
};

/// What is done to a statement of a mutant.
enum class change : std::uint8_t {
  none,
  weaken,        ///< its order
  leave_out,     ///< nothing is written, waited for or woken
  more,          ///< the value written, or the number added, is one more; a pointer is null, a flag the opposite
  less,          ///< the same, one less
  sees_more,     ///< the value that is returned is one more; a pointer is null, a flag the opposite
  sees_less,     ///< the same, one less
  expects_more,  ///< a compare-and-swap expects one more
  fail,          ///< a compare-and-swap never succeeds, an update declines
  done           ///< a wait ends with any value
};

/// What can be altered in a value.
enum class value_kind : std::uint8_t { integer, boolean, pointer, other };
template <class T>
constexpr value_kind kind_of = std::is_pointer_v<T>      ? value_kind::pointer
                               : std::is_same_v<T, bool> ? value_kind::boolean
                               : std::is_integral_v<T>   ? value_kind::integer
                                                         : value_kind::other;

/// Those that look until something is so, and may give up having read.
constexpr bool is_look(action a) { return a == action::await || a == action::update; }

/// The value one step on, or one back.
constexpr std::uint64_t stepped(std::uint64_t value, value_kind kind, bool back) {
  if (kind == value_kind::pointer) return 0;
  if (kind == value_kind::boolean) return value ^ 1U;
  return back ? value - 1 : value + 1;
}

/// What a waiting callback answers, for any type.
struct answer {
  enum kind : std::uint8_t { done, retry, write, decline } what;
  std::uint64_t value = 0;
};
using question = answer (*)(const void* step, const std::uint64_t* values, std::uint32_t round);

enum class limit : std::uint8_t { none, looks, time };

/// The literals of an operation: the one order, or those of success and failure.
struct order_use {
  std::memory_order value = std::memory_order::relaxed;
  place where;
};

struct operation {
  action what = action::load;
  bool weak = false;
  bool asks_round = false;  // the callback wants to know how often it was asked
  bool may_keep = false;  // the callback is large enough to refer to something, which may keep what it was asked about
  value_kind kind = value_kind::other;
  change altered = change::none;
  std::uint8_t count = 1;  // of words
  std::array<std::uint64_t, max_await_words> address{};
  std::array<std::uint32_t, max_await_words> word{};
  std::array<order_use, 2> orders{};
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;
  std::uint64_t mask = ~std::uint64_t{0};  // the bits that the type has
  question ask = nullptr;
  const void* step = nullptr;
  limit within = limit::none;
  std::int64_t until = 0;

  // Results.
  std::array<std::uint64_t, max_await_words> values{};
  bool success = false;
  bool gave_up = false;
};

/// What the read-modify-writes make of the value they find; `round`: when the callback of an update is asked.
std::uint64_t new_value(const operation& op, std::uint64_t old, std::uint32_t round);

/// One way in which an operation can turn out.
struct outcome {
  enum kind : std::uint8_t {
    done,      ///< the ordinary one; `at` says which messages are read, or behind which one is written
    failed,    ///< a compare-and-swap that read another value, or a weak one for no reason
    declined,  ///< an update
    refused,   ///< exchange_until wrote over a value that it does not accept, and goes on
    gave_up,   ///< the limit came first
    woken,     ///< from sleep
    spurious,  ///< from sleep, for no reason or by a signal
    moved,     ///< to the other domain, before it was asked where its thread is
    aborted    ///< a transaction, before it has done anything; `at` says what its thread is told
  } what = done;
  /// Whether the thread will get that far by itself: not by a deadline, for no reason, or by reading a message that is
  /// not the last for ever.
  bool lively = true;
  std::array<std::uint8_t, max_await_words> at{};
  std::uint32_t round = 0;    ///< update: when its callback gives this answer
  std::uint8_t sleepers = 0;  ///< unpark: whom it wakes, a bit for each thread
};

}  // namespace synchro::model_checker

#endif
