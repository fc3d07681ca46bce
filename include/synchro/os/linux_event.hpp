// An event that is a descriptor: a thread that sleeps in poll or epoll, for sockets and timers, can be woken by it.
//
//   synchro::descriptor_event woken;
//   epoll_event what{.events = EPOLLIN, .data = {.fd = woken.descriptor()}};
//   epoll_ctl(epoll, EPOLL_CTL_ADD, woken.descriptor(), &what);
//   ...                                       any thread: woken.set();
//   epoll_wait(epoll, ...)                    readable as long as it is set
//   woken.reset();                            then look for what it was set for
//
// It is the event of wakes/event.hpp (set, reset, try_wait, wait, wait_for, wait_until) with the state in the kernel: each of
// these is a system call, some hundred nanoseconds, where the other makes none unless somebody sleeps. Choose it where a
// descriptor is needed, and nowhere else. To wait for any of several wakes in one process, without descriptors: flags.
//
// What was done before set() is seen after a wait that it has ended.
//
// Source: Linux, eventfd(2); what is added to the counter makes it readable, and reading takes it back to nothing.

#ifndef SYNCHRO_OS_LINUX_EVENT_HPP
#define SYNCHRO_OS_LINUX_EVENT_HPP

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <system_error>

#include "synchro/detail/exceptions.hpp"
#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

class descriptor_event : public detail::timed_waits<descriptor_event, hardware> {
 public:
  /// Not set. Throws std::system_error if the system has no descriptor left.
  descriptor_event() : descriptor_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)} {
    if (descriptor_ == -1) detail::raise(std::system_error{errno, std::generic_category(), "eventfd"});
  }
  ~descriptor_event() { close(descriptor_); }
  descriptor_event(const descriptor_event&) = delete;
  descriptor_event& operator=(const descriptor_event&) = delete;

  /// For poll, select and epoll: readable (POLLIN, EPOLLIN) as long as the event is set. To be read, written and closed by
  /// nobody else.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  /// Releases all who wait, and all who come until the next reset. May be called in a signal handler.
  void set() noexcept {
    const int keep_errno = errno;
    sets_.fetch_add(1, std::memory_order_release);
    const std::uint64_t one = 1;
    // It fails when the counter is full, and then the event is set.
    while (::write(descriptor_, &one, sizeof one) == -1 && errno == EINTR) {
    }
    errno = keep_errno;
  }
  void reset() noexcept {
    const int keep_errno = errno;
    std::uint64_t all = 0;
    while (::read(descriptor_, &all, sizeof all) == -1 && errno == EINTR) {  // it fails when the event is not set
    }
    sets_.load(std::memory_order_acquire);
    errno = keep_errno;
  }

  [[nodiscard]] bool try_wait() const noexcept { return polled(0); }
  void wait() noexcept {
    while (!polled(-1)) {
    }
  }

 private:
  friend detail::timed_waits<descriptor_event, hardware>;

  bool wait_by(hardware::deadline until) noexcept {
    using std::chrono::milliseconds;
    for (;;) {
      if (until == hardware::never) return wait(), true;
      const auto left = std::chrono::ceil<milliseconds>(until - hardware::clock::now()).count();
      if (polled(left <= 0 ? 0 : static_cast<int>(left < INT_MAX ? left : INT_MAX))) return true;
      if (left <= 0) return false;
    }
  }

  /// False if the time was up, or a signal came.
  [[nodiscard]] bool polled(int milliseconds) const noexcept {
    const int keep_errno = errno;
    pollfd one{descriptor_, POLLIN, 0};
    const bool is_set = poll(&one, 1, milliseconds) == 1;
    errno = keep_errno;
    if (is_set) sets_.load(std::memory_order_acquire);
    return is_set;
  }

  int descriptor_;
  std::atomic<std::uint32_t> sets_{0};  // read and written for its order alone, which the system calls do not promise
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
