// What is of Windows alone: text, refusals, the registry, whether this Windows is Wine, and this program run again.

#ifndef SYNCHRO_PLATFORM_WINDOWS_SYSTEM_HPP
#define SYNCHRO_PLATFORM_WINDOWS_SYSTEM_HPP

#include <windows.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace synchro::platform::windows {

[[nodiscard]] std::string utf8(std::wstring_view text);
[[nodiscard]] std::wstring wide(std::string_view text);

/// What a code of GetLastError means, as a clause.
[[nodiscard]] std::string refusal(DWORD code = GetLastError());

/// Of Wine, which offers Windows's calls on another system: "8.0"; nothing on Windows.
[[nodiscard]] std::optional<std::string> wine_version();

/// A value of the registry below HKEY_LOCAL_MACHINE; nothing if there is none.
[[nodiscard]] std::optional<std::string> registry_text(const char* key, const char* name);
[[nodiscard]] std::optional<std::uint32_t> registry_number(const char* key, const char* name);

/// Runs the file of this program again, with this word and this standard input: what it writes to standard output. Ctrl-C on
/// our console does not reach it. Throws std::runtime_error with one sentence if it cannot be started, fails, or has not
/// ended in time; then it is ended.
[[nodiscard]] std::string run_this_program(const std::string& word, const std::string& input, double seconds);

}  // namespace synchro::platform::windows

#endif
