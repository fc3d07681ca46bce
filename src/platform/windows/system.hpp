// What is of Windows alone: text, refusals, the registry, whether this Windows is Wine, and this program run again.

#ifndef SYNCHRO_PLATFORM_WINDOWS_SYSTEM_HPP
#define SYNCHRO_PLATFORM_WINDOWS_SYSTEM_HPP

#include <windows.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace synchro::platform::windows {

[[nodiscard]] std::string utf8(std::wstring_view text);
[[nodiscard]] std::wstring wide(std::string_view text);

/// What a code of GetLastError means, as a clause.
[[nodiscard]] std::string refusal(DWORD code = GetLastError());

/// The version of Wine, which offers Windows's calls on another system: "8.0"; nothing on Windows.
[[nodiscard]] std::optional<std::string> wine_version();

/// What translates this program where the processor is of another kind than it was built for: x86-64 on ARM.
[[nodiscard]] std::optional<std::string> emulator();
/// The same by the system's numbers of the kinds (IMAGE_FILE_MACHINE_...): of this program, and of the processor.
[[nodiscard]] std::optional<std::string> emulator(std::uint16_t program, std::uint16_t processor);

/// What the hypervisor is called below which this machine is a guest; "none" for the system that has the machine itself, by whose
/// side the hypervisor runs where this hosts it. Nothing where the processor has no word for it.
[[nodiscard]] std::optional<std::string> virtualization(const std::optional<std::string>& signature, bool hosts);

/// A value of the registry below HKEY_LOCAL_MACHINE; nothing if there is none.
[[nodiscard]] std::optional<std::string> registry_text(const std::string& key, const std::string& name);
[[nodiscard]] std::optional<std::uint32_t> registry_number(const std::string& key, const std::string& name);

/// How many active processors each processor group has.
[[nodiscard]] std::vector<unsigned> processors_of_groups();

/// The step of the system's clock, in which it wakes sleepers and counts processor times, by default 15.6 ms. In ns.
[[nodiscard]] double clock_step_ns();

/// Asks that this process is neither slowed down to save power nor, when nobody sees its window, denied a timer period.
/// What came of it, as results tell it: "off", or "as the system decides" where it is refused.
const char* forbid_power_throttling();

/// Runs the file of this program again, with this word and this standard input: what it writes to standard output. Ctrl-C on
/// our console does not reach it. Throws std::runtime_error with one sentence if it cannot be started, fails, or has not
/// ended in time; then it is ended.
[[nodiscard]] std::string run_this_program(const std::string& word, const std::string& input, double seconds);

}  // namespace synchro::platform::windows

#endif
