// The locks that an adopted program gets in place of its own. The script that adopts it puts this before each of its units
// and writes these names over those of the standard.

#ifndef SYNCHRO_TESTS_ADOPTED_HPP
#define SYNCHRO_TESTS_ADOPTED_HPP

#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#include "synchro/locks/mutex.hpp"
#include "synchro/locks/shared_mutex.hpp"
#include "synchro/recursive.hpp"
#include "synchro/sync/condition_variable.hpp"

namespace adopted {

/// A mutex that lets everybody in: for `adopt.sh --broken`, which sees that the tests find it out.
class nothing {
 public:
  void lock() noexcept {}
  [[nodiscard]] bool try_lock() noexcept { return true; }
  template <class Time>
  [[nodiscard]] bool try_lock_for(const Time& /*patience*/) noexcept {
    return true;
  }
  template <class Time>
  [[nodiscard]] bool try_lock_until(const Time& /*moment*/) noexcept {
    return true;
  }
  void unlock() noexcept {}
};

#ifdef SYNCHRO_ADOPT_BROKEN
using mutex = nothing;
using recursive_mutex = nothing;
#else
using mutex = synchro::mutex;
using recursive_mutex = synchro::recursive<synchro::mutex>;
#endif
using timed_mutex = mutex;
using recursive_timed_mutex = recursive_mutex;
using shared_mutex = synchro::shared_mutex;
using shared_timed_mutex = synchro::shared_mutex;
using condition_variable = synchro::condition_variable;
using condition_variable_any = synchro::condition_variable;

}  // namespace adopted

#endif
