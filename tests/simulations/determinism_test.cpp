// The same seed gives the same cells, byte for byte. The file of digests is the same for both kinds of fibers and with
// and without sanitizers: one that differs is seen here.

#include <gtest/gtest.h>

#include "cells.hpp"

namespace synchro::tests {
namespace {

std::string text_of(const std::vector<results::cell>& cells) {
  std::string text;
  for (const results::cell& c : cells) text += results::to_json(c).dump() + "\n";
  return text;
}

std::string everything(std::uint64_t seed) {
  std::string text;
  for (const char* machine : {"opteron", "niagara"}) {
    const auto m = built_in(machine);
    text += text_of(
        cells_of(m, "coherence.states", {{"operation", {"load", "cas"}}, {"state", {"modified", "shared"}}}, seed));
    text += text_of(cells_of(m, "atomics.throughput", {{"threads", {1, 12}}, {"operation", {"fai", "cas_fai"}}}, seed));
    text += text_of(cells_of(m, "locks.throughput",
                             {{"lock", {"ticket", "mcs", "mutex"}}, {"locks", {1, 16}}, {"threads", {12}}}, seed));
    text += text_of(cells_of(m, "locks.uncontested", {{"lock", {"clh", "array", "tas"}}}, seed));
  }
  return text;
}

/// FNV-1a.
std::uint64_t digest(const std::string& text) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3;
  return hash;
}

TEST(Determinism, TheSameSeedGivesTheSameCells) {
  const std::string once = everything(5);
  EXPECT_EQ(once, everything(5));
  EXPECT_NE(once, everything(6));
  RecordProperty("digest", std::to_string(digest(once)));
  std::printf("digest %llx\n", static_cast<unsigned long long>(digest(once)));
}

TEST(Simulation, EveryLockOfTheCatalogExcludes) {
  for (const char* machine : {"xeon", "tilera"}) {
    const auto m = built_in(machine);
    experiments::setting s = simulations::setting_of(*m, experiments::level::full, 1);
    for (const results::cell& c : cells_of(m, "locks.throughput", {{"locks", {1}}, {"threads", {16}}}))
      EXPECT_TRUE(c.valid && (c.value || c.reason)) << c.at.to_string() << ": " << c.reason.value_or("no value");
  }
}

TEST(Simulation, AThousandCores) {
  auto document = nlohmann::ordered_json::parse(simulator::built_in_model("xeon-x5660"));
  document["topology"] = {{"packages", 2}, {"dies", 1}, {"cores", 512}, {"threads", 1}};
  document.erase("threads");
  const auto cells =
      cells_of(model_of(document), "locks.throughput", {{"lock", {"mcs"}}, {"locks", {1}}, {"threads", {1024}}});
  ASSERT_FALSE(cells.empty());
  EXPECT_TRUE(cells.front().value && *cells.front().value > 0);
}

}  // namespace
}  // namespace synchro::tests
