#include "platform/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <stdexcept>
#include <utility>

namespace synchro::platform {

namespace {

constexpr std::array<std::pair<distance, const char*>, distance_count> names{{
    {distance::same_cpu, "same_cpu"},
    {distance::same_core, "same_core"},
    {distance::same_cluster, "same_cluster"},
    {distance::same_cache, "same_cache"},
    {distance::same_die, "same_die"},
    {distance::same_package, "same_package"},
    {distance::same_package_other_node, "same_package_other_node"},
    {distance::other_package, "other_package"},
    {distance::other_package_far, "other_package_far"},
}};

/// The larger of the two directions; nothing if the system does not tell.
std::optional<std::uint64_t> node_distance(const topology& t, unsigned a, unsigned b) {
  const auto index = [&](unsigned node) { return std::find(t.nodes.begin(), t.nodes.end(), node) - t.nodes.begin(); };
  const auto i = static_cast<std::size_t>(index(a));
  const auto j = static_cast<std::size_t>(index(b));
  if (std::max(i, j) >= t.node_distance.size()) return std::nullopt;
  return std::max(t.node_distance[i][j], t.node_distance[j][i]);
}

distance distance_of(const topology& t, const processor& a, const processor& b) {
  if (a.cpu == b.cpu) return distance::same_cpu;
  if (a.core == b.core) return distance::same_core;
  if (a.cluster == b.cluster) return distance::same_cluster;
  if (a.cache == b.cache) return distance::same_cache;
  if (t.tells_dies && a.die == b.die) return distance::same_die;
  if (a.package == b.package) return a.node == b.node ? distance::same_package : distance::same_package_other_node;
  const auto hops = node_distance(t, a.node, b.node);
  const bool far = hops && t.nearest_remote > 0 && *hops > t.nearest_remote;
  return far ? distance::other_package_far : distance::other_package;
}

const processor& must_find(const topology& t, unsigned cpu) {
  if (const processor* p = t.find(cpu)) return *p;
  throw std::invalid_argument(fmt::format("processor {} is not one of those in use", cpu));
}

/// Group numbers dense from 0 in the order of the list.
void renumber(std::vector<processor>& processors, unsigned processor::*group) {
  std::map<unsigned, unsigned> fresh;
  for (processor& p : processors)
    p.*group = fresh.try_emplace(p.*group, static_cast<unsigned>(fresh.size())).first->second;
}

void renumber_threads(std::vector<processor>& processors) {
  std::map<unsigned, unsigned> threads_of_core;
  for (processor& p : processors) p.smt = threads_of_core[p.core]++;
}

void restrict_cache(cache_level& cache, const topology& machine) {
  for (auto& group : cache.groups) std::erase_if(group, [&](unsigned cpu) { return machine.find(cpu) == nullptr; });
  std::erase_if(cache.groups, [](const auto& group) { return group.empty(); });
  cache.sharers = 0;
  for (const auto& group : cache.groups) cache.sharers = std::max(cache.sharers, static_cast<unsigned>(group.size()));
}

}  // namespace

std::string to_string(distance d) {
  for (const auto& [value, name] : names)
    if (value == d) return name;
  return "";
}

std::optional<distance> distance_from(const std::string& name) {
  for (const auto& [value, known] : names)
    if (name == known) return value;
  return std::nullopt;
}

const processor* topology::find(unsigned cpu) const {
  const auto found =
      std::find_if(processors.begin(), processors.end(), [cpu](const processor& p) { return p.cpu == cpu; });
  return found == processors.end() ? nullptr : &*found;
}

distance topology::between(unsigned a, unsigned b) const {
  return distance_of(*this, must_find(*this, a), must_find(*this, b));
}

std::vector<distance> topology::distances() const {
  std::bitset<distance_count> seen;
  for (std::size_t i = 0; i < processors.size(); ++i)
    for (std::size_t j = i + 1; j < processors.size(); ++j)
      seen.set(static_cast<std::size_t>(distance_of(*this, processors[i], processors[j])));
  std::vector<distance> all;
  for (std::size_t d = 0; d < distance_count; ++d)
    if (seen[d]) all.push_back(static_cast<distance>(d));
  return all;
}

std::optional<std::pair<unsigned, unsigned>> topology::pair_at(distance d) const {
  for (const processor& a : processors)
    for (const processor& b : processors)
      if (distance_of(*this, a, b) == d) return std::pair{a.cpu, b.cpu};
  return std::nullopt;
}

std::uint64_t topology::usable_memory() const {
  return memory_limit == 0 || (memory_bytes != 0 && memory_bytes < memory_limit) ? memory_bytes : memory_limit;
}

topology topology::restricted_to(const std::vector<unsigned>& cpus) const {
  for (const unsigned cpu : cpus) must_find(*this, cpu);
  topology part = *this;
  std::erase_if(part.processors,
                [&](const processor& p) { return std::find(cpus.begin(), cpus.end(), p.cpu) == cpus.end(); });
  for (const auto group :
       {&processor::core, &processor::cluster, &processor::cache, &processor::die, &processor::package})
    renumber(part.processors, group);
  renumber_threads(part.processors);
  for (cache_level& cache : part.caches) restrict_cache(cache, part);
  std::erase_if(part.caches, [](const cache_level& cache) { return cache.sharers == 0; });
  return part;
}

}  // namespace synchro::platform
