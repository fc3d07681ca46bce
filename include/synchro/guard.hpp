// Guards that clang's analysis of thread safety knows; otherwise they are what std::lock_guard and std::shared_lock are.
//
//   synchro::guard hold{lock};           // locked until the end of the scope
//   synchro::shared_guard read{lock};    // shared

#ifndef SYNCHRO_GUARD_HPP
#define SYNCHRO_GUARD_HPP

#include "synchro/annotations.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <basic_lockable Lock>
class [[nodiscard]] SYNCHRO_SCOPED_CAPABILITY guard {
 public:
  SYNCHRO_ACQUIRES(lock) explicit guard(Lock& lock) noexcept(noexcept(lock.lock())) : lock_{lock} { lock_.lock(); }
  SYNCHRO_RELEASES ~guard() { lock_.unlock(); }
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;

 private:
  Lock& lock_;
};

template <shared_lockable Lock>
class [[nodiscard]] SYNCHRO_SCOPED_CAPABILITY shared_guard {
 public:
  SYNCHRO_ACQUIRES_SHARED(lock) explicit shared_guard(Lock& lock) noexcept(noexcept(lock.lock_shared())) : lock_{lock} {
    lock_.lock_shared();
  }
  SYNCHRO_RELEASES_EITHER ~shared_guard() { lock_.unlock_shared(); }
  shared_guard(const shared_guard&) = delete;
  shared_guard& operator=(const shared_guard&) = delete;

 private:
  Lock& lock_;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
