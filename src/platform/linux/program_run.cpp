#include "platform/program_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "platform/executable.hpp"

namespace synchro::platform {

namespace {

std::atomic<pid_t> running{0};

void hand_on(int signal) {
  if (const pid_t to = running.load(); to > 0) kill(to, signal);
}

/// What signals do while a program is waited for; afterwards what they did before.
class patience {
 public:
  patience() {
    for (std::size_t i = 0; i < signals.size(); ++i) {
      struct sigaction now {};
      now.sa_handler = i < ignored ? SIG_IGN : hand_on;
      sigaction(signals[i], &now, &before_[i]);
    }
  }
  ~patience() { restore(); }
  patience(const patience&) = delete;
  patience& operator=(const patience&) = delete;
  void restore() const {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
  }

 private:
  static constexpr std::array signals{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  static constexpr std::size_t ignored = 2;
  std::array<struct sigaction, signals.size()> before_{};
};

/// Requests to terminate wait while there is nobody yet to whom they could be handed on.
class held_back {
 public:
  held_back() {
    sigset_t requests;
    sigemptyset(&requests);
    for (const int signal : {SIGTERM, SIGHUP}) sigaddset(&requests, signal);
    sigprocmask(SIG_BLOCK, &requests, &before_);
  }
  ~held_back() { release(); }
  held_back(const held_back&) = delete;
  held_back& operator=(const held_back&) = delete;
  void release() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

[[noreturn]] void be_the_program(const std::string& path, const std::vector<std::string>& words,
                                 const std::vector<std::pair<std::string, std::string>>& variables, int report) {
  const std::string refusal = become(path, words, variables);
  static_cast<void>(!write(report, refusal.data(), refusal.size()));
  _exit(127);
}

std::string read_all(int from) {
  std::string text;
  char part[256];
  for (ssize_t n; (n = read(from, part, sizeof part)) != 0;) {
    if (n > 0) text.append(part, static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) break;
  }
  return text;
}

}  // namespace

program_end run_to_end(const std::string& path, const std::vector<std::string>& words,
                       const std::vector<std::pair<std::string, std::string>>& variables) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error{std::strerror(errno)};
  const auto begin = std::chrono::steady_clock::now();
  const held_back requests;
  const patience meanwhile;
  const pid_t child = fork();
  if (child == 0) {
    meanwhile.restore();
    requests.release();
    be_the_program(path, words, variables, ends[1]);
  }
  const int error = errno;
  close(ends[1]);
  running.store(child);
  requests.release();
  const std::string refusal = child < 0 ? std::strerror(error) : read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  running.store(0);
  if (!refusal.empty()) throw std::runtime_error{refusal};
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0, took.count()};
}

void end_by_signal(int signal) {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(signal, SIG_DFL);
  raise(signal);
  _exit(128 + signal);
}

mapped_folder::mapped_folder() {
  std::error_code error;
  const std::filesystem::path usual = std::filesystem::temp_directory_path(error);
  for (const std::filesystem::path& base : {std::filesystem::path{"/dev/shm"}, usual}) {
    path_ = (base / "synchroscope-XXXXXX").string();
    if (!base.empty() && mkdtemp(path_.data()) != nullptr) return;
  }
  throw std::runtime_error{fmt::format("{} cannot hold temporary files: {}", usual.empty() ? "TMPDIR" : usual.string(),
                                       std::strerror(errno))};
}

mapped_folder::~mapped_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

bool is_running(long process) { return kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM; }

std::optional<std::vector<std::string>> files_shared_by(long process) {
  std::ifstream maps{fmt::format("/proc/{}/maps", process)};
  std::vector<std::string> files;
  std::string line;
  bool any = false;
  while (std::getline(maps, line)) {  // "from-to rw-s offset device inode      path"
    any = true;
    const auto path = line.find('/');
    const auto rights = line.find(' ');
    if (path == std::string::npos || rights == std::string::npos || line.compare(rights + 1, 4, "rw-s") != 0) continue;
    if (std::find(files.begin(), files.end(), line.substr(path)) == files.end()) files.push_back(line.substr(path));
  }
  return any ? std::optional{files} : std::nullopt;
}

own_file::own_file(const std::string& path)
    : file_{open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)} {
  struct stat facts {};
  if (file_ < 0) anothers_ = errno == EACCES || errno == EPERM;
  if (file_ < 0 || (fstat(file_, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid())) return;
  anothers_ = facts.st_uid != geteuid();
  close(file_);
  file_ = -1;
}

own_file::~own_file() {
  if (file_ >= 0) close(file_);
}

/// A lease for reading is granted if nobody has the file open to write, and who has it mapped has it open (fcntl(2)). Numbers
/// of processes would not tell: they are other ones in a container, and what a process was before execve has its number.
std::optional<bool> own_file::is_written() const {
  if (fcntl(file_, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? std::optional{true} : std::nullopt;
  fcntl(file_, F_SETLEASE, F_UNLCK);
  return false;
}

std::size_t own_file::read(std::uint64_t at, void* to, std::size_t bytes) const {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t n = pread(file_, static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(at + done));
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

}  // namespace synchro::platform
