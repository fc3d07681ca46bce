// The memory of queue nodes and of locks that do not fit into their objects.
//
// A program's malloc may lock a mutex that is one of ours; a lock that asked that malloc for a node would wait for itself.
// So all that is compiled into this library takes memory from the system, by these operators, which no other object sees
// (exports.map). Little is asked for: nodes are kept (synchro/detail/node_pool.hpp).
//
// A signal handler may ask on top of a thread that is here. It does not wait for what that thread holds: it gets memory of
// its own, and what it gives back then is not used again.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <new>
#include <vector>

#include "platform/interposer.hpp"
#include "preload/far_locks.hpp"
#include "preload/start.hpp"
#include "preload/turn.hpp"

namespace synchro::preload {

namespace {

/// Blocks of powers of two, from 16 bytes on, cut from regions and kept in a list for each power when they come back.
class arena {
 public:
  void* take(std::size_t bytes) noexcept {
    const unsigned power = power_of(bytes);
    if (power >= own_region || turn::is_mine()) return map(std::size_t{1} << power);
    const turn hold{lock_};
    if (free_block* const block = free_[power]; block != nullptr) {
      free_[power] = block->next;
      return block;
    }
    return cut(std::size_t{1} << power);
  }

  void give(void* p, std::size_t bytes) noexcept {
    const unsigned power = power_of(bytes);
    if (power >= own_region) {
      munmap(p, std::size_t{1} << power);
      return;
    }
    if (turn::is_mine()) return;
    const turn hold{lock_};
    free_[power] = new (p) free_block{free_[power]};
  }

  /// In the child of a fork. What another thread was doing here it will not finish: begins anew.
  void reopen() noexcept {
    if (!lock_.try_lock()) {
      std::fill(std::begin(free_), std::end(free_), nullptr);
      next_ = end_ = 0;
    }
    lock_.unlock();
  }

 private:
  struct free_block {
    free_block* next;
  };

  static constexpr unsigned least = 4;
  static constexpr unsigned own_region =
      18;  // blocks of so many bytes as a power of two, and larger ones, by themselves
  static constexpr std::size_t region = std::size_t{1} << 20;

  static unsigned power_of(std::size_t bytes) noexcept {
    return std::max(least, static_cast<unsigned>(std::bit_width(std::max<std::size_t>(bytes, 1) - 1)));
  }

  static void* map(std::size_t bytes) noexcept {
    void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) refuse(platform::interposer::exit_cannot, "there is not enough memory");
    return p;
  }

  /// A block is aligned to its size. What is left of a region is lost when the next block does not fit.
  void* cut(std::size_t bytes) noexcept {
    next_ = (next_ + bytes - 1) & ~(bytes - 1);
    if (end_ - std::min(end_, next_) < bytes) {
      next_ = reinterpret_cast<std::uintptr_t>(map(region));
      end_ = next_ + region;
      next_ = (next_ + bytes - 1) & ~(bytes - 1);
    }
    const std::uintptr_t block = next_;
    next_ += bytes;
    return reinterpret_cast<void*>(block);  // NOLINT(performance-no-int-to-ptr)
  }

  turn::lock lock_;
  free_block* free_[own_region]{};
  std::uintptr_t next_ = 0;
  std::uintptr_t end_ = 0;
};

constinit arena memory;

std::size_t enough(std::size_t bytes, std::align_val_t line) noexcept {
  return std::max(bytes, static_cast<std::size_t>(line));
}

}  // namespace

void reopen_memory() noexcept { memory.reopen(); }

bool is_mapped(const void* p) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(p), page = static_cast<std::uintptr_t>(getpagesize());
  unsigned char in_memory = 0;
  return mincore(reinterpret_cast<void*>(at & ~(page - 1)), 1, &in_memory) == 0;  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace synchro::preload

using synchro::preload::enough;
using synchro::preload::memory;

void* operator new(std::size_t bytes) { return memory.take(bytes); }
void* operator new(std::size_t bytes, std::align_val_t line) { return memory.take(enough(bytes, line)); }
void* operator new[](std::size_t bytes) { return memory.take(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return memory.take(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return memory.take(bytes); }
void operator delete(void* p, std::size_t bytes) noexcept {
  if (p != nullptr) memory.give(p, bytes);
}
void operator delete(void* p, std::size_t bytes, std::align_val_t line) noexcept {
  if (p != nullptr) memory.give(p, enough(bytes, line));
}
// Arrays of aligned elements say neither when they go: their size stands before them.
void* operator new[](std::size_t bytes, std::align_val_t line) {
  const std::size_t before = enough(sizeof(std::size_t), line), all = bytes + before;
  auto* const block = static_cast<std::byte*>(memory.take(all));
  new (block) std::size_t{all};
  return block + before;
}
void operator delete[](void* p, std::align_val_t line) noexcept {
  if (p == nullptr) return;
  std::byte* const block = static_cast<std::byte*>(p) - enough(sizeof(std::size_t), line);
  memory.give(block, *std::launder(reinterpret_cast<std::size_t*>(block)));
}
// Who does not say how large it was: it is not used again.
void operator delete(void*) noexcept {}
void operator delete[](void*) noexcept {}
void operator delete(void*, std::align_val_t) noexcept {}
void operator delete[](void*, std::size_t) noexcept {}

// What std::vector would throw, and what tells the time. With them would come the C++ runtime's exceptions, which take
// memory at every start.
namespace {
[[noreturn]] void refuse_to_go_on() {
  synchro::preload::refuse(synchro::platform::interposer::exit_cannot, "there is not enough memory");
}
}  // namespace
void std::__throw_length_error(const char*) { refuse_to_go_on(); }
void std::__throw_bad_alloc() { refuse_to_go_on(); }
void std::__throw_bad_array_new_length() { refuse_to_go_on(); }
// libstdc++'s own has tables of exceptions on some processors.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return time_point{seconds{now.tv_sec} + nanoseconds{now.tv_nsec}};
}
