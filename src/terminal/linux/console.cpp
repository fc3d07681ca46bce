#include "terminal/console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace synchro::terminal {

namespace {

screen screen_of(int file) {
  screen s;
  const char* const term = std::getenv("TERM");
  const char* const no_color = std::getenv("NO_COLOR");
  s.terminal = isatty(file) == 1 && (term == nullptr || std::strcmp(term, "dumb") != 0);
  s.colours = s.terminal && (no_color == nullptr || *no_color == '\0');
  winsize size{};
  if (!s.terminal || ioctl(file, TIOCGWINSZ, &size) != 0) return s;
  if (size.ws_col > 0) s.width = size.ws_col;
  if (size.ws_row > 0) s.height = size.ws_row;
  return s;
}

/// Writes all of it; the error number if that cannot be.
int write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    if (n >= 0)
      done += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

/// What PAGER names, or less if it is there: keeping colours, and leaving at once if all fits the screen. Empty: none.
std::string pager() {
  const char* const chosen = std::getenv("PAGER");
  if (chosen != nullptr) return std::strcmp(chosen, "cat") == 0 ? "" : chosen;
  return std::system("command -v less >/dev/null 2>&1") == 0 ? "less -RFX" : "";
}

/// Ctrl-C is the pager's while it runs, and a pager that was left has read enough.
class pager_watch {
 public:
  pager_watch() {
    struct sigaction ignored {};
    ignored.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignored, &interrupt_);
    sigaction(SIGPIPE, &ignored, &pipe_);
  }
  ~pager_watch() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGPIPE, &pipe_, nullptr);
  }
  pager_watch(const pager_watch&) = delete;
  pager_watch& operator=(const pager_watch&) = delete;

 private:
  struct sigaction interrupt_ {
  }, pipe_{};
};

constexpr std::array watched{SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, watched.size()> before;
struct sigaction pipe_before;

std::atomic<int> first_signal{0};
std::atomic<std::int64_t> first_ms{0};
std::atomic<bool> patient{false};

std::int64_t now_ms() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000;
}

/// A second request ends the program at once: the default action, on return from here. Requests that come together
/// count as one: timeout(1) signals the process and then its whole group.
void on_signal(int number) {
  const int saved = errno;
  int none = 0;
  if (first_signal.compare_exchange_strong(none, number)) {
    first_ms = now_ms();
  } else if (!patient && now_ms() - first_ms > 300) {
    signal(number, SIG_DFL);
    raise(number);
  }
  errno = saved;
}

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free);

}  // namespace

views::style style_for(const screen& s) {
  const char* language = "";
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
      language = value;
      break;
    }
  const bool utf8 = strcasestr(language, "utf-8") != nullptr || strcasestr(language, "utf8") != nullptr;
  return {s.colours, s.width.value_or(0), utf8};
}

screen standard_output() { return screen_of(STDOUT_FILENO); }
screen standard_error() { return screen_of(STDERR_FILENO); }

void prepare_streams() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF) open("/dev/null", O_RDONLY);  // gets the lowest number
  signal(SIGXFSZ, SIG_IGN);
}

std::vector<std::string> words_typed(int argc, char** argv) { return {argv, argv + argc}; }

void print(const std::string& text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) throw reader_gone{};
  if (error != 0) fail_cannot(fmt::format("standard output cannot be written: {}", std::strerror(error)));
}

void print_pages(const std::string& text) {
  const std::string command = standard_output().terminal ? pager() : "";
  if (command.empty()) return print(text);
  setenv("LESS", "RFX", 0);  // for a PAGER that is less by another name
  FILE* const pages = popen(command.c_str(), "w");
  if (pages == nullptr) return print(text);
  const pager_watch watch;
  std::fwrite(text.data(), 1, text.size(), pages);
  constexpr int not_executable = 126, not_found = 127;  // by the shell
  const int ended = pclose(pages);
  if (WIFEXITED(ended) && (WEXITSTATUS(ended) == not_executable || WEXITSTATUS(ended) == not_found)) print(text);
}

void say_raw(const std::string& text) { write_all(STDERR_FILENO, text); }

std::optional<std::string> answer_to(const std::string& question) {
  if (!standard_error().terminal || isatty(STDIN_FILENO) != 1 || tcgetpgrp(STDIN_FILENO) != getpgrp())
    return std::nullopt;
  say_raw(question);
  std::string line;
  for (char c = 0; read(STDIN_FILENO, &c, 1) == 1; line += c)
    if (c == '\n') return line;
  return std::nullopt;
}

std::string computer_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

interrupt_watch::interrupt_watch() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    sigaction(watched[i], nullptr, &before[i]);
    // The process that started us may have chosen that we outlive the terminal (nohup).
    if (watched[i] != SIGHUP || before[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, nullptr);
  }
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &pipe_before);
}

void interrupt_watch::let_go() noexcept {
  for (std::size_t i = 0; i < watched.size(); ++i) sigaction(watched[i], &before[i], nullptr);
}

interrupt_watch::~interrupt_watch() {
  let_go();
  sigaction(SIGPIPE, &pipe_before, nullptr);
}

interrupt_watch::patience::patience() noexcept { patient = true; }
interrupt_watch::patience::~patience() { patient = false; }

bool interrupt_watch::raised() noexcept { return first_signal != 0; }

status interrupt_watch::ends_with() noexcept { return static_cast<status>(128 + first_signal); }

}  // namespace synchro::terminal
