// x86-64: the processor's part of hardware_transactions.hpp, Intel's RTM. Instructions stand in the text, for functions that
// are compiled for a processor with RTM (a target attribute) cannot be inlined into others.

#ifndef SYNCHRO_CPU_X86_TRANSACTIONS_HPP
#define SYNCHRO_CPU_X86_TRANSACTIONS_HPP

#include <cpuid.h>

#include <cstdint>

#include "synchro/transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace cpu {

/// CPUID 7: EBX bit 11, RTM; EDX bit 11, microcode lets every transaction abort.
inline const char* why_no_transactions() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & (1U << 11)) == 0)
    return "this processor has no hardware transactions (RTM)";
  if ((d & (1U << 11)) != 0) return "this processor's microcode aborts all hardware transactions";
  return nullptr;
}

/// An aborted one leaves its status in EAX: bit 0, XABORT, with its operand in bits 24 to 31; bit 1, may succeed on a retry.
inline transaction_start begin_transaction() noexcept {
  constexpr std::uint32_t started = ~std::uint32_t{0};
  std::uint32_t status = started;
  asm volatile("xbegin 1f\n1:" : "+a"(status) : : "memory");
  if (status == started) [[likely]]
    return transaction_start::started;
  const bool may_succeed = (status & 1U) != 0 ? status >> 24 == 0xff : (status & 2U) != 0;
  return may_succeed ? transaction_start::retry : transaction_start::hopeless;
}

inline bool is_in_transaction() noexcept {
  bool outside = false;
  asm volatile("xtest" : "=@ccz"(outside));
  return !outside;
}
inline void end_transaction() noexcept { asm volatile("xend" : : : "memory"); }
inline void abort_transaction_to_retry() noexcept { asm volatile("xabort $0xff" : : : "memory"); }
inline void abort_transaction_for_good() noexcept { asm volatile("xabort $0xfe" : : : "memory"); }

}  // namespace cpu
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
