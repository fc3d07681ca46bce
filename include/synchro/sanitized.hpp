// What ThreadSanitizer is told of a lock, in programs that are built with -fsanitize=thread.
//
// It sees the atomics of a lock anyway, and so no false race. It does not see that they are a lock: so it is told, and
// reports what it reports of the standard's mutexes, above all two locks that are taken in two orders, with the stacks of
// both. What goes on inside of a lock it then passes over. The class templates by their own names are not told of.

#ifndef SYNCHRO_SANITIZED_HPP
#define SYNCHRO_SANITIZED_HPP

#include <sanitizer/tsan_interface.h>

#include "synchro/version.hpp"
#include "synchro/watched.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// Known by its address. A lock that the compiler has made is told of when it is first taken.
class thread_sanitizer {
 public:
  constexpr thread_sanitizer() = default;
  thread_sanitizer(const thread_sanitizer&) = delete;
  thread_sanitizer& operator=(const thread_sanitizer&) = delete;
  ~thread_sanitizer() { __tsan_mutex_destroy(this, 0); }

  void asks(way how) noexcept { __tsan_mutex_pre_lock(this, words(how)); }
  void got(way how, bool taken) noexcept {
    __tsan_mutex_post_lock(this, words(how) | (taken ? 0 : __tsan_mutex_try_lock_failed), 0);
  }
  void gives(way how) noexcept { __tsan_mutex_pre_unlock(this, words(how)); }
  void gave(way how) noexcept { __tsan_mutex_post_unlock(this, words(how)); }

 private:
  static constexpr unsigned words(way how) {
    return (how.shared ? __tsan_mutex_read_lock : 0) | (how.wait != how_long::endless ? __tsan_mutex_try_lock : 0);
  }
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
