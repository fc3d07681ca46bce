// Checked mode: a lock with somebody who watches its use, and stops the program at the first mistake with one sentence.
//
//   c++ -DSYNCHRO_CHECKED ...   // in every unit of the program: checked and other units do not link with each other
//
// Then the plain names (synchro::mutex, synchro::mcs_lock, ...) are checked<...> of what they are otherwise, and tell
//
//   locked again by the thread that has it            it would wait for itself for ever
//   locked shared by the thread that has it alone     the same
//   locked by a thread that has it shared             the same; to upgrade is another thing
//   locked after the lock at ..., and the other way   two threads may one day wait for each other: lock_order.hpp
//     round before
//   unlocked though nobody has it
//   unlocked by a thread that does not have it        many of the locks allow it; it is nearly always a mistake
//   unlocked with another node than it was locked with
//   unlocked shared though no reader has it
//   unlocked shared by a thread that does not have it so
//   destroyed while a thread has it                   and while readers have it
//   used after it was destroyed
//   still held by a thread that has ended
//
// and of teams of sleepers (synchro::event_group, cascade, rendezvous)
//
//   waited at as sleeper i of n                       there are only 0 to n - 1
//   waited at as sleeper i by two threads
//   triggered before all have returned                a sleeper that is stopped need not
//   triggered for sleeper i of n, or for k of n       there are not so many
//   resized to k sleepers of n                        it may be as large as it was made, and no larger
//   destroyed while a sleeper waits
//
// A thread is known by the address of something that is its own, as in recursive.hpp: whoever reads its own has the lock.
// Whoever reads another's, or none, has not; which of the two may be old news, that it is a mistake is not. What else it
// has, it keeps in a list of its own; of a thread with more than `most` locks at a time, readers and order are not
// watched.
//
// The lock is 16 bytes larger. A lock that is handed over to another thread on purpose is to be used by its class
// template's name, basic_mcs_lock<> and so on, which nobody watches.

#ifndef SYNCHRO_CHECKED_HPP
#define SYNCHRO_CHECKED_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "synchro/hardware.hpp"
#include "synchro/lock_order.hpp"
#include "synchro/version.hpp"
#include "synchro/watched.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

[[noreturn]] inline void stop_for(const void* lock, const char* mistake) noexcept {
  std::fprintf(stderr, "synchro: the lock at %p is %s\n", lock, mistake);
  std::abort();
}

/// The locks that one thread has at the moment.
class held_locks {
 public:
  static constexpr std::uint32_t most = 64;

  struct entry {
    const void* lock = nullptr;
    const void* node = nullptr;
    bool shared = false;
    std::atomic<bool>* ordered = nullptr;  // set as soon as the order of locks knows it
  };

  static held_locks& mine() noexcept { return hardware::local<held_locks>(); }

  void add(const void* lock, const way& how, std::atomic<bool>& ordered) noexcept {
    if (!watched_) watched_ = hardware::at_thread_exit<ends>(this);
    if (count_ == most)
      ++beyond_;
    else
      all_[count_++] = {lock, how.node, how.shared, &ordered};
  }
  /// The newest entry of this kind, taken out; nothing if there is none.
  entry remove(const void* lock, bool shared) noexcept {
    for (std::uint32_t i = count_; i-- != 0;) {
      if (all_[i].lock != lock || all_[i].shared != shared) continue;
      const entry found = all_[i];
      std::move(all_.begin() + i + 1, all_.begin() + count_, all_.begin() + i);
      --count_;
      return found;
    }
    if (beyond_ != 0) --beyond_;
    return {};
  }
  [[nodiscard]] bool has(const void* lock, bool shared) const noexcept {
    for (std::uint32_t i = 0; i != count_; ++i)
      if (all_[i].lock == lock && all_[i].shared == shared) return true;
    return false;
  }
  [[nodiscard]] bool knows_all() const noexcept { return beyond_ == 0; }

  /// The locks of this thread that `next` must not be waited for after; null if there is none.
  [[nodiscard]] const void* out_of_order(const void* next) const noexcept {
    for (std::uint32_t i = 0; i != count_; ++i) {
      if (all_[i].lock == next) continue;
      all_[i].ordered->store(true, std::memory_order_relaxed);
      if (!lock_order::follows(all_[i].lock, next)) return all_[i].lock;
    }
    return nullptr;
  }
  [[nodiscard]] bool none() const noexcept { return count_ == 0; }

 private:
  static void ends(void* p) {
    auto& mine = *static_cast<held_locks*>(p);
    mine.watched_ = false;
    if (!mine.none()) stop_for(mine.all_[0].lock, "still held by a thread that has ended");
  }

  std::array<entry, most> all_{};
  std::uint32_t count_ = 0;
  std::uint32_t beyond_ = 0;  // that it has besides
  bool watched_ = false;
};

/// The owner of a lock.
class lock_book {
 public:
  constexpr lock_book() = default;
  lock_book(const lock_book&) = delete;
  lock_book& operator=(const lock_book&) = delete;
  ~lock_book() {
    void* const owner = owner_.load(relaxed);
    if (owner == gone()) stop_for(this, used_after_destruction);
    if (owner != nullptr) stop_for(this, "destroyed while a thread has it");
    if (readers_.load(relaxed) != 0) stop_for(this, "destroyed while readers have it");
    if (ordered_.load(relaxed)) lock_order::forget(this);
    owner_.store(gone(), relaxed);
  }

  void asks(way how) noexcept {
    void* const owner = owner_.load(relaxed);
    if (owner == gone()) stop_for(this, used_after_destruction);
    if (how.wait == how_long::none) return;
    if (owner == self())
      stop_for(this,
               how.shared ? "locked shared by the thread that has it alone" : "locked again by the thread that has it");
    const held_locks& mine = held_locks::mine();
    if (mine.none()) return;
    if (!how.shared && mine.has(this, true)) stop_for(this, "locked by a thread that has it shared");
    if (how.wait == how_long::limited) return;
    ordered_.store(true, relaxed);
    if (const void* const other = mine.out_of_order(this)) stop_for_order(other);
  }

  void got(way how, bool taken) noexcept {
    if (!taken) return;
    if (how.shared)
      readers_.fetch_add(1, relaxed);
    else
      owner_.store(self(), relaxed);
    held_locks::mine().add(this, how, ordered_);
  }

  void gives(way how) noexcept {
    void* const owner = owner_.load(relaxed);
    if (owner == gone()) stop_for(this, used_after_destruction);
    return how.shared ? gives_shared() : gives_alone(owner, how.node);
  }

  void gave(way /*unused*/) noexcept {}

 private:
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;
  static constexpr const char* used_after_destruction = "used after it was destroyed";
  struct thread {
    char here = 0;
  };
  static void* self() noexcept { return &hardware::local<thread>().here; }
  /// The owner that a destroyed lock shows.
  static void* gone() noexcept { return &hardware::global<thread>().here; }

  void gives_alone(const void* owner, const void* node) noexcept {
    if (owner == nullptr) stop_for(this, "unlocked though nobody has it");
    if (owner != self()) stop_for(this, "unlocked by a thread that does not have it");
    const auto had = held_locks::mine().remove(this, false);
    if (had.lock != nullptr && had.node != node) stop_for(this, "unlocked with another node than it was locked with");
    owner_.store(nullptr, relaxed);
  }
  void gives_shared() noexcept {
    if (readers_.load(relaxed) == 0) stop_for(this, "unlocked shared though no reader has it");
    const bool sure = held_locks::mine().knows_all();
    if (held_locks::mine().remove(this, true).lock == nullptr && sure)
      stop_for(this, "unlocked shared by a thread that does not have it so");
    readers_.fetch_sub(1, relaxed);
  }
  [[noreturn]] void stop_for_order(const void* other) const noexcept {
    std::fprintf(stderr, "synchro: the lock at %p is locked after the lock at %p, and the other way round before\n",
                 static_cast<const void*>(this), other);
    std::abort();
  }

  std::atomic<void*> owner_{nullptr};
  std::atomic<std::uint32_t> readers_{0};  // who may upgrade is one of them
  std::atomic<bool> ordered_{false};       // the order of locks may know it
};

}  // namespace detail

/// `Lock` with all that it offers.
template <class Lock>
using checked = watched<Lock, detail::lock_book>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
