#include "terminal/console.hpp"

#include <fmt/format.h>
// clang-format off
#include <windows.h>
#include <shellapi.h>  // leans on the other
// clang-format on

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include "platform/windows/system.hpp"

namespace synchro::terminal {

namespace {

/// Asks for the control sequences that colours are made of; a console before Windows 10 refuses.
bool takes_sequences(HANDLE stream) {
  constexpr DWORD sequences = 0x0004;  // ENABLE_VIRTUAL_TERMINAL_PROCESSING
  DWORD mode = 0;
  return GetConsoleMode(stream, &mode) != 0 && SetConsoleMode(stream, mode | sequences) != 0;
}

screen screen_of(DWORD number) {
  HANDLE const stream = GetStdHandle(number);
  screen s;
  DWORD mode = 0;
  s.terminal = GetConsoleMode(stream, &mode) != 0;
  const char* const no_color = std::getenv("NO_COLOR");
  s.colours = s.terminal && (no_color == nullptr || *no_color == '\0') && takes_sequences(stream);
  CONSOLE_SCREEN_BUFFER_INFO about{};
  if (!s.terminal || GetConsoleScreenBufferInfo(stream, &about) == 0) return s;
  if (about.dwSize.X > 0) s.width = static_cast<unsigned>(about.dwSize.X);
  if (const int rows = about.srWindow.Bottom - about.srWindow.Top + 1; rows > 0) s.height = static_cast<unsigned>(rows);
  return s;
}

/// Writes all of it; the error number if that cannot be.
DWORD write_all(DWORD number, std::string_view text) {
  HANDLE const stream = GetStdHandle(number);
  while (!text.empty()) {
    constexpr std::size_t most = 32768;  // what older consoles take at once
    DWORD written = 0;
    if (WriteFile(stream, text.data(), static_cast<DWORD>(std::min(text.size(), most)), &written, nullptr) == 0)
      return GetLastError();
    text.remove_prefix(written);
  }
  return 0;
}

std::atomic<bool> asked{false};
std::atomic<bool> closes{false};
std::atomic<bool> watching{false};
std::atomic<ULONGLONG> asked_at{0};

/// In a thread of its own. A second request ends the program at once: the default action. Windows waits some seconds for
/// a program whose console is closed.
BOOL WINAPI on_request(DWORD event) {
  if (!watching) return FALSE;
  const bool first = !asked.exchange(true);
  if (first) asked_at = GetTickCount64();
  constexpr ULONGLONG together_ms = 300;
  if (!first && GetTickCount64() - asked_at > together_ms) return FALSE;
  if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) return TRUE;
  closes = true;
  Sleep(INFINITE);  // the program ends when it returns from this
  return TRUE;
}

}  // namespace

/// The console shows all characters of the language once it is told that they come as UTF-8.
views::style style_for(const screen& s) { return {s.colours, s.width.value_or(0), s.terminal}; }

screen standard_output() { return screen_of(STD_OUTPUT_HANDLE); }
screen standard_error() { return screen_of(STD_ERROR_HANDLE); }

void prepare_streams() {
  SetConsoleOutputCP(CP_UTF8);
  SetErrorMode(SEM_FAILCRITICALERRORS);
}

/// main() gets them in the account's own code page, which has not every character of a file's name.
std::vector<std::string> words_typed(int argc, char** argv) {
  int count = 0;
  wchar_t** const wide = CommandLineToArgvW(GetCommandLineW(), &count);
  if (wide == nullptr) return {argv, argv + argc};
  std::vector<std::string> typed;
  for (int i = 0; i != count; ++i) typed.push_back(platform::windows::utf8(wide[i]));
  LocalFree(static_cast<void*>(wide));
  return typed;
}

void print(const std::string& text) {
  const DWORD error = write_all(STD_OUTPUT_HANDLE, text);
  constexpr int reader_gone = 141;  // as a shell tells it of a broken pipe
  if (error == ERROR_BROKEN_PIPE || error == ERROR_NO_DATA) std::_Exit(reader_gone);
  if (error != 0) fail_cannot(fmt::format("standard output cannot be written: error {}", error));
}

/// The console scrolls by itself.
void print_pages(const std::string& text) { print(text); }

void say_raw(const std::string& text) { write_all(STD_ERROR_HANDLE, text); }

std::string computer_name() {
  std::array<char, 256> name{};
  auto size = static_cast<DWORD>(name.size());
  return GetComputerNameA(name.data(), &size) != 0 ? name.data() : "";
}

interrupt_watch::interrupt_watch() {
  static const bool known = SetConsoleCtrlHandler(on_request, TRUE) != 0;
  watching = known;
}

void interrupt_watch::let_go() noexcept { watching = false; }

interrupt_watch::~interrupt_watch() { let_go(); }

bool interrupt_watch::raised() noexcept { return asked; }

status interrupt_watch::ends_with() noexcept { return closes ? status::terminated : status::interrupted; }

}  // namespace synchro::terminal
