// A thread that can be interrupted in a system call.

#ifndef SYNCHRO_TESTS_LIBRARY_INTERRUPT_HPP
#define SYNCHRO_TESTS_LIBRARY_INTERRUPT_HPP

#include <pthread.h>
#include <signal.h>

#include <functional>
#include <thread>
#include <utility>

namespace synchro::tests {

class interruptible {
 public:
  explicit interruptible(std::function<void()> body) {
    struct sigaction action {};
    action.sa_handler = [](int) {};  // no SA_RESTART: system calls end with EINTR
    sigaction(SIGUSR1, &action, nullptr);
    thread_ = std::thread{std::move(body)};
  }
  ~interruptible() { thread_.join(); }
  interruptible(const interruptible&) = delete;
  interruptible& operator=(const interruptible&) = delete;

  void interrupt() { pthread_kill(thread_.native_handle(), SIGUSR1); }

 private:
  std::thread thread_;
};

}  // namespace synchro::tests

#endif
