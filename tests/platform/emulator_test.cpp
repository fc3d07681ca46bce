// Signs of an emulator, as the system's files show them.

#include "platform/emulator.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "cpu/this_cpu.hpp"
#include "platform/fake_root.hpp"

namespace synchro::platform {
namespace {

/// What qemu-user, valgrind and others show: their own word for the program, and the kernel's.
fake_root& started(fake_root& root, const std::string& own, const std::string& kernels) {
  for (const auto& [link, target] : {std::pair{"proc/self/exe", own}, {"proc/thread-self/exe", kernels}}) {
    std::filesystem::create_directories(std::filesystem::path{root.path(link)}.parent_path());
    std::filesystem::create_symlink(target, root.path(link));
  }
  return root;
}

TEST(Emulator, IsNotSeenWhereNothingContradicts) {
  fake_root root, silent;
  started(root, "/usr/bin/synchroscope", "/usr/bin/synchroscope").with("proc/sys/kernel/arch", this_cpu::architecture);
  EXPECT_EQ(emulator(root.path()), std::nullopt);
  EXPECT_EQ(emulator(silent.path()), std::nullopt) << "a system that shows no files";
}

TEST(Emulator, ARootElsewhereIsNone) {
  fake_root root;
  EXPECT_EQ(emulator(started(root, "/usr/bin/synchroscope", "/home/root/usr/bin/synchroscope").path()), std::nullopt);
}

TEST(Emulator, IsCalledAsTheKernelCallsIt) {
  fake_root root;
  EXPECT_EQ(emulator(started(root, "/usr/bin/synchroscope", "/usr/bin/qemu-arm-static").path()), "qemu-arm-static");
}

TEST(Emulator, OfAnotherArchitectureIsNamedWithIt) {
  if (*this_cpu::architecture == 0) GTEST_SKIP() << "what kernels call this architecture is not known";
  fake_root root, unnamed;
  root.with("proc/sys/kernel/arch", "vax");
  EXPECT_EQ(emulator(started(root, "/bin/a", "/bin/qemu-b").path()), "qemu-b on vax");
  unnamed.with("proc/sys/kernel/arch", "vax");
  EXPECT_EQ(emulator(unnamed.path()), "an emulator on vax");
  unnamed.with("proc/sys/kernel/arch", std::string{this_cpu::architecture} + "le");
  EXPECT_EQ(emulator(unnamed.path()), std::nullopt) << "the same with its byte order";
}

TEST(Emulator, IsNotSeenInAGuestWhoseProcessorHasNoMaker) {
  fake_root root;
  root.with("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x00\nCPU part\t: 0x000\n");
  EXPECT_EQ(emulator(root.path()), std::nullopt) << "as on Apple's processors under Virtualization.framework";
}

}  // namespace
}  // namespace synchro::platform
