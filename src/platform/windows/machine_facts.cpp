#include <fmt/format.h>
#include <windows.h>

#include <array>
#include <map>
#include <vector>

#include "cpu/this_cpu.hpp"
#include "platform/emulator.hpp"
#include "platform/system_facts.hpp"
#include "platform/windows/cpu_sets.hpp"
#include "platform/windows/processor_records.hpp"
#include "platform/windows/system.hpp"

namespace synchro::platform {

namespace {

constexpr const char* processor_key = "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
constexpr const char* firmware_key = "HARDWARE\\DESCRIPTION\\System\\BIOS";
constexpr const char* not_in_registry = "the registry does not give it";

const char* architecture() {
  SYSTEM_INFO about{};
  GetNativeSystemInfo(&about);
  switch (about.wProcessorArchitecture) {
    case PROCESSOR_ARCHITECTURE_AMD64:
      return "x86_64";
    case PROCESSOR_ARCHITECTURE_ARM64:
      return "aarch64";
    default:
      return "x86";
  }
}

/// Numbers that Wine's machine gives must never pass for those of Windows on it.
std::optional<std::string> model_name() {
  auto name = windows::registry_text(processor_key, "ProcessorNameString");
  if (const auto wine = windows::wine_version())
    return fmt::format("{} under Wine {}", name.value_or("a processor"), *wine);
  return name;
}

}  // namespace

cpu_facts facts_of_cpu(unsigned cpu, const std::string&) {
  cpu_facts facts;
  static const std::vector<unsigned> groups = windows::processors_of_groups();
  const std::string key =
      fmt::format("HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\{}", windows::dense_number(cpu, groups));
  if (const auto mhz = windows::registry_number(key, "~MHz")) facts.base_khz = std::uint64_t{*mhz} * 1000;
  static const std::map<unsigned, windows::cpu_set> sets = windows::cpu_sets();
  if (const auto set = sets.find(cpu); set != sets.end()) facts.isolated = set->second.of_others();
  return facts;
}

void describe_machine(fact_sheet& sheet, const std::string& root) {
  sheet.put("model_name", model_name(), not_in_registry);
  sheet.put("vendor", windows::registry_text(processor_key, "VendorIdentifier"), not_in_registry);
  sheet.put("family", windows::registry_text(processor_key, "Identifier"), not_in_registry);
  sheet.put("arch", architecture());
  sheet.put("firmware", windows::registry_text(firmware_key, "BIOSVersion"), not_in_registry);
  sheet.put("system_vendor", windows::registry_text(firmware_key, "SystemManufacturer"), not_in_registry);
  sheet.put("product", windows::registry_text(firmware_key, "SystemProductName"), not_in_registry);
  SYSTEM_INFO about{};
  GetSystemInfo(&about);
  sheet.put("page_bytes", about.dwPageSize);
  sheet.put("virtualization", virtualization(root), "the processor does not report it");
}

/// With security by virtualization, which Windows 11 turns on by itself, Windows on the machine itself runs on a hypervisor, too.
std::optional<std::string> windows::virtualization(const std::optional<std::string>& signature, bool hosts) {
  static constexpr std::array<std::pair<const char*, const char*>, 5> names{{{"KVMKVMKVM", "kvm"},
                                                                             {"Microsoft Hv", "hyperv"},
                                                                             {"VMwareVMware", "vmware"},
                                                                             {"XenVMMXenVMM", "xen"},
                                                                             {"VBoxVBoxVBox", "virtualbox"}}};
  if (!signature) return std::nullopt;
  if (signature->empty() || hosts) return "none";
  for (const auto& [known, name] : names)
    if (*signature == known) return name;
  return *signature;
}

std::optional<std::string> virtualization(const std::string&) {
  return windows::virtualization(this_cpu::hypervisor_signature(), this_cpu::hosts_hypervisor());
}

std::optional<std::string> emulator(const std::string&) { return windows::emulator(); }

std::optional<std::string> container(const std::string&) { return std::nullopt; }

std::optional<std::string> c_library() { return std::nullopt; }

std::optional<bool> numa_balancing(const std::string&) { return std::nullopt; }

}  // namespace synchro::platform
