// How the buckets of a hash table are locked.
//
//   policy                     writers take                      readers
//   own_word<Waiting>          the bucket's own version word     take nothing: they copy, and look whether it was changed
//   locked_by<Lock>            one of many locks of that type    the same
//   wholly_locked_by<Lock>     the same                          take the lock, too; shared, if it can be
//
// The version of a bucket is even while nobody changes it and odd while somebody does. own_word makes it odd by a
// compare-and-swap, which is the lock: one word in the line that is needed anyway. Of the other two the lock is taken
// first, and the version is made odd by the holder that is about to change something.
//
// Locks stand on lines of their own, as many as there were buckets when the table was made, or 4096. A bucket that is split
// shares its lock with its halves.
//
// A holder that has changed nothing leaves the version as it was: readers need not begin again.
//
//   access                               order     pairs with
//   lock, claim: compare-and-swap to odd acquire   unlock: what the last holder did
//   lock: load of the version            relaxed   nothing: the lock before it orders it
//   begin: store of the odd version      relaxed   nothing: the words behind it publish it (sync/seqlock.hpp)
//   unlock: store of the even version    release   the compare-and-swap, and the first look of a reader

#ifndef SYNCHRO_HASH_TABLE_BUCKET_LOCK_HPP
#define SYNCHRO_HASH_TABLE_BUCKET_LOCK_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "synchro/hardware.hpp"
#include "synchro/shape.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// The bucket's version is its lock. Waiting: spin or spin_yield.
template <class Waiting = spin_yield>
struct own_word {
  static constexpr bool readers_lock = false;
  static constexpr bool version_is_lock = true;

  template <class Machine>
  class locks {
    using word = typename Machine::template atomic<std::uint32_t>;

   public:
    locks(std::size_t /*buckets*/, const shape& /*threads*/) {}

    std::uint32_t lock(word& version, std::uint64_t /*bucket*/) noexcept {
      const auto odd = [](std::uint32_t v, std::uint32_t round) {
        return v % 2 == 0 ? attempt<std::uint32_t>::write(v + 1) : attempt<std::uint32_t>::retry(Waiting::retry(round));
      };
      return Machine::update(version, odd, memory_order::acquire, memory_order::relaxed).seen;
    }
    /// False if the bucket is no longer as it was seen.
    bool claim(word& version, std::uint32_t seen) noexcept {
      return version.compare_exchange_strong(seen, seen + 1, memory_order::acquire, memory_order::relaxed);
    }
    void begin(word& /*version*/, std::uint32_t /*seen*/) noexcept {}
    void unlock(word& version, std::uint64_t /*bucket*/, std::uint32_t seen, bool changed) noexcept {
      version.store(changed ? seen + 2 : seen, memory_order::release);
    }
  };
};

/// Any lock of the catalog; made for a shape if it takes one.
template <class Lock>
struct locked_by {
  static constexpr bool readers_lock = false;
  static constexpr bool version_is_lock = false;

  template <class Machine>
  class locks {
    using word = typename Machine::template atomic<std::uint32_t>;

   public:
    static constexpr std::size_t most = 4096;

    /// Throws std::bad_alloc.
    locks(std::size_t buckets, const shape& threads) {
      cells_.resize(std::min(buckets, most));
      for (auto& each : cells_) each.reset(Machine::template make<cell>(threads));
    }

    std::uint32_t lock(word& version, std::uint64_t bucket) {
      of(bucket).lock();
      return version.load(memory_order::relaxed);
    }
    void begin(word& version, std::uint32_t seen) noexcept { version.store(seen + 1, memory_order::relaxed); }
    void unlock(word& version, std::uint64_t bucket, std::uint32_t seen, bool changed) noexcept {
      if (changed) version.store(seen + 2, memory_order::release);
      of(bucket).unlock();
    }

    void lock_shared(std::uint64_t bucket) {
      if constexpr (shared_lockable<Lock>)
        of(bucket).lock_shared();
      else
        of(bucket).lock();
    }
    void unlock_shared(std::uint64_t bucket) noexcept {
      if constexpr (shared_lockable<Lock>)
        of(bucket).unlock_shared();
      else
        of(bucket).unlock();
    }

   private:
    struct alignas(cpu::cache_line) cell {
      explicit cell(const shape& threads) : lock(made_for(threads)) {}
      Lock lock;
    };
    static Lock made_for(const shape& threads) {
      if constexpr (std::is_constructible_v<Lock, const shape&>)
        if (!threads.domain_of_thread.empty()) return Lock(threads);
      return Lock();
    }
    struct destroyer {
      void operator()(cell* c) const { Machine::destroy(c); }
    };
    /// There is a power of two of both.
    Lock& of(std::uint64_t bucket) noexcept {
      return cells_[static_cast<std::size_t>(bucket & (cells_.size() - 1))]->lock;
    }

    std::vector<std::unique_ptr<cell, destroyer>> cells_;
  };
};

template <class Lock>
struct wholly_locked_by : locked_by<Lock> {
  static constexpr bool readers_lock = true;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
