#include "preload/far_locks.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "preload/start.hpp"
#include "preload/turn.hpp"

namespace synchro::preload {

namespace {

class list {
 public:
  /// Returns those that are no longer needed.
  far_lock* add(far_lock& made) noexcept {
    const turn hold{lock_};
    far_lock* const removed = count_ >= most_ ? take_unneeded() : nullptr;
    made.next = newest_;
    newest_ = &made;
    ++count_;
    return removed;
  }

  /// In the child of a fork. One that another thread was changing is begun anew.
  void reopen() noexcept {
    if (!lock_.try_lock()) newest_ = nullptr, count_ = 0;
    lock_.unlock();
  }

 private:
  static constexpr std::uint32_t least = 1024;

  far_lock* take_unneeded() noexcept;

  turn::lock lock_;
  far_lock* newest_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t most_ = least;
};
constinit list all;

/// Whether another value than this lock's address stands there. The system is asked to look, for the memory may go meanwhile.
/// (It is to move nobody from there to here if the value is as expected.)
bool has_left(const far_lock& f, const void* home) noexcept {
  const far_lock* const address = &f;
  std::uint32_t expected = 0, here = 0;
  // The lower half of the address, which tells locks apart.
  constexpr std::size_t lower = std::endian::native == std::endian::big ? sizeof address - sizeof expected : 0;
  std::memcpy(&expected, reinterpret_cast<const char*>(&address) + lower, sizeof expected);
  if (syscall(SYS_futex, static_cast<const char*>(home) + lower, FUTEX_CMP_REQUEUE_PRIVATE, 0, nullptr, &here,
              expected) >= 0)
    return false;
  return errno == EAGAIN || (errno == EFAULT && !is_mapped(home));
}

bool is_unneeded(far_lock& f) noexcept {
  const void* const home = f.home.load(std::memory_order_acquire);
  const bool gone = home == nullptr || (!f.sign.load(std::memory_order_relaxed) && has_left(f, home));
  return std::exchange(f.was_gone, gone) && gone;
}

far_lock* list::take_unneeded() noexcept {
  const int keep_errno = errno;
  far_lock* removed = nullptr;
  std::uint32_t needed = 0;
  for (far_lock** at = &newest_; *at != nullptr;) {
    far_lock& f = **at;
    if (is_unneeded(f)) {
      *at = f.next;
      f.next = removed;
      removed = &f;
      --count_;
    } else {
      if (!f.was_gone) ++needed;
      at = &f.next;
    }
  }
  most_ = count_ + std::max(least, needed);
  errno = keep_errno;
  return removed;
}

}  // namespace

void enter(far_lock& made) noexcept {
  if (turn::is_mine()) return;  // in a handler: it is never removed
  for (far_lock* f = all.add(made); f != nullptr;) {
    far_lock* const next = f->next;
    f->remove(f);
    f = next;
  }
}

void reopen_far_locks() noexcept { all.reopen(); }

}  // namespace synchro::preload
