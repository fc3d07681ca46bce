// A watch over locks whose waiters only spin. Where hundreds of threads that can run wait for one, each keeps a processor from the
// one that it waits for, and the whole machine stands: the program is told so.

#ifndef SYNCHRO_PRELOAD_CROWD_HPP
#define SYNCHRO_PRELOAD_CROWD_HPP

#include "preload/operations.hpp"

namespace synchro::preload {

/// The same operations, but one wait in some is timed. After a long one the threads of the process that can run are counted; if
/// there are many, that is said on standard error, once for a process.
[[nodiscard]] const mutex_operations* watch_for_crowds(const mutex_operations& spinning, const char* name) noexcept;
/// In the child of a fork, which is another process.
void watch_again() noexcept;

}  // namespace synchro::preload

#endif
