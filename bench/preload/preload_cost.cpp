// A free pthread mutex, locked and unlocked: through the interposer, and by the C library's own functions in the same
// process, by turns. The ratio is to be at most 1.3 for `mutex` and `ticket`; the others are not judged.
//
// And what the recorder adds to that, sampling one in so many as it does by default: at most 15 ns.
//
// A second thread sleeps: in a process of one thread glibc locks by plain loads and stores.
//
// Calls itself with the interposer in front for each lock.

#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "../duel.hpp"
#include "platform/interposer.hpp"
#include "platform/program_run.hpp"

namespace {

using namespace synchro;  // NOLINT(google-build-using-namespace)

using function = int (*)(pthread_mutex_t*);

double pair_ns(function lock, function unlock) {
  constexpr int pairs = 200'000;
  static pthread_mutex_t ours = PTHREAD_MUTEX_INITIALIZER, theirs = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t* const m = lock == &pthread_mutex_lock ? &ours : &theirs;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < pairs; ++i) {
    lock(m);
    unlock(m);
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / pairs;
}

/// By how much the first is slower, in pairs of runs: median and range in which nineteen of twenty lie.
int judge_added(const std::string& name, function lock, function unlock, function other_lock, function other_unlock) {
  constexpr double most = 15;
  std::vector<double> added;
  for (int i = 0; i < 61; ++i) {
    const double ours = pair_ns(lock, unlock);
    added.push_back(ours - pair_ns(other_lock, other_unlock));
  }
  std::sort(added.begin(), added.end());
  const double middle = added[added.size() / 2];
  fmt::print("{:<44} adds {:.1f} ns, {:.1f} to {:.1f}, at most {}: {}\n", name, middle, added[1],
             added[added.size() - 2], most, middle <= most ? "agrees" : "DISAGREES");
  return middle <= most ? 0 : 1;
}

int compare(const std::string& lock) {
  void* const c_library = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_LAZY);  // the process's own leads to the interposer
  if (c_library == nullptr) return std::puts(dlerror()), 1;
  const auto native_lock = reinterpret_cast<function>(dlsym(c_library, "pthread_mutex_lock"));
  const auto native_unlock = reinterpret_cast<function>(dlsym(c_library, "pthread_mutex_unlock"));
  if (native_lock == nullptr || native_lock == &pthread_mutex_lock) return std::puts("nothing stands in front"), 1;
  if (std::getenv(platform::interposer::profile_variable) != nullptr)
    return judge_added(lock + ", free, recorded, beside the C library", &pthread_mutex_lock, &pthread_mutex_unlock,
                       native_lock, native_unlock);
  const bool judged = lock == "mutex" || lock == "ticket";
  const bench::duel d{lock + ", free, through the interposer",
                      [](std::uint64_t) { return pair_ns(&pthread_mutex_lock, &pthread_mutex_unlock); },
                      [=] { return pair_ns(native_lock, native_unlock); }, 0, judged ? 1.3 : bench::unbounded};
  return bench::hold(d, 61) ? 0 : 1;
}

int run_with(char* program, const char* lock, const char* recordings = nullptr) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("LD_PRELOAD", SYNCHRO_PRELOAD, 1);
    setenv(platform::interposer::lock_variable, lock, 1);
    if (recordings != nullptr) setenv(platform::interposer::profile_variable, recordings, 1);
    char* words[] = {program, nullptr};
    execv("/proc/self/exe", words);
    _exit(127);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int, char** argv) {
  if (const char* const lock = std::getenv(platform::interposer::lock_variable)) {
    std::thread{pause}.detach();
    return compare(lock);
  }
  int worst = 0;
  for (const char* const lock : {"mutex", "ticket", "tas", "mcs", "mcs/park", "clh", "hmcs", "shared_mutex"})
    worst = std::max(worst, run_with(argv[0], lock));
  const platform::mapped_folder recordings;
  for (const char* const lock : {"native", "mutex"})
    worst = std::max(worst, run_with(argv[0], lock, recordings.path().c_str()));
  return worst;
}
