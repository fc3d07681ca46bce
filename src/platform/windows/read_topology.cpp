#include <windows.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "platform/topology.hpp"
#include "platform/windows/processor_records.hpp"
#include "platform/windows/system.hpp"
#include "synchro/domains.hpp"

namespace synchro::platform {

namespace {

/// Empty, with the reason in GetLastError, if the system does not tell. What it needs may grow between two calls.
std::vector<std::byte> records_of(LOGICAL_PROCESSOR_RELATIONSHIP kind) {
  constexpr int tries = 8;
  std::vector<std::byte> buffer;
  for (int i = 0; i != tries; ++i) {
    auto size = static_cast<DWORD>(buffer.size());
    auto* const records = reinterpret_cast<SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX*>(buffer.data());
    const bool told = GetLogicalProcessorInformationEx(kind, size == 0 ? nullptr : records, &size) != 0;
    if (!told && GetLastError() != ERROR_INSUFFICIENT_BUFFER) break;
    buffer.resize(size);
    if (told) return buffer;
  }
  return {};
}

std::uint64_t memory_bytes() {
  MEMORYSTATUSEX memory{};
  memory.dwLength = sizeof memory;
  return GlobalMemoryStatusEx(&memory) != 0 ? memory.ullTotalPhys : 0;
}

std::vector<unsigned> cpus_of_this_process(const std::vector<windows::part>& parts) {
  GROUP_AFFINITY own{};
  const std::vector<unsigned> all = windows::all_cpus(parts);
  if (GetThreadGroupAffinity(GetCurrentThread(), &own) == 0) return os::allowed_cpus();
  return windows::usable_cpus(all, own);
}

}  // namespace

topology read_topology() {
  constexpr auto nodes_with_all_groups = static_cast<LOGICAL_PROCESSOR_RELATIONSHIP>(6);  // newer than some headers
  const std::vector<std::byte> records = records_of(RelationAll);
  if (records.empty())
    throw std::runtime_error("Windows does not report this machine's topology: " + windows::refusal());
  const auto parts = windows::parts_of(records, records_of(nodes_with_all_groups));
  const std::vector<unsigned> cpus = cpus_of_this_process(parts);
  if (cpus.empty()) throw std::runtime_error("Windows reports no processor that this process may use");
  topology machine = windows::described_by(parts, cpus);
  machine.memory_bytes = memory_bytes();
  return machine;
}

namespace {

[[noreturn]] void no_descriptions() {
  throw std::runtime_error(
      "this program for Windows is built without hwloc, so it reads no descriptions of other machines");
}

}  // namespace

topology topology_from_xml(const std::string&) { no_descriptions(); }
topology topology_from_synthetic(const std::string&) { no_descriptions(); }

}  // namespace synchro::platform
