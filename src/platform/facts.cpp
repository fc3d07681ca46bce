#include "platform/facts.hpp"

#include <algorithm>

#include "platform/emulator.hpp"
#include "platform/fact_sheet.hpp"
#include "platform/system_facts.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

using json = nlohmann::ordered_json;

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json cpu_json(const processor& p, const cpu_facts& known) {
  return {{"cpu", p.cpu},
          {"core", p.core},
          {"smt", p.smt},
          {"cluster", p.cluster},
          {"cache", p.cache},
          {"die", p.die},
          {"package", p.package},
          {"node", p.node},
          {"class", p.core_class.empty() ? json(nullptr) : json(p.core_class)},
          {"capacity", or_null(known.capacity)},
          {"max_khz", or_null(known.max_khz)},
          {"base_khz", or_null(known.base_khz)},
          {"isolated", or_null(known.isolated)}};
}

void put_cpus(fact_sheet& sheet, const topology& t, const std::string& root) {
  const bool here = is_this_machine(t);  // another machine's processors are not asked about in our files
  json cpus = json::array();
  for (const processor& p : t.processors) cpus.push_back(cpu_json(p, here ? facts_of_cpu(p.cpu, root) : cpu_facts{}));
  for (const char* fact : {"capacity", "max_khz", "base_khz", "isolated"})
    if (std::any_of(cpus.begin(), cpus.end(), [fact](const json& cpu) { return cpu.at(fact).is_null(); }))
      sheet.explain(std::string{"cpus."} + fact, here ? "the system does not show it" : "it is not part of a topology");
  sheet.put("cpus", std::move(cpus));
  if (std::all_of(t.processors.begin(), t.processors.end(), [](const auto& p) { return p.core_class.empty(); }))
    sheet.explain("cpus.class", "all cores are alike, or the system does not distinguish them");
}

json caches_json(const topology& t) {
  json caches = json::array();
  for (const cache_level& c : t.caches)
    caches.push_back({{"level", c.level},
                      {"bytes", c.bytes},
                      {"line_bytes", c.line_bytes},
                      {"sharers", c.sharers},
                      {"count", c.groups.size()}});
  return caches;
}

}  // namespace

/// What is read from elsewhere has a source that names it behind a colon.
bool is_this_machine(const topology& t) { return t.source.find(':') == std::string::npos; }

json machine_facts(const topology& t, const std::string& root) {
  fact_sheet sheet;
  sheet.put("kind", "hardware");
  describe_machine(sheet, root);
  sheet.put("emulation", emulator(root), "no sign of an emulator is seen");
  sheet.put("memory_bytes", t.memory_bytes > 0 ? std::optional{t.memory_bytes} : std::nullopt,
            "the topology does not show it");
  std::optional<unsigned> line;
  if (!t.caches.empty() && t.caches[0].line_bytes != 0) line = t.caches[0].line_bytes;
  sheet.put("cacheline_bytes", line, "the system does not report its caches");
  sheet.put("cacheline_bytes_assumed", cpu::cache_line);
  return std::move(sheet).done();
}

json topology_facts(const topology& t, const std::string& root) {
  fact_sheet sheet;
  sheet.put("source", t.source);
  put_cpus(sheet, t, root);
  sheet.put("caches", caches_json(t));
  if (t.caches.empty()) sheet.explain("caches", "the system does not report them");
  sheet.put("tells_dies", t.tells_dies);
  json numa{{"nodes", t.nodes}, {"distance", nullptr}, {"balancing", nullptr}};
  if (t.node_distance.empty())
    sheet.explain("numa.distance", t.nodes.size() < 2 ? "there is one node" : "the system does not report it");
  else
    numa["distance"] = t.node_distance;
  if (const auto balancing = numa_balancing(root); balancing && is_this_machine(t))
    numa["balancing"] = *balancing;
  else
    sheet.explain("numa.balancing", "the system does not show it");
  sheet.put("numa", std::move(numa));
  json distances = json::array();
  for (const distance d : t.distances()) distances.push_back(to_string(d));
  sheet.put("distances", std::move(distances));
  return std::move(sheet).done();
}

json os_facts(const std::string& root) {
  fact_sheet sheet;
  describe_system(sheet, root);
  return std::move(sheet).done();
}

json clock_json(const clock_facts& c) {
  fact_sheet sheet;
  sheet.put("source", c.source);
  sheet.put("hz", c.hz);
  sheet.put("calibration_ppm", c.calibration_ppm);
  sheet.put("resolution_ns", c.resolution_ns);
  sheet.put("read_cost_ns", c.read_cost_ns);
  sheet.put("invariant", c.invariant);
  sheet.put("cross_cpu_offset_ns", c.cross_cpu_offset_ns,
            c.offset_unknown.empty() ? "no two processors could be compared" : c.offset_unknown);
  return std::move(sheet).done();
}

std::vector<json> environment_warnings(const topology& t, const clock_facts& c, const std::string& root) {
  return warnings_about(present_conditions(root), t, c);
}

}  // namespace synchro::platform
