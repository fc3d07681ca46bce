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

std::optional<std::string> registry_text(const char* key, const char* name) {
  char text[512];
  DWORD size = sizeof text;
  if (RegGetValueA(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, nullptr, text, &size) != ERROR_SUCCESS)
    return std::nullopt;
  std::string found{text};
  while (!found.empty() && found.back() == ' ') found.pop_back();
  return found.empty() ? std::nullopt : std::optional{found};
}

std::optional<std::uint32_t> registry_number(const char* key, const char* name) {
  DWORD value = 0;
  DWORD size = sizeof value;
  if (RegGetValueA(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_DWORD, nullptr, &value, &size) != ERROR_SUCCESS)
    return std::nullopt;
  return value;
}

}  // namespace synchro::platform::windows
