// Sleepers that delay each other, and processors that have to leave an idle state.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "simulator/laboratory.hpp"

namespace synchro::simulator {
namespace {

using json = nlohmann::ordered_json;
using word = simulated::atomic<std::uint32_t>;

constexpr double call_ns = 500, each_ns = 1000, latency_ns = 5000;

json assumed(double value) { return {{"value", value}, {"kind", "assumed"}, {"from", "a test"}}; }

/// Whose waking costs outweigh those of memory, with more fields of `wake`.
json waking(const json& more = json::object()) {
  json m = json::parse(built_in_model("xeon-x5660"));
  m["topology"] = {{"packages", 2}, {"dies", 1}, {"cores", 24}, {"threads", 1}};
  m.erase("threads");
  m["knobs"]["jitter"] = assumed(0);
  const auto set = [&](const char* name, double ns) { m["wake"][name] = assumed(ns); };
  set("call", call_ns), set("each", each_ns), set("latency", latency_ns), set("switch", 0);
  m["wake"].update(more);
  return m;
}

/// The states of a Nehalem, in nanoseconds.
json nehalem() {
  const auto state = [](double after_us, double exit_us) {
    return json{{"after", assumed(1000 * after_us)}, {"exit", assumed(1000 * exit_us)}};
  };
  return {{"idle", {{"C6", state(800, 200)}, {"C1", state(6, 3)}, {"C1E", state(20, 10)}, {"C3", state(80, 20)}}}};
}

constexpr double asleep_ns = 3000;  ///< By then all sleep.

/// When each sleeper is up, in ns after the begin of the first call: those of the first word first. They have slept for
/// so long, `group` of them at a word.
std::vector<double> woken(const json& document, unsigned sleepers, double slept_ns, unsigned group) {
  const model m{document};
  world w{m, 1};
  struct alignas(256) apart {
    word value{0};
  };
  laboratory::fresh_memory memory{sleepers * sizeof(apart)};
  auto* const words = static_cast<apart*>(memory.data());
  for (unsigned i = 0; i < sleepers; ++i) ::new (words + i) apart;
  std::vector<std::uint64_t> up(sleepers);
  std::uint64_t begin = 0;
  laboratory::team({}, sleepers + 1, [&](unsigned i) {
    if (i < sleepers) {
      static_cast<void>(simulated::park(words[i / group].value, 0, simulated::never));
      up[i] = laboratory::now();
      return;
    }
    w.advance_to(static_cast<ticks>((asleep_ns + slept_ns) * m.ghz() * per_cycle));
    begin = laboratory::now();
    for (unsigned first = 0; first < sleepers; first += group) simulated::unpark(&words[first / group].value, group);
  });
  std::vector<double> ns;
  for (const std::uint64_t t : up) ns.push_back(m.ns_of(t - begin));
  return ns;
}

std::vector<double> woken(const json& document, unsigned sleepers, double slept_ns) {
  return woken(document, sleepers, slept_ns, sleepers);
}

double last_of(const std::vector<double>& ns) { return *std::max_element(ns.begin(), ns.end()); }

constexpr double memory_ns = 200;

TEST(Sleepers, OfAWordDelayTheNextOneOfThatWord) {
  const double a = 700;
  EXPECT_NEAR(last_of(woken(waking(), 6, 1000)), call_ns + 6 * each_ns + latency_ns, memory_ns);
  EXPECT_NEAR(last_of(woken(waking({{"contend", assumed(a)}}), 6, 1000)), call_ns + 6 * each_ns + latency_ns + 5 * a,
              memory_ns)
      << "the last one of six is delayed by five";
  EXPECT_NEAR(last_of(woken(waking({{"contend", assumed(a)}}), 6, 1000, 1)), 6 * (call_ns + each_ns) + latency_ns,
              memory_ns)
      << "none shares its word";
}

TEST(Sleepers, WhoIsUpDelaysNobody) {
  json quick = waking({{"contend", assumed(700)}});
  quick["wake"]["latency"] = assumed(100);  // each is up before the next one is woken
  EXPECT_NEAR(last_of(woken(quick, 6, 1000)), call_ns + 6 * each_ns + 100, memory_ns);
}

/// With which size of a group sleepers are up soonest on average.
unsigned best_group(unsigned sleepers, double delay) {
  const json m = waking({{"contend", assumed(delay)}});
  std::vector<double> means;
  for (unsigned group = 1; group <= sleepers; ++group) {
    const std::vector<double> ns = woken(m, sleepers, 1000, group);
    means.push_back(std::accumulate(ns.begin(), ns.end(), 0.0) / sleepers);
  }
  return static_cast<unsigned>(std::min_element(means.begin(), means.end()) - means.begin()) + 1;
}

TEST(Sleepers, AreUpSoonestInGroupsWhereCallsAndDelaysAreEven) {
  EXPECT_EQ(best_group(11, call_ns * 11 / 25), 5U) << "the Windows study's five of eleven";
  for (const unsigned group : {2U, 4U, 8U, 16U})
    EXPECT_NEAR(best_group(32, call_ns * 32 / (group * group)), group, group / 4.0) << "the square root of n s / a";
  EXPECT_EQ(best_group(11, 0), 11U) << "one call for all";
  EXPECT_EQ(best_group(11, 100 * call_ns), 1U);
}

TEST(IdleStates, ADeeperOneTakesLongerToLeave) {
  const double light = call_ns + each_ns + latency_ns;
  for (const auto& [slept_us, exit_us] : {std::pair{1, 0.0}, {10, 3.0}, {60, 10.0}, {500, 20.0}, {5000, 200.0}})
    EXPECT_NEAR(last_of(woken(waking(nehalem()), 1, 1000.0 * slept_us)), light + 1000 * exit_us, memory_ns) << slept_us;
  EXPECT_NEAR(last_of(woken(waking(), 1, 5e6)), light, memory_ns) << "without idle states";
}

/// One thread sleeps on a processor on which another one runs, or with nobody beside it.
double woken_beside(bool somebody) {
  const model m{waking(nehalem())};
  world w{m, 1};
  const laboratory::fresh<word> x;
  std::uint64_t begin = 0, up = 0;
  laboratory::team({0, 1, somebody ? 0U : 2U}, 3, [&](unsigned i) {
    const auto until = [&](double ns) { w.advance_to(static_cast<ticks>(ns * m.ghz() * per_cycle)); };
    if (i == 0) {
      static_cast<void>(simulated::park(*x, 0, simulated::never));
      up = laboratory::now();
    } else if (i == 1) {
      until(2e6);
      begin = laboratory::now();
      simulated::unpark(&*x, 1);
    } else {
      until(2e6 + 3000);  // is done when the sleeper comes
    }
  });
  return m.ns_of(up - begin);
}

TEST(IdleStates, AProcessorThatOthersKeepBusyIsInNone) {
  EXPECT_NEAR(woken_beside(true), call_ns + each_ns + latency_ns, memory_ns);
  EXPECT_NEAR(woken_beside(false), call_ns + each_ns + latency_ns + 200'000, memory_ns);
}

TEST(IdleStates, ATimeoutEndsThemToo) {
  const auto late = [](const json& document) {
    const model m{document};
    world w{m, 1};
    const laboratory::fresh<word> x;
    std::uint64_t up = 0;
    const auto until = simulated::deadline{std::chrono::milliseconds{1}};
    laboratory::team({}, 1, [&](unsigned) {
      EXPECT_TRUE(simulated::park(*x, 0, until));
      up = laboratory::now();
    });
    return m.ns_of(up) - 1e6;
  };
  EXPECT_NEAR(late(waking()), 0, memory_ns);
  EXPECT_NEAR(late(waking(nehalem())), 200'000, memory_ns);
}

TEST(IdleStates, OfOtherNamesOrFieldsAreRefused) {
  const auto refused = [](const char* name, const json& state) {
    try {
      const model m{waking({{"idle", {{name, state}}}})};
      return std::string{};
    } catch (const std::runtime_error& e) {
      return std::string{e.what()};
    }
  };
  EXPECT_EQ(refused("C1", {{"after", assumed(1)}}), "the field \"exit\" is missing in wake.idle.C1");
  EXPECT_EQ(refused("C.1", {{"after", assumed(1)}, {"exit", assumed(1)}}),
            "wake.idle.C.1 has a name with other characters than letters and digits");
  EXPECT_NE(refused("C1", {{"after", assumed(1)}, {"exit", assumed(1)}, {"depth", 1}}).find("depth"),
            std::string::npos);
}

}  // namespace
}  // namespace synchro::simulator
