#include "platform/executable.hpp"

#include <windows.h>

#include <cstdlib>
#include <iterator>

#include "platform/windows/system.hpp"

namespace synchro::platform {

// No loader of Windows puts a library in front of a program's own: here the questions have only short answers.

std::optional<std::string> find_executable(const std::string& word) {
  wchar_t found[4096];
  const DWORD length =
      SearchPathW(nullptr, windows::wide(word).c_str(), L".exe", static_cast<DWORD>(std::size(found)), found, nullptr);
  return length > 0 && length < std::size(found) ? std::optional<std::string>{windows::utf8(found)} : std::nullopt;
}

std::optional<std::string> preload_obstacle(const std::string&, const std::string&) {
  return "is a program of Windows, whose loader puts no library in front of others; on Linux this command does";
}

std::optional<std::string> beside_this_program(const std::string&, const std::vector<std::string>&) {
  return std::nullopt;
}

std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
}

std::string become(const std::string&, const std::vector<std::string>&,
                   const std::vector<std::pair<std::string, std::string>>&) {
  return "Windows has no call for a process to become another program";
}

}  // namespace synchro::platform
