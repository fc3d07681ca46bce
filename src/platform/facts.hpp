// What this machine, its system and this program are: the descriptive part of a results file.

#ifndef SYNCHRO_PLATFORM_FACTS_HPP
#define SYNCHRO_PLATFORM_FACTS_HPP

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/clock.hpp"
#include "platform/topology.hpp"

namespace synchro::platform {

/// False for what is read from a description, and for what read_topology() reads where the environment makes hwloc
/// describe another machine (HWLOC_XMLFILE, HWLOC_SYNTHETIC, ...): all of that one, with a source that names the
/// variables ("foreign:HWLOC_XMLFILE"). Nothing can be measured there.
[[nodiscard]] bool is_this_machine(const topology& t);

/// JSON objects named as in docs/results.schema.json. What cannot be found out is null, never a guess; why is told in
/// "unavailable": [{"fact", "reason"}]. The names of the host and its user are left out. `root` is where the system's
/// files are looked for.
[[nodiscard]] nlohmann::ordered_json machine_facts(const topology& t, const std::string& root = "/");   ///< "machine"
[[nodiscard]] nlohmann::ordered_json topology_facts(const topology& t, const std::string& root = "/");  ///< "topology"
[[nodiscard]] nlohmann::ordered_json os_facts(const std::string& root = "/");                           ///< "os"
[[nodiscard]] nlohmann::ordered_json clock_json(const clock_facts& c);                                  ///< "clock"
[[nodiscard]] nlohmann::ordered_json tool_facts();  ///< "tool": version, git, compiler, flags, libc

/// Something a user should know before trusting the numbers: {id, evidence, advice}. Only on known facts; the advice
/// names the command that would help, if there is one. Nothing is changed.
[[nodiscard]] std::vector<nlohmann::ordered_json> environment_warnings(const topology& t, const clock_facts& c,
                                                                       const std::string& root = "/");

}  // namespace synchro::platform

#endif
