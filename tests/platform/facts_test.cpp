// What is told of machine, system, clock and program, and what is warned of.

#include "platform/facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "platform/fake_root.hpp"
#include "platform/machines.hpp"
#include "platform/system_facts.hpp"

namespace synchro::platform {
namespace {

using json = nlohmann::ordered_json;

std::set<std::string> explained(const json& section) {
  std::set<std::string> facts;
  for (const json& entry : section.at("unavailable")) {
    EXPECT_FALSE(entry.at("reason").get<std::string>().empty()) << entry;
    facts.insert(entry.at("fact").get<std::string>());
  }
  return facts;
}

/// Every fact asked for is there, and every null of the section has its reason.
void expect_complete(const json& section, const std::vector<std::string>& required) {
  const auto reasons = explained(section);
  for (const std::string& fact : required) EXPECT_TRUE(section.contains(fact)) << fact;
  for (const auto& [fact, value] : section.items())
    EXPECT_EQ(value.is_null(), reasons.count(fact) != 0) << fact << " is " << value;
}

const std::vector<std::string> machine_keys{
    "kind",           "model_name", "vendor",   "family",  "model",        "stepping",   "microcode",
    "arch",           "isa_flags",  "firmware", "product", "memory_bytes", "page_bytes", "cacheline_bytes",
    "virtualization", "emulation",  "cloud"};
const std::vector<std::string> os_keys{"name",
                                       "version",
                                       "kernel",
                                       "build",
                                       "cmdline_subset",
                                       "preempt_model",
                                       "sched_ext",
                                       "hz",
                                       "clocksource",
                                       "timer_slack_ns",
                                       "available_clocksources",
                                       "mitigations",
                                       "thp",
                                       "aslr",
                                       "rt_runtime_us",
                                       "cpuidle_driver",
                                       "perf_event_paranoid",
                                       "cpuidle_governor",
                                       "cstates",
                                       "governor",
                                       "epp",
                                       "turbo",
                                       "smt_control",
                                       "isolated",
                                       "nohz_full",
                                       "irqbalance",
                                       "cgroup",
                                       "power_source",
                                       "load_average_1min"};

TEST(Facts, OfThisMachineAreCompleteOrSayWhyNot) {
  const topology t = read_topology();
  expect_complete(machine_facts(t), machine_keys);
  expect_complete(os_facts(), os_keys);
  expect_complete(tool_facts(), {"version", "git", "compiler", "flags", "libc", "build_type", "target", "sanitizers"});
  EXPECT_EQ(machine_facts(t).at("kind"), "hardware");
  EXPECT_FALSE(os_facts().at("kernel").get<std::string>().empty());
  EXPECT_TRUE(tool_facts().at("compiler").is_string());
}

TEST(Facts, OfASilentSystemAreNullWithReasons) {
  const fake_root root;
  const json os = os_facts(root.path());
  expect_complete(os, os_keys);
  for (const char* fact : {"name", "clocksource", "thp", "governor", "turbo", "mitigations", "load_average_1min"})
    EXPECT_TRUE(os.at(fact).is_null()) << fact;
  const json machine = machine_facts(machines::one_cpu(), root.path());
  expect_complete(machine, machine_keys);
  for (const char* fact : {"model_name", "microcode", "product", "isa_flags"})
    EXPECT_TRUE(machine.at(fact).is_null()) << fact;
}

TEST(Facts, NameNeitherHostNorUser) {
  char host[256] = "";
  ASSERT_EQ(gethostname(host, sizeof host - 1), 0);
  if (std::string{host}.size() < 4) GTEST_SKIP() << "the host's name is a common word";
  const std::string all = os_facts().dump() + machine_facts(read_topology()).dump() + tool_facts().dump();
  EXPECT_EQ(all.find(host), std::string::npos);
}

TEST(Facts, OfTheSystemAreRead) {
  fake_root root;
  root.with("etc/os-release", "NAME=\"Toy\"\nPRETTY_NAME=\"Toy Linux 3\"\nVERSION_ID=\"3\"");
  root.with("proc/cmdline", "root=/dev/sda1 secret=x isolcpus=2-3 nohz_full=2-3 quiet");
  root.with("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  root.with("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave");
  root.with("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave");
  root.with("sys/devices/system/cpu/cpufreq/policy2/scaling_governor", "performance");
  root.with("sys/devices/system/cpu/intel_pstate/no_turbo", "1");
  root.with("sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI");
  root.with("sys/devices/system/cpu/cpu0/cpuidle/state1/name", "C1")
      .with("sys/devices/system/cpu/cpu0/cpuidle/state1/latency", "2");
  root.with("proc/77/comm", "irqbalance");
  root.with("proc/loadavg", "3.50 1.00 0.50 1/100 12");
  const json os = os_facts(root.path());
  EXPECT_EQ(os.at("name"), "Toy Linux 3");
  EXPECT_EQ(os.at("version"), "3");
  EXPECT_EQ(os.at("cmdline_subset"), "isolcpus=2-3 nohz_full=2-3");
  EXPECT_EQ(os.at("thp"), "madvise");
  EXPECT_EQ(os.at("governor"), (json{{"performance", 1}, {"powersave", 2}}));
  EXPECT_EQ(os.at("turbo"), false);
  EXPECT_EQ(os.at("mitigations").at("meltdown"), "Mitigation: PTI");
  EXPECT_EQ(os.at("cstates"), (json::array({{{"name", "C1"}, {"exit_latency_us", 2}}})));
  EXPECT_EQ(os.at("irqbalance"), true);
  EXPECT_EQ(os.at("load_average_1min"), 3.5);
}

TEST(Facts, QuotaIsTheTightestOfTheGroupsAbove) {
  fake_root root;
  root.with("proc/self/cgroup", "0::/a/b");
  root.with("sys/fs/cgroup/a/b/cpu.max", "max 100000");
  root.with("sys/fs/cgroup/a/cpu.max", "150000 100000");
  root.with("sys/fs/cgroup/cpu.max", "400000 100000");
  root.with("sys/fs/cgroup/a/b/cpuset.cpus.effective", "0-3");
  const json group = os_facts(root.path()).at("cgroup");
  EXPECT_EQ(group.at("cpu_quota_cpus"), 1.5);
  EXPECT_EQ(group.at("cpuset"), "0-3");
  EXPECT_EQ(group.at("memory_limit_bytes"), nullptr);

  fake_root old;
  old.with("proc/self/cgroup", "4:cpuset:/c\n3:cpu,cpuacct:/box");
  old.with("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "50000");
  old.with("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000");
  old.with("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
  old.with("sys/fs/cgroup/cpuset/c/cpuset.effective_cpus", "1");
  EXPECT_EQ(os_facts(old.path()).at("cgroup"),
            (json{{"cpu_quota_cpus", 0.5}, {"cpuset", "1"}, {"memory_limit_bytes", nullptr}}));
}

TEST(Facts, MemoryLimitIsTheTightestOfTheGroupsAbove) {
  fake_root root;
  root.with("proc/self/cgroup", "0::/a/b");
  root.with("sys/fs/cgroup/a/b/memory.max", "max");
  EXPECT_EQ(memory_limit(root.path()), std::nullopt);
  root.with("sys/fs/cgroup/memory.max", "2147483648");
  root.with("sys/fs/cgroup/a/memory.max", "536870912");
  EXPECT_EQ(memory_limit(root.path()), 536870912U);
  EXPECT_EQ(os_facts(root.path()).at("cgroup").at("memory_limit_bytes"), 536870912);

  fake_root old;
  old.with("proc/self/cgroup", "7:memory:/box\n3:cpu,cpuacct:/box");
  old.with("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(memory_limit(old.path()), std::nullopt) << "so version 1 says that there is none";
  old.with("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "268435456");
  EXPECT_EQ(memory_limit(old.path()), 268435456U);
}

TEST(Facts, OfArmProcessorsAreRead) {
  fake_root root;
  root.with("proc/cpuinfo",
            "processor\t: 0\nFeatures\t: fp asimd atomics lrcpc\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
            "CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\nprocessor\t: 1\nFeatures\t: none\n");
  const json m = machine_facts(machines::one_cpu(), root.path());
  EXPECT_EQ(m.at("vendor"), "0x41");
  EXPECT_EQ(m.at("model"), "0xd0c");
  EXPECT_EQ(m.at("isa_flags"), (json{"atomics", "lrcpc"}));
}

TEST(Facts, OfTopologyTellEveryProcessor) {
  const topology t = machines::hybrid();
  const json j = topology_facts(t);
  ASSERT_EQ(j.at("cpus").size(), 16U);
  EXPECT_EQ(j.at("cpus")[9].at("cluster"), t.find(9)->cluster);
  EXPECT_EQ(j.at("cpus")[9].at("class"), "efficiency");
  EXPECT_TRUE(j.at("cpus")[9].at("max_khz").is_null()) << "this is not the machine of the file";
  EXPECT_EQ(explained(j).count("cpus.max_khz"), 1U);
  EXPECT_EQ(j.at("distances"), (json{"same_core", "same_cluster", "same_cache"}));
  EXPECT_EQ(j.at("caches").size(), 5U);
  EXPECT_EQ(j.at("source"), t.source);
  const json ring = topology_facts(machines::from_file("ring_of_four.xml"));
  EXPECT_EQ(ring.at("numa").at("distance")[0], (json{10, 21, 31, 21}));
}

TEST(Facts, OfAProcessorComeFromTheSystem) {
  fake_root root;
  root.with("sys/devices/system/cpu/isolated", "1,4-6");
  root.with("sys/devices/system/cpu/cpu5/cpufreq/cpuinfo_max_freq", "5200000");
  root.with("sys/devices/system/cpu/cpu5/cpu_capacity", "1024");
  const cpu_facts five = facts_of_cpu(5, root.path());
  EXPECT_EQ(five.max_khz, 5'200'000U);
  EXPECT_EQ(five.capacity, 1024U);
  EXPECT_EQ(five.base_khz, std::nullopt);
  EXPECT_EQ(five.isolated, true);
  EXPECT_EQ(facts_of_cpu(7, root.path()).isolated, false);
}

TEST(Facts, OfTheClock) {
  clock_facts c{"tsc", 2.5e9, 0.5, 1, 10, true, std::nullopt, {}};
  EXPECT_TRUE(clock_json(c).at("cross_cpu_offset_ns").is_null());
  EXPECT_EQ(explained(clock_json(c)).count("cross_cpu_offset_ns"), 1U);
  c.cross_cpu_offset_ns = 50;
  EXPECT_EQ(clock_json(c).at("cross_cpu_offset_ns"), 50);
  EXPECT_TRUE(clock_json(c).at("unavailable").empty());
}

const clock_facts good_clock{"tsc", 2.5e9, 0.5, 1, 10, true, 50, {}};

std::set<std::string> ids(const std::vector<json>& warnings) {
  std::set<std::string> all;
  for (const json& w : warnings) {
    all.insert(w.at("id").get<std::string>());
    EXPECT_FALSE(w.at("evidence").empty()) << w;
    EXPECT_FALSE(w.at("advice").get<std::string>().empty()) << w;
    EXPECT_EQ(w.size(), 3U) << w;
  }
  return all;
}

using names = std::set<std::string>;

TEST(Warnings, NothingIsKnownNothingIsSaid) {
  EXPECT_EQ(ids(warnings_about({}, machines::many_dies(), good_clock)), names{});
}

TEST(Warnings, AQuietMachineIsNotNaggedAbout) {
  conditions now;
  now.virtualization = "none";
  now.governors = {{"performance", 64}};
  now.turbo = false;
  now.load_1min = 0.3;
  now.quota_cpus = 64;
  now.power_source = "mains";
  EXPECT_EQ(ids(warnings_about(now, machines::many_dies(), good_clock)), names{});
}

TEST(Warnings, EachOnItsEvidence) {
  const auto said = [](const topology& t, auto change) {
    conditions now;
    change(now);
    return ids(warnings_about(now, t, good_clock));
  };
  const topology many = machines::many_dies();
  const auto nothing = [](conditions&) {};
  EXPECT_EQ(said(machines::one_cpu(), nothing), names{"one_processor"});
  EXPECT_EQ(said(machines::two_sockets_smt(), nothing), names{"smt"});
  EXPECT_EQ(said(many, [](auto& c) { c.virtualization = "kvm"; }), names{"virtual_machine"});
  EXPECT_EQ(said(many, [](auto& c) { c.governors = {{"performance", 1}, {"powersave", 63}}; }), names{"governor"});
  EXPECT_EQ(said(many, [](auto& c) { c.turbo = true; }), names{"turbo"});
  EXPECT_EQ(said(many, [](auto& c) { c.load_1min = 20; }), names{"load"});
  EXPECT_EQ(said(many, [](auto& c) { c.load_1min = 5; }), names{}) << "little on 64 processors";
  EXPECT_EQ(said(many, [](auto& c) { c.quota_cpus = 1.5; }), names{"cpu_quota"});
  EXPECT_EQ(said(many, [](auto& c) { c.power_source = "battery"; }), names{"battery"});
  EXPECT_EQ(said(many, [](auto& c) { c.sanitizers = {"thread"}; }), names{"slow_build"});
  EXPECT_EQ(said(many, [](auto& c) { c.stand_in = "Wine 8.0"; }), names{"stand_in"});
  EXPECT_EQ(said(many, [](auto& c) { c.emulator = "qemu-arm"; }), names{"emulated"});
  EXPECT_EQ(said(many, [](auto& c) { c.sleep_is_seen = false; }), names{"sleep_unseen"});
  EXPECT_EQ(said(many, [](auto& c) { c.optimized = false; }), names{"slow_build"});
}

TEST(Warnings, TheClocksOwn) {
  clock_facts c = good_clock;
  c.source = "CLOCK_MONOTONIC_RAW";
  c.warnings = {"Times are read from CLOCK_MONOTONIC_RAW: the counter stops in sleep."};
  const auto all = warnings_about({}, machines::many_dies(), c);
  ASSERT_EQ(ids(all), names{"clock"});
  EXPECT_EQ(all[0].at("advice"), c.warnings[0]);
}

TEST(Warnings, ComeFromTheSystem) {
  fake_root root;
  root.with("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "schedutil");
  root.with("sys/devices/system/cpu/cpufreq/boost", "1");
  root.with("sys/class/power_supply/AC/type", "Mains").with("sys/class/power_supply/AC/online", "0");
  const auto all = environment_warnings(machines::many_dies(), good_clock, root.path());
  const auto said = ids(all);
  for (const char* id : {"governor", "turbo", "battery"}) EXPECT_EQ(said.count(id), 1U) << id;
  const auto turbo = std::find_if(all.begin(), all.end(), [](const json& w) { return w.at("id") == "turbo"; });
  ASSERT_NE(turbo, all.end());
  EXPECT_NE(turbo->at("advice").get<std::string>().find("cpufreq/boost"), std::string::npos);
}

}  // namespace
}  // namespace synchro::platform
