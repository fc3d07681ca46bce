// Linux: eventfd, epoll and io_uring.

#ifndef SYNCHRO_PEERS_WAKES_LINUX_HPP
#define SYNCHRO_PEERS_WAKES_LINUX_HPP

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "peers/wakes/uring.hpp"
#include "peers/wakes/wake_peer.hpp"

namespace synchro::peers {

namespace detail {

/// An eventfd that counts, and gives one away to each read.
class event_counter {
 public:
  explicit event_counter(int flags) : fd_{::eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC | flags)} {
    if (fd_ < 0) fail_call("eventfd");
  }
  ~event_counter() { close(fd_); }
  event_counter(const event_counter&) = delete;
  event_counter& operator=(const event_counter&) = delete;

  [[nodiscard]] int fd() const noexcept { return fd_; }
  void add(std::uint64_t n) {
    uninterrupted("write", [&] { return write(fd_, &n, sizeof n); });
  }
  void take() {
    std::uint64_t one = 0;
    uninterrupted("read", [&] { return read(fd_, &one, sizeof one); });
  }
  /// False if there was none.
  bool try_take() {
    std::uint64_t one = 0;
    if (read(fd_, &one, sizeof one) > 0) return true;
    if (errno != EAGAIN && errno != EINTR) fail_call("read");
    return false;
  }

 private:
  int fd_;
};

}  // namespace detail

class eventfd_once {
 public:
  static constexpr wake_traits traits{.judgement = "a semaphore that is a descriptor; one call releases n",
                                      .citation = "Linux, eventfd(2), EFD_SEMAPHORE"};

  explicit eventfd_once(unsigned sleepers) : sleepers_{sleepers} {}

  void wait(unsigned) { counter_.take(); }
  void trigger() { counter_.add(sleepers_); }
  void trigger_each() {
    for (unsigned i = 0; i != sleepers_; ++i) counter_.add(1);
  }

 private:
  detail::event_counter counter_{0};
  unsigned sleepers_;
};

using eventfd = by_turns<eventfd_once>;

using eventfd_each = split<eventfd_once>;

/// Who waits for readiness must still take what is ready, and may find that another was faster.
class epoll_once {
 public:
  static constexpr wake_traits traits{.judgement = "a thread that waits for many descriptors at once",
                                      .citation = "Linux, epoll_wait(2) on an eventfd, level-triggered"};

  explicit epoll_once(unsigned sleepers) : sleepers_{sleepers}, poll_{epoll_create1(EPOLL_CLOEXEC)} {
    if (poll_ < 0) detail::fail_call("epoll_create1");
    epoll_event readable{};
    readable.events = EPOLLIN;
    if (epoll_ctl(poll_, EPOLL_CTL_ADD, counter_.fd(), &readable) != 0) {
      const int refusal = errno;
      close(poll_);
      errno = refusal;
      detail::fail_call("epoll_ctl");
    }
  }
  ~epoll_once() { close(poll_); }
  epoll_once(const epoll_once&) = delete;
  epoll_once& operator=(const epoll_once&) = delete;

  void wait(unsigned) {
    epoll_event ready{};
    do detail::uninterrupted("epoll_wait", [&] { return epoll_wait(poll_, &ready, 1, -1); });
    while (!counter_.try_take());
  }
  void trigger() { counter_.add(sleepers_); }
  void trigger_each() {
    for (unsigned i = 0; i != sleepers_; ++i) counter_.add(1);
  }

 private:
  detail::event_counter counter_{EFD_NONBLOCK};
  unsigned sleepers_;
  int poll_;
};

using epoll = by_turns<epoll_once>;

/// Each sleeper waits for an entry in a completion ring of its own; the waker's ring sends them messages, all of them by
/// one call.
class io_uring {
 public:
  static constexpr wake_traits traits{.judgement = "a thread that waits for input and output through a ring anyway",
                                      .citation = "Linux 5.18, io_uring_enter(2), IORING_OP_MSG_RING"};

  explicit io_uring(unsigned sleepers) : sender_{sleepers} {
    for (unsigned i = 0; i != sleepers; ++i) rings_.push_back(std::make_unique<detail::uring>(2));
  }

  void wait(unsigned i) { rings_[i]->take_completion(); }
  void trigger() {
    for (const auto& ring : rings_) sender_.queue_message(ring->fd());
    sender_.submit();
  }
  void trigger_each() {
    for (const auto& ring : rings_) {
      sender_.queue_message(ring->fd());
      sender_.submit();
    }
  }

 private:
  detail::uring sender_;
  std::vector<std::unique_ptr<detail::uring>> rings_;
};

}  // namespace synchro::peers

#endif
