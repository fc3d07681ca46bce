#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "platform/placement.hpp"

namespace synchro::platform {

namespace {

/// A processor set of any size: cpu_set_t ends at 1024.
class cpu_mask {
 public:
  explicit cpu_mask(std::size_t capacity)
      : bytes_{CPU_ALLOC_SIZE(capacity)}, capacity_{capacity}, set_{CPU_ALLOC(capacity)} {
    if (set_ != nullptr) CPU_ZERO_S(bytes_, set_);
  }
  ~cpu_mask() { CPU_FREE(set_); }
  cpu_mask(const cpu_mask&) = delete;
  cpu_mask& operator=(const cpu_mask&) = delete;

  void add(unsigned cpu) {
    if (set_ != nullptr && cpu < capacity_) CPU_SET_S(cpu, bytes_, set_);
  }
  /// 0, or why the system does not tell the calling thread's.
  [[nodiscard]] int ask() {
    if (set_ == nullptr) return ENOMEM;
    return sched_getaffinity(0, bytes_, set_) == 0 ? 0 : errno;
  }
  [[nodiscard]] bool apply() const { return set_ != nullptr && sched_setaffinity(0, bytes_, set_) == 0; }

 private:
  std::size_t bytes_;
  std::size_t capacity_;
  cpu_set_t* set_;
};

constexpr unsigned most_processors = 1U << 20;  // far beyond any kernel's limit, and still a small mask

}  // namespace

std::optional<std::string> affinity_unavailable() {
  int error = EINVAL;  // the kernel's mask is longer
  for (std::size_t capacity = 1024; capacity <= most_processors && error == EINVAL; capacity *= 2)
    error = cpu_mask{capacity}.ask();
  if (error == 0) return std::nullopt;
  return fmt::format("the system does not say on which processors this program may run (sched_getaffinity: {})",
                     std::strerror(error));
}

bool pin_this_thread(unsigned cpu) {
  if (cpu >= most_processors) return false;
  cpu_mask mask{cpu + 1UL};
  mask.add(cpu);
  return mask.apply() && sched_getcpu() == static_cast<int>(cpu);
}

bool unpin_this_thread(const std::vector<unsigned>& cpus) {
  if (cpus.empty()) return false;
  cpu_mask mask{*std::max_element(cpus.begin(), cpus.end()) + 1UL};
  for (const unsigned cpu : cpus) mask.add(cpu);
  return mask.apply();
}

}  // namespace synchro::platform
