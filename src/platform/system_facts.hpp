// What each operating system's folder must be able to tell. `root` is where its files are looked for.

#ifndef SYNCHRO_PLATFORM_SYSTEM_FACTS_HPP
#define SYNCHRO_PLATFORM_SYSTEM_FACTS_HPP

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/clock.hpp"
#include "platform/fact_sheet.hpp"
#include "platform/topology.hpp"

namespace synchro::platform {

/// The system's knowledge of one processor.
struct cpu_facts {
  std::optional<std::uint64_t> max_khz;
  std::optional<std::uint64_t> base_khz;
  std::optional<std::uint64_t> capacity;  ///< Relative to the fastest core, which has 1024.
  std::optional<bool> isolated;           ///< Kept from the scheduler's balancing.
};
[[nodiscard]] cpu_facts facts_of_cpu(unsigned cpu, const std::string& root);

void describe_machine(fact_sheet& sheet, const std::string& root);
void describe_system(fact_sheet& sheet, const std::string& root);
/// The C library in use, with its version; nothing if it does not tell.
[[nodiscard]] std::optional<std::string> c_library();
/// A number that follows from all bytes of a file; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> fingerprint_of(const std::filesystem::path& path);
/// A number that follows from all bytes of this program's file; nothing if that cannot be read.
[[nodiscard]] std::optional<std::string> program_fingerprint();
/// Whether the system moves pages between NUMA nodes by itself.
[[nodiscard]] std::optional<bool> numa_balancing(const std::string& root);

/// Bytes of memory that this process may take, where a container or the like limits it; nothing if nothing is known to.
[[nodiscard]] std::optional<std::uint64_t> memory_limit(const std::string& root);

/// Whose guest this machine is: "kvm", ...; "none" if nobody's; nothing if that is not known.
[[nodiscard]] std::optional<std::string> virtualization(const std::string& root);
/// The container in which this process is: "docker", ...; nothing if none is recognized.
[[nodiscard]] std::optional<std::string> container(const std::string& root);

/// The circumstances that warnings are about.
struct conditions {
  std::optional<std::string> virtualization;
  std::map<std::string, unsigned> governors;  ///< Frequency governor, and how many frequency domains have it.
  std::optional<bool> turbo;                  ///< Clock above the nominal one is permitted.
  std::string turbo_off;                      ///< The command that would forbid it.
  std::optional<double> load_1min;
  std::optional<double> quota_cpus;  ///< Processors' worth of time that the process may use; nothing: no limit known.
  std::optional<std::string> stand_in = {};  ///< What answers in the system's place: "Wine 8.0".
  std::optional<std::string> emulator = {};  ///< What runs this program in a processor's place.
  std::optional<std::string> power_source;   ///< "mains" or "battery".
  bool sleep_is_seen = true;                 ///< The system records for each thread if it sleeps.
  std::vector<std::string> sanitizers;       ///< With which this program was built.
  bool optimized = true;                     ///< This program is.
};
[[nodiscard]] conditions present_conditions(const std::string& root);

/// The warnings, from nothing but what is given.
[[nodiscard]] std::vector<nlohmann::ordered_json> warnings_about(const conditions& now, const topology& t,
                                                                 const clock_facts& c);

}  // namespace synchro::platform

#endif
