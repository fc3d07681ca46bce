// The transactions of the processor this program runs on, found at run time.

#ifndef SYNCHRO_HARDWARE_TRANSACTIONS_HPP
#define SYNCHRO_HARDWARE_TRANSACTIONS_HPP

#include <atomic>
#include <cstdint>

#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// ThreadSanitizer would not see what a transaction orders, and its own notes of each access would abort it.
#ifdef SYNCHRO_SEEN_BY_THREAD_SANITIZER
inline constexpr bool transactions_can_be_followed = false;
#else
inline constexpr bool transactions_can_be_followed = true;
#endif

}  // namespace detail

/// Contracts: transactions.hpp.
struct hardware::transactions {
  /// As many as the elision of glibc made; not measured here.
  static constexpr unsigned attempts = 3;

  /// Not only what the processor says: one of a hundred has to have committed, once.
  static bool are_usable() noexcept {
    if constexpr (!detail::transactions_can_be_followed) return false;
    const finding known = global<state>().found.load(std::memory_order_relaxed);
    if (known == finding::nothing) [[unlikely]]
      return find_out();
    return known == finding::usable;
  }
  /// In one sentence; null if they are usable.
  static const char* why_not() noexcept {
    if (!detail::transactions_can_be_followed) return "ThreadSanitizer does not see hardware transactions";
    if (are_usable()) return nullptr;
    if (const char* const why = cpu::why_no_transactions()) return why;
    return "this processor says that it has hardware transactions, but none of 100 has committed";
  }

  static transaction_start begin() noexcept { return cpu::begin_transaction(); }
  static bool is_under_way() noexcept { return are_usable() && cpu::is_in_transaction(); }
  static void commit() noexcept { cpu::end_transaction(); }
  static void abort_to_retry() noexcept { cpu::abort_transaction_to_retry(); }
  static void abort_for_good() noexcept { cpu::abort_transaction_for_good(); }

 private:
  enum class finding : std::uint8_t { nothing, usable, none };
  /// Each transaction reads it: nothing that is written shares its line.
  struct alignas(cpu::cache_line) state {
    std::atomic<finding> found{finding::nothing};
  };

  /// Several threads may do so at once, and find the same.
  [[gnu::noinline]] static bool find_out() noexcept {
    const bool usable = cpu::why_no_transactions() == nullptr && one_commits();
    global<state>().found.store(usable ? finding::usable : finding::none, std::memory_order_relaxed);
    return usable;
  }

  static bool one_commits() noexcept {
    for (int i = 0; i != 100; ++i) {
      if (begin() != transaction_start::started) continue;
      commit();
      return true;
    }
    return false;
  }
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
