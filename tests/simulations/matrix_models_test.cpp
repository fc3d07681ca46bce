// The models made of matrices: what they were made of comes out of them, and locks run on each.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cells.hpp"
#include "views/paper/tables.hpp"

namespace synchro::tests {
namespace {

std::vector<std::string> made_of_matrices() {
  std::vector<std::string> names;
  for (const std::string& name : simulator::built_in_models())
    if (nlohmann::ordered_json::parse(simulator::built_in_model(name))["reach"].contains("groups"))
      names.push_back(name);
  return names;
}

/// Near to far, of hardware threads too, in nanoseconds; a table has tenths of cycles.
std::vector<double> transfers(const simulator::model& m) {
  std::vector<double> all;
  for (const std::string& d : m.distances())
    all.push_back(m.ns_of(m.latency(simulator::operation::cas, simulator::state::modified,
                                    static_cast<std::uint8_t>(m.distance_number(d)))));
  return all;
}

TEST(MatrixModels, HaveTheMediansOfAPublishedMachine) {
  EXPECT_GE(made_of_matrices().size(), 8U);
  EXPECT_EQ(views::paper::core_to_core().size(), 37U);
  for (const std::string& name : made_of_matrices()) {
    const auto own = transfers(*built_in(name));
    const auto& all = views::paper::core_to_core();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& published) {
      return std::equal(own.begin(), own.end(), published.medians.begin(), published.medians.end(),
                        [](double a, double b) { return std::abs(a - b) < 0.1; });
    })) << name;
  }
}

/// By the protocol of the matrices; hardware threads share a cache in the models, and hand over in it.
TEST(MatrixModels, HandALineOverInTheTimesOfTheirMatrix) {
  for (const std::string& name : made_of_matrices()) {
    const auto m = built_in(name);
    const auto ns = transfers(*m);
    for (std::size_t d = m->threads_per_core() > 1 ? 1 : 0; d < ns.size(); ++d) {
      unsigned core = 1;
      while (m->between(0, core) != d && core + 1 < m->cores()) ++core;
      if (m->between(0, core) != d) continue;  // not from this core
      const auto cells =
          cells_of(m, "coherence.pairs",
                   {{"from", {0}}, {"to", {std::int64_t{core * m->threads_per_core()}}}, {"protocol", {"cas"}}});
      ASSERT_FALSE(cells.empty());
      EXPECT_NEAR(cells.front().value.value_or(0) / ns[d], 1, 0.01) << name << ", " << m->distances()[d];
    }
  }
}

TEST(MatrixModels, RunLocksOnAllTheirProcessors) {
  for (const std::string& name : made_of_matrices()) {
    const auto m = built_in(name);
    const auto cells =
        cells_of(m, "locks.throughput",
                 {{"lock", {"mcs", "tas", "hticket"}}, {"locks", {1}}, {"threads", {std::int64_t{m->processors()}}}});
    const std::ptrdiff_t protocols = 2;
    EXPECT_EQ(
        std::count_if(cells.begin(), cells.end(),
                      [](const auto& c) { return c.metric == "throughput" && c.valid && c.value.value_or(0) > 0; }),
        3 * protocols)
        << name;
  }
}

}  // namespace
}  // namespace synchro::tests
