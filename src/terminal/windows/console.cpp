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
  if (const int columns = about.srWindow.Right - about.srWindow.Left + 1; columns > 0)
    s.width = static_cast<unsigned>(columns);
  if (const int rows = about.srWindow.Bottom - about.srWindow.Top + 1; rows > 0) s.height = static_cast<unsigned>(rows);
  return s;
}

/// How many bytes can be written at once: what older consoles take, and no part of a character, which they would show as two.
std::size_t whole_characters(std::string_view text) {
  constexpr std::size_t most = 32768;
  if (text.size() <= most) return text.size();
  std::size_t n = most;
  while (n > most - 4 && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) --n;
  return n;
}

/// Writes all of it; the error number if that cannot be.
DWORD write_all(DWORD number, std::string_view text) {
  HANDLE const stream = GetStdHandle(number);
  while (!text.empty()) {
    DWORD written = 0;
    if (WriteFile(stream, text.data(), static_cast<DWORD>(whole_characters(text)), &written, nullptr) == 0)
      return GetLastError();
    if (written == 0) return ERROR_WRITE_FAULT;
    text.remove_prefix(written);
  }
  return 0;
}

/// The console's code page as it was found: other programs go on with it.
std::atomic<UINT> code_page_before{0};

void give_back_code_page() {
  if (const UINT before = code_page_before.exchange(0); before != 0) SetConsoleOutputCP(before);
}

std::atomic<bool> asked{false};
std::atomic<bool> closes{false};
std::atomic<bool> watching{false};
std::atomic<bool> patient{false};
std::atomic<ULONGLONG> asked_at{0};

/// In a thread of its own. A second request ends the program at once: the default action. Windows waits some seconds for
/// a program whose console is closed.
BOOL WINAPI on_request(DWORD event) {
  if (!watching) {
    give_back_code_page();  // what comes next ends the program
    return FALSE;
  }
  const bool first = !asked.exchange(true);
  if (first) asked_at = GetTickCount64();
  constexpr ULONGLONG together_ms = 300;
  if (!first && !patient && GetTickCount64() - asked_at > together_ms) {
    give_back_code_page();
    return FALSE;
  }
  if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) return TRUE;
  closes = true;
  Sleep(INFINITE);  // the program ends when it returns from this
  return TRUE;
}

/// Once. False if there is no console.
bool hears_requests() {
  static const bool known = SetConsoleCtrlHandler(on_request, TRUE) != 0;
  return known;
}

}  // namespace

/// The console shows all characters of the language once it is told that they come as UTF-8.
views::style style_for(const screen& s) { return {s.colours, s.width.value_or(0), s.terminal}; }

screen standard_output() { return screen_of(STD_OUTPUT_HANDLE); }
screen standard_error() { return screen_of(STD_ERROR_HANDLE); }

/// And that this process is not slowed down, which begins with it.
void prepare_streams() {
  const UINT before = GetConsoleOutputCP();  // 0: there is no console
  if (before != 0 && before != CP_UTF8 && SetConsoleOutputCP(CP_UTF8) != 0) {
    code_page_before = before;
    std::atexit(give_back_code_page);
    hears_requests();
  }
  SetErrorMode(SEM_FAILCRITICALERRORS);
  platform::windows::forbid_power_throttling();
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
  if (error == ERROR_BROKEN_PIPE || error == ERROR_NO_DATA) throw reader_gone{};
  if (error != 0) fail_cannot(fmt::format("standard output cannot be written: error {}", error));
}

/// The console scrolls by itself.
void print_pages(const std::string& text) { print(text); }

void say_raw(const std::string& text) { write_all(STD_ERROR_HANDLE, text); }

std::optional<std::string> answer_to(const std::string& question) {
  DWORD mode = 0;
  HANDLE const keyboard = GetStdHandle(STD_INPUT_HANDLE);
  if (!standard_error().terminal || GetConsoleMode(keyboard, &mode) == 0) return std::nullopt;
  say_raw(question);
  std::array<char, 256> line{};
  DWORD n = 0;
  if (ReadFile(keyboard, line.data(), static_cast<DWORD>(line.size()), &n, nullptr) == 0 || n == 0) return std::nullopt;
  const std::string_view typed{line.data(), n};
  return std::string{typed.substr(0, typed.find_first_of("\r\n"))};
}

std::string computer_name() {
  std::array<wchar_t, 256> name{};
  auto size = static_cast<DWORD>(name.size());
  return GetComputerNameW(name.data(), &size) != 0 ? platform::windows::utf8({name.data(), size}) : "";
}

interrupt_watch::interrupt_watch() { watching = hears_requests(); }

void interrupt_watch::let_go() noexcept { watching = false; }

interrupt_watch::~interrupt_watch() { let_go(); }

interrupt_watch::patience::patience() noexcept { patient = true; }
interrupt_watch::patience::~patience() { patient = false; }

bool interrupt_watch::raised() noexcept { return asked; }

status interrupt_watch::ends_with() noexcept { return closes ? status::terminated : status::interrupted; }

}  // namespace synchro::terminal
