// Waking on the simulated machine: what theory says of the library's primitives comes out of them.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cells.hpp"
#include "claims/claim.hpp"
#include "results/samples.hpp"

namespace synchro::tests {
namespace {

using json = nlohmann::ordered_json;

constexpr double call = 400, each = 1000, latency = 4000, interrupt = 200;  // ns

/// Two packages with so many cores in all, and a system so many times as slow.
simulations::model_ptr machine(unsigned cores, double slower = 1) {
  json m = json::parse(simulator::built_in_model("xeon-x5660"));
  m["name"] = "even";
  m["topology"] = {{"packages", 2}, {"dies", 1}, {"cores", cores / 2}, {"threads", 1}};
  m.erase("threads");
  const auto set = [&](const char* field, double value) { m["wake"][field]["value"] = slower * value; };
  set("call", call), set("each", each), set("latency", latency), set("interrupt_each", interrupt);
  return model_of(m);
}

class found {
 public:
  found(const simulations::model_ptr& m, const std::string& experiment, std::int64_t sleepers, const axes& more = {}) {
    axes chosen = more;
    chosen["threads"] = {sleepers};
    cells_ = cells_of(m, experiment, chosen);
  }
  double operator()(const std::string& primitive, const std::string& metric, std::int64_t group = 0) const {
    for (const results::cell& c : cells_) {
      if (c.at.word("primitive") != primitive || c.metric != metric || !c.value) continue;
      if (group == 0 || c.at.number("group") == group) return *c.value;
    }
    ADD_FAILURE() << "no " << metric << " of " << primitive;
    return 0;
  }
  [[nodiscard]] const std::vector<results::cell>& cells() const { return cells_; }

 private:
  std::vector<results::cell> cells_;
};

TEST(Waking, EverySchemeCostsWhatItsCallsCost) {
  const double n = 47, slower = 10;  // so that the system's part outweighs memory's
  const found f{machine(48, slower), "wake.broadcast", 47};
  const double memory = 0.03;  // its share
  EXPECT_NEAR(f("event", "wake_last") / slower / (call + n * each + latency), 1, memory);
  EXPECT_NEAR(f("auto_event", "wake_last") / slower / (n * (call + each) + latency), 1, memory);
  EXPECT_NEAR(f("broadcast_interrupt", "wake_last") / slower / (call + 3 * interrupt + latency), 1, memory);
  for (const char* p : {"event", "auto_event", "event_group", "cascade", "rendezvous", "broadcast_interrupt"})
    EXPECT_GE(f(p, "wake_last"), f(p, "bound")) << p;
}

TEST(Waking, WhoeverIsAwakeHelps) {
  const found f{machine(192), "wake.broadcast", 191};
  EXPECT_LT(f("cascade", "wake_last"), f("event", "wake_last") / 3);
  EXPECT_LT(f("cascade", "wake_last"), 2 * f("cascade", "bound"));
  EXPECT_LT(f("broadcast_interrupt", "wake_last"), f("cascade", "wake_last"));
  EXPECT_LT(f("rendezvous", "spread"), each);
  EXPECT_GT(f("event", "spread"), 150 * each);
}

TEST(Waking, GroupsAreSweptAndTheBestOneIsTold) {
  const found f{machine(48), "wake.groups", 47};
  EXPECT_NEAR(f("event_group", "call_cost"), call, call / 2);
  EXPECT_NEAR(f("event_group", "thread_cost"), each, each / 10);
  const double best = f("event_group", "best_group");
  const double least = f("event_group", "wake_best");
  for (const std::int64_t group : {1, 2, 4, 9, 47})
    EXPECT_GE(f("event_group", "wake_mean", group), 0.99 * least) << group << ", best is " << best;
  EXPECT_GT(f("broadcast_interrupt", "wake_mean", 47), 0);
  EXPECT_GT(f("cascade", "wake_mean", 5), 0);
}

/// Sleepers of one object delay each other; the system is slow, so that its part outweighs memory's.
simulations::model_ptr contended(unsigned cores, double delay) {
  constexpr double slower = 10;
  json m = machine(cores, slower)->document();
  m["wake"]["contend"] = {{"value", slower * delay}, {"kind", "assumed"}, {"from", "a test"}};
  return model_of(m);
}

TEST(Waking, TheBestGroupIsWhereCallsAndDelaysAreEven) {
  const double n = 47;
  for (const double group : {3, 6, 13, 28}) {
    const double delay = call * n / (group * group);
    const found f{contended(48, delay), "wake.groups", 47, {{"primitive", {"event_group"}}}};
    EXPECT_NEAR(std::log(f("event_group", "best_group") / group), 0, std::log(1.5)) << group;
    EXPECT_NEAR(f("event_group", "predicted_group") / group, 1, 0.2) << "what the measurement says is the model's";
    EXPECT_GT(f("event_group", "wake_mean", 1), f("event_group", "wake_mean", static_cast<std::int64_t>(group)));
    EXPECT_GT(f("event_group", "wake_mean", 47), f("event_group", "wake_mean", static_cast<std::int64_t>(group)));
  }
  const found none{contended(48, 0), "wake.groups", 47, {{"primitive", {"event_group"}}}};
  EXPECT_EQ(none("event_group", "best_group"), n) << "without a delay one call for all is best";
}

claims::finding five_of_eleven(double delay) {
  const auto m = contended(12, delay);
  results::document d = results::samples::complete_document({});
  d.machine = {{"kind", "simulated"}};
  d.topology = simulations::topology_facts(*m);
  d.cells = cells_of(m, "wake.groups", {{"primitive", {"event"}}, {"threads", {11}}, {"placement", {"compact"}}});
  // The claim is about threads that nobody pins; on a model with a processor for each nobody moves them either.
  for (results::cell& c : d.cells) c.at.set("placement", std::string{"unpinned"});
  return claims::finding_on(claims::claim_of("W11"), d);
}

/// The Windows study: five of eleven to an event, which is what theory asks for where a delay is 11/25 of a call.
TEST(Waking, FiveOfElevenAreBestWhereSleepersDelayEachOther) {
  const claims::finding with = five_of_eleven(call * 11 / 25), without = five_of_eleven(0);
  EXPECT_EQ(to_string(with.is), to_string(claims::verdict::holds)) << with.sentence;
  EXPECT_EQ(to_string(without.is), to_string(claims::verdict::fails)) << without.sentence;
}

TEST(Waking, SpinnersAndThreadsThatShareProcessorsWakeToo) {
  const found alone{machine(48), "wake.broadcast", 20, {{"primitive", {"event/spin", "cascade/yield", "event/park"}}}};
  EXPECT_LT(alone("event/spin", "wake_last"), latency);
  EXPECT_GT(alone("event/spin", "cpu_share"), 0.99);
  const found crowd{machine(8), "wake.broadcast", 20, {{"primitive", {"event", "cascade"}}}};
  EXPECT_LT(crowd("event", "cpu_share"), 0.9);
}

TEST(Waking, ThousandsOfSleepers) {
  const found f{machine(2048), "wake.broadcast", 2047, {{"primitive", {"cascade"}}}};
  EXPECT_GE(f("cascade", "wake_last"), f("cascade", "bound"));
  // Twice as many claims as sleepers go through one line.
  EXPECT_LT(f("cascade", "wake_last"), 2047 * each / 3);
}

}  // namespace
}  // namespace synchro::tests
