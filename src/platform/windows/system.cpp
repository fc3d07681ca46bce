#include "platform/windows/system.hpp"

#include <fmt/format.h>

#include "synchro/os.hpp"

namespace synchro::platform::windows {

std::string utf8(std::wstring_view text) {
  const int length = static_cast<int>(text.size());
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr);
  std::string out(static_cast<std::size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), length, out.data(), bytes, nullptr, nullptr);
  return out;
}

std::wstring wide(std::string_view text) {
  const int length = static_cast<int>(text.size());
  const int units = MultiByteToWideChar(CP_UTF8, 0, text.data(), length, nullptr, 0);
  std::wstring out(static_cast<std::size_t>(units), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), length, out.data(), units);
  return out;
}

std::string refusal(DWORD code) {
  wchar_t text[512];
  const DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, code, 0,
                                      text, static_cast<DWORD>(std::size(text)), nullptr);
  std::string words = utf8({text, length});
  while (!words.empty() && (words.back() == '\n' || words.back() == '\r' || words.back() == '.' || words.back() == ' '))
    words.pop_back();
  return words.empty() ? fmt::format("error {}", code) : words;
}

std::optional<std::string> wine_version() {
  const auto version = os::detail::system_function<const char*()>("ntdll.dll", "wine_get_version");
  return version == nullptr ? std::nullopt : std::optional<std::string>{version()};
}

std::optional<std::string> emulator(std::uint16_t program, std::uint16_t processor) {
  constexpr std::uint16_t arm64 = 0xaa64;
  if (processor == 0 || processor == program) return std::nullopt;
  return processor == arm64 ? "the emulator of x86-64 on ARM"
                            : fmt::format("an emulator on a processor of kind {:#x}", processor);
}

/// GetNativeSystemInfo tells a program that is translated the kind that it was built for; this call (Windows 10, 1511) does not.
std::optional<std::string> emulator() {
  using call = BOOL __stdcall(HANDLE, USHORT*, USHORT*);
  static auto* const ask = os::detail::system_function<call>("kernel32.dll", "IsWow64Process2");
  const auto* const program = reinterpret_cast<const unsigned char*>(GetModuleHandleW(nullptr));
  const auto* const head =
      reinterpret_cast<const IMAGE_NT_HEADERS*>(program + reinterpret_cast<const IMAGE_DOS_HEADER*>(program)->e_lfanew);
  USHORT as_seen = 0, native = 0;
  if (ask == nullptr || ask(GetCurrentProcess(), &as_seen, &native) == 0) return std::nullopt;
  return emulator(head->FileHeader.Machine, native);
}

std::optional<std::string> registry_text(const std::string& key, const std::string& name) {
  wchar_t text[512];
  DWORD size = sizeof text;
  if (RegGetValueW(HKEY_LOCAL_MACHINE, wide(key).c_str(), wide(name).c_str(), RRF_RT_REG_SZ, nullptr, text, &size) !=
      ERROR_SUCCESS)
    return std::nullopt;
  std::string found = utf8(text);
  while (!found.empty() && found.back() == ' ') found.pop_back();
  return found.empty() ? std::nullopt : std::optional{found};
}

std::optional<std::uint32_t> registry_number(const std::string& key, const std::string& name) {
  DWORD value = 0;
  DWORD size = sizeof value;
  if (RegGetValueW(HKEY_LOCAL_MACHINE, wide(key).c_str(), wide(name).c_str(), RRF_RT_REG_DWORD, nullptr, &value,
                   &size) != ERROR_SUCCESS)
    return std::nullopt;
  return value;
}

std::vector<unsigned> processors_of_groups() {
  std::vector<unsigned> counts(GetActiveProcessorGroupCount());
  for (std::size_t group = 0; group != counts.size(); ++group)
    counts[group] = GetActiveProcessorCount(static_cast<WORD>(group));
  return counts;
}

double clock_step_ns() {
  constexpr double unit_ns = 100, usual_ns = 15.625e6;
  DWORD adjustment = 0, step = 0;
  BOOL off = FALSE;
  return GetSystemTimeAdjustment(&adjustment, &step, &off) != 0 && step != 0 ? step * unit_ns : usual_ns;
}

/// The state and the call are newer than some headers (PROCESS_POWER_THROTTLING_STATE, version 1). Before Windows 11 the bit
/// for timers is not known, and refused with the other.
const char* forbid_power_throttling() {
  constexpr auto power_throttling = static_cast<PROCESS_INFORMATION_CLASS>(4);
  constexpr ULONG speed = 1, timers = 4;
  struct {
    ULONG version, controlled, on;
  } state{1, speed | timers, 0};
  using call = BOOL __stdcall(HANDLE, PROCESS_INFORMATION_CLASS, void*, DWORD);
  static auto* const set = os::detail::system_function<call>("kernel32.dll", "SetProcessInformation");
  if (set == nullptr) return "as the system decides";
  if (set(GetCurrentProcess(), power_throttling, &state, sizeof state) != 0) return "off";
  state.controlled = speed;
  return set(GetCurrentProcess(), power_throttling, &state, sizeof state) != 0 ? "off, but for timers"
                                                                               : "as the system decides";
}

}  // namespace synchro::platform::windows
