// Processors without what only x86 has, instructions that rest until a line is written and a hypervisor's word: the part of
// this_cpu.hpp that they share.

#ifndef SYNCHRO_CPU_NOT_X86_HPP
#define SYNCHRO_CPU_NOT_X86_HPP

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace synchro::this_cpu {

inline std::optional<std::string> hypervisor_signature() { return std::nullopt; }
inline bool hosts_hypervisor() { return false; }

namespace detail {
struct not_here {
  static void until_next_look(const std::atomic<std::uint32_t>&, std::uint32_t) {}
  static std::optional<std::string> unavailable() { return "only x86 processors have this instruction"; }
};
}  // namespace detail

struct tpause : detail::not_here {};
struct umwait : detail::not_here {};
struct mwaitx : detail::not_here {};

}  // namespace synchro::this_cpu

#endif
