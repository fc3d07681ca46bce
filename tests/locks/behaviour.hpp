// What every lock of the catalog must do, under every waiting policy it allows. A lock that does not offer a thing is
// left out of its tests by what it offers (traits.hpp), and by nothing else.

#ifndef SYNCHRO_TESTS_LOCKS_BEHAVIOUR_HPP
#define SYNCHRO_TESTS_LOCKS_BEHAVIOUR_HPP

#include "locks/any_lock.hpp"

namespace synchro::tests {

/// Adds the tests of this kind, on hardware.
void add_behaviour(const lock_kind& kind);

/// Adds the tests of what this kind asks of its machine, seen on the recorder in one thread.
void add_recorded(const lock_kind& kind);

/// Adds the tests of a line of the catalog.
template <class Line>
void add_line() {
  Line::each([](const auto& variant) {
    const lock_kind kind = kind_of(variant);
    add_behaviour(kind);
    add_recorded(kind);
  });
}

/// As generated: those of all locks of the catalog.
void add_locks();

}  // namespace synchro::tests

#endif
