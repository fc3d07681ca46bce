// What serves a pthread_spinlock_t (spin.cpp).

#ifndef SYNCHRO_PRELOAD_SPIN_HPP
#define SYNCHRO_PRELOAD_SPIN_HPP

#include <pthread.h>

#include <cstdint>

namespace synchro::preload {

struct spin_object {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;  ///< Serves, unless all is left to the C library:
  pthread_spinlock_t native = 0;                      ///< then it is there only to be recorded.
  std::uint32_t label = 0;                            ///< The recorder's (recorder.hpp).
  unsigned next_free = ~0U;
};

/// As the functions of pthread: 0 or an error.
[[nodiscard]] int lock(spin_object& s) noexcept;
[[nodiscard]] int try_lock(spin_object& s) noexcept;
[[nodiscard]] int unlock(spin_object& s) noexcept;

}  // namespace synchro::preload

#endif
