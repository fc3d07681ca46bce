#include "platform/thread_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "platform/linux/files.hpp"

namespace synchro::platform {

namespace {

int open_file_of(long thread, const char* file) {
  return open(fmt::format("/proc/self/task/{}/{}", thread, file).c_str(), O_RDONLY | O_CLOEXEC);
}

/// The file as it is now; empty if it cannot be read.
std::string_view read_again(int file, std::array<char, 512>& buffer) {
  if (file < 0) return {};
  const ssize_t got = pread(file, buffer.data(), buffer.size(), 0);
  return got <= 0 ? std::string_view{} : std::string_view{buffer.data(), static_cast<std::size_t>(got)};
}

struct named_call {
  long number;
  const char* name;
};

/// The calls that waiting and waking are made of.
constexpr named_call calls[] = {
    {SYS_futex, "futex"},
    {449, "futex_waitv"},  // newer than some headers; the same on all architectures of the field
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_sendto, "sendto"},
    {SYS_ppoll, "ppoll"},
    {SYS_epoll_pwait, "epoll_pwait"},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
    {SYS_rt_sigsuspend, "rt_sigsuspend"},
    {SYS_rt_sigprocmask, "rt_sigprocmask"},
    {SYS_rt_sigreturn, "rt_sigreturn"},
    {SYS_tgkill, "tgkill"},
    {SYS_getpid, "getpid"},
    {SYS_gettid, "gettid"},
    {SYS_semtimedop, "semtimedop"},
    {SYS_mq_timedreceive, "mq_timedreceive"},
    {SYS_mq_timedsend, "mq_timedsend"},
    {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_sched_yield, "sched_yield"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_pidfd_open, "pidfd_open"},
    {SYS_close, "close"},
    {SYS_munmap, "munmap"},
    {SYS_madvise, "madvise"},
#ifdef SYS_semop  // z/Architecture has only semtimedop
    {SYS_semop, "semop"},
#endif
#ifdef SYS_poll
    {SYS_poll, "poll"},
#endif
#ifdef SYS_epoll_wait  // newer architectures have only epoll_pwait
    {SYS_epoll_wait, "epoll_wait"},
#endif
};

}  // namespace

bool tells_who_sleeps() { return true; }

long this_thread_number() { return syscall(SYS_gettid); }

std::vector<long> thread_numbers() {
  std::vector<long> numbers;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/task", ignored})
    numbers.push_back(std::strtol(entry.path().filename().c_str(), nullptr, 10));
  return numbers;
}

std::string call_name(long number) {
  for (const named_call& c : calls)
    if (c.number == number) return c.name;
  return fmt::format("call {}", number);
}

thread_watch::thread_watch(long thread)
    : thread_{thread}, stat_{open_file_of(thread, "stat")}, schedstat_{open_file_of(thread, "schedstat")} {}

thread_watch::~thread_watch() {
  if (stat_ >= 0) close(stat_);
  if (schedstat_ >= 0) close(schedstat_);
}

thread_watch::thread_watch(thread_watch&& other) noexcept
    : thread_{other.thread_}, stat_{std::exchange(other.stat_, -1)}, schedstat_{std::exchange(other.schedstat_, -1)} {}

std::optional<thread_watch::standing> thread_watch::look() const {
  std::array<char, 512> buffer;
  const std::string_view stat = read_again(stat_, buffer);
  const std::size_t name_ends = stat.rfind(')');  // "number (name) state ...", and a name may hold anything
  if (name_ends == std::string_view::npos || name_ends + 2 >= stat.size()) return std::nullopt;
  standing now{stat[name_ends + 2] == 'S', std::nullopt};
  const std::string_view slices = read_again(schedstat_, buffer);  // "time on a processor, time waiting, slices"
  if (const std::size_t last = slices.rfind(' '); last != std::string_view::npos)
    now.slices = std::strtoull(slices.data() + last, nullptr, 10);
  return now;
}

std::optional<std::string> thread_watch::sleeps_in() const {
  const auto line = linux_files::line("/", fmt::format("proc/self/task/{}/syscall", thread_));
  if (!line || *line == "running") return std::nullopt;
  const long number = std::strtol(line->c_str(), nullptr, 10);
  if (number < 0) return std::nullopt;
  return call_name(number);
}

void thread_watch::put_aside(long thread) {
  const sched_param none{};
  sched_setscheduler(static_cast<pid_t>(thread), SCHED_IDLE, &none);
}

}  // namespace synchro::platform
