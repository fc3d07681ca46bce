#include "platform/executable.hpp"

#include <windows.h>

#include <cstdlib>
#include <iterator>
#include <string>

#include "platform/windows/system.hpp"

namespace synchro::platform {

namespace {

/// A word such that the C runtime of the program that is started reads it as one: backslashes count only before a quote.
std::wstring quoted(const std::wstring& word) {
  if (!word.empty() && word.find_first_of(L" \t\"") == std::wstring::npos) return word;
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t c : word) {
    if (c == L'"') text.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    text += c;
  }
  return text.append(backslashes, L'\\') + L"\"";
}

}  // namespace

// No loader of Windows puts a library in front of a program's own: here the questions have only short answers.

std::optional<std::string> find_executable(const std::string& word) {
  wchar_t found[4096];
  const DWORD length =
      SearchPathW(nullptr, windows::wide(word).c_str(), L".exe", static_cast<DWORD>(std::size(found)), found, nullptr);
  return length > 0 && length < std::size(found) ? std::optional<std::string>{windows::utf8(found)} : std::nullopt;
}

std::optional<std::string> preload_unavailable(const std::string&, const std::string&) {
  return "is a Windows program, and the loader of Windows preloads no library; this command works on Linux";
}

std::optional<std::string> beside_this_program(const std::string& file, const std::vector<std::string>& folders) {
  wchar_t own[4096];
  const DWORD length = GetModuleFileNameW(nullptr, own, static_cast<DWORD>(std::size(own)));
  if (length == 0 || length == std::size(own)) return std::nullopt;
  const std::wstring program(own, length);
  const std::wstring home = program.substr(0, program.find_last_of(L"\\/") + 1);
  for (const std::string& folder : folders) {
    const std::wstring path = home + windows::wide(folder) + L"\\" + windows::wide(file);
    if (GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES) return windows::utf8(path);
  }
  return std::nullopt;
}

std::string program_file(const std::string& name) { return name + ".exe"; }

std::optional<std::string> environment_variable(const std::string& name) {
  const std::wstring key = windows::wide(name);
  std::wstring value(GetEnvironmentVariableW(key.c_str(), nullptr, 0), L'\0');
  if (value.empty()) return std::nullopt;  // one that is there has at least the zero at its end
  value.resize(GetEnvironmentVariableW(key.c_str(), value.data(), static_cast<DWORD>(value.size())));
  return windows::utf8(value);
}

std::string become(const std::string& path, const std::vector<std::string>& words,
                   const std::vector<std::pair<std::string, std::string>>& variables) {
  for (const auto& [name, value] : variables)
    SetEnvironmentVariableW(windows::wide(name).c_str(), windows::wide(value).c_str());
  std::wstring line;
  for (const std::string& word : words) line += (line.empty() ? L"" : L" ") + quoted(windows::wide(word));
  STARTUPINFOW how{};
  how.cb = sizeof how;
  PROCESS_INFORMATION started{};
  // Ctrl-C is the other program's, which is attached to the same console. (That a process ignores it would be inherited, a
  // handler is not.)
  const PHANDLER_ROUTINE leave_it = [](DWORD) WINAPI -> BOOL { return TRUE; };
  SetConsoleCtrlHandler(leave_it, TRUE);
  if (!CreateProcessW(windows::wide(path).c_str(), line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &how,
                      &started)) {
    SetConsoleCtrlHandler(leave_it, FALSE);
    return windows::refusal();
  }
  WaitForSingleObject(started.hProcess, INFINITE);
  DWORD status = 0;
  GetExitCodeProcess(started.hProcess, &status);
  std::exit(static_cast<int>(status));  // what was to be given back at the end is
}

}  // namespace synchro::platform
