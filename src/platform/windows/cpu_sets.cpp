#include "platform/windows/cpu_sets.hpp"

#include <windows.h>

#include <cstring>
#include <vector>

#include "platform/windows/processor_records.hpp"
#include "synchro/os.hpp"

namespace synchro::platform::windows {

namespace {

/// SYSTEM_CPU_SET_INFORMATION, which is newer than some headers. Later systems may append to it.
struct record {
  std::uint32_t size;
  std::int32_t kind;
  std::uint32_t id;
  std::uint16_t group;
  std::uint8_t number, core, last_level_cache, node, efficiency_class, flags;
  std::uint32_t scheduling_class;
  std::uint64_t allocation_tag;
};
static_assert(sizeof(record) == 32 && offsetof(record, flags) == 19);

constexpr std::int32_t of_a_processor = 0;
constexpr std::uint8_t is_parked = 1, is_allocated = 2, is_allocated_to_us = 4;

}  // namespace

std::map<unsigned, cpu_set> cpu_sets_of(std::span<const std::byte> records) {
  std::map<unsigned, cpu_set> sets;
  record r{};
  while (records.size() >= sizeof r) {
    std::memcpy(&r, records.data(), sizeof r);
    if (r.size < sizeof r || r.size > records.size()) break;
    if (r.kind == of_a_processor)
      sets[r.group * group_size + r.number] = {r.id, (r.flags & is_parked) != 0, (r.flags & is_allocated) != 0,
                                               (r.flags & is_allocated_to_us) != 0};
    records = records.subspan(r.size);
  }
  return sets;
}

std::map<unsigned, cpu_set> cpu_sets() {
  using call = BOOL __stdcall(void*, ULONG, ULONG*, HANDLE, ULONG);
  static auto* const ask = os::detail::system_function<call>("kernel32.dll", "GetSystemCpuSetInformation");
  if (ask == nullptr) return {};
  std::vector<std::byte> records(std::size_t{1} << 17);  // of 4096 processors
  ULONG size = 0;
  if (ask(records.data(), static_cast<ULONG>(records.size()), &size, GetCurrentProcess(), 0) == 0) return {};
  return cpu_sets_of({records.data(), size});
}

unsigned cpu_sets_chosen() {
  using call = BOOL __stdcall(HANDLE, ULONG*, ULONG, ULONG*);
  static auto* const ask = os::detail::system_function<call>("kernel32.dll", "GetProcessDefaultCpuSets");
  ULONG needed = 0;
  std::vector<ULONG> ids(4096);
  if (ask == nullptr || ask(GetCurrentProcess(), ids.data(), static_cast<ULONG>(ids.size()), &needed) == 0) return 0;
  return needed;
}

}  // namespace synchro::platform::windows
