#include <fmt/format.h>

#include <algorithm>

#include "platform/system_facts.hpp"

namespace synchro::platform {

namespace {

using json = nlohmann::ordered_json;

class warning_list {
 public:
  void add(const char* id, json evidence, const std::string& advice) {
    all_.push_back({{"id", id}, {"evidence", std::move(evidence)}, {"advice", advice}});
  }
  [[nodiscard]] std::vector<json> done() && { return std::move(all_); }

 private:
  std::vector<json> all_;
};

void about_processors(warning_list& list, const topology& t, const conditions& now) {
  const std::size_t n = t.processors.size();
  if (n == 1)
    list.add("one_processor", {{"processors", 1}},
             "Only one processor may be used, so nothing between processors can be measured: give this process more, "
             "for example with \"taskset -c 0-3\" or \"docker run --cpuset-cpus 0-3\".");
  const bool siblings = std::any_of(t.processors.begin(), t.processors.end(), [](const auto& p) { return p.smt > 0; });
  if (siblings)
    list.add("smt", {{"processors", n}, {"cores", t.processors.back().core + 1}},
             "Some processors are threads of one core and slow each other down: \"--cpus smt:first\" uses one of each "
             "core.");
  if (now.quota_cpus && *now.quota_cpus < static_cast<double>(n))
    list.add(
        "cpu_quota", {{"quota_cpus", *now.quota_cpus}, {"processors", n}},
        fmt::format("A cgroup permits the time of {:.4g} processors, and stops all threads for milliseconds when it "
                    "is used up: raise cpu.max (\"docker run --cpus {}\"), or use fewer processors with --cpus.",
                    *now.quota_cpus, n));
}

void about_speed(warning_list& list, const conditions& now) {
  const auto slow =
      std::count_if(now.governors.begin(), now.governors.end(), [](const auto& g) { return g.first != "performance"; });
  if (slow > 0)
    list.add("governor", {{"governors", now.governors}},
             "The processors' frequency follows their load, so what is measured depends on what ran before: \"sudo "
             "cpupower frequency-set --governor performance\".");
  if (now.turbo.value_or(false))
    list.add("turbo", {{"turbo", true}},
             fmt::format("The clock rises above its nominal rate while few cores are busy, so times at different "
                         "numbers of threads are not at the same clock: \"{}\".",
                         now.turbo_off));
  if (now.power_source == "battery")
    list.add("battery", {{"power_source", "battery"}}, "This machine runs on battery and saves power: plug it in.");
}

void about_company(warning_list& list, const topology& t, const conditions& now) {
  if (now.virtualization && *now.virtualization != "none")
    list.add("virtual_machine", {{"virtualization", *now.virtualization}},
             "This is a virtual machine: the hypervisor may move its processors between cores while something is "
             "measured, and distances change with them; on the host they can be pinned (\"virsh vcpupin\" under "
             "libvirt).");
  // Half a thread is what a desktop does by itself; on a big machine a tenth of it is little.
  const double quiet = 0.5 + 0.1 * static_cast<double>(t.processors.size());
  if (now.load_1min && *now.load_1min > quiet)
    list.add("load", {{"load_average_1min", *now.load_1min}, {"processors", t.processors.size()}},
             "Other programs were running during the last minute: look for them with \"top\", and measure when they "
             "are done.");
}

void about_ourselves(warning_list& list, const clock_facts& c, const conditions& now) {
  if (now.stand_in)
    list.add("stand_in", {{"system", *now.stand_in}},
             fmt::format("This is {}, which answers Windows's calls on another system: the figures are its own and say "
                         "nothing about Windows.",
                         *now.stand_in));
  if (now.emulator)
    list.add("emulated", {{"by", *now.emulator}},
             fmt::format("This program runs under an emulator ({}): what it measures is the emulator's and says "
                         "nothing about any processor, so no command judges it, compares it or advises from it.",
                         *now.emulator));
  if (!now.sleep_is_seen)
    list.add("sleep_unseen", {{"given_ms", 1}},
             "The system does not show which threads sleep: before each wake-up they are given a millisecond to fall "
             "asleep, and some may not sleep yet.");
  for (const std::string& sentence : c.warnings) list.add("clock", {{"source", c.source}}, sentence);
  if (!now.sanitizers.empty() || !now.optimized)
    list.add("slow_build", {{"sanitizers", now.sanitizers}, {"optimized", now.optimized}},
             "This program was built to find errors, not to measure: build the release preset (\"cmake --preset "
             "release\").");
}

}  // namespace

std::vector<json> warnings_about(const conditions& now, const topology& t, const clock_facts& c) {
  warning_list list;
  about_processors(list, t, now);
  about_speed(list, now);
  about_company(list, t, now);
  about_ourselves(list, c, now);
  return std::move(list).done();
}

}  // namespace synchro::platform
