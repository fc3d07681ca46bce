// What the adapters of wake primitives share.
//
// An adapter is one small class as synchro/wakes/traits.hpp describes it: made for n sleepers, wait(i), trigger(), and
// where it is so arm() and trigger_each(). It adds to the original what counts rounds, so that no trigger is lost that
// comes before its sleeper, and nothing else. Besides `traits` it may say
//
//   unavailable()   why this processor or this program cannot have it, in one clause; nothing if nothing is known.
//                What the system refuses is found by trying (experiments/wakes/availability.hpp).
//
// Whether its waiting threads sleep stands in the catalog, where files of other systems have it from, too.
// What the system refuses is thrown, as std::system_error.

#ifndef SYNCHRO_PEERS_WAKES_WAKE_PEER_HPP
#define SYNCHRO_PEERS_WAKES_WAKE_PEER_HPP

#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>
#include <type_traits>
#include <vector>

#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/traits.hpp"

namespace synchro::peers {

namespace detail {

/// Throws what errno says.
[[noreturn]] inline void fail_call(const char* call) { throw std::system_error{errno, std::generic_category(), call}; }

/// The result of a call that is to be taken up again when a signal interrupts it; throws if it fails.
template <class Call>
auto uninterrupted(const char* name, Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0) return result;
    if (errno != EINTR) fail_call(name);
  }
}

/// Each sleeper's count of the triggers it has seen.
class own_rounds {
 public:
  explicit own_rounds(unsigned sleepers) : all_(sleepers) {}
  [[nodiscard]] unsigned sleepers() const noexcept { return static_cast<unsigned>(all_.size()); }
  /// The trigger that sleeper i waits for, from 0; from now on it waits for the next.
  std::uint32_t next(unsigned i) noexcept { return all_[i].rounds++; }

 private:
  std::vector<synchro::detail::sleeper<hardware>> all_;
};

}  // namespace detail

/// n sleepers on several primitives, `group` on each; one each unless told otherwise.
template <class P>
class split {
 public:
  static constexpr wake_traits traits = [] {
    wake_traits words = P::traits;
    words.one_call = false;
    words.splittable = false;  // it is split already
    return words;
  }();

  explicit split(unsigned sleepers, unsigned group = 1) : group_{group} {
    for (unsigned first = 0; first < sleepers; first += group)
      all_.push_back(std::make_unique<P>(sleepers - first < group ? sleepers - first : group));
  }

  void wait(unsigned i) { all_[i / group_]->wait(i % group_); }
  void arm() {
    if constexpr (requires(P & p) { p.arm(); })
      for (auto& one : all_) one->arm();
  }
  void trigger() {
    for (auto& one : all_) one->trigger();
  }
  static auto unavailable() requires requires { P::unavailable(); }
  { return P::unavailable(); }

 private:
  unsigned group_;
  std::vector<std::unique_ptr<P>> all_;
};

/// Two primitives by turns, for those that count units without regard to who takes them: a sleeper that is back early
/// waits for the units of the next trigger and cannot take what others have not taken yet.
template <class P>
class by_turns {
 public:
  static constexpr wake_traits traits = P::traits;

  explicit by_turns(unsigned sleepers) : first_{sleepers}, second_{sleepers}, rounds_{sleepers} {}

  void wait(unsigned i) { of(rounds_.next(i)).wait(i); }
  void trigger() { of(triggers_++).trigger(); }
  void trigger_each() requires requires(P& p) { p.trigger_each(); }
  { of(triggers_++).trigger_each(); }

 private:
  P& of(std::uint32_t round) { return round % 2 == 0 ? first_ : second_; }

  P first_;
  P second_;
  std::uint32_t triggers_ = 0;
  detail::own_rounds rounds_;
};

}  // namespace synchro::peers

#endif
