// Any other processor: the processor's part of this_cpu.hpp, which is hardly anything.

#ifndef SYNCHRO_CPU_GENERIC_INSTRUCTIONS_HPP
#define SYNCHRO_CPU_GENERIC_INSTRUCTIONS_HPP

#include <atomic>
#include <cstdint>
#include <tuple>

#include "cpu/no_flush.hpp"
#include "cpu/not_x86.hpp"

namespace synchro::this_cpu {

inline constexpr const char* architecture = "";
inline constexpr bool has_counter = false;
inline constexpr const char* counter_name = "";
inline std::uint64_t counter() noexcept { return 0; }
inline bool counter_is_invariant() noexcept { return false; }

inline constexpr bool has_fence_instructions = false;
inline void load_fence() noexcept {}
inline void store_fence() noexcept {}
inline void full_fence() noexcept { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void no_operation() noexcept { asm volatile(""); }

using atomic_forms = std::tuple<>;

}  // namespace synchro::this_cpu

#endif
