// Whether an emulator runs this program: then what it measures is the emulator's, and no processor's.

#ifndef SYNCHRO_PLATFORM_EMULATOR_HPP
#define SYNCHRO_PLATFORM_EMULATOR_HPP

#include <optional>
#include <string>

namespace synchro::platform {

/// The emulator that runs this program, in words: "qemu-aarch64 on x86_64"; nothing if no sign of an emulator is seen. No emulator is asked.
/// `root` is where the system's files are looked for.
[[nodiscard]] std::optional<std::string> emulator(const std::string& root = "/");

}  // namespace synchro::platform

#endif
