// The locks of one repetition, each with the one line that it protects, and what a thread brings along to take them.
//
// Everything is on lines of its own: a lock, the data it protects, and the neighbours of both are never on one line,
// nor on the two adjacent lines that some processors fetch together. The distance between locks is an odd number of
// lines, so that many of them spread over all sets of a cache.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_GUARDED_LOCKS_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_GUARDED_LOCKS_HPP

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "catalog/lock_line.hpp"
#include "measure/laboratory.hpp"
#include "synchro/domains.hpp"
#include "synchro/os.hpp"
#include "synchro/shape.hpp"
#include "synchro/traits.hpp"

namespace synchro::experiments::locks {

/// What a thread brings along to take a lock: its queue node, where the lock's only native form asks for one; else
/// nothing. A thread that holds several locks brings one grip for each.
template <class Lock>
class grip {
 public:
  void lock(Lock& l) { l.lock(); }
  void unlock(Lock& l) { l.unlock(); }
};

template <class Lock>
requires(node_lockable<Lock>&& requires { requires Lock::native_node; }) class grip<Lock> {
 public:
  void lock(Lock& l) { l.lock(node_); }
  void unlock(Lock& l) { l.unlock(node_); }

 private:
  typename Lock::node node_;
};

/// The one line that a lock protects. Every exclusive holder counts itself, reading the count before its work and writing
/// it after, so the count says afterwards whether the lock kept others out. Where there are readers a writer counts
/// itself when it begins, too: a reader sees the two counts differ if a writer was let in beside it.
template <class Machine>
struct protected_line {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  typename Machine::template plain<std::uint64_t> begun{0};
  typename Machine::template plain<std::uint64_t> ended{0};
  typename Machine::template plain<std::uint32_t> last_holder{nobody};
};

/// `n` locks made for this team, on memory that nothing used before, at the thread that makes them.
template <class Laboratory, class Lock>
class guarded_locks {
 public:
  using machine = typename Laboratory::machine;
  using data = protected_line<machine>;

  /// Throws std::bad_alloc.
  guarded_locks(std::size_t n, const shape& team) : memory_{n * stride} {
    for (; size_ < n; ++size_) {
      ::new (cell(size_)) Lock(catalog::make_lock<Lock>(team));
      ::new (cell(size_) + data_offset) data;
    }
  }
  ~guarded_locks() {
    for (std::size_t i = 0; i < size_; ++i) {
      guarded(i).~data();
      lock(i).~Lock();
    }
  }
  guarded_locks(const guarded_locks&) = delete;
  guarded_locks& operator=(const guarded_locks&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Lock& lock(std::size_t i) const noexcept { return *std::launder(reinterpret_cast<Lock*>(cell(i))); }
  [[nodiscard]] data& guarded(std::size_t i) const noexcept { return guarded_by(lock(i)); }

  /// The lock i places after this one. It is computed: a table would have to be read behind each lock's barrier.
  [[nodiscard]] static Lock& after(Lock& lock, std::size_t i) noexcept {
    return *std::launder(reinterpret_cast<Lock*>(reinterpret_cast<std::byte*>(&lock) + i * stride));
  }
  /// What this one of them protects.
  [[nodiscard]] static data& guarded_by(Lock& lock) noexcept {
    return *std::launder(reinterpret_cast<data*>(reinterpret_cast<std::byte*>(&lock) + data_offset));
  }

 private:
  static constexpr std::size_t line = cpu::cache_line;
  static_assert(alignof(Lock) <= line && sizeof(data) <= line);

  static constexpr std::size_t lock_lines = (sizeof(Lock) + line - 1) / line;
  static constexpr std::size_t data_offset = (lock_lines + 1) * line;
  static constexpr std::size_t lines_used = lock_lines + 3;  // lock, gap, data, gap
  static constexpr std::size_t stride = (lines_used | 1) * line;

  [[nodiscard]] std::byte* cell(std::size_t i) const noexcept {
    return static_cast<std::byte*>(memory_.data()) + i * stride;
  }

  typename Laboratory::fresh_memory memory_;
  std::size_t size_ = 0;
};

/// The machine's shape, for so many threads: what a lock shared by this team is made for. Threads beyond the machine's
/// processors begin from its first one again. Not to be asked for in at_first: to a pinned thread the machine is one
/// processor in one domain.
template <class Machine>
shape shape_for(unsigned threads) {
  const shape machine = Machine::here();
  shape team;
  for (unsigned i = 0; i < threads; ++i)
    team.domain_of_thread.push_back(
        machine.domain_of_thread.empty() ? 0 : machine.domain_of_thread[i % machine.domain_of_thread.size()]);
  return team;
}

/// Runs make() at the first of these processors, so that what it makes has its memory there.
template <class Laboratory, class Make>
void at_first(const std::vector<unsigned>& cpus, Make make) {
  if (cpus.empty())
    make();
  else
    Laboratory::team({cpus.front()}, 1, [&](unsigned) { make(); });
}

}  // namespace synchro::experiments::locks

#endif
