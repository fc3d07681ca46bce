#include <fmt/format.h>
#include <windows.h>

#include <algorithm>

#include "platform/build.hpp"
#include "platform/emulator.hpp"
#include "platform/scheduling.hpp"
#include "platform/system_facts.hpp"
#include "platform/thread_watch.hpp"
#include "platform/windows/cpu_sets.hpp"
#include "platform/windows/system.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

constexpr const char* version_key = "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion";

/// GetVersionEx tells each program what it expects; this call tells all the same.
std::optional<RTL_OSVERSIONINFOW> version() {
  RTL_OSVERSIONINFOW found{};
  found.dwOSVersionInfoSize = sizeof found;
  const auto ask = os::detail::system_function<LONG __stdcall(RTL_OSVERSIONINFOW*)>("ntdll.dll", "RtlGetVersion");
  if (ask == nullptr || ask(&found) != 0) return std::nullopt;
  return found;
}

std::string product(const std::optional<RTL_OSVERSIONINFOW>& v) {
  constexpr DWORD first_11 = 22000;  // the registry calls Windows 11 Windows 10
  std::string name = windows::registry_text(version_key, "ProductName").value_or("Windows");
  if (v && v->dwBuildNumber >= first_11)
    if (const auto ten = name.find("Windows 10"); ten != std::string::npos) name.replace(ten, 10, "Windows 11");
  return name;
}

struct timer {
  double coarsest_ms, finest_ms, now_ms;
};

std::optional<timer> timer_resolution() {
  const auto ask =
      os::detail::system_function<LONG __stdcall(ULONG*, ULONG*, ULONG*)>("ntdll.dll", "NtQueryTimerResolution");
  ULONG coarsest = 0, finest = 0, now = 0;
  if (ask == nullptr || ask(&coarsest, &finest, &now) != 0) return std::nullopt;
  constexpr double units_a_ms = 1e4;  // of 100 ns
  return timer{coarsest / units_a_ms, finest / units_a_ms, now / units_a_ms};
}

/// The plan's name, or its number where it has none.
std::optional<std::string> power_plan() {
  HMODULE const library = LoadLibraryExW(L"powrprof.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
  if (library == nullptr) return std::nullopt;
  const auto active =
      os::detail::system_function<DWORD __stdcall(HKEY, GUID**)>("powrprof.dll", "PowerGetActiveScheme");
  const auto name_of =
      os::detail::system_function<DWORD __stdcall(HKEY, const GUID*, const GUID*, const GUID*, UCHAR*, DWORD*)>(
          "powrprof.dll", "PowerReadFriendlyName");
  std::optional<std::string> name;
  GUID* scheme = nullptr;
  if (active != nullptr && active(nullptr, &scheme) == ERROR_SUCCESS && scheme != nullptr) {
    wchar_t text[256];
    DWORD size = sizeof text;
    if (name_of != nullptr &&
        name_of(nullptr, scheme, nullptr, nullptr, reinterpret_cast<UCHAR*>(text), &size) == ERROR_SUCCESS)
      name = windows::utf8(text);
    else
      name = fmt::format("{:08x}-{:04x}-{:04x}", scheme->Data1, scheme->Data2, scheme->Data3);
    LocalFree(scheme);
  }
  FreeLibrary(library);
  return name;
}

std::optional<std::string> power_source() {
  SYSTEM_POWER_STATUS status{};
  if (GetSystemPowerStatus(&status) == 0 || status.ACLineStatus > 1) return std::nullopt;
  return status.ACLineStatus == 1 ? "mains" : "battery";
}

void describe_version(fact_sheet& sheet) {
  const auto v = version();
  const auto wine = windows::wine_version();
  const std::string name = product(v);
  sheet.put("name", wine ? fmt::format("Wine {} (its Windows is {})", *wine, name) : name);
  const auto build =
      v ? std::optional{fmt::format("{}.{}.{}", v->dwMajorVersion, v->dwMinorVersion, v->dwBuildNumber)} : std::nullopt;
  sheet.put("version", windows::registry_text(version_key, "DisplayVersion"), "the registry does not give it");
  sheet.put("kernel", build, "RtlGetVersion failed");
  sheet.put("build", windows::registry_text(version_key, "BuildLabEx"), "the registry does not give it");
  sheet.put("wine", wine, "this is Windows itself");
}

void describe_cpu_sets(fact_sheet& sheet) {
  const auto sets = windows::cpu_sets();
  const auto count = [&](auto is) -> std::optional<std::size_t> {
    if (sets.empty()) return std::nullopt;
    return static_cast<std::size_t>(
        std::count_if(sets.begin(), sets.end(), [&](const auto& s) { return is(s.second); }));
  };
  constexpr const char* none = "this system has no CPU sets";
  sheet.put("parked_processors", count([](const windows::cpu_set& s) { return s.parked; }), none);
  sheet.put("processors_of_others", count([](const windows::cpu_set& s) { return s.of_others(); }), none);
  sheet.put("cpu_sets_chosen", sets.empty() ? std::nullopt : std::optional{windows::cpu_sets_chosen()}, none);
}

}  // namespace

void describe_system(fact_sheet& sheet, const std::string&) {
  describe_version(sheet);
  const auto t = timer_resolution();
  sheet.put("timer_resolution_ms", t ? std::optional{t->now_ms} : std::nullopt, "the system does not tell");
  sheet.put("timer_finest_ms", t ? std::optional{t->finest_ms} : std::nullopt, "the system does not tell");
  sheet.put("timer_coarsest_ms", t ? std::optional{t->coarsest_ms} : std::nullopt, "the system does not tell");
  sheet.put("processor_groups", GetActiveProcessorGroupCount());
  describe_cpu_sets(sheet);
  sheet.put("processor_times", cpu_time_step_ns() > 0 ? "ticks of the system's clock" : "cycles of the thread");
  sheet.put("power_throttling", windows::forbid_power_throttling());
  sheet.put("power_plan", power_plan(), "the system does not tell");
  sheet.put("power_source", power_source(), "the system does not tell");
}

/// The limits of a job are not looked at.
std::optional<std::uint64_t> memory_limit(const std::string& /*root*/) { return std::nullopt; }

conditions present_conditions(const std::string& root) {
  conditions now;
  now.virtualization = virtualization(root);
  now.power_source = power_source();
  if (const auto wine = windows::wine_version()) now.stand_in = "Wine " + *wine;
  now.emulator = emulator(root);
  now.sleep_is_seen = tells_who_sleeps();
  now.sanitizers = build_sanitizers();
  now.optimized = build_is_optimized();
  return now;
}

}  // namespace synchro::platform
