// The processors this process may use, and how far apart they are.
//
// Read through hwloc, so a machine that is not here can be read from its XML or from a synthetic description; the tests
// do. Processor numbers are the system's own (they need not start at 0 in a container).

#ifndef SYNCHRO_PLATFORM_TOPOLOGY_HPP
#define SYNCHRO_PLATFORM_TOPOLOGY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace synchro::platform {

/// One logical processor. Group numbers are dense over the allowed processors, in topology order.
struct processor {
  unsigned cpu;      ///< The system's number.
  unsigned core;     ///< Physical core.
  unsigned smt;      ///< Index among the core's threads, from 0.
  unsigned cluster;  ///< Cores that share a cache below the last level (L2), or that the system calls a cluster; the
                     ///< core itself where none do.
  unsigned cache;    ///< Cores that share the last level of cache; the core itself if no cache is known to be shared.
  unsigned die;      ///< The package itself where the system does not tell dies apart.
  unsigned package;
  unsigned node;           ///< NUMA node, by the system's number.
  std::string core_class;  ///< "performance", "efficiency", "low_power" (a third kind), or empty where all are alike.
};

/// How near two processors are: the smallest thing they share. Ordered from near to far.
enum class distance : std::uint8_t {
  same_cpu,
  same_core,
  same_cluster,
  same_cache,
  same_die,                 ///< Only where the system tells dies apart; elsewhere same_package is all that is known.
  same_package,             ///< And the same NUMA node.
  same_package_other_node,  ///< A package divided into NUMA nodes (sub-NUMA clustering, NPS2, NPS4).
  other_package,            ///< Another package: of the nearest NUMA distance between packages, or of unknown distance.
  other_package_far,        ///< A NUMA distance beyond the nearest one between packages.
};

inline constexpr std::size_t distance_count = 9;

/// Stable name of a distance, as in results: "same_cpu", "same_core", "same_cluster", "same_cache", ...
[[nodiscard]] std::string to_string(distance d);
[[nodiscard]] std::optional<distance> distance_from(const std::string& name);

struct cache_level {
  unsigned level;
  std::uint64_t bytes;
  unsigned line_bytes;
  unsigned sharers;                                ///< Allowed processors that share one (the most, where they differ).
  std::vector<std::vector<unsigned>> groups = {};  ///< The allowed processors of each one.
};

/// The allowed part of a machine. `processors` is in topology order: package, die, cache, cluster, core, smt.
struct topology {
  std::vector<processor> processors;
  std::vector<unsigned> nodes;                            ///< NUMA nodes that have memory, by the system's numbers.
  std::vector<std::vector<std::uint64_t>> node_distance;  ///< In the order of `nodes`; empty if unknown.
  std::vector<cache_level> caches;                        ///< Data and unified caches, inner first.
  std::uint64_t memory_bytes = 0;
  std::uint64_t memory_limit = 0;    ///< What this process may take of it (a container's limit); 0: no limit is known.
  std::string source;                ///< "hwloc", "xml:FILE" or "synthetic:TEXT".
  bool tells_dies = false;           ///< Some package has several dies that the system tells apart.
  std::uint64_t nearest_remote = 0;  ///< The smallest NUMA distance between packages of the whole machine; 0: unknown.

  [[nodiscard]] const processor* find(unsigned cpu) const;
  /// The part of the memory that this process may take; 0: not known.
  [[nodiscard]] std::uint64_t usable_memory() const;
  /// A matter of the whole machine: the same whichever processors are allowed. Throws std::invalid_argument if either
  /// is not one of them.
  [[nodiscard]] distance between(unsigned a, unsigned b) const;
  /// The distances that occur between different allowed processors, near to far.
  [[nodiscard]] std::vector<distance> distances() const;
  /// The first pair (in topology order) at that distance, if there is one: ordered as {requester, holder}.
  [[nodiscard]] std::optional<std::pair<unsigned, unsigned>> pair_at(distance d) const;
  /// The same machine with only these processors, in topology order; groups and SMT indices are numbered anew, memory
  /// stays. Throws std::invalid_argument if one is not there.
  [[nodiscard]] topology restricted_to(const std::vector<unsigned>& cpus) const;
};

/// This machine, only the processors that the calling thread may use (affinity mask, cpuset of its cgroup): call it
/// before pinning. Throws std::runtime_error.
[[nodiscard]] topology read_topology();
/// A machine from hwloc's XML or a synthetic description such as "package:2 core:8 pu:2". Throws std::runtime_error.
[[nodiscard]] topology topology_from_xml(const std::string& file);
[[nodiscard]] topology topology_from_synthetic(const std::string& description);

/// Reads "0-3,8,!2" against the machine: numbers, ranges, "class:performance", "node:0", "package:1" add up; "!" before
/// any of them leaves it out, wherever it stands (without any other: all but); "smt:first" keeps one processor of each
/// core of what the others chose, "!smt:first" the rest. In topology order. Throws std::invalid_argument with one
/// sentence that names what is wrong and what there is.
[[nodiscard]] std::vector<unsigned> parse_cpus(const std::string& text, const topology& machine);

}  // namespace synchro::platform

#endif
