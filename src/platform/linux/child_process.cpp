#include "platform/child_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

namespace synchro::platform {

namespace {

using std::chrono::steady_clock;

std::string refusal(const char* call) { return fmt::format("{}: {}", call, std::generic_category().message(errno)); }

/// What a child ends with whose body threw, or that nobody hears.
constexpr int gone = 70;

/// Two ends that talk to each other, which no program that is started gets.
class conversation {
 public:
  conversation() { static_cast<void>(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_)); }
  ~conversation() {
    close_here();
    close_there();
  }
  conversation(const conversation&) = delete;
  conversation& operator=(const conversation&) = delete;

  [[nodiscard]] bool is_open() const { return ends_[0] >= 0; }
  [[nodiscard]] int here() const { return ends_[0]; }
  [[nodiscard]] int there() const { return ends_[1]; }
  void close_here() { close_end(ends_[0]); }
  void close_there() { close_end(ends_[1]); }

 private:
  static void close_end(int& end) {
    if (end >= 0) close(std::exchange(end, -1));
  }
  int ends_[2] = {-1, -1};
};

/// To somebody who may be gone: false if not all of it was sent, with errno.
bool send_all(int to, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = send(to, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

/// The first letter of what a child says: whether it came to its end or threw.
constexpr char done = '+';
constexpr char threw = '-';

/// A copy of this process, which does not outlive it, tells the other end and ends: its number; negative if there is none.
pid_t start_child(conversation& ends, const std::function<void(int to)>& tell) {
  const pid_t parent = getpid(), child = fork();
  if (child != 0) {
    if (child > 0) ends.close_there();
    return child;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(gone);
  ends.close_here();
  try {
    tell(ends.there());
  } catch (...) {
    _exit(gone);
  }
  _exit(0);
}

/// Reads to the end; if that did not come, why.
std::optional<std::string> read_all(int from, std::string& text, double seconds) {
  const auto limit = std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>{seconds});
  const auto until = steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now()).count();
    if (left <= 0) return fmt::format("it did not finish within {:.3g} s", seconds);
    pollfd ready{from, POLLIN, 0};
    const int found = poll(&ready, 1, static_cast<int>(std::clamp<long>(left, 0, 1'000'000)));
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) return refusal("poll");
    if (found == 0) continue;
    char part[4096];
    const ssize_t n = read(from, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return refusal("read");
    if (n == 0) return std::nullopt;
    text.append(part, static_cast<std::size_t>(n));
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

/// Hands on the line, if there is a whole one: the next comes after an answer.
bool hand_on_line(std::string& text, const line_listener& hear) {
  if (text.empty() || text.back() != '\n') return false;
  text.pop_back();
  hear(std::exchange(text, {}));
  return true;
}

bool has_ended(pid_t child) {
  siginfo_t seen{};
  return waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOHANG | WNOWAIT) == 0 && seen.si_pid == child;
}

/// To the end of what the child tells; if it cannot be heard so long, why. What it has started may live on, with the other end
/// open, so its own end is looked for, too.
std::optional<std::string> hear_all(int from, pid_t child, const line_listener& hear,
                                    const std::function<bool()>& interrupted) {
  constexpr int look_again_ms = 1000;  // a signal ends the waiting at once
  bool told = false;
  std::string text;
  for (;;) {
    if (!told && interrupted()) told = kill(child, SIGINT) == 0;
    pollfd ready{from, POLLIN, 0};
    const int found = poll(&ready, 1, look_again_ms);
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) return refusal("poll");
    if (found == 0 && has_ended(child)) return std::nullopt;
    if (found == 0) continue;
    char part[65536];
    const ssize_t n = read(from, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return refusal("read");
    if (n == 0) return std::nullopt;
    text.append(part, static_cast<std::size_t>(n));
    if (hand_on_line(text, hear) && !send_all(from, "\n")) return refusal("send");
  }
}

/// The child's side: tells a line, and waits until it was heard, so that nobody works while something is measured.
void tell_line(const std::string& line, int to) {
  char heard = 0;
  ssize_t n = send_all(to, line + '\n') ? 1 : 0;
  while (n > 0 && (n = read(to, &heard, 1)) < 0 && errno == EINTR) n = 1;
  if (n <= 0) _exit(gone);  // nobody listens any more
}

child_outcome outcome_of(const std::string& text, int status) {
  if (WIFSIGNALED(status)) return {fmt::format("the system ended it by {}", signal_of(status)), ""};
  if (text.empty()) return {"it ended without a message", ""};
  if (text.front() == threw) return {text.substr(1), ""};
  return {std::nullopt, text.substr(1)};
}

}  // namespace

child_outcome run_in_child(const std::function<std::string()>& body, double seconds) {
  conversation ends;
  if (!ends.is_open()) return {refusal("socketpair"), ""};
  const pid_t child = start_child(ends, [&](int to) {
    try {
      static_cast<void>(send_all(to, done + body()));
    } catch (const std::exception& e) {
      static_cast<void>(send_all(to, threw + std::string{e.what()}));
    }
  });
  if (child < 0) return {refusal("fork"), ""};
  std::string text;
  const auto unheard = read_all(ends.here(), text, seconds);
  if (unheard) kill(child, SIGKILL);
  const int status = wait_for(child);
  return unheard ? child_outcome{unheard, ""} : outcome_of(text, status);
}

child_end hear_child(const std::function<void(const line_listener& tell)>& body, const line_listener& hear,
                     const std::function<bool()>& interrupted) {
  conversation ends;
  if (!ends.is_open()) return {false, refusal("socketpair")};
  const pid_t child = start_child(ends, [&](int to) { body([to](const std::string& line) { tell_line(line, to); }); });
  if (child < 0) return {false, refusal("fork")};
  const auto unheard = hear_all(ends.here(), child, hear, interrupted);
  ends.close_here();  // who tells and is not heard ends
  const int status = wait_for(child);
  if (unheard) return {true, fmt::format("this one, which could not hear it ({})", *unheard)};
  if (WIFSIGNALED(status)) return {true, signal_of(status)};
  if (WEXITSTATUS(status) != 0) return {true, fmt::format("exit status {}", WEXITSTATUS(status))};
  return {true, std::nullopt};
}

}  // namespace synchro::platform
