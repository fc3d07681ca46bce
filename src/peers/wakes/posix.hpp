// POSIX semaphores, message queues, pipes and sockets.

#ifndef SYNCHRO_PEERS_WAKES_POSIX_HPP
#define SYNCHRO_PEERS_WAKES_POSIX_HPP

#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <vector>

#include "peers/wakes/wake_peer.hpp"

namespace synchro::peers {

class posix_sem_once {
 public:
  static constexpr wake_traits traits{.judgement = "counts units; one call releases one",
                                      .one_call = false,
                                      .citation = "POSIX.1-2017, sem_wait and sem_post"};

  explicit posix_sem_once(unsigned sleepers) : sleepers_{sleepers} {
    if (sem_init(&sem_, 0, 0) != 0) detail::fail_call("sem_init");
  }
  ~posix_sem_once() { sem_destroy(&sem_); }
  posix_sem_once(const posix_sem_once&) = delete;
  posix_sem_once& operator=(const posix_sem_once&) = delete;

  void wait(unsigned) {
    detail::uninterrupted("sem_wait", [this] { return sem_wait(&sem_); });
  }
  void trigger() {
    for (unsigned i = 0; i != sleepers_; ++i)
      if (sem_post(&sem_) != 0) detail::fail_call("sem_post");
  }

 private:
  sem_t sem_;
  unsigned sleepers_;
};

using posix_sem = by_turns<posix_sem_once>;

using posix_sem_each = split<posix_sem_once>;

class posix_mqueue_once {
 public:
  static constexpr wake_traits traits{.judgement = "messages with priorities; to wake with nothing to say it is slow",
                                      .one_call = false,
                                      .citation = "POSIX.1-2017, mq_receive and mq_send"};

  explicit posix_mqueue_once(unsigned sleepers) : sleepers_{sleepers} {
    static std::atomic<unsigned> made{0};
    const std::string name = "/synchroscope." + std::to_string(getpid()) + "." + std::to_string(made++);
    mq_attr attributes{};
    attributes.mq_maxmsg = 10;  // what every account may have
    attributes.mq_msgsize = 1;
    queue_ = mq_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600, &attributes);
    if (queue_ < 0)
      detail::fail_call(errno == EMFILE ? "mq_open, as \"ulimit -q\" or \"ulimit -n\" allows" : "mq_open");
    mq_unlink(name.c_str());
  }
  ~posix_mqueue_once() { mq_close(queue_); }
  posix_mqueue_once(const posix_mqueue_once&) = delete;
  posix_mqueue_once& operator=(const posix_mqueue_once&) = delete;

  void wait(unsigned) {
    char message = 0;
    detail::uninterrupted("mq_receive", [&] { return mq_receive(queue_, &message, 1, nullptr); });
  }
  void trigger() {
    const char message = 0;
    for (unsigned i = 0; i != sleepers_; ++i)
      detail::uninterrupted("mq_send", [&] { return mq_send(queue_, &message, 1, 0); });
  }

 private:
  mqd_t queue_;
  unsigned sleepers_;
};

using posix_mqueue = by_turns<posix_mqueue_once>;

namespace detail {

/// One end to read a byte from, one to write them to.
class byte_stream {
 public:
  explicit byte_stream(unsigned sleepers) : bytes_(sleepers) {}
  ~byte_stream() {
    for (const int end : ends_)
      if (end >= 0) close(end);
  }
  byte_stream(const byte_stream&) = delete;
  byte_stream& operator=(const byte_stream&) = delete;

  void wait(unsigned) {
    char byte = 0;
    uninterrupted("read", [&] { return read(ends_[0], &byte, 1); });
  }
  void trigger() { send(bytes_.size()); }
  void trigger_each() {
    for (std::size_t i = 0; i != bytes_.size(); ++i) send(1);
  }

 protected:
  int ends_[2]{-1, -1};

 private:
  void send(std::size_t n) {
    for (std::size_t sent = 0; sent < n;)
      sent +=
          static_cast<std::size_t>(uninterrupted("write", [&] { return write(ends_[1], bytes_.data(), n - sent); }));
  }

  std::vector<char> bytes_;
};

}  // namespace detail

class unix_pipe_once : public detail::byte_stream {
 public:
  static constexpr wake_traits traits{.judgement = "between processes, and where a descriptor is needed everywhere",
                                      .citation = "POSIX.1-2017, pipe, read and write"};
  explicit unix_pipe_once(unsigned sleepers) : byte_stream{sleepers} {
    if (pipe2(ends_, O_CLOEXEC) != 0) detail::fail_call("pipe2");
  }
};

using unix_pipe = by_turns<unix_pipe_once>;

class unix_socketpair_once : public detail::byte_stream {
 public:
  static constexpr wake_traits traits{.judgement = "both ways between processes",
                                      .citation = "POSIX.1-2017, socketpair (AF_UNIX, SOCK_STREAM)"};
  explicit unix_socketpair_once(unsigned sleepers) : byte_stream{sleepers} {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_) != 0) detail::fail_call("socketpair");
  }
};

using unix_socketpair = by_turns<unix_socketpair_once>;

class sysv_sem_once {
 public:
  static constexpr wake_traits traits{
      .judgement = "between processes, and one call releases n; lives until it is removed",
      .citation = "System V, semop(2)"};

  explicit sysv_sem_once(unsigned sleepers) : sleepers_{sleepers}, set_{semget(IPC_PRIVATE, 1, 0600)} {
    if (set_ < 0) detail::fail_call("semget");
  }
  ~sysv_sem_once() { semctl(set_, 0, IPC_RMID); }
  sysv_sem_once(const sysv_sem_once&) = delete;
  sysv_sem_once& operator=(const sysv_sem_once&) = delete;

  void wait(unsigned) { add(-1); }
  void trigger() { add(static_cast<short>(sleepers_)); }
  void trigger_each() {
    for (unsigned i = 0; i != sleepers_; ++i) add(1);
  }

 private:
  void add(short n) {
    sembuf what{0, n, 0};
    detail::uninterrupted("semop", [&] { return semop(set_, &what, 1); });
  }

  unsigned sleepers_;
  int set_;
};

using sysv_sem = by_turns<sysv_sem_once>;

}  // namespace synchro::peers

#endif
