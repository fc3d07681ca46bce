#include "platform/linux/cgroup.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include "platform/linux/files.hpp"

namespace synchro::platform::linux_cgroup {

namespace {

using namespace linux_files;

/// The process's group under one controller ("" is version 2, which has one for all): the path after the second colon
/// of a line "4:cpu,cpuacct:/some/group".
std::optional<std::string> group_of(const std::string& root, const std::string& controller) {
  for (const std::string& text : lines(root, "proc/self/cgroup")) {
    std::istringstream stream{text};
    std::string number;
    std::string controllers;
    std::string path;
    if (!std::getline(stream, number, ':') || !std::getline(stream, controllers, ':') || !std::getline(stream, path))
      continue;
    std::istringstream list{controllers};
    std::string name;
    if (controller.empty() ? controllers.empty() : [&] {
          while (std::getline(list, name, ','))
            if (name == controller) return true;
          return false;
        }())
      return path;
  }
  return std::nullopt;
}

/// The folders of a group and of those above it, its own first, under every place where it may be mounted.
std::vector<std::string> folders(const std::string& root, const std::string& controller,
                                 const std::vector<std::string>& mounts) {
  std::vector<std::string> all;
  auto path = group_of(root, controller);
  if (!path) return all;
  for (std::string at = *path;; at.erase(at.find_last_of('/'))) {
    if (at == "/") at.clear();
    for (const std::string& mount : mounts) all.push_back("sys/fs/cgroup" + mount + at);
    if (at.empty()) return all;
  }
}

std::vector<std::string> unified(const std::string& root) { return folders(root, "", {"", "/unified"}); }

void tighten(quota& q, double cpus) { q.cpus = q.cpus ? std::min(*q.cpus, cpus) : cpus; }

void read_unified(quota& q, const std::string& root) {
  for (const std::string& folder : unified(root)) {
    const auto text = line(root, folder + "/cpu.max");  // "150000 100000" or "max 100000"
    if (!text) continue;
    const auto words = split(*text);
    q.known = true;
    if (words.size() < 2) continue;
    const auto time = to_number(words[0]);
    const auto period = to_number(words[1]);
    if (time && period && *period > 0) tighten(q, static_cast<double>(*time) / static_cast<double>(*period));
  }
}

void read_separate(quota& q, const std::string& root) {
  for (const std::string& folder : folders(root, "cpu", {"/cpu", "/cpu,cpuacct"})) {
    const auto text = line(root, folder + "/cpu.cfs_quota_us");  // -1: none
    if (!text) continue;
    q.known = true;
    const auto time = to_number(*text);
    const auto period = number(root, folder + "/cpu.cfs_period_us");
    if (time && period && *period > 0) tighten(q, static_cast<double>(*time) / static_cast<double>(*period));
  }
}

}  // namespace

quota cpu_quota(const std::string& root) {
  quota q;
  read_unified(q, root);
  read_separate(q, root);
  return q;
}

std::optional<std::string> cpuset(const std::string& root) {
  for (const std::string& folder : unified(root))
    if (auto cpus = line(root, folder + "/cpuset.cpus.effective")) return cpus;
  for (const std::string& folder : folders(root, "cpuset", {"/cpuset"}))
    for (const char* file : {"/cpuset.effective_cpus", "/cpuset.cpus"})
      if (auto cpus = line(root, folder + file)) return cpus;
  return std::nullopt;
}

std::optional<std::uint64_t> memory_limit(const std::string& root) {
  constexpr std::uint64_t none = std::uint64_t{1}
                                 << 60;  // version 1 has no word for it but a number that nobody reaches
  std::uint64_t least = none;
  for (const std::string& folder : unified(root))
    least = std::min(least, number(root, folder + "/memory.max").value_or(none));  // "max" is no number
  for (const std::string& folder : folders(root, "memory", {"/memory"}))
    least = std::min(least, number(root, folder + "/memory.limit_in_bytes").value_or(none));
  return least < none ? std::optional{least} : std::nullopt;
}

}  // namespace synchro::platform::linux_cgroup
