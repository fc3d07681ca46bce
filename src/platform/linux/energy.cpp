#include <fmt/format.h>

#include <filesystem>

#include "platform/linux/files.hpp"
#include "platform/scheduling.hpp"

namespace synchro::platform {

// The kernel shows one zone per package, "intel-rapl:0" also on AMD, with parts of it (cores, memory) as zones of their
// own and the package a second time as "intel-rapl-mmio:0". The packages contain the rest, so only they are read.

energy_meter::energy_meter(const std::string& zones) {
  std::size_t packages = 0;
  for (const std::string& name : linux_files::names(zones, "")) {
    const std::string folder = zones + "/" + name;
    const auto what = linux_files::line(folder, "name");
    if (!name.starts_with("intel-rapl:") || !what || !what->starts_with("package")) continue;
    ++packages;
    const auto range = linux_files::number(folder, "max_energy_range_uj");
    const std::string path = folder + "/energy_uj";
    const auto now = linux_files::number(folder, "energy_uj");
    if (range && now)
      zones_.push_back({path, *range, *now, 0});
    else
      why_not_ = fmt::format("{} cannot be read; \"sudo chmod a+r {}\" permits it until the next boot", path, path);
  }
  if (packages == 0) why_not_ = fmt::format("the system shows no energy counters in {}", zones);
  // The sum of some packages would pass for the sum of all.
  if (zones_.size() != packages) zones_.clear();
}

std::optional<double> energy_meter::joules() {
  if (zones_.empty()) return std::nullopt;
  double sum = 0;
  for (zone& z : zones_) {
    const auto now = linux_files::number("/", z.path);
    if (!now) return std::nullopt;
    const std::uint64_t used = *now >= z.last ? *now - z.last : *now + (z.range - z.last);
    z.joules += static_cast<double>(used) * 1e-6;
    z.last = *now;
    sum += z.joules;
  }
  return sum;
}

}  // namespace synchro::platform
