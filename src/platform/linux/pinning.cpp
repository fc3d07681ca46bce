#include <sched.h>

#include <algorithm>
#include <memory>

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
  [[nodiscard]] bool apply() const { return set_ != nullptr && sched_setaffinity(0, bytes_, set_) == 0; }

 private:
  std::size_t bytes_;
  std::size_t capacity_;
  cpu_set_t* set_;
};

}  // namespace

bool pin_this_thread(unsigned cpu) {
  constexpr unsigned most = 1U << 20;  // far beyond any kernel's limit, and still a small mask
  if (cpu >= most) return false;
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
