// Any other processor or compiler: the processor's part of hardware_transactions.hpp.

#ifndef SYNCHRO_CPU_NO_TRANSACTIONS_HPP
#define SYNCHRO_CPU_NO_TRANSACTIONS_HPP

#include <cstdint>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

inline constexpr std::uint32_t transaction_started = ~std::uint32_t{0};
inline constexpr std::uint32_t transaction_was_aborted_by_itself = 1U << 0;
inline constexpr std::uint32_t transaction_may_succeed = 1U << 1;

inline const char* why_no_transactions() noexcept {
  return "hardware transactions are known here only on x86-64, by GCC or Clang";
}
inline std::uint32_t begin_transaction() noexcept { return 0; }
inline void end_transaction() noexcept {}
inline void abort_transaction() noexcept {}

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
