// What Helgrind is told of a lock, in programs that are built with SYNCHRO_HELGRIND and run under valgrind.
//
// Helgrind takes every access to memory for one to data, those that a lock is made of, too, and knows nothing of what they
// order. Here it is told who has the lock, and not to look at the lock's own bytes: it then reports races and orders of
// locks as it does of the standard's. That holds for the locks that are all in one object (mutex, shared_mutex, tas, ttas,
// ticket): the queue nodes of others, and what stands in sync and wakes, it looks at as before, and reports.

#ifndef SYNCHRO_HELGRIND_HPP
#define SYNCHRO_HELGRIND_HPP

#include <valgrind/helgrind.h>

#include <cstddef>

#include "synchro/version.hpp"
#include "synchro/watched.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// For a lock of so many bytes, at whose address it stands.
template <std::size_t Bytes>
class helgrind {
 public:
  constexpr helgrind() = default;
  helgrind(const helgrind&) = delete;
  helgrind& operator=(const helgrind&) = delete;
  ~helgrind() { VALGRIND_HG_CLEAN_MEMORY(this, Bytes); }

  void asks(way /*unused*/) noexcept { VALGRIND_HG_DISABLE_CHECKING(this, Bytes); }
  void got(way how, bool taken) noexcept {
    if (taken) ANNOTATE_RWLOCK_ACQUIRED(this, how.shared ? 0 : 1);
  }
  void gives([[maybe_unused]] way how) noexcept { ANNOTATE_RWLOCK_RELEASED(this, how.shared ? 0 : 1); }
  void gave(way /*unused*/) noexcept {}
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
