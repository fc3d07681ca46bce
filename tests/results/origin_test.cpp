#include "results/origin.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "results/samples.hpp"

namespace synchro::results {
namespace {

document here() {
  document d = samples::complete_document({});
  d.topology["cpus"] = {{{"cpu", 0}, {"core", 0}, {"package", 0}}, {{"cpu", 1}, {"core", 1}, {"package", 0}}};
  return d;
}

document changed(const std::function<void(document&)>& change) {
  document d = here();
  change(d);
  return d;
}

std::string first(const std::vector<std::string>& differences) {
  return differences.empty() ? "" : differences.front();
}

TEST(Origin, IsTheSameWhateverIsNoise) {
  const document noisy = changed([](document& d) {
    d.machine["memory_bytes"] = 8489934592;
    d.machine["container"] = "docker";
    d.os["governor"] = "powersave";
    d.topology["cpus"][0]["max_khz"] = 1;
    d.clock["hz"] = 1;
    d.label = "another";
  });
  EXPECT_TRUE(other_machine(here(), noisy).empty()) << first(other_machine(here(), noisy));
  EXPECT_TRUE(other_program(here(), noisy).empty());
}

TEST(Origin, AVirtualMachineMayGetMemoryWhileItRuns) {
  const auto of = [](const char* virtualization, std::uint64_t bytes) {
    return changed(
        [&](document& d) { d.machine["virtualization"] = virtualization, d.machine["memory_bytes"] = bytes; });
  };
  EXPECT_TRUE(other_machine(of("kvm", 14590095360), of("kvm", 16200708096)).empty());
  EXPECT_EQ(first(other_machine(of("none", 14590095360), of("none", 16200708096))),
            "memory_bytes (14590095360; 16200708096)");
  EXPECT_EQ(first(other_machine(of("kvm", 14590095360), of("none", 14590095360))), "virtualization (kvm; none)");
}

TEST(Origin, NamesWhatDiffersOfAMachine) {
  const auto told = [](const std::function<void(document&)>& change) {
    return first(other_machine(here(), changed(change)));
  };
  EXPECT_EQ(told([](document& d) { d.machine["model_name"] = "B"; }), "model_name (A processor; B)");
  EXPECT_EQ(told([](document& d) { d.machine.erase("model_name"); }), "model_name (A processor; unknown)");
  EXPECT_EQ(told([](document& d) { d.machine["memory_bytes"] = 4294967296; }), "memory_bytes (8589934592; 4294967296)");
  EXPECT_EQ(told([](document& d) { d.machine["memory_bytes"] = "much"; }), "memory_bytes (8589934592; much)");
  EXPECT_EQ(told([](document& d) { d.os["kernel"] = "7"; }), "kernel (unknown; 7)");
  EXPECT_EQ(told([](document& d) { d.topology["cpus"].erase(0); }), "processors used ([0,1]; [1])");
  EXPECT_EQ(told([](document& d) { d.topology["cpus"][1]["core"] = 0; }), "what the processors share");
  EXPECT_EQ(told([](document& d) { d.topology["cpus"] = 3; }), "processors used ([0,1]; [])");
}

TEST(Origin, AsksTheProgramsBytesWhereNoCommitNamesThem) {
  const auto with = [](const nlohmann::ordered_json& git, const std::string& program) {
    return changed([&](document& d) { d.tool["git"] = git, d.tool["program"] = program; });
  };
  EXPECT_TRUE(other_program(with("abc", "1"), with("abc", "2")).empty()) << "one commit, built in two places";
  EXPECT_EQ(first(other_program(with("abc", "1"), with("abd", "1"))), "git (abc; abd)");
  EXPECT_EQ(first(other_program(with("abc-dirty", "1"), with("abc-dirty", "2"))), "program (1; 2)");
  EXPECT_EQ(first(other_program(with(nullptr, "1"), with(nullptr, "2"))), "program (1; 2)");
  EXPECT_TRUE(other_program(with("abc-dirty", "1"), with("abc-dirty", "1")).empty());
  EXPECT_EQ(first(other_program(here(), changed([](document& d) { d.tool["flags"] = "-O0"; }))), "flags (-O3; -O0)");
}

}  // namespace
}  // namespace synchro::results
