#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "cpu/this_cpu.hpp"
#include "platform/linux/files.hpp"
#include "platform/system_facts.hpp"

#if __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#define SYNCHRO_GLIBC 1
#endif

namespace synchro::platform {

namespace {

using namespace linux_files;

constexpr const char* not_in_cpuinfo = "/proc/cpuinfo does not give it";
constexpr const char* not_in_firmware = "the firmware's tables are not shown";

/// The first of several names that a field has on different architectures.
std::optional<std::string> cpuinfo(const std::string& root, std::initializer_list<const char*> fields) {
  for (const char* field : fields)
    if (auto value = cpuinfo_field(root, field)) return value;
  return std::nullopt;
}

/// The instructions that synchronization and its measuring may use.
std::optional<std::vector<std::string>> useful_instructions(const std::string& root) {
  static constexpr std::array useful{
      "cx16",   "rtm",          "waitpkg",     "monitor",   "monitorx",     "mwaitx", "rdtscp",
      "rdpid",  "constant_tsc", "nonstop_tsc", "clflush",   "clflushopt",   "clwb",   "cldemote",
      "clzero", "movdiri",      "movdir64b",   "lse",       "atomics",      "lrcpc",  "ilrcpc",
      "uscat",  "wfxt",         "ecv",         "prefetchw", "3dnowprefetch"};
  const auto flags = cpuinfo(root, {"flags", "Features"});
  if (!flags) return std::nullopt;
  std::vector<std::string> found;
  for (const std::string& flag : split(*flags))
    if (std::find(useful.begin(), useful.end(), flag) != useful.end()) found.push_back(flag);
  return found;
}

std::optional<std::string> firmware(const std::string& root, const char* what) {
  return line(root, std::string{"sys/class/dmi/id/"} + what);
}

/// The provider, by what providers write into the firmware's tables.
std::optional<std::string> cloud(const std::string& root) {
  static constexpr std::array<std::array<const char*, 3>, 7> marks{
      {{"sys_vendor", "Amazon EC2", "aws"},
       {"sys_vendor", "Google", "gcp"},
       {"chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77", "azure"},
       {"chassis_asset_tag", "OracleCloud.com", "oracle"},
       {"sys_vendor", "DigitalOcean", "digitalocean"},
       {"sys_vendor", "Hetzner", "hetzner"},
       {"sys_vendor", "Alibaba Cloud", "alibaba"}}};
  for (const auto& [file, text, name] : marks)
    if (firmware(root, file) == text) return name;
  return std::nullopt;
}

std::string architecture() {
  utsname names{};
  return uname(&names) == 0 ? names.machine : "";
}

std::optional<bool> listed(const std::optional<std::string>& ranges, unsigned cpu) {
  if (!ranges) return std::nullopt;
  std::string text = *ranges;
  std::replace(text.begin(), text.end(), ',', ' ');
  for (const std::string& range : split(text)) {
    const auto dash = range.find('-');
    const auto first = to_number(range.substr(0, dash));
    const auto last = dash == std::string::npos ? first : to_number(range.substr(dash + 1));
    if (first && last && *first <= cpu && cpu <= *last) return true;
  }
  return false;
}

}  // namespace

cpu_facts facts_of_cpu(unsigned cpu, const std::string& root) {
  const std::string all = "sys/devices/system/cpu/";
  const std::string own = fmt::format("{}cpu{}/", all, cpu);
  cpu_facts facts;
  facts.max_khz = number(root, own + "cpufreq/cpuinfo_max_freq");
  facts.base_khz = number(root, own + "cpufreq/base_frequency");
  facts.capacity = number(root, own + "cpu_capacity");
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::path{root} / (all + "isolated"), error))
    facts.isolated = listed(line(root, all + "isolated").value_or(" "), cpu);
  return facts;
}

std::optional<std::string> virtualization(const std::string& root) {
  static constexpr std::array<std::pair<const char*, const char*>, 10> names{{{"KVMKVMKVM", "kvm"},
                                                                              {"Linux KVM Hv", "kvm"},
                                                                              {"Microsoft Hv", "hyperv"},
                                                                              {"VMwareVMware", "vmware"},
                                                                              {"XenVMMXenVMM", "xen"},
                                                                              {"VBoxVBoxVBox", "virtualbox"},
                                                                              {"TCGTCGTCGTCG", "qemu"},
                                                                              {"bhyve bhyve ", "bhyve"},
                                                                              {" lrpepyh  vr", "parallels"},
                                                                              {"ACRNACRNACRN", "acrn"}}};
  if (const auto type = line(root, "sys/hypervisor/type")) return type;
  if (const auto signature = this_cpu::hypervisor_signature()) {
    if (signature->empty()) return "none";
    for (const auto& [known, name] : names)
      if (*signature == known) return name;
    return *signature;
  }
  if (line(root, "proc/device-tree/hypervisor/compatible")) return "device-tree";
  const auto product = firmware(root, "product_name");
  if (product && product->find("KVM") != std::string::npos) return "kvm";
  return std::nullopt;
}

std::optional<std::string> container(const std::string& root) {
  if (const auto name = line(root, "run/systemd/container")) return name;
  std::error_code error;
  const std::filesystem::path base{root};
  if (std::filesystem::exists(base / "run/.containerenv", error)) return "podman";
  if (std::filesystem::exists(base / ".dockerenv", error)) return "docker";
  return std::nullopt;
}

void describe_machine(fact_sheet& sheet, const std::string& root) {
  sheet.put("model_name", cpuinfo(root, {"model name", "Processor", "cpu model", "cpu"}), not_in_cpuinfo);
  sheet.put("vendor", cpuinfo(root, {"vendor_id", "CPU implementer"}), not_in_cpuinfo);
  sheet.put("family", cpuinfo(root, {"cpu family", "CPU architecture"}), not_in_cpuinfo);
  sheet.put("model", cpuinfo(root, {"model", "CPU part"}), not_in_cpuinfo);
  sheet.put("stepping", cpuinfo(root, {"stepping", "CPU revision"}), not_in_cpuinfo);
  sheet.put("microcode", cpuinfo(root, {"microcode"}), not_in_cpuinfo);
  const std::string arch = architecture();
  sheet.put("arch", arch.empty() ? std::nullopt : std::optional{arch}, "uname does not give it");
  sheet.put("isa_flags", useful_instructions(root), not_in_cpuinfo);
  sheet.put("firmware", firmware(root, "bios_version"), not_in_firmware);
  sheet.put("system_vendor", firmware(root, "sys_vendor"), not_in_firmware);
  sheet.put("product", firmware(root, "product_name"), not_in_firmware);
  sheet.put("page_bytes", sysconf(_SC_PAGESIZE));
  sheet.put("virtualization", virtualization(root), "neither the processor nor the system reports it");
  sheet.put("container", container(root), "no sign of one is seen");
  sheet.put("cloud", cloud(root), "the firmware names no provider that is known here");
}

/// Asked at run time: it need not be the one of the build. Others than glibc have no such call.
std::optional<std::string> c_library() {
#if defined(SYNCHRO_GLIBC)
  return fmt::format("glibc {}", gnu_get_libc_version());
#else
  return std::nullopt;
#endif
}

std::optional<bool> numa_balancing(const std::string& root) {
  const auto mode = number(root, "proc/sys/kernel/numa_balancing");
  return mode ? std::optional{*mode != 0} : std::nullopt;
}

}  // namespace synchro::platform
