// Which lock to take, in one sentence, for the terminal and the page.

#include "advice/which_lock.hpp"

#include <gtest/gtest.h>

#include <map>

#include "claims/book.hpp"
#include "experiments/framework/experiment.hpp"
#include "results/experiment_names.hpp"
#include "views/answer.hpp"

namespace synchro::tests {
namespace {

using advice::which_lock;
using names = std::map<std::string, double>;

/// Locks that so many threads want, by one metric.
void contend(book& b, const std::string& protocol, const std::string& metric, const names& values,
             std::int64_t threads = 4) {
  for (const auto& [lock, value] : values)
    b.add(results::experiment_names::locks_throughput,
          {{"lock", lock}, {"locks", number(1)}, {"threads", number(threads)}, {"protocol", protocol}}, metric,
          metric == "throughput" ? "op/s" : "ns", value);
}

void lie_free(book& b, const names& ns, const std::string& distance = "same_cpu") {
  for (const auto& [lock, value] : ns)
    b.add(results::experiment_names::locks_uncontested, {{"lock", lock}, {"distance", distance}}, "pair", "ns", value);
}

/// What the protocol set by itself.
results::document paused_for(results::document d, double ns) {
  for (results::cell& c : d.cells)
    if (const auto* const protocol = c.at.find("protocol");
        protocol != nullptr && results::to_string(*protocol) == "paused")
      c.conditions["pause_ns"] = ns;
  return d;
}

TEST(WhichLock, IsTheOneTakenMostOftenByThreadsThatDoSomethingInBetween) {
  book b{4};
  contend(b, "saturated", "throughput", {{"mcs", 1e7}, {"ttas", 4e7}});
  contend(b, "saturated", "handoff_time", {{"mcs", 100}, {"ttas", 300}});
  contend(b, "paused", "throughput", {{"mcs", 4e6}, {"ttas", 6e6}});
  contend(b, "paused", "handoff_time", {{"mcs", 250}, {"ttas", 260}});
  EXPECT_EQ(
      which_lock(paused_for(b, 600)),
      "Which lock to take: where 4 threads want it (protocol paused, with pauses in between), ttas, which is taken "
      "6.00 million times a second (5.98 to 6.02).");
}

TEST(WhichLock, IsTheOnePassedOnSoonestWhereThreadsComeAgainAtOnce) {
  book b{4};
  contend(b, "saturated", "throughput", {{"mcs", 1e7}, {"ttas", 4e7}});
  contend(b, "saturated", "handoff_time", {{"mcs", 100}, {"ttas", 300}});
  EXPECT_EQ(which_lock(b),
            "Which lock to take: where 4 threads want it, mcs, which passes to another thread every 100 ns (99.6 to "
            "100).");
}

TEST(WhichLock, NamesAllThatCannotBeToldApart) {
  book b{4};
  contend(b, "saturated", "throughput", {{"mcs", 1e7}, {"clh", 1e7}, {"array", 1e7}, {"tas", 1e6}});
  contend(b, "saturated", "handoff_time", {{"mcs", 100}, {"clh", 100.1}, {"array", 100.2}, {"tas", 1000}});
  const std::string said = which_lock(b);
  for (const char* lock : {"mcs", "clh", "array"}) EXPECT_NE(said.find(lock), std::string::npos) << said;
  EXPECT_NE(said.find(", not distinguishable from "), std::string::npos) << said;
  EXPECT_EQ(said.find("tas"), std::string::npos) << said;
}

TEST(WhichLock, NamesABetterOneThatTakesMoreMemory) {
  book b{4};
  contend(b, "paused", "throughput", {{"ticket", 5.9e6}, {"mcs", 6e6}, {"tas", 1e6}});
  EXPECT_EQ(
      which_lock(paused_for(b, 600)),
      "Which lock to take: where 4 threads want it (protocol paused, with pauses in between), ticket, which is taken "
      "5.90 million times a second (5.88 to 5.92); with mcs 6.00 million times a second (5.98 to 6.02).");
}

TEST(WhichLock, SaysOfAFreeOneThatTheChoiceSavesLittle) {
  book b{4};
  lie_free(b, {{"tas", 10}, {"mcs", 20}});
  EXPECT_EQ(
      which_lock(b),
      "Which lock to take: where it is nearly always free, and the same thread had it last, no difference worth having "
      "is resolved: tas takes 10.0 ns (9.96 to 10.0) to lock and unlock.");
}

TEST(WhichLock, CallsABetterOneDoubtfulWhoseFigureIs) {
  book b{4};
  contend(b, "paused", "throughput", {{"ticket", 5.9e6}, {"mcs", 6e6}, {"tas", 1e6}});
  results::document d = paused_for(b, 600);
  for (results::cell& c : d.cells)
    if (results::to_string(*c.at.find("lock")) == "mcs") c.quality = results::flag::unreliable;
  const std::string said = which_lock(d);
  EXPECT_NE(said.find("; with mcs 6.00 million times a second (5.98 to 6.02), which is doubtful."), std::string::npos)
      << said;
}

TEST(WhichLock, IsNotSaidWhereNothingWasComparedOrNothingIsSure) {
  book one{4};
  contend(one, "saturated", "throughput", {{"mcs", 1e7}});
  lie_free(one, {{"mcs", 20}});
  EXPECT_EQ(which_lock(one), "");
  book two{4};
  contend(two, "saturated", "throughput", {{"mcs", 1e7}, {"tas", 4e7}});
  contend(two, "saturated", "handoff_time", {{"mcs", 100}, {"tas", 300}});
  EXPECT_NE(which_lock(two), "");
  EXPECT_EQ(which_lock(scattered(two)), "");
  lie_free(two, {{"mcs", 20}, {"tas", 10}});
  EXPECT_EQ(which_lock(flagged(two)), "");
  EXPECT_EQ(which_lock(results::samples::complete_document({})), "");
}

TEST(WhichLock, IsNotOneThatManyLocksOrMoreThreadsThanProcessorsWant) {
  book b{4};
  contend(b, "saturated", "throughput", {{"mcs", 1e7}, {"tas", 4e7}}, 64);
  contend(b, "saturated", "handoff_time", {{"mcs", 100}, {"tas", 300}}, 64);
  EXPECT_EQ(which_lock(b), "");
}

TEST(WhichLock, IsOpenWhereLocksWereComparedByFiguresThatAreNotSure) {
  const auto is_open = [](const results::document& d) { return advice::is_choice_open(d, advice::lock_choices(d)); };
  const auto compared = [](std::int64_t threads) {
    book b{4};
    contend(b, "saturated", "throughput", {{"mcs", 1e7}, {"tas", 4e7}}, threads);
    contend(b, "saturated", "handoff_time", {{"mcs", 100}, {"tas", 300}}, threads);
    return b;
  };
  EXPECT_FALSE(is_open(compared(4)));
  EXPECT_TRUE(is_open(scattered(compared(4))));
  EXPECT_FALSE(is_open(scattered(compared(64)))) << "more threads than processors are another question";
  book one{4};
  contend(one, "saturated", "throughput", {{"mcs", 1e7}});
  EXPECT_FALSE(is_open(scattered(one))) << "one is no contest";
  EXPECT_FALSE(is_open(results::samples::complete_document({})));
}

TEST(WhichLock, StandsBeforeTheFindingsOfItsMachine) {
  book b{4};
  contend(b, "saturated", "throughput", {{"mcs", 1e7}, {"tas", 4e7}});
  contend(b, "saturated", "handoff_time", {{"mcs", 100}, {"tas", 300}});
  const auto said = [&](const results::document& d) {
    return views::answer(d, experiments::all_presentations(), {false, 100, false}, 30, which_lock);
  };
  EXPECT_TRUE(said(b).starts_with("- Which lock to take: where 4 threads want it, mcs, which passes")) << said(b);
  results::document simulated = b;
  for (results::cell& c : simulated.cells) c.at.set("machine", "opteron");
  EXPECT_TRUE(said(simulated).starts_with("- opteron: Which lock to take: ")) << said(simulated);
}

}  // namespace
}  // namespace synchro::tests
