// Which lock to take, by what a run measured: what the terminal's answer and the page begin with.

#ifndef SYNCHRO_ADVICE_WHICH_LOCK_HPP
#define SYNCHRO_ADVICE_WHICH_LOCK_HPP

#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::advice {

/// What lock_for() says of one use of a lock.
struct lock_choice {
  std::string lock;    ///< "mcs"
  std::string where;   ///< "where 4 threads want it"
  std::string does;    ///< "is taken 4.90 million times a second (4.85 to 4.97)"
  std::string beside;  ///< ", not distinguishable from clh", or nothing
  bool matters;        ///< False: no difference worth having is resolved.
  results::cell by;    ///< The figure of the lock that is named.

  /// What it does, and that it does not matter if that is so: "takes 10.0 ns to lock and unlock, not distinguishable from clh".
  [[nodiscard]] std::string why() const;
  /// "where 4 threads want it, mcs, which is taken 4.90 million times a second (4.85 to 4.97)"
  [[nodiscard]] std::string words() const;
};

/// About a lock that a thread of each processor wants, with work between, and about one that is nearly always free. Nothing where
/// a rule answers, or the figure of the lock that would be named is not sure.
[[nodiscard]] std::vector<lock_choice> lock_choices(const results::document& run);

/// Whether these name none that several threads want although such locks were compared: no figure is sure enough.
[[nodiscard]] bool is_choice_open(const results::document& run, const std::vector<lock_choice>& choices);

/// All of them in one sentence: "Which lock to take: ...; ...."; empty if there are none.
[[nodiscard]] std::string which_lock(const results::document& run);

}  // namespace synchro::advice

#endif
