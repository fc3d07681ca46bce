// One line of the lock catalog, as a type.

#ifndef SYNCHRO_CATALOG_LOCK_LINE_HPP
#define SYNCHRO_CATALOG_LOCK_LINE_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
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

/// Whether a policy before this one only looks and rests otherwise: neither parks, or both do (waiting.hpp).
template <class Waiting, class... Policies>
consteval bool one_before_only_looks_otherwise() {
  bool before = true, found = false;
  ((before = before && !std::is_same_v<Policies, Waiting>,
    found = found || (before && Policies::parks == Waiting::parks)),
   ...);
  return found;
}

/// One lock under one waiting policy, on any machine.
template <template <class, class> class LockTemplate, class Waiting>
struct lock_variant {
  using waiting = Waiting;
  template <class Machine>
  using lock = LockTemplate<Machine, Waiting>;
  std::string name;
};

/// A line: the header below locks/ without its ending, the class template and the waiting policies it allows. The first policy
/// goes by the bare stem.
template <fixed_string Path, template <class, class> class LockTemplate, class First, class... More>
struct lock_line {
  static constexpr std::string_view path = Path.text;
  static constexpr const char* stem = Path.text + (path.find_last_of('/') + 1);  // without a folder from 0 on

  [[nodiscard]] static std::string header() { return "synchro/locks/" + std::string{path} + ".hpp"; }
  template <class Waiting>
  static constexpr bool only_looks_otherwise = one_before_only_looks_otherwise<Waiting, First, More...>();

  /// Calls visit(lock_variant) for each policy.
  template <class Visit>
  static void each(Visit visit) {
    visit(lock_variant<LockTemplate, First>{stem});
    (visit(lock_variant<LockTemplate, More>{std::string{stem} + "/" + More::name}), ...);
  }
};

}  // namespace synchro::catalog

#endif
