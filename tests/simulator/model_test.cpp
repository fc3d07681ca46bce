// Models: those that are part of the program, and what is said of mistakes.

#include "simulator/model.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace synchro::simulator {
namespace {

using json = nlohmann::ordered_json;

json opteron() { return json::parse(built_in_model("opteron")); }

/// The sentence with which a document is refused; empty if it is not.
std::string refusal(const json& document) {
  try {
    const model m{document};
    return {};
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

TEST(Models, AllThatAreBuiltInCanBeRead) {
  for (const std::string& name : built_in_models()) EXPECT_EQ(refusal(json::parse(built_in_model(name))), "") << name;
  EXPECT_EQ(load_model("opteron").processors(), 48U);
  EXPECT_EQ(load_model("niagara").processors(), 64U);
}

TEST(Models, AMissingDistanceIsNamed) {
  json m = opteron();
  m["latency"]["load"]["modified"].erase("one_hop");
  EXPECT_EQ(refusal(m), "latency.load.modified has no \"one_hop\": a distance is missing");
}

TEST(Models, ANegativeLatencyIsNamed) {
  json m = opteron();
  m["latency"]["store"]["shared"]["same_die"] = -3;
  EXPECT_EQ(refusal(m),
            "latency.store.shared.same_die must be a number, 0 or more: nothing takes negative time, not -3");
}

TEST(Models, LinksThatLeadNowhereAreNamed) {
  json m = opteron();
  m["traffic"]["links"].erase("one_hop");
  EXPECT_EQ(refusal(m), "traffic.links leaves a die that cannot be reached");
  m = opteron();
  m["traffic"]["links"]["far"] = m["traffic"]["links"]["one_hop"];
  EXPECT_EQ(refusal(m), "traffic.links.far is none of the model's distances");
  m = opteron();
  m["traffic"]["snoops"] = "some";
  EXPECT_EQ(refusal(m), "traffic.snoops must be \"all\" or \"home\", not text");
  m = json::parse(built_in_model("tilera"));
  m["traffic"] = opteron()["traffic"];
  EXPECT_EQ(refusal(m), "traffic.links is only for a \"reach\" by \"dies\"");
}

TEST(Models, AnUnreachableCoreIsNamed) {
  json m = opteron();
  m["reach"]["dies"][3].erase(7);
  EXPECT_EQ(refusal(m), "reach.dies[3] has 7 entries for 8 dies: a core cannot be reached");
  m = opteron();
  m["reach"] = {{"levels", {{"same_die", "same_die"}, {"same_package", "same_mcm"}}}};
  EXPECT_EQ(refusal(m),
            "reach.levels has no \"other_package\", so the cores of different packages cannot reach each other");
  m = json::parse(built_in_model("tilera"));
  m["reach"]["mesh"] = {6, 5};
  EXPECT_EQ(refusal(m), "reach.mesh is 6 x 5, and the topology has 36 cores: some cannot be reached");
}

TEST(Models, WhatIsBeyondAllMeasureIsNamed) {
  json m = opteron();
  m["latency"]["load"]["modified"]["one_hop"] = 1e300;
  EXPECT_EQ(refusal(m), "latency.load.modified.one_hop must be at most 1e+10, not 1e+300");
  m = opteron();
  m["knobs"]["store_buffer"]["value"] = 1e9;
  EXPECT_NE(refusal(m).find("knobs.store_buffer.value must be at most 1024"), std::string::npos) << refusal(m);
  for (const double n : {0.0, 2000.0}) {
    m = opteron();
    m["core"]["stores"]["value"] = n;
    EXPECT_NE(refusal(m).find("core.stores.value must be 1 to 1024"), std::string::npos) << refusal(m);
  }
  m = opteron();
  m["clock_ghz"] = 1e9;
  EXPECT_NE(refusal(m).find("clock_ghz must be a number above 0, at most 100"), std::string::npos) << refusal(m);
  m = opteron();
  m["name"] = "a\x1b[31m";
  EXPECT_EQ(refusal(m), "name must be 1 to 60 printable characters");
}

TEST(Models, AMissingRowIsNamed) {
  json m = opteron();
  m["latency"]["load"].erase("invalid");
  EXPECT_EQ(refusal(m), "latency has no load on invalid lines");
}

TEST(Models, AConstantTellsItsOrigin) {
  json m = opteron();
  m["local_atomic"]["kind"] = "guessed";
  EXPECT_EQ(refusal(m), "local_atomic.kind must be published, measured, assumed or fitted, not text");
}

TEST(Models, AFenceCostsWhatIsToldOrWhatTheTablesSay) {
  json m = opteron();
  ASSERT_FALSE(m.contains("fence"));
  const json& rows = m["latency"];
  const double table =
      rows["atomic"]["modified"]["same_die"].get<double>() - rows["store"]["modified"]["same_die"].get<double>();
  EXPECT_EQ(static_cast<double>(model{m}.fence()), table * per_cycle);
  m["fence"] = {{"value", table + 1.5}, {"kind", "assumed"}, {"from", "this test"}};
  EXPECT_EQ(static_cast<double>(model{m}.fence()), (table + 1.5) * per_cycle);
  m["fence"]["value"] = -1;
  EXPECT_EQ(refusal(m), "fence.value must be a number, 0 or more: nothing takes negative time, not -1");
}

TEST(Models, ARangeThatIsNoneIsNamed) {
  json m = opteron();
  m["core"]["window"]["most"] = 20;
  EXPECT_EQ(refusal(m), "core.window has a range whose least is more than its most");
  m = opteron();
  m["core"]["misses"]["value"] = m["core"]["misses"]["least"] = 0;
  EXPECT_EQ(refusal(m), "core.misses.value must be 1 to 1024, not 0");
  m["core"]["misses"]["value"] = m["core"]["misses"]["least"] = 1;
  m["core"]["ahead"] = {{"value", 1025}, {"kind", "assumed"}, {"from", "a test"}};
  EXPECT_EQ(refusal(m), "core.ahead.value must be 0 to 1024, not 1025");
}

TEST(Models, ANetworkHasAQueueAndNoOtherFields) {
  json m = json::parse(built_in_model("tilera"));
  m["network"]["queue"]["value"] = m["network"]["queue"]["least"] = 0;
  EXPECT_EQ(refusal(m), "network.queue.value must be 1 to 1024, not 0");
  m = json::parse(built_in_model("tilera"));
  m["network"]["hops"] = m["network"]["hop"];
  EXPECT_NE(refusal(m).find("network: there is no field 'hops'"), std::string::npos) << refusal(m);
}

TEST(Models, WhatIsAssumedHasARange) {
  for (const std::string& name : built_in_models()) {
    const model m = load_model(name);
    for (const knob& k : m.knobs())
      if (k.kind == "assumed") {
        EXPECT_LT(k.least, k.most) << name << ": " << k.name;
        EXPECT_LE(k.least, k.value) << name << ": " << k.name;
        EXPECT_GE(k.most, k.value) << name << ": " << k.name;
      }
  }
}

/// As models were before they had a core.
TEST(Models, WithoutACoreHaveNoInstructionsAndNoOverlap) {
  json m = opteron();
  m.erase("core");
  const model old{m};
  EXPECT_EQ(old.instructions(), 0U);
  EXPECT_EQ(old.window(), 0U);
  EXPECT_EQ(old.misses(), 1U);
  EXPECT_EQ(old.a_look(), old.cache(level::l1));
}

TEST(Models, AFileThatIsNotThereIsOneSentence) {
  EXPECT_THROW((void)load_model("no/such/model.json"), std::runtime_error);
}

}  // namespace
}  // namespace synchro::simulator
