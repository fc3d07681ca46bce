// As much of an io_uring as it takes to send and to receive wake-ups: plain system calls, no library.

#ifndef SYNCHRO_PEERS_WAKES_URING_HPP
#define SYNCHRO_PEERS_WAKES_URING_HPP

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

#include "peers/wakes/wake_peer.hpp"

namespace synchro::peers::detail {

/// Memory that a ring shares with the kernel.
class ring_memory {
 public:
  ring_memory(int fd, std::size_t bytes, unsigned long long offset) : bytes_{bytes} {
    start_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, static_cast<off_t>(offset));
    if (start_ == MAP_FAILED) fail_call("mmap of a ring");
  }
  ~ring_memory() { munmap(start_, bytes_); }
  ring_memory(const ring_memory&) = delete;
  ring_memory& operator=(const ring_memory&) = delete;

  template <class T>
  [[nodiscard]] T* at(std::size_t offset) const noexcept {
    return reinterpret_cast<T*>(static_cast<std::byte*>(start_) + offset);
  }

 private:
  void* start_;
  std::size_t bytes_;
};

class ring_descriptor {
 public:
  ring_descriptor(unsigned entries, io_uring_params& params)
      : fd_{static_cast<int>(syscall(SYS_io_uring_setup, entries, &params))} {
    if (fd_ < 0) fail_call("io_uring_setup");
  }
  ~ring_descriptor() { close(fd_); }
  ring_descriptor(const ring_descriptor&) = delete;
  ring_descriptor& operator=(const ring_descriptor&) = delete;
  [[nodiscard]] int get() const noexcept { return fd_; }

 private:
  int fd_;
};

/// One thread submits, one takes completions. The kernel must map both rings at once (5.4).
class uring {
 public:
  explicit uring(unsigned entries)
      : descriptor_{entries, params_},
        rings_{descriptor_.get(), bytes_of_rings(), IORING_OFF_SQ_RING},
        entries_{descriptor_.get(), params_.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES} {}

  [[nodiscard]] int fd() const noexcept { return descriptor_.get(); }

  /// Sleeps until there is a completion, and takes it. Throws what it says, if it is an error.
  void take_completion() {
    while (head() == tail())
      if (enter(0, 1, IORING_ENTER_GETEVENTS) < 0 && errno != EINTR) fail_call("io_uring_enter");
    take();
  }

  /// Puts a message to another ring into the queue; there must be room.
  void queue_message(int to) {
    const std::uint32_t place = std::atomic_ref{*rings_.at<std::uint32_t>(params_.sq_off.tail)}.load() + queued_;
    const std::uint32_t index = place & *rings_.at<std::uint32_t>(params_.sq_off.ring_mask);
    io_uring_sqe& entry = entries_.at<io_uring_sqe>(0)[index];
    entry = io_uring_sqe{};
    entry.opcode = 40;  // IORING_OP_MSG_RING, which older headers do not have
    entry.flags = IOSQE_CQE_SKIP_SUCCESS;
    entry.fd = to;
    rings_.at<std::uint32_t>(params_.sq_off.array)[index] = index;
    ++queued_;
  }

  /// Hands the kernel what is in the queue, and throws what it says of it.
  void submit() {
    const std::atomic_ref submitted{*rings_.at<std::uint32_t>(params_.sq_off.tail)};
    submitted.store(submitted.load() + queued_, std::memory_order_release);
    while (queued_ != 0)
      queued_ -= static_cast<unsigned>(uninterrupted("io_uring_enter", [this] { return enter(queued_, 0, 0); }));
    while (head() != tail()) take();
  }

 private:
  [[nodiscard]] std::size_t bytes_of_rings() const {
    if ((params_.features & IORING_FEAT_SINGLE_MMAP) == 0) {
      errno = ENOSYS;
      fail_call("io_uring of this kernel");
    }
    const std::size_t submissions = params_.sq_off.array + params_.sq_entries * sizeof(std::uint32_t);
    const std::size_t completions = params_.cq_off.cqes + params_.cq_entries * sizeof(io_uring_cqe);
    return submissions > completions ? submissions : completions;
  }

  long enter(unsigned submit, unsigned wait_for, unsigned flags) {
    return syscall(SYS_io_uring_enter, descriptor_.get(), submit, wait_for, flags, nullptr, 0);
  }

  [[nodiscard]] std::uint32_t head() const {
    return std::atomic_ref{*rings_.at<std::uint32_t>(params_.cq_off.head)}.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint32_t tail() const {
    return std::atomic_ref{*rings_.at<std::uint32_t>(params_.cq_off.tail)}.load(std::memory_order_acquire);
  }

  void take() {
    const std::uint32_t first = head();
    const io_uring_cqe& entry =
        rings_.at<io_uring_cqe>(params_.cq_off.cqes)[first & *rings_.at<std::uint32_t>(params_.cq_off.ring_mask)];
    const int result = entry.res;
    std::atomic_ref{*rings_.at<std::uint32_t>(params_.cq_off.head)}.store(first + 1, std::memory_order_release);
    if (result >= 0) return;
    errno = -result;
    fail_call("a message from ring to ring");
  }

  io_uring_params params_{};
  ring_descriptor descriptor_;
  ring_memory rings_;
  ring_memory entries_;
  unsigned queued_ = 0;
};

}  // namespace synchro::peers::detail

#endif
