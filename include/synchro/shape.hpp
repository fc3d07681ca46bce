// The shape of the team that will share an object: how many threads, and the cache domain of each.

#ifndef SYNCHRO_SHAPE_HPP
#define SYNCHRO_SHAPE_HPP

#include <cstddef>
#include <vector>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// The threads that will use an object. Locks whose size depends on the machine (array slots, one queue per domain) are built from
/// one; `Machine::here()` gives the machine's own. It sizes, it never limits: more threads than `threads()` may come.
struct shape {
  /// One entry per thread: the number of its cache domain, dense from 0.
  std::vector<unsigned> domain_of_thread;

  [[nodiscard]] std::size_t threads() const noexcept { return domain_of_thread.empty() ? 1 : domain_of_thread.size(); }

  [[nodiscard]] std::size_t domains() const noexcept {
    unsigned highest = 0;
    for (const unsigned domain : domain_of_thread)
      if (domain > highest) highest = domain;
    return std::size_t{highest} + 1;
  }
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
