#include "platform/placement.hpp"

#include <windows.h>

#include <algorithm>
#include <new>
#include <utility>

#include "platform/windows/processor_records.hpp"
#include "platform/windows/system.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

using windows::group_size;

bool set_affinity(const GROUP_AFFINITY& wanted) {
  return SetThreadGroupAffinity(GetCurrentThread(), &wanted, nullptr) != 0;
}

unsigned present_group() {
  PROCESSOR_NUMBER now{};
  GetCurrentProcessorNumberEx(&now);
  return now.Group;
}

}  // namespace

std::optional<std::string> affinity_unavailable() { return std::nullopt; }

bool pin_this_thread(unsigned cpu) {
  if (!set_affinity(windows::affinity_in_one_group({cpu}, cpu / group_size))) return false;
  PROCESSOR_NUMBER ideal{};
  ideal.Group = static_cast<WORD>(cpu / group_size);
  ideal.Number = static_cast<BYTE>(cpu % group_size);
  SetThreadIdealProcessorEx(GetCurrentThread(), &ideal, nullptr);  // a hint: refused without harm
  constexpr int tries = 100;                                       // until it has been moved
  for (int i = 0; i < tries && os::current_cpu() != cpu; ++i) Sleep(0);
  return os::current_cpu() == cpu;
}

/// A thread with a choice of its own runs in one group. One that has made none is left alone: since Windows 11 it runs in all
/// groups, and what is asked for is mostly all that there is.
bool unpin_this_thread(const std::vector<unsigned>& cpus) {
  if (cpus.empty()) return false;
  GROUP_AFFINITY own{};
  std::vector<unsigned> wanted = cpus;
  std::sort(wanted.begin(), wanted.end());
  const std::vector<unsigned> all = windows::numbers_of(windows::processors_of_groups());
  if (GetThreadGroupAffinity(GetCurrentThread(), &own) != 0 && wanted == windows::usable_cpus(all, own)) return true;
  return set_affinity(windows::affinity_in_one_group(cpus, present_group()));
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
