#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "platform/build.hpp"
#include "platform/emulator.hpp"
#include "platform/linux/cgroup.hpp"
#include "platform/linux/files.hpp"
#include "platform/system_facts.hpp"

namespace synchro::platform {

namespace {

using namespace linux_files;
using json = nlohmann::ordered_json;

constexpr const char* not_shown = "the kernel does not show it";
const std::string cpu_folder = "sys/devices/system/cpu/";

/// A value of the distribution's description, without its quotes.
std::optional<std::string> distribution(const std::string& root, const std::string& key) {
  for (const char* file : {"etc/os-release", "usr/lib/os-release"})
    for (std::string text : lines(root, file)) {
      if (!text.starts_with(key + "=")) continue;
      text.erase(0, key.size() + 1);
      std::erase(text, '"');
      return text;
    }
  return std::nullopt;
}

/// The words of the kernel's command line that change timing; the others are nobody's business.
std::optional<std::string> timing_parameters(const std::string& root) {
  static constexpr std::array prefixes{
      "isolcpus",  "nohz",       "rcu_nocb",       "mitigations", "intel_pstate", "amd_pstate",
      "idle=",     "processor.", "intel_idle",     "cpuidle",     "haltpoll",     "transparent_hugepage",
      "hugepages", "preempt=",   "nosmt",          "threadirqs",  "tsc=",         "clocksource",
      "hpet=",     "skew_tick",  "numa_balancing", "irqaffinity", "highres",      "maxcpus",
      "nr_cpus"};
  const auto all = line(root, "proc/cmdline");
  if (!all) return std::nullopt;
  std::string kept;
  for (const std::string& word : split(*all))
    if (std::any_of(prefixes.begin(), prefixes.end(), [&](const char* p) { return word.starts_with(p); }))
      kept += (kept.empty() ? "" : " ") + word;
  return kept;
}

std::optional<std::string> preemption(const std::string& root, const std::string& build) {
  if (number(root, "sys/kernel/realtime") == 1U) return "realtime";
  if (const auto chosen = line(root, "sys/kernel/debug/sched/preempt")) {
    const auto open = chosen->find('(');  // "none voluntary (full)"
    if (open != std::string::npos) return chosen->substr(open + 1, chosen->find(')', open) - open - 1);
  }
  for (const char* model : {"PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT_LAZY", "PREEMPT"})
    if (build.find(model) != std::string::npos) return model;
  return std::nullopt;
}

std::optional<std::uint64_t> tick_hz(const std::string& root, const std::string& kernel) {
  for (const std::string& text : lines(root, "boot/config-" + kernel))
    if (text.starts_with("CONFIG_HZ=")) return to_number(text.substr(10));
  return std::nullopt;
}

void describe_kernel(fact_sheet& sheet, const std::string& root) {
  utsname names{};
  const bool known = uname(&names) == 0;
  const std::string build = known ? names.version : "";
  sheet.put("name", distribution(root, "PRETTY_NAME"), "there is no os-release");
  sheet.put("version", distribution(root, "VERSION_ID"), "os-release does not give it");
  sheet.put("kernel", known ? std::optional<std::string>{names.release} : std::nullopt, "uname failed");
  sheet.put("build", known ? std::optional{build} : std::nullopt, "uname failed");
  sheet.put("cmdline_subset", timing_parameters(root), not_shown);
  sheet.put("preempt_model", preemption(root, build), not_shown);
  sheet.put("sched_ext", line(root, "sys/kernel/sched_ext/state"), not_shown);
  sheet.put("hz", tick_hz(root, known ? names.release : ""), "the kernel's configuration is not in /boot");
}

json mitigations(const std::string& root) {
  json all = json::object();
  for (const std::string& name : names(root, cpu_folder + "vulnerabilities"))
    if (const auto text = line(root, cpu_folder + "vulnerabilities/" + name)) all[name] = *text;
  return all;
}

void describe_time_and_memory(fact_sheet& sheet, const std::string& root) {
  const std::string clocks = "sys/devices/system/clocksource/clocksource0/";
  sheet.put("clocksource", line(root, clocks + "current_clocksource"), not_shown);
  const auto available = line(root, clocks + "available_clocksource");
  sheet.put("available_clocksources", available ? std::optional{split(*available)} : std::nullopt, not_shown);
  const int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  sheet.put("timer_slack_ns", slack >= 0 ? std::optional{slack} : std::nullopt, "prctl failed");
  const json holes = mitigations(root);
  sheet.put("mitigations", holes.empty() ? std::nullopt : std::optional{holes}, not_shown);
  const auto thp = line(root, "sys/kernel/mm/transparent_hugepage/enabled");
  sheet.put("thp", thp ? bracketed(*thp) : std::nullopt, not_shown);
  sheet.put("aslr", number(root, "proc/sys/kernel/randomize_va_space"), not_shown);
  const auto paranoid = line(root, "proc/sys/kernel/perf_event_paranoid");  // may be -1
  sheet.put("perf_event_paranoid", paranoid ? std::optional{std::atoi(paranoid->c_str())} : std::nullopt, not_shown);
  const auto runtime = line(root, "proc/sys/kernel/sched_rt_runtime_us");  // -1: no limit
  sheet.put("rt_runtime_us", runtime ? std::optional{std::atoll(runtime->c_str())} : std::nullopt, not_shown);
}

std::map<std::string, unsigned> policies(const std::string& root, const char* setting) {
  std::map<std::string, unsigned> count;
  for (const std::string& name : names(root, cpu_folder + "cpufreq"))
    if (name.starts_with("policy"))
      if (const auto value = line(root, fmt::format("{}cpufreq/{}/{}", cpu_folder, name, setting))) ++count[*value];
  return count;
}

json idle_states(const std::string& root) {
  json states = json::array();
  const std::string folder = cpu_folder + "cpu0/cpuidle/";
  for (const std::string& name : names(root, folder)) {
    const auto state = line(root, folder + name + "/name");
    const auto latency = number(root, folder + name + "/latency");
    if (state && latency) states.push_back({{"name", *state}, {"exit_latency_us", *latency}});
  }
  return states;
}

struct turbo_state {
  std::optional<bool> permitted;
  std::string off;
};

turbo_state turbo(const std::string& root) {
  if (const auto no_turbo = number(root, cpu_folder + "intel_pstate/no_turbo"))
    return {*no_turbo == 0, "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"};
  if (const auto boost = number(root, cpu_folder + "cpufreq/boost"))
    return {*boost != 0, "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"};
  return {};
}

/// Whether mains power is there; nothing if the machine has no such thing to tell.
std::optional<std::string> power_source(const std::string& root) {
  std::optional<std::string> source;
  for (const std::string& name : names(root, "sys/class/power_supply")) {
    const std::string folder = "sys/class/power_supply/" + name;
    if (line(root, folder + "/type") != "Mains") continue;
    const auto online = number(root, folder + "/online");
    if (online == 1U) return "mains";
    if (online == 0U) source = "battery";
  }
  return source;
}

/// True if it is seen; its absence would only show in a process list that is known to be whole.
std::optional<bool> irqbalance_seen(const std::string& root) {
  for (const std::string& name : names(root, "proc"))
    if (to_number(name) && line(root, "proc/" + name + "/comm") == "irqbalance") return true;
  return std::nullopt;
}

template <class Container>
std::optional<Container> unless_empty(const Container& c) {
  return c.empty() ? std::nullopt : std::optional{c};
}

void describe_power(fact_sheet& sheet, const std::string& root) {
  sheet.put("cpuidle_driver", line(root, cpu_folder + "cpuidle/current_driver"), not_shown);
  auto idle = line(root, cpu_folder + "cpuidle/current_governor");
  if (!idle) idle = line(root, cpu_folder + "cpuidle/current_governor_ro");
  sheet.put("cpuidle_governor", idle, not_shown);
  sheet.put("cstates", unless_empty(idle_states(root)), not_shown);
  sheet.put("governor", unless_empty(policies(root, "scaling_governor")), "the kernel shows no frequency control");
  sheet.put("epp", unless_empty(policies(root, "energy_performance_preference")), not_shown);
  sheet.put("turbo", turbo(root).permitted, not_shown);
  sheet.put("smt_control", line(root, cpu_folder + "smt/control"), not_shown);
  const auto ranges = [&](const char* fact) {
    sheet.put(fact, line(root, cpu_folder + fact), "none, or the kernel does not show it");
  };
  ranges("isolated");
  ranges("nohz_full");
  sheet.put("irqbalance", irqbalance_seen(root), "no such process is visible");
  sheet.put("power_source", power_source(root), "no mains adapter is shown");
}

std::optional<double> load_1min(const std::string& root) {
  const auto text = line(root, "proc/loadavg");
  if (!text) return std::nullopt;
  char* end = nullptr;
  const double load = std::strtod(text->c_str(), &end);
  return end != text->c_str() && std::isfinite(load) ? std::optional{load} : std::nullopt;
}

}  // namespace

void describe_system(fact_sheet& sheet, const std::string& root) {
  describe_kernel(sheet, root);
  describe_time_and_memory(sheet, root);
  describe_power(sheet, root);
  const auto quota = linux_cgroup::cpu_quota(root);
  const auto memory = memory_limit(root);
  json group{{"cpu_quota_cpus", quota.cpus ? json(*quota.cpus) : json(nullptr)},
             {"cpuset", nullptr},
             {"memory_limit_bytes", memory ? json(*memory) : json(nullptr)}};
  if (!memory) sheet.explain("cgroup.memory_limit_bytes", "no group gives a limit");
  if (!quota.cpus) sheet.explain("cgroup.cpu_quota_cpus", quota.known ? "there is no limit" : "no group gives a limit");
  if (const auto cpus = linux_cgroup::cpuset(root))
    group["cpuset"] = *cpus;
  else
    sheet.explain("cgroup.cpuset", "no group names processors");
  sheet.put("cgroup", std::move(group));
  sheet.put("load_average_1min", load_1min(root), not_shown);
}

std::optional<std::uint64_t> memory_limit(const std::string& root) { return linux_cgroup::memory_limit(root); }

conditions present_conditions(const std::string& root) {
  conditions now;
  now.virtualization = virtualization(root);
  now.governors = policies(root, "scaling_governor");
  auto [permitted, off] = turbo(root);
  now.turbo = permitted;
  now.turbo_off = std::move(off);
  now.load_1min = load_1min(root);
  now.quota_cpus = linux_cgroup::cpu_quota(root).cpus;
  now.power_source = power_source(root);
  now.emulator = emulator(root);
  now.sanitizers = build_sanitizers();
  now.optimized = build_is_optimized();
  return now;
}

}  // namespace synchro::platform
