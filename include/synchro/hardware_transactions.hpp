// Transactions of the processor, found at run time: a door to the processor as os.hpp is.

#ifndef SYNCHRO_HARDWARE_TRANSACTIONS_HPP
#define SYNCHRO_HARDWARE_TRANSACTIONS_HPP

#include <cstdint>

#if defined(__x86_64__)
#include "synchro/cpu/x86_transactions.hpp"
#else
#include "synchro/cpu/no_transactions.hpp"
#endif

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// What became of an attempt to begin a transaction.
enum class elision : std::uint8_t {
  started,  ///< The transaction is under way.
  is_held,  ///< It was aborted because the lock was held.
  again,    ///< It was aborted, and may succeed the next time: two have met.
  hopeless  ///< It was aborted, and would be again: it does too much, or calls the system.
};

/// The processor's own. Each member may be replaced by a policy with members of the same names.
struct hardware_transactions {
  /// Why there are none, in one sentence; null if there are. Not only what the processor says: one has to have committed.
  static const char* why_not() noexcept {
    static const char* const answer = look();
    return answer;
  }

  static elision begin() noexcept {
    const std::uint32_t status = cpu::begin_transaction();
    if (status == cpu::transaction_started) return elision::started;
    if ((status & cpu::transaction_was_aborted_by_itself) != 0) return elision::is_held;
    return (status & cpu::transaction_may_succeed) != 0 ? elision::again : elision::hopeless;
  }
  static void commit() noexcept { cpu::end_transaction(); }
  /// Does not return within a transaction: its begin does.
  static void abort() noexcept { cpu::abort_transaction(); }

 private:
  static const char* look() noexcept {
    if (const char* const why = cpu::why_no_transactions()) return why;
    for (int i = 0; i != 100; ++i)
      if (begin() == elision::started) {
        commit();
        return nullptr;
      }
    return "this processor says that it has hardware transactions, but none of 100 has committed";
  }
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
