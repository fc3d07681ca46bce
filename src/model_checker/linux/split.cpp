#include "model_checker/split.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <thread>
#include <vector>

namespace synchro::model_checker {

namespace {

struct heading {
  std::uint64_t job, size;
};

/// The number of the next job, which all processes share.
class counter {
 public:
  counter()
      : next_{static_cast<std::atomic<std::uint64_t>*>(
            mmap(nullptr, sizeof *next_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))} {
    if (next_ == MAP_FAILED) throw std::runtime_error{"no memory to share with other processes"};
  }
  ~counter() { munmap(next_, sizeof *next_); }
  counter(const counter&) = delete;
  counter& operator=(const counter&) = delete;
  std::uint64_t take() { return next_->fetch_add(1); }

 private:
  std::atomic<std::uint64_t>* next_;
};

bool send(int to, const void* what, std::size_t size) {
  const char* at = static_cast<const char*>(what);
  while (size != 0) {
    const ssize_t sent = write(to, at, size);
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

[[noreturn]] void work(counter& next, std::size_t jobs, const std::function<std::string(std::size_t)>& run, int to) {
  for (std::uint64_t job = next.take(); job < jobs; job = next.take()) {
    const std::string text = run(job);
    const heading h{job, text.size()};
    if (!send(to, &h, sizeof h) || !send(to, text.data(), text.size())) _exit(1);
  }
  std::quick_exit(0);  // nothing but what was asked for: nothing of the process that has begun this one is destroyed
}

struct worker {
  pid_t process;
  int from;
  std::string received;
};

/// A process that does not outlive this one.
worker start(counter& next, std::size_t jobs, const std::function<std::string(std::size_t)>& run) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error{"no pipe to another process"};
  const pid_t parent = getpid(), process = fork();
  if (process < 0) throw std::runtime_error{"no other process"};
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    close(ends[0]);
    work(next, jobs, run, ends[1]);
  }
  close(ends[1]);
  return {process, ends[0], {}};
}

/// Moves what has come whole to `done`.
void unpack_results(std::string& received, std::map<std::uint64_t, std::string>& done) {
  for (heading h{}; received.size() >= sizeof h;) {
    received.copy(reinterpret_cast<char*>(&h), sizeof h);
    if (received.size() < sizeof h + h.size) return;
    done[h.job] = received.substr(sizeof h, h.size);
    received.erase(0, sizeof h + h.size);
  }
}

/// False when all have said everything.
bool receive(std::vector<worker>& all, std::map<std::uint64_t, std::string>& done) {
  std::vector<pollfd> open;
  for (const worker& w : all) open.push_back({w.from, POLLIN, 0});
  if (poll(open.data(), open.size(), -1) < 0) return true;
  bool any = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].from < 0) continue;
    any = true;
    if (open[i].revents == 0) continue;
    char some[4096];
    const ssize_t n = read(all[i].from, some, sizeof some);
    if (n > 0) {
      all[i].received.append(some, static_cast<std::size_t>(n));
      unpack_results(all[i].received, done);
    } else {
      close(all[i].from);
      all[i].from = -1;
    }
  }
  return any;
}

}  // namespace

void in_processes(std::size_t jobs, unsigned most, const std::function<std::string(std::size_t)>& run,
                  const std::function<void(std::size_t, const std::string&)>& report) {
  const unsigned wanted = most == 0 ? std::max(1U, std::thread::hardware_concurrency()) : most;
  const std::size_t processes = std::min<std::size_t>(jobs, wanted);
  if (processes <= 1) {
    for (std::size_t job = 0; job < jobs; ++job) report(job, run(job));
    return;
  }
  std::fflush(nullptr);  // or each process would write what is in the buffers again
  counter next;
  std::vector<worker> all;
  for (std::size_t i = 0; i < processes; ++i) all.push_back(start(next, jobs, run));
  std::map<std::uint64_t, std::string> done;
  std::size_t reported = 0;
  for (bool more = true; more;) {
    more = std::any_of(all.begin(), all.end(), [](const worker& w) { return w.from >= 0; }) && receive(all, done);
    for (auto it = done.find(reported); it != done.end(); it = done.find(++reported)) {
      report(reported, it->second);
      done.erase(it);
    }
  }
  for (const worker& w : all) waitpid(w.process, nullptr, 0);
  if (reported != jobs) throw std::runtime_error{"a process that explored has ended before its time"};
}

}  // namespace synchro::model_checker
