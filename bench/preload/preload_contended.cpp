// A counter that two threads add to under one lock, each on a processor of its own: through the interposer as a pthread
// mutex, and with the same lock compiled in, by turns in one process. The interposer is to cost at most a tenth more.
//
// Both sides run the same loop, with the same section and nothing between two of them, and both call functions to lock and
// unlock: a lock that the compiler writes into the loop would be compared with a call.
//
// Nothing is done outside of the lock. With a lock that anybody may take at once (tas, mutex) one thread then adds many times
// before the other gets it, and what is compared is nearly the price of a free lock.
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

/// Nanoseconds for each addition, from the moment at which both are there; 0 if additions were lost.
template <class Lock>
double addition_ns() {
  constexpr int additions = 100'000;
  struct alignas(128) {
    Lock lock;
    alignas(128) long count = 0;
    alignas(128) std::atomic<int> there{0};
  } s;
  std::array<double, 2> begin{}, end{};
  const auto add = [&](std::size_t mine) {
    bare::pin(processors[mine]);
    ++s.there;
    while (s.there.load() != 2) bare::rest();
    begin[mine] = bare::now_ns();
    for (int i = 0; i < additions; ++i) {
      s.lock.lock();
      ++s.count;
      s.lock.unlock();
    }
    end[mine] = bare::now_ns();
  };
  std::thread other{add, 1};
  std::thread one{add, 0};
  one.join();
  other.join();
  if (s.count != 2 * additions) return 0;
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
double direct_ns() {
  return addition_ns<compiled_in<Lock>>();
}

using measured = double (*)();
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

int compare(const char* name) {
  for (const compared& c : locks) {
    if (std::strcmp(c.name, name) != 0) continue;
    const bench::duel d{std::string{name} + ", two threads, through the interposer",
                        [](std::uint64_t) { return addition_ns<of_the_program>(); }, c.direct, 0, 1.1};
    return bench::hold(d, 61) == bench::outcome::disagrees ? 1 : 0;
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
