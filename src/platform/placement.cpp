#include "platform/placement.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace synchro::platform {

namespace {

/// A processor's path from package to thread, each step numbered from 0 inside the one before.
struct path {
  unsigned cpu;
  unsigned package, die, cache, cluster, core, smt;
  bool slow_core;

  /// Cache by cache; inside one the cores first, fast ones before slow ones, then the cores' further threads.
  [[nodiscard]] auto compact_rank() const { return std::tuple{package, die, cache, smt, slow_core, cluster, core}; }
  /// What changes first from one thread to the next stands last.
  [[nodiscard]] auto spread_rank() const { return std::tuple{smt, slow_core, core, cluster, cache, die, package}; }
};

/// Numbers groups from 0 inside their parent, in the order met.
class numbering {
 public:
  unsigned of(unsigned parent, unsigned group) {
    const auto [known, fresh] = numbers_.try_emplace({parent, group}, 0);
    if (fresh) known->second = next_[parent]++;
    return known->second;
  }

 private:
  std::map<std::pair<unsigned, unsigned>, unsigned> numbers_;
  std::map<unsigned, unsigned> next_;
};

std::vector<path> paths(const topology& machine) {
  numbering packages, dies, caches, clusters, cores, threads;
  std::vector<path> all;
  for (const processor& p : machine.processors)
    all.push_back({p.cpu, packages.of(0, p.package), dies.of(p.package, p.die), caches.of(p.die, p.cache),
                   clusters.of(p.cache, p.cluster), cores.of(p.cluster, p.core), threads.of(p.core, p.smt),
                   !p.core_class.empty() && p.core_class != "performance"});
  return all;
}

}  // namespace

std::string to_string(placement p) {
  switch (p) {
    case placement::compact:
      return "compact";
    case placement::spread:
      return "spread";
    case placement::unpinned:
      return "unpinned";
  }
  return "";
}

std::optional<placement> placement_from(const std::string& name) {
  for (const placement p : {placement::compact, placement::spread, placement::unpinned})
    if (to_string(p) == name) return p;
  return std::nullopt;
}

std::vector<unsigned> place(const topology& machine, placement how, std::size_t n) {
  if (how == placement::unpinned || machine.processors.empty()) return {};
  std::vector<path> order = paths(machine);
  std::stable_sort(order.begin(), order.end(), [how](const path& a, const path& b) {
    return how == placement::compact ? a.compact_rank() < b.compact_rank() : a.spread_rank() < b.spread_rank();
  });
  std::vector<unsigned> cpus;
  for (std::size_t i = 0; i < n; ++i) cpus.push_back(order[i % order.size()].cpu);
  return cpus;
}

}  // namespace synchro::platform
