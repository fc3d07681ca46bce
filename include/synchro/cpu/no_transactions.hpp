// A processor without transactions, or one whose are not known here: its part of hardware_transactions.hpp.

#ifndef SYNCHRO_CPU_NO_TRANSACTIONS_HPP
#define SYNCHRO_CPU_NO_TRANSACTIONS_HPP

#include "synchro/transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

inline const char* why_no_transactions() noexcept {
  return "hardware transactions are used only on x86-64, by GCC or Clang";
}
inline transaction_start begin_transaction() noexcept { return transaction_start::hopeless; }
inline bool is_in_transaction() noexcept { return false; }
inline void end_transaction() noexcept {}
inline void abort_transaction_to_retry() noexcept {}
inline void abort_transaction_for_good() noexcept {}

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
