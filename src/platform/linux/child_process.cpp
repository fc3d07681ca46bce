#include "platform/child_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <system_error>

namespace synchro::platform {

namespace {

using std::chrono::steady_clock;

std::string refusal(const char* call) { return fmt::format("{}: {}", call, std::generic_category().message(errno)); }

void write_all(int to, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = write(to, text.data() + written, text.size() - written);
    if (n <= 0) return;
    written += static_cast<std::size_t>(n);
  }
}

/// The first letter of what a child says: whether it came to its end or threw.
constexpr char done = '+';
constexpr char threw = '-';

[[noreturn]] void be_the_child(const std::function<std::string()>& body, int to) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    write_all(to, done + body());
  } catch (const std::exception& e) {
    write_all(to, threw + std::string{e.what()});
  }
  _exit(0);
}

/// Reads to the end; false if that did not come in time.
bool read_all(int from, std::string& text, steady_clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now()).count();
    pollfd ready{from, POLLIN, 0};
    const int found = poll(&ready, 1, static_cast<int>(std::clamp<long>(left, 0, 1'000'000)));
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) return false;
    char part[4096];
    const ssize_t n = read(from, part, sizeof part);
    if (n == 0) return true;
    if (n > 0) text.append(part, static_cast<std::size_t>(n));
  }
}

std::string signal_of(int status) {
  return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

/// Hands on whole lines, and keeps what has none yet.
void hand_on_lines(std::string& text, const line_listener& hear) {
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    hear(text.substr(begin, end - begin));
  text.erase(0, begin);
}

/// To the end of what the child tells.
void hear_all(int from, pid_t child, const line_listener& hear, const std::function<bool()>& interrupted) {
  constexpr int look_again_ms = 100;
  bool told = false;
  std::string text;
  for (;;) {
    if (!told && interrupted()) told = kill(child, SIGINT) == 0;
    pollfd ready{from, POLLIN, 0};
    if (poll(&ready, 1, look_again_ms) <= 0) continue;
    char part[65536];
    const ssize_t n = read(from, part, sizeof part);
    if (n == 0) return;
    if (n > 0) text.append(part, static_cast<std::size_t>(n));
    hand_on_lines(text, hear);
  }
}

child_outcome outcome_of(const std::string& text, int status) {
  if (WIFSIGNALED(status)) return {fmt::format("the system ended it by {}", signal_of(status)), ""};
  if (text.empty()) return {"it ended without a message", ""};
  if (text.front() == threw) return {text.substr(1), ""};
  return {std::nullopt, text.substr(1)};
}

}  // namespace

child_outcome run_in_child(const std::function<std::string()>& body, double seconds) {
  int ends[2];
  if (pipe(ends) != 0) return {refusal("pipe"), ""};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_the_child(body, ends[1]);
  }
  const std::string refused = refusal("fork");
  close(ends[1]);
  std::string text;
  const auto limit = std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>{seconds});
  const bool ended = child > 0 && read_all(ends[0], text, steady_clock::now() + limit);
  close(ends[0]);
  if (child < 0) return {refused, ""};
  if (!ended) kill(child, SIGKILL);
  const int status = wait_for(child);
  if (!ended) return {fmt::format("it did not finish within {:.3g} s", seconds), ""};
  return outcome_of(text, status);
}

child_end hear_child(const std::function<void(const line_listener& tell)>& body, const line_listener& hear,
                     const std::function<bool()>& interrupted) {
  int ends[2];
  if (pipe(ends) != 0) return {false, std::nullopt};
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    body([to = ends[1]](const std::string& line) { write_all(to, line + '\n'); });
    _exit(0);
  }
  close(ends[1]);
  if (child > 0) hear_all(ends[0], child, hear, interrupted);
  close(ends[0]);
  if (child < 0) return {false, std::nullopt};
  const int status = wait_for(child);
  if (WIFSIGNALED(status)) return {true, signal_of(status)};
  if (WEXITSTATUS(status) != 0) return {true, fmt::format("exit status {}", WEXITSTATUS(status))};
  return {true, std::nullopt};
}

}  // namespace synchro::platform
