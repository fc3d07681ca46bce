#include "platform/call_trace.hpp"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "platform/thread_watch.hpp"

namespace synchro::platform {

namespace {

/// A call that nobody makes and that does nothing: the number of a process group that cannot be.
constexpr long mark_call = SYS_getpgid;
constexpr unsigned long long mark = 0x8000'0000;

[[noreturn]] void be_traced(const std::function<void()>& body, unsigned seconds) {
  setpgid(0, 0);
  alarm(seconds);
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(2);
  raise(SIGSTOP);
  try {
    body();
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

class tracer {
 public:
  explicit tracer(pid_t child) : child_{child} {}

  call_trace follow() {
    int status = 0;
    if (waitpid(child_, &status, 0) != child_ || !WIFSTOPPED(status))
      return failed("the system does not permit tracing");
    constexpr long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, child_, nullptr, options) != 0) {
      kill(child_, SIGKILL);
      waitpid(child_, &status, 0);
      return failed("the system does not permit tracing");
    }
    go_on(child_, 0);
    for (;;) {
      const pid_t thread = waitpid(-child_, &status, __WALL);  // its process group is its own
      if (thread < 0 && errno == EINTR) continue;
      if (thread < 0) return failed("the traced process was lost");
      if (WIFSTOPPED(status))
        stopped(thread, status);
      else if (thread == child_)
        return ended(status);
    }
  }

 private:
  static call_trace failed(const char* why) {
    call_trace t;
    t.failure = why;
    return t;
  }
  static void go_on(pid_t thread, int signal) { ptrace(PTRACE_SYSCALL, thread, nullptr, static_cast<long>(signal)); }

  void stopped(pid_t thread, int status) {
    const int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) {
      note_call(thread);
      go_on(thread, 0);
    } else if (signal == SIGTRAP || (signal == SIGSTOP && section_of_.emplace(thread, 0U).second)) {
      go_on(thread, 0);  // a new thread, or the thread that makes it
    } else {
      go_on(thread, signal);
    }
  }

  void note_call(pid_t thread) {
    __ptrace_syscall_info info{};
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) return;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return;
    unsigned& now = section_of_[thread];
    if (info.entry.nr == mark_call && (info.entry.args[0] & mark) != 0) {
      now = static_cast<unsigned>(info.entry.args[0] & 0xff);
      ++trace_.sections[now].entered;
    } else if (now != 0) {
      ++trace_.sections[now].calls[call_name(static_cast<long>(info.entry.nr))];
    }
  }

  call_trace ended(int status) {
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return failed("the traced process did not finish");
    return std::move(trace_);
  }

  pid_t child_;
  std::map<pid_t, unsigned> section_of_;
  call_trace trace_;
};

}  // namespace

void enter_section(unsigned section) { syscall(mark_call, static_cast<unsigned>(mark) | section); }

call_trace trace_calls(const std::function<void()>& body, unsigned seconds) {
  const pid_t child = fork();
  if (child == 0) be_traced(body, seconds);
  if (child < 0) {
    call_trace t;
    t.failure = "fork: " + std::generic_category().message(errno);
    return t;
  }
  return tracer{child}.follow();
}

}  // namespace synchro::platform
