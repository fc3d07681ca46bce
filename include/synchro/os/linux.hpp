// Linux: the system's part of os.hpp.

#ifndef SYNCHRO_OS_LINUX_HPP
#define SYNCHRO_OS_LINUX_HPP

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace synchro::os {

/// std::chrono::steady_clock is CLOCK_MONOTONIC here, the clock against which FUTEX_WAIT_BITSET measures.
using deadline = std::chrono::steady_clock::time_point;

inline bool park(const void* word, std::uint32_t expected, deadline until) noexcept {
  std::timespec limit{};
  const std::timespec* timeout = nullptr;
  if (until != deadline::max()) {
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(until.time_since_epoch()).count();
    limit.tv_sec = static_cast<std::time_t>(std::max<std::int64_t>(0, ns / 1'000'000'000));
    limit.tv_nsec = static_cast<long>(std::max<std::int64_t>(0, ns % 1'000'000'000));
    timeout = &limit;
  }
  const int keep_errno = errno;
  const long outcome =
      syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, timeout, nullptr, FUTEX_BITSET_MATCH_ANY);
  const bool passed = outcome == -1 && errno == ETIMEDOUT;
  errno = keep_errno;
  return passed;
}

inline void unpark(const void* word, std::uint32_t n) noexcept {
  const int keep_errno = errno;  // EFAULT when the word is gone already: nobody sleeps there
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, n > INT_MAX ? INT_MAX : static_cast<int>(n), nullptr, nullptr, 0);
  errno = keep_errno;
}

inline unsigned current_cpu() noexcept {
  const int cpu = sched_getcpu();
  return cpu < 0 ? 0U : static_cast<unsigned>(cpu);
}

inline std::vector<unsigned> allowed_cpus() {
  for (std::size_t capacity = 1024; capacity <= 1 << 20; capacity *= 2) {
    cpu_set_t* const set = CPU_ALLOC(capacity);
    if (set == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(capacity);
    std::vector<unsigned> cpus;
    const bool fits = sched_getaffinity(0, bytes, set) == 0;
    for (std::size_t cpu = 0; fits && cpu < capacity; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, set)) cpus.push_back(static_cast<unsigned>(cpu));
    CPU_FREE(set);
    if (fits && !cpus.empty()) return cpus;
  }
  return {0};
}

namespace detail {

/// The list of processors that share the last level of cache with `cpu`, as sysfs writes it; empty if it does not say.
inline std::string last_level_siblings(unsigned cpu) {
  std::string siblings;
  for (int index = 0;; ++index) {
    const std::string leaf =
        "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
    std::ifstream shared{leaf + "/shared_cpu_list"};
    if (!shared) return siblings;
    std::getline(shared, siblings);  // the levels ascend: the last one read is the outermost
  }
}

/// Domain numbers by processor number. Processors whose siblings are not known are in domain 0. The domains of `first`
/// come first, so that their numbers are dense; the others follow, for the thread that asks first may be pinned.
template <class SiblingsOf>
std::vector<unsigned> number_domains(const std::vector<unsigned>& first, unsigned processors, SiblingsOf siblings_of) {
  std::vector<unsigned> cpus = first;
  for (unsigned cpu = 0; cpu < processors; ++cpu)
    if (std::find(first.begin(), first.end(), cpu) == first.end()) cpus.push_back(cpu);
  std::vector<unsigned> domains(std::max(processors, first.back() + 1), 0);
  std::map<std::string, unsigned> numbers;
  for (const unsigned cpu : cpus) {
    const std::string siblings = siblings_of(cpu);
    if (!siblings.empty())
      domains[cpu] = numbers.try_emplace(siblings, static_cast<unsigned>(numbers.size())).first->second;
  }
  return domains;
}

/// For every processor of the machine, whichever of them the first to ask may use.
inline const std::vector<unsigned>& domain_table() {
  static const std::vector<unsigned> table = number_domains(
      allowed_cpus(), static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF))), last_level_siblings);
  return table;
}

}  // namespace detail

inline unsigned domain_of(unsigned cpu) {
  const std::vector<unsigned>& table = detail::domain_table();
  return cpu < table.size() ? table[cpu] : 0;
}

/// A key's destructor runs after the C++ thread-exit destructors, and again while it is set anew (four times at most).
/// Every call takes a key of its own: meant for a handful of users a process, each with one static `p` per thread.
class thread_exit_hook {
 public:
  explicit thread_exit_hook(void (*f)(void*)) noexcept : made_{pthread_key_create(&key_, f) == 0} {}
  bool arm(void* p) const noexcept { return made_ && pthread_setspecific(key_, p) == 0; }

 private:
  pthread_key_t key_{};
  bool made_;
};

}  // namespace synchro::os

#endif
