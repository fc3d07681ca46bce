// An emulator answers for the system in much, and differently from version to version: qemu-user has its own uname, auxiliary
// vector, /proc/self/exe and /proc/self/maps, from 8.1 on partly its own /proc/cpuinfo. Three things it leaves to the kernel, and each
// contradicts what the program knows of itself:
//
//   the program's file     The kernel names the file that it has started by the name of this thread, too
//                          (/proc/thread-self/exe). An interpreter of machine code (qemu-user, valgrind, FEX) answers for
//                          /proc/self/exe alone. Names are compared without their folders, for other tools shift those.
//   the architecture       The kernel says what it was built for (/proc/sys/kernel/arch, from Linux 6.1 on), and the program
//                          what it was built for. uname is answered by the emulator, and may be bent by personality(2).
//   the whole machine      An emulated x86 processor names its maker: CPUID's signature of qemu without a hypervisor below it is
//                          "TCGTCGTCGTCG".
//
// Not seen: a whole machine of another architecture, as by qemu-system-aarch64. That an Arm processor has the maker 0, "reserved
// for software use" (Arm ARM, MIDR_EL1), is no sign: guests of Apple's Virtualization framework, which run on the processor itself,
// see that, too (docker/for-mac, issue 6512).

#include "platform/emulator.hpp"

#include <filesystem>
#include <string_view>

#include "cpu/this_cpu.hpp"
#include "platform/linux/files.hpp"

namespace synchro::platform {

namespace {

using namespace linux_files;

std::string program_behind(const std::string& root, const char* link) {
  std::error_code error;
  return std::filesystem::read_symlink(std::filesystem::path{root} / link, error).filename().string();
}

/// What the kernel runs where the program believes itself to run; empty if that is the same.
std::string interpreter(const std::string& root) {
  const std::string started = program_behind(root, "proc/thread-self/exe"), own = program_behind(root, "proc/self/exe");
  return own.empty() || started == own ? "" : started;
}

/// The kernel's architecture, if programs of ours are none of its own.
std::string other_architecture(const std::string& root) {
  const std::string kernels = line(root, "proc/sys/kernel/arch").value_or("");
  return *this_cpu::architecture == 0 || kernels.starts_with(this_cpu::architecture) ? "" : kernels;
}

bool is_whole_machine() {
  constexpr std::string_view of_qemu = "TCGTCGTCGTCG";
  return this_cpu::hypervisor_signature() == of_qemu;
}

}  // namespace

std::optional<std::string> emulator(const std::string& root) {
  const std::string by = interpreter(root), on = other_architecture(root);
  if (!by.empty() || !on.empty()) return (by.empty() ? "an emulator" : by) + (on.empty() ? "" : " on " + on);
  return is_whole_machine() ? std::optional<std::string>{"an emulated machine"} : std::nullopt;
}

}  // namespace synchro::platform
