// A counter that two threads add to under one lock, each on a processor of its own: through the interposer as a pthread
// mutex, and with the same lock compiled in, by turns in one process. The interposer is to cost at most a tenth more.
//
// Both sides run the same loop, and both call functions to lock and unlock: a lock that the compiler writes into the loop
// would be compared with a call.
//
// What is compared depends on the work in the section and after it, of which there are three amounts. Each is drawn anew
// every time, from nothing to twice its mean: with a constant one both threads fall into step, and which step that is decides
// the figure.
//
//   short        One adds, works for 200 rounds on average, and for 400 after the section. The lock changes hands two times
//                of three or more, and is waited for. Judged.
//   very short   Half of that: about as long as a line takes from one processor to the other. Printed only.
//   nothing      With a lock that anybody may take at once (tas, mutex) one thread adds many times before the other gets
//                it. What is compared is the price of a free lock (preload_cost judges that), and how often the lock
//                changes hands: a slower unlock gives the other more time to look. Printed only.
//
// Behind each line: the share of acquisitions by a thread that was not the last, on both sides. If they differ the two
// did not do the same.
//
// preload_contended [LOCK...]; calls itself with the interposer in front for each lock.

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"
#include "../duel.hpp"
#include "platform/interposer.hpp"
#include "synchro/synchro.hpp"

namespace {

using namespace synchro;  // NOLINT(google-build-using-namespace)

std::array<int, 2> processors{-1, -1};

void find_processors() {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::size_t found = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE && found < processors.size(); ++cpu)
    if (CPU_ISSET(static_cast<unsigned>(cpu), &allowed)) processors[found++] = cpu;
}

/// Rounds of a loop that does nothing: their mean.
struct amount {
  const char* name;
  unsigned section, gap;
  double most;  ///< What the ratio may be.
};
constexpr amount amounts[] = {
    {"short", 200, 400, 1.1}, {"very short", 100, 200, bench::unbounded}, {"nothing", 0, 0, bench::unbounded}};

/// From 0 to twice the mean.
class rounds {
 public:
  explicit rounds(std::size_t seed) : state_{static_cast<std::uint32_t>(seed) + 1} {}
  unsigned of_mean(unsigned mean) {
    state_ = state_ * 1'664'525 + 1'013'904'223;
    return static_cast<unsigned>((std::uint64_t{state_} * (2 * mean + 1)) >> 32);
  }

 private:
  std::uint32_t state_;
};

/// What both threads write.
template <class Lock>
struct alignas(128) shared_counter {
  Lock lock;
  alignas(128) long count = 0;
  long changes = 0;  // of the thread that adds
  std::size_t last = 0;
  alignas(128) std::atomic<int> there{0};
};

/// Nanoseconds for each addition, from the moment at which both are there; 0 if additions were lost.
template <class Lock>
double addition_ns(const amount& work, std::vector<double>& changes) {
  constexpr int additions = 50'000;
  shared_counter<Lock> s;
  std::array<double, 2> begin{}, end{};
  const auto add = [&](std::size_t mine) {
    bare::pin(processors[mine]);
    rounds drawn{mine};
    ++s.there;
    while (s.there.load() != 2) bare::rest();
    begin[mine] = bare::now_ns();
    for (int i = 0; i < additions; ++i) {
      s.lock.lock();
      ++s.count;
      s.changes += s.last == mine ? 0 : 1;
      s.last = mine;
      bare::work(drawn.of_mean(work.section));
      s.lock.unlock();
      bare::work(drawn.of_mean(work.gap));
    }
    end[mine] = bare::now_ns();
  };
  std::thread other{add, 1};
  std::thread one{add, 0};
  one.join();
  other.join();
  if (s.count != 2 * additions) return 0;
  changes.push_back(static_cast<double>(s.changes) / (2 * additions));
  return (std::max(end[0], end[1]) - std::min(begin[0], begin[1])) / (2 * additions);
}

/// What a program has that knows nothing of the library.
struct of_the_program {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ~of_the_program() { pthread_mutex_destroy(&mutex); }
  void lock() { pthread_mutex_lock(&mutex); }
  void unlock() { pthread_mutex_unlock(&mutex); }
};

/// What a program has that brings the lock with it and calls it, as it would call the C library.
template <class Lock>
class compiled_in {
 public:
  void lock() { take(lock_); }
  void unlock() { release(lock_); }

 private:
  [[gnu::noinline]] static void take(Lock& l) { l.lock(); }
  [[gnu::noinline]] static void release(Lock& l) { l.unlock(); }

  Lock lock_;
};

template <class Lock>
double direct_ns(const amount& work, std::vector<double>& changes) {
  return addition_ns<compiled_in<Lock>>(work, changes);
}

using measured = double (*)(const amount&, std::vector<double>&);
struct compared {
  const char* name;
  measured direct;
};
constexpr compared locks[] = {
    {"mutex", direct_ns<mutex>},
    {"tas", direct_ns<tas_lock>},
    {"ttas", direct_ns<ttas_lock>},
    {"fair_mutex", direct_ns<fair_mutex>},
    {"ticket", direct_ns<ticket_lock>},
    {"ticket/yield", direct_ns<ticket_yield_lock>},
    {"mcs", direct_ns<mcs_lock>},
    {"mcs/park", direct_ns<mcs_park_lock>},
    {"clh", direct_ns<clh_lock>},
    {"hmcs", direct_ns<hmcs_lock>},
    {"shared_mutex", direct_ns<shared_mutex>},
};

bool agrees(const compared& c, const amount& work) {
  std::vector<double> ours, theirs;
  const bench::duel d{std::string{c.name} + ", " + work.name + ", through the interposer",
                      [&](std::uint64_t) { return addition_ns<of_the_program>(work, ours); },
                      [&] { return c.direct(work, theirs); }, 0, work.most};
  const bool good = bench::hold(d, 61);
  fmt::print("{:<44} changed hands {:.2f}, {:.2f}\n", "", results::median(ours), results::median(theirs));
  return good;
}

int compare(const char* name) {
  for (const compared& c : locks) {
    if (std::strcmp(c.name, name) != 0) continue;
    bool good = true;
    for (const amount& work : amounts) good = agrees(c, work) && good;
    return good ? 0 : 1;
  }
  return 2;
}

int run_with(char* program, const char* lock) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("LD_PRELOAD", SYNCHRO_PRELOAD, 1);
    setenv(platform::interposer::lock_variable, lock, 1);
    char* words[] = {program, nullptr};
    execv("/proc/self/exe", words);
    _exit(127);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  find_processors();
  if (processors[1] < 0) return std::puts("needs two processors"), 0;
  if (const char* const lock = std::getenv(platform::interposer::lock_variable)) return compare(lock);
  int worst = 0;
  for (const compared& c : locks)
    if (argc < 2 || std::find(argv + 1, argv + argc, std::string{c.name}) != argv + argc)
      worst = std::max(worst, run_with(argv[0], c.name));
  return worst;
}
