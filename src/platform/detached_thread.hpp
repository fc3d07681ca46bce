// A thread that nobody joins.

#ifndef SYNCHRO_PLATFORM_DETACHED_THREAD_HPP
#define SYNCHRO_PLATFORM_DETACHED_THREAD_HPP

#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace synchro::platform {

/// Calls body() in a thread of its own, which does not begin before it is detached. The POSIX threads of mingw-w64 want
/// that: they hand a thread's record on as soon as it has ended and is detached, and a thread that ended first is still to
/// clear that record, which may be the next thread's by then: that one ends without having begun
/// (winpthreads/src/thread.c, pthread_detach and __dyn_tls_pthread).
template <class Body>
void run_detached(Body body) {
  const auto detaching = std::make_shared<std::mutex>();
  const std::lock_guard hold{*detaching};
  std::thread{[detaching, body = std::move(body)]() mutable {
    detaching->lock();
    detaching->unlock();
    body();
  }}.detach();
}

}  // namespace synchro::platform

#endif
