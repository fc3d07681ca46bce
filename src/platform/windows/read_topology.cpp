#include <windows.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "platform/topology.hpp"
#include "platform/windows/system.hpp"
#include "synchro/domains.hpp"

namespace synchro::platform {

namespace {

using cpu_set = std::set<unsigned>;

// Newer than some headers: a kind of object, and the first byte that those call reserved.
constexpr auto relation_die = static_cast<LOGICAL_PROCESSOR_RELATIONSHIP>(5);
unsigned efficiency_class(const PROCESSOR_RELATIONSHIP& core) {
  return reinterpret_cast<const unsigned char*>(&core)[1];
}

/// What the system tells: one object of the machine, with its processors.
struct part {
  LOGICAL_PROCESSOR_RELATIONSHIP kind;
  cpu_set cpus;
  unsigned efficiency_class = 0;  // of a core; the highest is the fastest
  unsigned node = 0;              // of a NUMA node, its number
  CACHE_RELATIONSHIP cache = {};
};

void add_cpus(cpu_set& cpus, const GROUP_AFFINITY* masks, unsigned count) {
  for (unsigned i = 0; i < std::max(1U, count); ++i)
    for (unsigned bit = 0; bit < 64; ++bit)
      if ((static_cast<std::uint64_t>(masks[i].Mask) >> bit & 1) != 0) cpus.insert(masks[i].Group * 64U + bit);
}

part part_of(const SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX& record) {
  part p;
  p.kind = record.Relationship;
  if (p.kind == RelationCache) {
    p.cache = record.Cache;
    add_cpus(p.cpus, &record.Cache.GroupMask, 1);
  } else if (p.kind == RelationNumaNode) {
    p.node = record.NumaNode.NodeNumber;
    add_cpus(p.cpus, &record.NumaNode.GroupMask, 1);
  } else if (p.kind != RelationGroup) {
    p.efficiency_class = efficiency_class(record.Processor);
    add_cpus(p.cpus, record.Processor.GroupMask, record.Processor.GroupCount);
  }
  return p;
}

std::vector<part> all_parts() {
  DWORD size = 0;
  GetLogicalProcessorInformationEx(RelationAll, nullptr, &size);
  std::vector<std::byte> buffer(size);
  auto* const records = reinterpret_cast<SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX*>(buffer.data());
  if (size == 0 || GetLogicalProcessorInformationEx(RelationAll, records, &size) == 0)
    throw std::runtime_error("Windows does not tell this machine's topology: " + windows::refusal());
  std::vector<part> parts;
  for (std::size_t at = 0; at < size;) {
    const auto& record = *reinterpret_cast<const SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX*>(buffer.data() + at);
    if (record.Size == 0) break;
    parts.push_back(part_of(record));
    at += record.Size;
  }
  return parts;
}

/// The whole machine, by what a processor has in common with others.
class machine_parts {
 public:
  machine_parts() : parts_{all_parts()} {
    std::set<unsigned> classes;
    for (const part& p : parts_)
      if (p.kind == RelationProcessorCore) classes.insert(p.efficiency_class);
    classes_.assign(classes.rbegin(), classes.rend());
  }

  [[nodiscard]] processor describe(unsigned cpu) const {
    const unsigned core = holder(cpu, RelationProcessorCore);
    const unsigned cache = last_level(cpu, core);
    const unsigned package = holder(cpu, RelationProcessorPackage);
    const unsigned die = holder(cpu, relation_die);
    processor p{};
    p.cpu = cpu;
    p.core = core;
    p.cluster = cluster(cpu, core, cache);
    p.cache = cache;
    p.die = die != none ? die : package;
    p.package = package;
    if (const unsigned node = holder(cpu, RelationNumaNode); node != none) p.node = parts_[node].node;
    p.core_class = core_class(core);
    return p;
  }

  [[nodiscard]] bool tells_dies() const {
    const auto of = [](LOGICAL_PROCESSOR_RELATIONSHIP kind) {
      return [kind](const part& p) { return p.kind == kind; };
    };
    return std::count_if(parts_.begin(), parts_.end(), of(relation_die)) >
           std::count_if(parts_.begin(), parts_.end(), of(RelationProcessorPackage));
  }

  [[nodiscard]] std::vector<cache_level> caches(const cpu_set& allowed) const {
    std::map<std::tuple<unsigned, std::uint64_t, unsigned>, cache_level> levels;
    for (const part& p : parts_) {
      if (!holds_data(p)) continue;
      std::vector<unsigned> group;
      std::set_intersection(p.cpus.begin(), p.cpus.end(), allowed.begin(), allowed.end(), std::back_inserter(group));
      if (group.empty()) continue;
      cache_level& level = levels[{p.cache.Level, p.cache.CacheSize, p.cache.LineSize}];
      level.level = p.cache.Level;
      level.bytes = p.cache.CacheSize;
      level.line_bytes = p.cache.LineSize;
      level.sharers = std::max(level.sharers, static_cast<unsigned>(group.size()));
      level.groups.push_back(std::move(group));
    }
    std::vector<cache_level> in_order;
    for (auto& [key, level] : levels) in_order.push_back(std::move(level));
    return in_order;
  }

 private:
  static constexpr unsigned none = ~0U;

  static bool holds_data(const part& p) { return p.kind == RelationCache && p.cache.Type != CacheInstruction; }

  /// The number of the first part of a kind that contains the processor, or none.
  [[nodiscard]] unsigned holder(unsigned cpu, LOGICAL_PROCESSOR_RELATIONSHIP kind) const {
    for (unsigned i = 0; i < parts_.size(); ++i)
      if (parts_[i].kind == kind && parts_[i].cpus.contains(cpu)) return i;
    return none;
  }

  /// The largest part that `suits` and contains the processor; `otherwise` if there is none.
  template <class Suits>
  [[nodiscard]] unsigned largest(unsigned cpu, unsigned otherwise, Suits suits) const {
    unsigned found = otherwise;
    std::size_t most = 0;
    for (unsigned i = 0; i < parts_.size(); ++i)
      if (parts_[i].cpus.contains(cpu) && suits(parts_[i]) && parts_[i].cpus.size() > most) {
        found = i;
        most = parts_[i].cpus.size();
      }
    return found;
  }

  [[nodiscard]] std::size_t size_of(unsigned i) const { return i == none ? 1 : parts_[i].cpus.size(); }

  [[nodiscard]] unsigned last_level(unsigned cpu, unsigned core) const {
    unsigned highest = 0;
    for (const part& p : parts_)
      if (holds_data(p) && p.cpus.contains(cpu)) highest = std::max<unsigned>(highest, p.cache.Level);
    return largest(cpu, core, [&](const part& p) {
      return holds_data(p) && p.cache.Level == highest && p.cpus.size() > size_of(core);
    });
  }

  /// The largest cache that several cores share and that is smaller than the domain of the last level.
  [[nodiscard]] unsigned cluster(unsigned cpu, unsigned core, unsigned last) const {
    return largest(cpu, core, [&](const part& p) {
      return holds_data(p) && p.cpus.size() > size_of(core) && p.cpus.size() < size_of(last);
    });
  }

  [[nodiscard]] std::string core_class(unsigned core) const {
    if (classes_.size() < 2 || core == none) return "";
    const auto from_top = std::find(classes_.begin(), classes_.end(), parts_[core].efficiency_class) - classes_.begin();
    return from_top == 0 ? "performance" : from_top == 1 ? "efficiency" : "low_power";
  }

  std::vector<part> parts_;
  std::vector<unsigned> classes_;
};

std::uint64_t memory_bytes() {
  MEMORYSTATUSEX memory{};
  memory.dwLength = sizeof memory;
  return GlobalMemoryStatusEx(&memory) != 0 ? memory.ullTotalPhys : 0;
}

}  // namespace

topology read_topology() {
  const machine_parts parts;
  const std::vector<unsigned> cpus = os::allowed_cpus();
  topology machine;
  machine.source = "win32";
  for (const unsigned cpu : cpus) machine.processors.push_back(parts.describe(cpu));
  const auto place = [](const processor& p) { return std::tuple{p.package, p.die, p.cache, p.cluster, p.core, p.cpu}; };
  std::sort(machine.processors.begin(), machine.processors.end(),
            [&](const processor& a, const processor& b) { return place(a) < place(b); });
  machine.caches = parts.caches({cpus.begin(), cpus.end()});
  machine.tells_dies = parts.tells_dies();
  machine.memory_bytes = memory_bytes();
  std::set<unsigned> nodes;
  for (const processor& p : machine.processors) nodes.insert(p.node);
  machine.nodes.assign(nodes.begin(), nodes.end());
  return machine.restricted_to(cpus);  // numbers the groups densely
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
