// The answer of a waiting callback.
//
// The waiting verbs of a machine show a value to a callback and ask what next. The callback is pure: it may be asked
// about a value that is never acted upon, and as often as the machine likes. `round` counts how often this wait has
// looked before, so back-off is a function of it and needs no state.

#ifndef SYNCHRO_LOOK_HPP
#define SYNCHRO_LOOK_HPP

#include <cstdint>
#include <type_traits>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// The answer of a step: done, with the value, or look again after a rest.
class look {
 public:
  /// A plain predicate is a step, too: true is done, false is "retry after one pause".
  constexpr look(bool is_done) noexcept : rest_{is_done ? satisfied : 1} {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] static constexpr look done() noexcept { return look{true}; }

  /// Look again after `pauses` pause instructions (0: at once; capped at one million).
  [[nodiscard]] static constexpr look retry(std::uint32_t pauses = 1) noexcept {
    look answer{false};
    answer.rest_ = pauses < longest ? pauses : longest;
    return answer;
  }

  /// Look again after giving the processor to another thread.
  [[nodiscard]] static constexpr look after_yield() noexcept {
    look answer{false};
    answer.rest_ = yielding;
    return answer;
  }

  /// The same answer, and the line of the word is to be fetched in a writable state before the next look.
  [[nodiscard]] constexpr look fetching() const noexcept {
    look answer{*this};
    answer.fetches_ = true;
    return answer;
  }

  [[nodiscard]] constexpr bool is_done() const noexcept { return rest_ == satisfied; }
  [[nodiscard]] constexpr bool yields() const noexcept { return rest_ == yielding; }
  [[nodiscard]] constexpr bool fetches() const noexcept { return fetches_; }
  /// Pauses to rest before the next look; meaningful unless done or yielding.
  [[nodiscard]] constexpr std::uint32_t pauses() const noexcept { return rest_; }

 private:
  static constexpr std::uint32_t satisfied = 0xffff'ffff;
  static constexpr std::uint32_t yielding = 0xffff'fffe;
  static constexpr std::uint32_t longest = 1'000'000;

  std::uint32_t rest_;
  bool fetches_ = false;
};

/// The answer of a step that need not look again before its word is written: a machine whose processor can wait for that may
/// do so, on any other it is a look like others. Only for words of 32 bits, and waits without a limit. A type of its own: the
/// waits of those that do not answer with it are compiled as if it did not exist.
struct look_when_written : look {
  constexpr explicit look_when_written(bool is_done) noexcept : look{is_done} {}
};

/// The answer of an update: write this value, give up, or look again after a rest.
template <class T>
class attempt {
 public:
  [[nodiscard]] static constexpr attempt write(T value) noexcept { return attempt{kind::write, value, look::done()}; }
  [[nodiscard]] static constexpr attempt decline() noexcept { return attempt{kind::decline, T{}, look::done()}; }
  [[nodiscard]] static constexpr attempt retry(look rest = look::retry()) noexcept {
    return attempt{kind::retry, T{}, rest};
  }

  [[nodiscard]] constexpr bool writes() const noexcept { return kind_ == kind::write; }
  [[nodiscard]] constexpr bool declines() const noexcept { return kind_ == kind::decline; }
  [[nodiscard]] constexpr T value() const noexcept { return value_; }
  [[nodiscard]] constexpr look rest() const noexcept { return rest_; }

 private:
  enum class kind : std::uint8_t { write, decline, retry };
  constexpr attempt(kind k, T value, look rest) noexcept : kind_{k}, value_{value}, rest_{rest} {}

  kind kind_;
  T value_;
  look rest_;
};

/// The outcome of an update: whether it wrote, and the value it saw last (the one it replaced, if it wrote).
template <class T>
struct updated {
  bool written;
  T seen;
};

/// A limit for the `_until` verbs counted in looks instead of time: give up after this many.
struct looks {
  std::uint32_t count;
};

namespace detail {

/// For machines: asks a callback, with the round if it wants to know it.
template <class Step, class... Values>
constexpr auto ask(const Step& step, std::uint32_t round, const Values&... values) {
  if constexpr (std::is_invocable_v<const Step&, const Values&..., std::uint32_t>)
    return step(values..., round);
  else
    return step(values...);
}

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
