// What Linux and POSIX have for the paper's calls.

#ifndef SYNCHRO_EXPERIMENTS_OVERHEAD_LINUX_OBJECTS_HPP
#define SYNCHRO_EXPERIMENTS_OVERHEAD_LINUX_OBJECTS_HPP

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "measure/host.hpp"
#include "platform/thread_watch.hpp"

namespace synchro::experiments::overhead {

/// Private to the process, or to be shared with others.
template <int Sharing>
class pthread_mutex {
 public:
  pthread_mutex() {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, Sharing);
    pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  ~pthread_mutex() { pthread_mutex_destroy(&mutex_); }
  pthread_mutex(const pthread_mutex&) = delete;
  pthread_mutex& operator=(const pthread_mutex&) = delete;

  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_;
};

class pthread_spin {
 public:
  pthread_spin() { pthread_spin_init(&lock_, PTHREAD_PROCESS_PRIVATE); }
  ~pthread_spin() { pthread_spin_destroy(&lock_); }
  pthread_spin(const pthread_spin&) = delete;
  pthread_spin& operator=(const pthread_spin&) = delete;

  void lock() { pthread_spin_lock(&lock_); }
  void unlock() { pthread_spin_unlock(&lock_); }

 private:
  pthread_spinlock_t lock_;
};

/// The manual-reset event as the paper had to build it.
class built_event {
 public:
  built_event() {
    pthread_mutex_init(&mutex_, nullptr);
    pthread_cond_init(&changed_, nullptr);
  }
  ~built_event() {
    pthread_cond_destroy(&changed_);
    pthread_mutex_destroy(&mutex_);
  }
  built_event(const built_event&) = delete;
  built_event& operator=(const built_event&) = delete;

  void signal() {
    pthread_mutex_lock(&mutex_);
    set_ = true;
    pthread_cond_broadcast(&changed_);
    pthread_mutex_unlock(&mutex_);
  }
  void wait() {
    pthread_mutex_lock(&mutex_);
    while (!set_) pthread_cond_wait(&changed_, &mutex_);
    pthread_mutex_unlock(&mutex_);
  }
  void rearm() {
    pthread_mutex_lock(&mutex_);
    set_ = false;
    pthread_mutex_unlock(&mutex_);
  }

 private:
  pthread_mutex_t mutex_;
  pthread_cond_t changed_;
  bool set_ = false;
};

/// The system's own: a read takes the signal away.
class eventfd_event {
 public:
  eventfd_event() : file_{eventfd(0, EFD_CLOEXEC)} {
    if (file_ < 0) throw std::system_error{errno, std::generic_category(), "eventfd"};
  }
  ~eventfd_event() { close(file_); }
  eventfd_event(const eventfd_event&) = delete;
  eventfd_event& operator=(const eventfd_event&) = delete;

  void signal() {
    if (eventfd_write(file_, 1) != 0) throw std::system_error{errno, std::generic_category(), "eventfd_write"};
  }
  void wait() {
    eventfd_t count = 0;
    while (eventfd_read(file_, &count) != 0)
      if (errno != EINTR) throw std::system_error{errno, std::generic_category(), "eventfd_read"};
  }
  void rearm() {}

 private:
  int file_;
};

template <int Shared>
class posix_semaphore {
 public:
  posix_semaphore() { sem_init(&semaphore_, Shared, 0); }
  ~posix_semaphore() { sem_destroy(&semaphore_); }
  posix_semaphore(const posix_semaphore&) = delete;
  posix_semaphore& operator=(const posix_semaphore&) = delete;

  void post() { sem_post(&semaphore_); }
  void wait() {
    while (sem_wait(&semaphore_) != 0) {
    }
  }

 private:
  sem_t semaphore_;
};

class join_waiter {
 public:
  explicit join_waiter(unsigned) {}
  void begin(unsigned) {}
  static void await(std::vector<std::thread>& threads, std::uint64_t& stamp) {
    for (std::thread& t : threads) t.join();
    stamp = measure::host::now();
  }
};

/// A file descriptor for each thread; Linux 6.9 and later.
class pidfd_waiter {
 public:
  explicit pidfd_waiter(unsigned threads) : numbers_(threads) {}

  static int open_thread(long number) {
    constexpr unsigned thread_not_process = O_EXCL;  // PIDFD_THREAD, newer than some headers
    return static_cast<int>(syscall(SYS_pidfd_open, number, thread_not_process));
  }

  void begin(unsigned i) {
    numbers_[i].store(platform::this_thread_number(), std::memory_order_release);
    while (!opened_.load(std::memory_order_acquire)) std::this_thread::yield();
  }
  void await(std::vector<std::thread>& threads, std::uint64_t& stamp) {
    std::vector<pollfd> files;
    for (std::atomic<long>& number : numbers_) {
      while (number.load(std::memory_order_acquire) == 0) std::this_thread::yield();
      files.push_back({open_thread(number), POLLIN, 0});
    }
    opened_.store(true, std::memory_order_release);
    for (std::size_t left = files.size(); left != 0;) {
      poll(files.data(), files.size(), -1);
      for (pollfd& f : files)
        if (f.fd >= 0 && f.revents != 0) f.fd = ~f.fd, --left;  // poll passes over what is negative
    }
    stamp = measure::host::now();
    for (const pollfd& f : files) close(~f.fd);
    for (std::thread& t : threads) t.join();
  }

 private:
  std::vector<std::atomic<long>> numbers_;
  std::atomic<bool> opened_{false};
};

}  // namespace synchro::experiments::overhead

#endif
