#include "platform/windows/processor_records.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace synchro::platform::windows {

namespace {

using processor_set = std::set<unsigned>;

// Newer than some headers: kinds of objects, and the first byte of a core's record that those call reserved.
constexpr auto relation_die = static_cast<LOGICAL_PROCESSOR_RELATIONSHIP>(5);
constexpr auto relation_node_with_all_groups = static_cast<LOGICAL_PROCESSOR_RELATIONSHIP>(6);
unsigned efficiency_class(const PROCESSOR_RELATIONSHIP& core) {
  return reinterpret_cast<const unsigned char*>(&core)[1];
}

/// The processors of a record whose masks begin at this place. How many groups it has stands before the first: of nodes and
/// caches older systems have 0 there, and one mask (NUMA_NODE_RELATIONSHIP, CACHE_RELATIONSHIP).
processor_set cpus_of(std::span<const std::byte> record, std::size_t masks) {
  std::uint16_t groups = 0;
  GROUP_AFFINITY one{};
  processor_set cpus;
  if (record.size() < masks + sizeof one) return cpus;
  std::memcpy(&groups, &record[masks - sizeof groups], sizeof groups);
  for (std::size_t i = 0, n = std::max<std::size_t>(1, groups); i != n; ++i) {
    const std::size_t at = masks + i * sizeof one;
    if (record.size() < at + sizeof one) break;
    std::memcpy(&one, &record[at], sizeof one);
    for (unsigned bit = 0; bit < group_size; ++bit)
      if ((static_cast<std::uint64_t>(one.Mask) >> bit & 1) != 0) cpus.insert(one.Group * group_size + bit);
  }
  return cpus;
}

part part_of(const SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX& record) {
  const std::span bytes{reinterpret_cast<const std::byte*>(&record), record.Size};
  part p;
  p.kind = record.Relationship;
  if (p.kind == RelationCache) {
    p.cache = record.Cache;
    p.cpus = cpus_of(bytes, offsetof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX, Cache.GroupMask));
  } else if (p.kind == RelationNumaNode || p.kind == relation_node_with_all_groups) {
    p.kind = RelationNumaNode;
    p.node = record.NumaNode.NodeNumber;
    p.cpus = cpus_of(bytes, offsetof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX, NumaNode.GroupMask));
  } else if (p.kind != RelationGroup) {
    p.efficiency_class = efficiency_class(record.Processor);
    p.cpus = cpus_of(bytes, offsetof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX, Processor.GroupMask));
  }
  return p;
}

void add_parts(std::vector<part>& parts, std::span<const std::byte> records) {
  constexpr std::size_t head = offsetof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX, Processor);
  while (records.size() >= head) {
    const auto& record = *reinterpret_cast<const SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX*>(records.data());
    if (record.Size < head || record.Size > records.size()) return;
    parts.push_back(part_of(record));
    records = records.subspan(record.Size);
  }
}

/// The whole machine, by what a processor has in common with others.
class machine_parts {
 public:
  explicit machine_parts(std::vector<part> parts) : parts_{std::move(parts)} {
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

  [[nodiscard]] std::vector<cache_level> caches(const processor_set& allowed) const {
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

}  // namespace

std::vector<part> parts_of(std::span<const std::byte> records, std::span<const std::byte> nodes) {
  std::vector<part> parts;
  add_parts(parts, records);
  if (nodes.empty()) return parts;
  std::erase_if(parts, [](const part& p) { return p.kind == RelationNumaNode; });
  add_parts(parts, nodes);
  return parts;
}

std::vector<unsigned> all_cpus(const std::vector<part>& parts) {
  processor_set all;
  for (const part& p : parts)
    if (p.kind == RelationProcessorCore) all.insert(p.cpus.begin(), p.cpus.end());
  return {all.begin(), all.end()};
}

std::vector<unsigned> numbers_of(const std::vector<unsigned>& processors_of_groups) {
  std::vector<unsigned> all;
  for (unsigned group = 0; group != processors_of_groups.size(); ++group)
    for (unsigned i = 0; i != processors_of_groups[group]; ++i) all.push_back(group * group_size + i);
  return all;
}

std::vector<unsigned> usable_cpus(const std::vector<unsigned>& all, const GROUP_AFFINITY& of_thread) {
  std::vector<unsigned> chosen, of_group;
  for (const unsigned cpu : all) {
    if (cpu / group_size != of_thread.Group) continue;
    of_group.push_back(cpu);
    if ((static_cast<std::uint64_t>(of_thread.Mask) >> cpu % group_size & 1) != 0) chosen.push_back(cpu);
  }
  return chosen == of_group ? all : chosen;
}

GROUP_AFFINITY affinity_in_one_group(const std::vector<unsigned>& cpus, unsigned present_group) {
  const bool stays =
      std::any_of(cpus.begin(), cpus.end(), [=](unsigned cpu) { return cpu / group_size == present_group; });
  const unsigned group = stays ? present_group : cpus.front() / group_size;
  std::uint64_t mask = 0;
  for (const unsigned cpu : cpus)
    if (cpu / group_size == group) mask |= std::uint64_t{1} << cpu % group_size;
  GROUP_AFFINITY wanted{};
  wanted.Group = static_cast<WORD>(group);
  wanted.Mask = static_cast<KAFFINITY>(mask);
  return wanted;
}

unsigned dense_number(unsigned cpu, const std::vector<unsigned>& processors_of_groups) {
  unsigned before = 0;
  for (unsigned group = 0; group < cpu / group_size && group < processors_of_groups.size(); ++group)
    before += processors_of_groups[group];
  return before + cpu % group_size;
}

topology described_by(const std::vector<part>& parts, const std::vector<unsigned>& cpus) {
  const machine_parts all{parts};
  topology machine;
  machine.source = "win32";
  for (const unsigned cpu : cpus) machine.processors.push_back(all.describe(cpu));
  const auto place = [](const processor& p) { return std::tuple{p.package, p.die, p.cache, p.cluster, p.core, p.cpu}; };
  std::sort(machine.processors.begin(), machine.processors.end(),
            [&](const processor& a, const processor& b) { return place(a) < place(b); });
  machine.caches = all.caches({cpus.begin(), cpus.end()});
  machine.tells_dies = all.tells_dies();
  processor_set nodes;
  for (const processor& p : machine.processors) nodes.insert(p.node);
  machine.nodes.assign(nodes.begin(), nodes.end());
  return machine.restricted_to(cpus);  // numbers the groups densely
}

}  // namespace synchro::platform::windows
