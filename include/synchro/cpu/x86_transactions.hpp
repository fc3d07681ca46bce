// x86-64: the processor's part of hardware_transactions.hpp, Intel's RTM.

#ifndef SYNCHRO_CPU_X86_TRANSACTIONS_HPP
#define SYNCHRO_CPU_X86_TRANSACTIONS_HPP

#include <cpuid.h>

#include <cstdint>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

inline constexpr std::uint32_t transaction_started = ~std::uint32_t{0};
inline constexpr std::uint32_t transaction_was_aborted_by_itself = 1U << 0;
inline constexpr std::uint32_t transaction_may_succeed = 1U << 1;

/// CPUID 7: EBX bit 11, RTM; EDX bit 11, microcode lets every transaction abort.
inline const char* why_no_transactions() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & (1U << 11)) == 0)
    return "this processor has no hardware transactions (RTM)";
  if ((d & (1U << 11)) != 0) return "this processor's microcode aborts all hardware transactions";
  return nullptr;
}

/// Returns a second time, with the reason, if the transaction is aborted.
inline std::uint32_t begin_transaction() noexcept {
  std::uint32_t status = transaction_started;
  asm volatile("xbegin 1f\n1:" : "+a"(status) : : "memory");
  return status;
}
inline void end_transaction() noexcept { asm volatile("xend" : : : "memory"); }
inline void abort_transaction() noexcept { asm volatile("xabort $0xff" : : : "memory"); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
