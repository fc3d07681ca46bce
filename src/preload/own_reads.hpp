// What the calling thread reads at present. Who reads may read again at once, whoever waits, so each thread has a table of
// its reads, and a later one of the same object takes no share of the lock: the first one's keeps writers out.
//
// Problem. A table knows only what its thread does. Another thread may unlock what this one has locked; the object may be
// made anew, or another in its place. An entry that is believed then lets a reader in beside writers.
//
// Picture. Shares of the lock are nobody's in particular. There are as many readers as shares and words `again` together, and
// while there is one, there is a share.
//
//   object   again    reads that took no share. An unlock takes one of these back, if there is one, and a share otherwise:
//                     so it does not matter whose read it ends.
//            unnoted  reads that found no room in their thread's table
//            stamp    a number that no other object ever had. It changes when a thread ends a read that neither its table nor
//                     `unnoted` tells of, for then another table is wrong.
//   entry    the object's address and stamp, and how often the thread reads it. One whose stamp is not the object's is
//            void: the thread is asked to wait like any newcomer, and has a new entry then.
//
// A read that is to take no share counts itself in `again` first and looks at the stamp then; who ends another's read changes
// the stamp first and looks at `again` then. All four are sequentially consistent, so one of the two sees the other: either
// the read finds its entry void and takes itself back, or the unlock leaves the share.
//
//   access                                  order     pairs with
//   again: addition; the look that follows  seq_cst   stamp: the change, and the load of `again` that follows
//   again: subtraction                      acq_rel   the last one who leaves gives back the share, after having seen what
//                                                     the others did: readers' sections, before the next writer's
//   stamp, unnoted: all else                relaxed   nothing: an entry of the calling thread, or a hint where to look

#ifndef SYNCHRO_PRELOAD_OWN_READS_HPP
#define SYNCHRO_PRELOAD_OWN_READS_HPP

#include <atomic>
#include <cstdint>

#include "preload/object.hpp"

namespace synchro::preload {

/// For an object that is made, or whose readers are no longer those that their threads remember.
inline std::uint32_t new_stamp() noexcept {
  static constinit std::atomic<std::uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// One less, unless it is 0.
inline bool take_one(std::atomic<std::uint32_t>& count) noexcept {
  std::uint32_t n = count.load(std::memory_order_seq_cst);
  while (n != 0)
    if (count.compare_exchange_weak(n, n - 1, std::memory_order_acq_rel, std::memory_order_acquire)) return true;
  return false;
}

class own_reads {
 public:
  struct entry {
    const rwlock_object* object;
    std::uint32_t stamp;
    std::uint32_t times;
  };

  /// Void or not; null if there is none.
  entry* find(const rwlock_object& o) noexcept {
    if (changing_) return nullptr;
    for (unsigned i = count_; i-- != 0;)
      if (entries_[i].object == &o) return &entries_[i];
    return nullptr;
  }
  static bool is_void(const entry& e) noexcept { return e.stamp != e.object->stamp.load(std::memory_order_relaxed); }

  /// How often the calling thread reads this, as far as it knows.
  std::uint32_t times(const rwlock_object& o) noexcept {
    const entry* const found = find(o);
    return found != nullptr && !is_void(*found) ? found->times : 0;
  }

  /// The calling thread has taken a share. `known` is what was found of the object before.
  void note(rwlock_object& o, entry* known) noexcept {
    if (changing_ || (known == nullptr && count_ == most)) {
      o.unnoted.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    const change hold{changing_};
    entry& mine = known != nullptr ? *known : entries_[count_++];
    mine = {&o, o.stamp.load(std::memory_order_relaxed), 1};
  }

  /// One time less. False if the calling thread knows nothing of it.
  bool forget_one(const rwlock_object& o) noexcept {
    entry* const found = find(o);
    if (found == nullptr) return false;
    const change hold{changing_};
    const bool known = !is_void(*found);
    if (!known || --found->times == 0) *found = entries_[--count_];
    return known;
  }

 private:
  static constexpr unsigned most = 32;

  /// A signal handler on top of one finds nothing in the table, and notes nothing there.
  class change {
   public:
    explicit change(bool& going_on) noexcept : going_on_{going_on} {
      going_on_ = true;
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~change() {
      std::atomic_signal_fence(std::memory_order_seq_cst);
      going_on_ = false;
    }
    change(const change&) = delete;
    change& operator=(const change&) = delete;

   private:
    bool& going_on_;
  };

  entry entries_[most]{};
  unsigned count_ = 0;
  bool changing_ = false;
};

}  // namespace synchro::preload

#endif
