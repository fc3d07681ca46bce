// Linux: the system's part of domains.hpp.

#ifndef SYNCHRO_OS_LINUX_DOMAINS_HPP
#define SYNCHRO_OS_LINUX_DOMAINS_HPP

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <vector>

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

inline constexpr unsigned unknown = std::numeric_limits<unsigned>::max();

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

/// Writes the domain numbers of `count` processors. Those whose siblings are not known are in domain 0. The domains of
/// the processors that are `allowed` come first, so that their numbers are dense; the others follow, for the thread that
/// asks first may be pinned. `scratch` is as long.
template <class Allowed, class SiblingOf>
void number_domains(unsigned* domains, unsigned* scratch, unsigned count, Allowed allowed, SiblingOf sibling_of) {
  unsigned known = 0;
  std::fill_n(scratch, count, unknown);  // by its lowest processor: the domain's number
  for (const bool first : {true, false})
    for (unsigned cpu = 0; cpu < count; ++cpu) {
      if (allowed(cpu) != first) continue;
      const unsigned lowest = sibling_of(cpu);
      if (lowest < count && scratch[lowest] == unknown) scratch[lowest] = known++;
      domains[cpu] = lowest < count ? scratch[lowest] : 0;
    }
}

/// Never freed: locks may be used while and after the program's own objects are destroyed.
struct domain_table {
  unsigned count;
  unsigned* domains;
};
inline constinit std::atomic<const domain_table*> known_domains{nullptr};

}  // namespace detail

namespace detail {

/// For every processor of the machine, whichever of them the first to ask may use. Null without memory.
[[gnu::noinline]] inline const domain_table* learn_domains() noexcept {
  const affinity allowed;
  const unsigned count = std::max(allowed.end(), static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF))));
  std::unique_ptr<unsigned[]> domains{new (std::nothrow) unsigned[count]};
  const std::unique_ptr<unsigned[]> scratch{new (std::nothrow) unsigned[count]};
  std::unique_ptr<domain_table> table{new (std::nothrow) domain_table{count, domains.get()}};
  if (domains == nullptr || scratch == nullptr || table == nullptr) return nullptr;
  number_domains(
      domains.get(), scratch.get(), count, [&](unsigned cpu) { return allowed.has(cpu); }, lowest_sibling);
  const domain_table* seen = nullptr;
  if (!known_domains.compare_exchange_strong(seen, table.get(), std::memory_order_acq_rel, std::memory_order_acquire))
    return seen;
  keep_loaded(&known_domains);
  static_cast<void>(domains.release());
  return table.release();
}

}  // namespace detail

inline unsigned domain_of(unsigned cpu) noexcept {
  const detail::domain_table* table = detail::known_domains.load(std::memory_order_acquire);
  if (table == nullptr) [[unlikely]]
    table = detail::learn_domains();
  return table != nullptr && cpu < table->count ? table->domains[cpu] : 0;
}

}  // namespace os
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
