// The C library's own functions, which the interposer stands in front of: for objects that it leaves to them.

#ifndef SYNCHRO_PRELOAD_NATIVES_HPP
#define SYNCHRO_PRELOAD_NATIVES_HPP

#include <pthread.h>
#include <threads.h>

#include "preload/calls.hpp"

namespace synchro::preload {

struct natives {
// The type without what the header says about arguments and exceptions, which a pointer cannot carry.
#define SYNCHRO_PRELOAD_POINTER(name) decltype(&::name) name = nullptr;
  SYNCHRO_PRELOAD_CALLS(SYNCHRO_PRELOAD_POINTER)
#undef SYNCHRO_PRELOAD_POINTER
};

/// Filled at the start (start.cpp).
inline constinit natives native;

}  // namespace synchro::preload

#endif
