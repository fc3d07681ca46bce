// All locks, and machines of a thousand cores.

#include <gtest/gtest.h>

#include "cells.hpp"

namespace synchro::tests {
namespace {

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
