#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <tuple>

#include "platform/placement.hpp"
#include "platform/system_facts.hpp"
#include "platform/topology.hpp"
#include "synchro/domains.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

struct destroy_topology {
  void operator()(hwloc_topology* t) const { hwloc_topology_destroy(t); }
};
using tree = std::unique_ptr<hwloc_topology, destroy_topology>;

struct free_bitmap {
  void operator()(hwloc_bitmap_s* b) const { hwloc_bitmap_free(b); }
};
using bitmap = std::unique_ptr<hwloc_bitmap_s, free_bitmap>;

/// An empty tree, to be told its source and loaded. Disallowed processors stay in it: distances are a matter of the
/// whole machine.
tree empty_tree() {
  setenv("HWLOC_HIDE_ERRORS", "2", 0);  // what it cannot read is missing in what we say, in our words
  hwloc_topology_t t = nullptr;
  if (hwloc_topology_init(&t) != 0) throw std::runtime_error("hwloc could not be started");
  tree owned{t};
  hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_io_types_filter(t, HWLOC_TYPE_FILTER_KEEP_NONE);
  return owned;
}

bool contains(hwloc_const_bitmap_t set, hwloc_obj_t part) { return hwloc_bitmap_isincluded(part->cpuset, set) != 0; }

int weight(hwloc_obj_t obj) { return hwloc_bitmap_weight(obj->cpuset); }

/// An object that stands for a processor in a group: an ancestor, or the processor itself.
hwloc_obj_t ancestor_or_self(hwloc_topology_t t, hwloc_obj_type_t type, hwloc_obj_t pu) {
  hwloc_obj_t const above = hwloc_get_ancestor_obj_by_type(t, type, pu);
  return above != nullptr ? above : pu;
}

/// Caches of a processor that hold data, inner first.
std::vector<hwloc_obj_t> caches_above(hwloc_obj_t pu) {
  std::vector<hwloc_obj_t> caches;
  for (hwloc_obj_t o = pu->parent; o != nullptr; o = o->parent)
    if (hwloc_obj_type_is_dcache(o->type) != 0) caches.push_back(o);
  return caches;
}

bool is_cluster_group(hwloc_obj_t o) {
  return o->type == HWLOC_OBJ_GROUP && o->subtype != nullptr && std::string{o->subtype} == "Cluster";
}

/// The largest cache, or group that the system calls a cluster, that several cores share and that is smaller than the
/// domain of the last level.
hwloc_obj_t cluster_of(hwloc_obj_t core, hwloc_obj_t last_level) {
  hwloc_obj_t cluster = core;
  for (hwloc_obj_t o = core->parent; o != nullptr && weight(o) < weight(last_level); o = o->parent)
    if (weight(o) > weight(core) && (hwloc_obj_type_is_dcache(o->type) != 0 || is_cluster_group(o))) cluster = o;
  return cluster;
}

/// The nearest NUMA node that has memory; on a tie the lowest number, which is ordinary memory before the special kinds.
unsigned node_of(hwloc_topology_t t, hwloc_obj_t pu) {
  hwloc_obj_t nearest = nullptr;
  const auto rank = [](hwloc_obj_t n) {
    return std::tuple{n->attr->numanode.local_memory == 0, weight(n), n->os_index};
  };
  for (hwloc_obj_t n = nullptr; (n = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_NUMANODE, n)) != nullptr;)
    if (hwloc_bitmap_isset(pu->nodeset, n->os_index) != 0 && (nearest == nullptr || rank(n) < rank(nearest)))
      nearest = n;
  return nearest == nullptr ? 0 : nearest->os_index;
}

/// Name of the class by processor number; empty if all cores are alike or hwloc cannot rank them.
std::map<unsigned, std::string> core_classes(hwloc_topology_t t) {
  const int kinds = hwloc_cpukinds_get_nr(t, 0);
  if (kinds < 2) return {};
  std::map<unsigned, std::string> classes;
  for (int kind = 0; kind < kinds; ++kind) {
    const bitmap set{hwloc_bitmap_alloc()};
    int efficiency = -1;  // a rank: the highest is the fastest
    if (hwloc_cpukinds_get_info(t, static_cast<unsigned>(kind), set.get(), &efficiency, nullptr, nullptr, 0) != 0 ||
        efficiency < 0)
      return {};
    const int from_top = kinds - 1 - efficiency;
    const char* const name = from_top <= 0 ? "performance" : from_top == 1 ? "efficiency" : "low_power";
    for (int cpu = -1; (cpu = hwloc_bitmap_next(set.get(), cpu)) >= 0;) classes[static_cast<unsigned>(cpu)] = name;
  }
  return classes;
}

/// Numbers objects densely in the order met.
class numbering {
 public:
  unsigned of(hwloc_obj_t o) { return numbers_.try_emplace(o, static_cast<unsigned>(numbers_.size())).first->second; }

 private:
  std::map<hwloc_obj_t, unsigned> numbers_;
};

std::vector<processor> processors_of(hwloc_topology_t t, hwloc_const_bitmap_t allowed) {
  numbering cores, clusters, caches, dies, packages;
  std::map<unsigned, unsigned> threads_of_core;
  const auto classes = core_classes(t);
  std::vector<processor> all;
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_PU, pu)) != nullptr;) {
    if (!contains(allowed, pu)) continue;
    hwloc_obj_t const core = ancestor_or_self(t, HWLOC_OBJ_CORE, pu);
    const auto above = caches_above(pu);
    hwloc_obj_t const last_level = above.empty() || weight(above.back()) < weight(core) ? core : above.back();
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_PACKAGE, pu);
    if (package == nullptr) package = hwloc_get_root_obj(t);
    hwloc_obj_t const die = hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_DIE, pu);
    processor p{};
    p.cpu = pu->os_index;
    p.core = cores.of(core);
    p.smt = threads_of_core[p.core]++;
    p.cluster = clusters.of(cluster_of(core, last_level));
    p.cache = caches.of(last_level);
    p.die = dies.of(die != nullptr ? die : package);
    p.package = packages.of(package);
    p.node = node_of(t, pu);
    if (const auto known = classes.find(p.cpu); known != classes.end()) p.core_class = known->second;
    all.push_back(p);
  }
  return all;
}

bool tells_dies(hwloc_topology_t t) {
  std::map<hwloc_obj_t, int> dies;
  for (hwloc_obj_t die = nullptr; (die = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_DIE, die)) != nullptr;)
    if (++dies[hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_PACKAGE, die)] > 1) return true;
  return false;
}

/// One entry for each level and size; processors with different cores may have several of a level.
std::vector<cache_level> caches_of(hwloc_topology_t t, const std::vector<processor>& processors) {
  std::map<hwloc_obj_t, std::vector<unsigned>> sharers;
  std::vector<hwloc_obj_t> in_order;
  for (const processor& p : processors)
    for (hwloc_obj_t const cache : caches_above(hwloc_get_pu_obj_by_os_index(t, p.cpu))) {
      auto& cpus = sharers[cache];
      if (cpus.empty()) in_order.push_back(cache);
      cpus.push_back(p.cpu);
    }
  std::vector<cache_level> levels;
  for (hwloc_obj_t const cache : in_order) {
    const auto& a = cache->attr->cache;
    auto level = std::find_if(levels.begin(), levels.end(), [&](const cache_level& l) {
      return l.level == a.depth && l.bytes == a.size && l.line_bytes == a.linesize;
    });
    if (level == levels.end()) level = levels.insert(levels.end(), {a.depth, a.size, a.linesize, 0, {}});
    level->groups.push_back(sharers[cache]);
    level->sharers = std::max(level->sharers, static_cast<unsigned>(sharers[cache].size()));
  }
  std::stable_sort(levels.begin(), levels.end(),
                   [](const cache_level& a, const cache_level& b) { return a.level < b.level; });
  return levels;
}

using node_pairs = std::map<std::pair<unsigned, unsigned>, std::uint64_t>;

/// NUMA distances as the system tells them, by node numbers; empty if it does not.
node_pairs distances_between_nodes(hwloc_topology_t t) {
  node_pairs pairs;
  hwloc_distances_s* found = nullptr;
  unsigned count = 1;
  if (hwloc_distances_get_by_type(t, HWLOC_OBJ_NUMANODE, &count, &found, HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      count == 0 || found == nullptr)
    return pairs;
  for (unsigned i = 0; i < found->nbobjs; ++i)
    for (unsigned j = 0; j < found->nbobjs; ++j)
      pairs[{found->objs[i]->os_index, found->objs[j]->os_index}] = found->values[i * found->nbobjs + j];
  hwloc_distances_release(t, found);
  return pairs;
}

void add_memory(topology& machine, hwloc_topology_t t) {
  hwloc_const_nodeset_t const allowed = hwloc_topology_get_allowed_nodeset(t);
  for (hwloc_obj_t n = nullptr; (n = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_NUMANODE, n)) != nullptr;)
    if (n->attr->numanode.local_memory > 0 && hwloc_bitmap_isset(allowed, n->os_index) != 0)
      machine.nodes.push_back(n->os_index);
  std::sort(machine.nodes.begin(), machine.nodes.end());
  machine.memory_bytes = hwloc_get_root_obj(t)->total_memory;

  const node_pairs pairs = distances_between_nodes(t);
  if (pairs.empty()) return;
  for (const unsigned a : machine.nodes) {
    auto& row = machine.node_distance.emplace_back();
    for (const unsigned b : machine.nodes) {
      const auto known = pairs.find({a, b});
      if (known == pairs.end()) return machine.node_distance.clear();
      row.push_back(known->second);
    }
  }
}

/// Over all processors, allowed or not, so that a far one is not called near because the near ones are taken away.
std::uint64_t nearest_remote(hwloc_topology_t t) {
  const node_pairs pairs = distances_between_nodes(t);
  if (pairs.empty()) return 0;
  std::set<std::pair<hwloc_obj_t, unsigned>> homes;
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_PU, pu)) != nullptr;)
    homes.emplace(hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_PACKAGE, pu), node_of(t, pu));
  std::uint64_t nearest = 0;
  for (const auto& [package, node] : homes)
    for (const auto& [other, remote] : homes) {
      const auto there = pairs.find({node, remote});
      const auto back = pairs.find({remote, node});
      if (package == other || node == remote || there == pairs.end() || back == pairs.end()) continue;
      const std::uint64_t hops = std::max(there->second, back->second);
      nearest = nearest == 0 ? hops : std::min(nearest, hops);
    }
  return nearest;
}

topology read_tree(hwloc_topology_t t, hwloc_const_bitmap_t allowed, std::string source) {
  topology machine;
  machine.source = std::move(source);
  machine.processors = processors_of(t, allowed);
  if (machine.processors.empty())
    throw std::runtime_error(fmt::format("no processor of {} may be used", machine.source));
  machine.caches = caches_of(t, machine.processors);
  machine.tells_dies = tells_dies(t);
  machine.nearest_remote = nearest_remote(t);
  add_memory(machine, t);
  return machine;
}

/// The variables of the environment that tell hwloc where to look instead of here.
std::string set_for_hwloc() {
  std::string names;
  for (const char* name :
       {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT", "HWLOC_CPUID_PATH", "HWLOC_COMPONENTS", "HWLOC_THISSYSTEM"})
    if (std::getenv(name) != nullptr) names += (names.empty() ? "" : ",") + std::string{name};
  return names;
}

/// Whether the environment gives hwloc a description in place of this system.
bool asks_elsewhere() {
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  return !is_set("HWLOC_THISSYSTEM") &&
         (is_set("HWLOC_XMLFILE") || is_set("HWLOC_SYNTHETIC") || is_set("HWLOC_FSROOT"));
}

}  // namespace

topology read_topology() {
  if (!asks_elsewhere())
    if (const auto unavailable = affinity_unavailable())
      throw std::runtime_error(*unavailable);  // hwloc would ask for ever
  const tree t = empty_tree();
  if (hwloc_topology_load(t.get()) != 0) throw std::runtime_error("hwloc could not read this machine's topology");
  if (hwloc_topology_is_thissystem(t.get()) == 0)
    return read_tree(t.get(), hwloc_topology_get_allowed_cpuset(t.get()), "foreign:" + set_for_hwloc());
  const bitmap allowed{hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(t.get()))};
  const bitmap affinity{hwloc_bitmap_alloc()};
  for (const unsigned cpu : os::allowed_cpus()) hwloc_bitmap_set(affinity.get(), cpu);
  hwloc_bitmap_and(allowed.get(), allowed.get(), affinity.get());
  topology machine = read_tree(t.get(), allowed.get(), "hwloc");
  machine.memory_limit = memory_limit("/").value_or(0);
  return machine;
}

topology topology_from_xml(const std::string& file) {
  const tree t = empty_tree();
  if (hwloc_topology_set_xml(t.get(), file.c_str()) != 0 || hwloc_topology_load(t.get()) != 0)
    throw std::runtime_error(fmt::format("{} is not a topology in hwloc's XML", file));
  return read_tree(t.get(), hwloc_topology_get_allowed_cpuset(t.get()), "xml:" + file);
}

topology topology_from_synthetic(const std::string& description) {
  const tree t = empty_tree();
  if (hwloc_topology_set_synthetic(t.get(), description.c_str()) != 0 || hwloc_topology_load(t.get()) != 0)
    throw std::runtime_error(fmt::format("\"{}\" is not a synthetic topology of hwloc", description));
  return read_tree(t.get(), hwloc_topology_get_allowed_cpuset(t.get()), "synthetic:" + description);
}

}  // namespace synchro::platform
