// The locks of a transactional memory: one for each stripe of 32 bytes, in a table by address. stm.hpp says how they are
// used; here are the two kinds.
//
//   versioned_locks<Manager>   the lock is one bit beside the version. A transaction that finds it taken asks the contention manager
//                              (contention.hpp).
//   guarded_by<Lock>           any lock of the catalog stands beside the version. A transaction that finds it taken waits as that lock
//                              waits; nobody is sent away, so there is nothing to manage.
//
// Locks are taken in the order of their addresses, so those who wait with guarded_by do not wait in a circle.

#ifndef SYNCHRO_STM_LOCK_TABLE_HPP
#define SYNCHRO_STM_LOCK_TABLE_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "synchro/detail/exceptions.hpp"
#include "synchro/detail/on_lines.hpp"
#include "synchro/hardware.hpp"
#include "synchro/stm/contention.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// A bit of the version is the lock; of two that meet the manager says who goes on.
template <class Manager = back_off_retry>
struct versioned_locks {
  template <class Machine, class Waiting>
  class on {
   public:
    using contention = detail::contention<Machine, Manager>;
    using contender = typename contention::contender;

    struct stripe {
      typename Machine::template atomic<std::uint64_t> lock{0};
    };

    /// False if `me` is to begin again. `old`: the version that the stripe had.
    static bool take(stripe& s, contender& me, std::uint64_t mark, std::uint64_t& old) {
      for (;;) {
        const auto found = Machine::update(
            s.lock,
            [mark](std::uint64_t v) {
              using answer = attempt<std::uint64_t>;
              return detail::is_taken(v) ? answer::decline() : answer::write(mark);
            },
            memory_order::acquire, memory_order::relaxed);
        old = found.seen;
        if (found.written) return true;
        if (mark != detail::stm_taken_for_good && !me.prevails_over(found.seen)) return false;
        Machine::await(s.lock, memory_order::relaxed, [seen = found.seen](std::uint64_t v, std::uint32_t round) {
          return v != seen ? look::done() : Waiting::retry(round);
        });
      }
    }
    static void give(stripe& s, std::uint64_t version) { s.lock.store(version, memory_order::release); }
  };
};

/// A lock of the catalog beside each version. Those that are sized by the machine are so for each stripe: take fewer stripes.
template <class Lock>
struct guarded_by {
  template <class Machine, class Waiting>
  class on {
   public:
    using contention = detail::contention<Machine, back_off_retry>;
    using contender = typename contention::contender;

    struct stripe {
      typename Machine::template atomic<std::uint64_t> lock{0};
      Lock guard;
    };

    /// May throw what `Lock::lock` throws.
    static bool take(stripe& s, contender&, std::uint64_t mark, std::uint64_t& old) {
      s.guard.lock();
      old = s.lock.load(memory_order::relaxed);
      s.lock.store(mark, memory_order::relaxed);
      return true;
    }
    static void give(stripe& s, std::uint64_t version) {
      s.lock.store(version, memory_order::release);
      s.guard.unlock();
    }
  };
};

namespace detail {

/// The stripe of each address.
template <class Stripe>
class stripe_table {
  static constexpr unsigned log_stripe_bytes = 5;

 public:
  /// Throws std::length_error of none or of more than 2^30, and std::bad_alloc.
  explicit stripe_table(std::size_t stripes) : mask_{mask_for(stripes)}, stripes_(mask_ + 1) {}

  [[nodiscard]] Stripe& of(const void* address) const {
    return stripes_[(reinterpret_cast<std::uintptr_t>(address) >> log_stripe_bytes) & mask_];
  }

 private:
  static std::size_t mask_for(std::size_t stripes) {
    if (stripes == 0 || stripes > std::size_t{1} << 30)
      detail::raise(std::length_error{"an stm has 1 to 2^30 stripes"});
    return std::bit_ceil(stripes) - 1;
  }

  const std::size_t mask_;
  mutable on_lines<Stripe> stripes_;
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
