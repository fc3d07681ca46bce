// Linux: the system's part of domains.hpp.

#ifndef SYNCHRO_OS_LINUX_DOMAINS_HPP
#define SYNCHRO_OS_LINUX_DOMAINS_HPP

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "synchro/os/domain_table.hpp"
#include "synchro/os/linux.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace os {

namespace detail {

/// The processors that the calling thread may use; none if the system does not say.
class affinity {
 public:
  affinity() noexcept {
    for (; capacity_ <= 1 << 20; capacity_ *= 2) {
      set_ = CPU_ALLOC(capacity_);
      if (set_ == nullptr || sched_getaffinity(0, CPU_ALLOC_SIZE(capacity_), set_) == 0) return;
      CPU_FREE(set_);
      set_ = nullptr;
    }
  }
  ~affinity() {
    if (set_ != nullptr) CPU_FREE(set_);
  }
  affinity(const affinity&) = delete;
  affinity& operator=(const affinity&) = delete;

  [[nodiscard]] bool has(unsigned cpu) const noexcept {
    return set_ != nullptr && CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(capacity_), set_) != 0;
  }
  /// One more than the highest.
  [[nodiscard]] unsigned end() const noexcept {
    auto last = static_cast<unsigned>(capacity_);
    while (last != 0 && !has(last - 1)) --last;
    return last;
  }

 private:
  std::size_t capacity_ = 1024;
  cpu_set_t* set_ = nullptr;
};

}  // namespace detail

inline std::vector<unsigned> allowed_cpus() {
  const detail::affinity allowed;
  std::vector<unsigned> cpus;
  for (unsigned cpu = 0; cpu < allowed.end(); ++cpu)
    if (allowed.has(cpu)) cpus.push_back(cpu);
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

namespace detail {

/// The lowest processor that shares the last level of cache with `cpu`, by which the domain is known; `unknown` if sysfs
/// does not say.
inline unsigned lowest_sibling(unsigned cpu) noexcept {
  unsigned lowest = unknown;
  for (unsigned index = 0;; ++index) {
    char leaf[96];
    std::snprintf(leaf, sizeof leaf, "/sys/devices/system/cpu/cpu%u/cache/index%u/shared_cpu_list", cpu, index);
    std::FILE* const shared = std::fopen(leaf, "re");
    if (shared == nullptr) return lowest;
    if (std::fscanf(shared, "%u", &lowest) != 1) lowest = unknown;  // the levels ascend: the last is the outermost
    std::fclose(shared);
  }
}

[[gnu::noinline]] inline const domain_table* learn_domains() noexcept {
  const affinity allowed;
  const unsigned count = std::max(allowed.end(), static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF))));
  return publish_domains(
      count, [&](unsigned cpu) { return allowed.has(cpu); }, lowest_sibling);
}

}  // namespace detail

}  // namespace os
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
