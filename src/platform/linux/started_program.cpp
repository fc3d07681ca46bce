#include "platform/started_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace synchro::platform {

namespace {

[[noreturn]] void system_refuses(const std::string& what) {
  throw std::runtime_error{fmt::format("{}: {}", what, std::generic_category().message(errno))};
}

/// Our environment with these variables, and the pointers that a new program takes.
struct environment {
  explicit environment(const std::vector<std::pair<std::string, std::string>>& variables) {
    for (char** each = environ; *each != nullptr; ++each) {
      const std::string text = *each;
      const bool replaced = std::any_of(variables.begin(), variables.end(), [&](const auto& variable) {
        return text.compare(0, variable.first.size() + 1, variable.first + "=") == 0;
      });
      if (!replaced) texts.push_back(text);
    }
    for (const auto& [name, value] : variables) texts.push_back(fmt::format("{}={}", name, value));
  }
  std::vector<std::string> texts;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

cpu_set_t set_of(const std::vector<unsigned>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned cpu : cpus)
    if (cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  return set;
}

struct new_program {
  const char* path;
  char** words;
  char** environment;
  int in, out, errors, told;
  pid_t parent;
  const cpu_set_t* cpus;  ///< Null: as they are.
};

/// In the copy of this process, which may do little: other threads may have held anything.
[[noreturn]] void become_it(const new_program& it) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != it.parent) _exit(127);
  for (const int number : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
  if (it.cpus != nullptr) sched_setaffinity(0, sizeof *it.cpus, it.cpus);
  dup2(it.in, STDIN_FILENO);
  dup2(it.out, STDOUT_FILENO);
  dup2(it.errors, STDERR_FILENO);
  execve(it.path, it.words, it.environment);
  const int error = errno;
  if (write(it.told, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

constexpr off_t most_kept = off_t{64} << 20;

std::string text_in(int file) {
  const off_t size = lseek(file, 0, SEEK_END);
  off_t at = std::max<off_t>(0, size - most_kept);
  std::string text;
  char part[1 << 16];
  for (ssize_t n = 0; (n = pread(file, part, sizeof part, at)) > 0; at += n)
    text.append(part, static_cast<std::size_t>(n));
  return text;
}

using program_clock = std::chrono::steady_clock;

double seconds_from(program_clock::time_point begin) {
  return std::chrono::duration<double>{program_clock::now() - begin}.count();
}

}  // namespace

std::string program_end::in_words() const {
  return signal == 0 ? fmt::format("exit status {}", status) : fmt::format("signal {} ({})", signal, strsignal(signal));
}

struct started_program::state {
  class descriptor {
   public:
    explicit descriptor(int number = -1) : number_{number} {}
    ~descriptor() { reset(); }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    [[nodiscard]] int get() const { return number_; }
    void reset(int number = -1) {
      if (number_ >= 0) close(number_);
      number_ = number;
    }

   private:
    int number_;
  };

  descriptor out, errors, watched;
  pid_t number = 0;
  program_clock::time_point begin;
  std::optional<program_end> ended;

  /// Takes note of its end. What it has started ends now, while its number is still its own.
  void reap() {
    siginfo_t seen{};
    if (waitid(P_PID, static_cast<id_t>(number), &seen, WEXITED | WNOHANG | WNOWAIT) != 0 || seen.si_pid == 0) return;
    const double took = seconds_from(begin);
    kill(-number, SIGKILL);
    int status = 0;
    while (waitpid(number, &status, 0) < 0 && errno == EINTR) continue;
    ended = program_end{WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0, took};
  }

  /// Until it has ended, a signal came, or a tenth of a second has passed.
  void nap(double seconds) const {
    const int most = watched.get() >= 0 ? 100 : 1;
    const int ms = std::clamp(static_cast<int>(std::min(seconds, 1.0) * 1000) + 1, 1, most);
    pollfd end{watched.get(), POLLIN, 0};
    poll(&end, watched.get() >= 0 ? 1 : 0, ms);
  }
};

started_program::started_program(const program_start& what) : state_{std::make_unique<state>()} {
  state_->out.reset(memfd_create("output", MFD_CLOEXEC));
  state_->errors.reset(memfd_create("errors", MFD_CLOEXEC));
  const state::descriptor nothing{open("/dev/null", O_RDONLY | O_CLOEXEC)};
  int ends[2];
  if (state_->out.get() < 0 || state_->errors.get() < 0 || nothing.get() < 0 || pipe2(ends, O_CLOEXEC) != 0)
    system_refuses("a file for what a program writes cannot be made");
  const state::descriptor told{ends[0]};
  state::descriptor tells{ends[1]};
  environment variables{what.variables};
  std::vector<std::string> words = what.words;
  std::vector<char*> word_pointers = pointers_to(words), variable_pointers = pointers_to(variables.texts);
  const cpu_set_t cpus = set_of(what.cpus);
  const new_program it{what.path.c_str(),
                       word_pointers.data(),
                       variable_pointers.data(),
                       nothing.get(),
                       state_->out.get(),
                       state_->errors.get(),
                       tells.get(),
                       getpid(),
                       what.cpus.empty() ? nullptr : &cpus};
  state_->begin = program_clock::now();
  state_->number = fork();
  if (state_->number == 0) become_it(it);
  if (state_->number < 0) system_refuses("no process can be started");
  setpgid(state_->number, state_->number);
  tells.reset();
  int error = 0;
  ssize_t n = 0;
  while ((n = read(told.get(), &error, sizeof error)) < 0 && errno == EINTR) continue;
  if (n == 0) {
    state_->watched.reset(static_cast<int>(syscall(SYS_pidfd_open, state_->number, 0)));
    return;
  }
  while (waitpid(state_->number, nullptr, 0) < 0 && errno == EINTR) continue;
  state_->ended = program_end{};
  errno = error;
  system_refuses(fmt::format("{} cannot be started", what.path));
}

started_program::~started_program() { stop(); }

std::optional<program_end> started_program::wait(double seconds, const std::function<bool()>& give_up) {
  const auto begin = program_clock::now();
  for (;;) {
    if (!state_->ended) state_->reap();
    if (state_->ended) return state_->ended;
    const double left = seconds - seconds_from(begin);
    if (left <= 0 || give_up()) return std::nullopt;
    state_->nap(left);
  }
}

void started_program::stop(double patience_s) noexcept {
  if (state_->ended) return;
  kill(-state_->number, SIGTERM);
  const auto begin = program_clock::now();
  for (state_->reap(); !state_->ended && seconds_from(begin) < patience_s; state_->reap()) state_->nap(patience_s);
  if (state_->ended) return;
  kill(-state_->number, SIGKILL);
  while (!state_->ended) {
    state_->nap(1);
    state_->reap();
  }
}

long started_program::number() const { return state_->number; }
std::string started_program::out() const { return text_in(state_->out.get()); }
std::string started_program::errors() const { return text_in(state_->errors.get()); }

}  // namespace synchro::platform
