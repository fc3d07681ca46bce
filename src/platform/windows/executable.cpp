#include "platform/executable.hpp"

#include <windows.h>

#include <cstdlib>

namespace synchro::platform {

// No loader of Windows puts a library in front of a program's own: here the questions have only short answers.

std::optional<std::string> find_executable(const std::string& word) {
  char found[MAX_PATH];
  const DWORD length = SearchPathA(nullptr, word.c_str(), ".exe", MAX_PATH, found, nullptr);
  return length > 0 && length < MAX_PATH ? std::optional<std::string>{found} : std::nullopt;
}

std::optional<std::string> preload_obstacle(const std::string&, const std::string&) {
  return "is a program of Windows, whose loader puts no library in front of others; on Linux, with does";
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
