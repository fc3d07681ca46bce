// One line of the lock catalog, as a type.

#ifndef SYNCHRO_CATALOG_LOCK_LINE_HPP
#define SYNCHRO_CATALOG_LOCK_LINE_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

#include "synchro/machine.hpp"
#include "synchro/shape.hpp"
#include "synchro/traits.hpp"

namespace synchro::catalog {

template <std::size_t N>
struct fixed_string {
  char text[N];
  constexpr fixed_string(const char (&s)[N]) { std::copy_n(s, N, text); }  // NOLINT(google-explicit-constructor)
};

/// A lock for this shape, as a prvalue: locks that size themselves by the machine take a shape, others nothing.
template <class Lock>
Lock make_lock(const shape& team) {
  if constexpr (std::is_constructible_v<Lock, const shape&>)
    return Lock(team);
  else
    return Lock();
}

/// One lock under one waiting policy, on any machine.
template <template <class, class> class LockTemplate, class Waiting>
struct lock_variant {
  using waiting = Waiting;
  template <class Machine>
  using lock = LockTemplate<Machine, Waiting>;
  std::string name;
};

/// A line: the stem, the class template and the waiting policies it allows. The first policy goes by the bare stem.
template <fixed_string Stem, template <class, class> class LockTemplate, class First, class... More>
struct lock_line {
  static constexpr const char* stem = Stem.text;

  /// Calls visit(lock_variant) for each policy.
  template <class Visit>
  static void each(Visit visit) {
    visit(lock_variant<LockTemplate, First>{stem});
    (visit(lock_variant<LockTemplate, More>{std::string{stem} + "/" + More::name}), ...);
  }
};

}  // namespace synchro::catalog

#endif
