#include "platform/placement.hpp"

#include <windows.h>

#include <new>
#include <utility>

#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

constexpr unsigned group_size = 64;

bool set_affinity(unsigned group, std::uint64_t mask) {
  GROUP_AFFINITY wanted{};
  wanted.Group = static_cast<WORD>(group);
  wanted.Mask = static_cast<KAFFINITY>(mask);
  return SetThreadGroupAffinity(GetCurrentThread(), &wanted, nullptr) != 0;
}

}  // namespace

std::optional<std::string> affinity_obstacle() { return std::nullopt; }

bool pin_this_thread(unsigned cpu) {
  if (!set_affinity(cpu / group_size, std::uint64_t{1} << cpu % group_size)) return false;
  PROCESSOR_NUMBER ideal{};
  ideal.Group = static_cast<WORD>(cpu / group_size);
  ideal.Number = static_cast<BYTE>(cpu % group_size);
  SetThreadIdealProcessorEx(GetCurrentThread(), &ideal, nullptr);  // a hint: refused without harm
  constexpr int tries = 100;                                       // until it has been moved
  for (int i = 0; i < tries && os::current_cpu() != cpu; ++i) Sleep(0);
  return os::current_cpu() == cpu;
}

/// A thread with a choice of its own runs in one group: that of the first processor.
bool unpin_this_thread(const std::vector<unsigned>& cpus) {
  if (cpus.empty()) return false;
  const unsigned group = cpus.front() / group_size;
  std::uint64_t mask = 0;
  for (const unsigned cpu : cpus)
    if (cpu / group_size == group) mask |= std::uint64_t{1} << cpu % group_size;
  return set_affinity(group, mask);
}

/// Large pages would need a privilege that few accounts have, so they are not asked for.
fresh_memory::fresh_memory(std::size_t bytes, std::optional<unsigned> node, pages) : bytes_{bytes} {
  if (bytes == 0) return;
  constexpr DWORD how = MEM_RESERVE | MEM_COMMIT;
  data_ = node ? VirtualAllocExNuma(GetCurrentProcess(), nullptr, bytes, how, PAGE_READWRITE, *node)
               : VirtualAlloc(nullptr, bytes, how, PAGE_READWRITE);
  if (data_ == nullptr) throw std::bad_alloc{};
  SYSTEM_INFO about{};
  GetSystemInfo(&about);
  auto* const first = static_cast<volatile char*>(data_);
  for (std::size_t at = 0; at < bytes; at += about.dwPageSize) first[at] = 0;
}

fresh_memory::~fresh_memory() {
  if (data_ != nullptr) VirtualFree(data_, 0, MEM_RELEASE);
}

fresh_memory::fresh_memory(fresh_memory&& other) noexcept
    : data_{std::exchange(other.data_, nullptr)}, bytes_{std::exchange(other.bytes_, 0)} {}

fresh_memory& fresh_memory::operator=(fresh_memory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

/// Windows would tell by a call that Wine lacks.
std::optional<unsigned> fresh_memory::node() const { return std::nullopt; }

}  // namespace synchro::platform
