// The paper's own locks (libslock), by which claims about locks are judged.

#include "simulations/paper_locks.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cells.hpp"
#include "simulations/claims.hpp"
#include "simulations/prover.hpp"

namespace synchro::tests {
namespace {

using simulations::paper_locks;

/// The throughput of each, millions a second. A cell in which a lock has let two in is not valid.
std::map<std::string, double> rates(const char* machine, std::int64_t locks, std::int64_t threads) {
  std::vector<experiments::coordinate> names;
  for (const auto& row : paper_locks()) names.emplace_back(row.name);
  std::map<std::string, double> found;
  for (const results::cell& c : cells_of(built_in(machine), "locks.throughput",
                                         {{"lock", names},
                                          {"locks", {locks}},
                                          {"threads", {threads}},
                                          {"protocol", {locks == 1 ? "paused" : "saturated"}}})) {
    EXPECT_TRUE(c.valid) << machine << ", " << c.at.to_string() << ": " << c.reason.value_or("");
    if (c.metric == "throughput" && c.value) found[c.at.word("lock")] = *c.value;
  }
  return found;
}

TEST(PaperLocks, ExcludeEachOtherOnEveryMachine) {
  for (const char* machine : {"opteron", "xeon", "niagara", "tilera"})
    for (const std::int64_t locks : {1, 4})
      for (const std::int64_t threads : {1, 2, 36})
        EXPECT_EQ(rates(machine, locks, threads).size(), paper_locks().size());
}

TEST(PaperLocks, KnowMachinesOfAnyNumberOfDies) {
  ASSERT_GT(built_in("epyc-7742")->dies(), 16U);
  EXPECT_EQ(rates("epyc-7742", 1, 64).size(), paper_locks().size());
}

/// Which lines they are on does not follow from where the system's allocator puts them.
TEST(PaperLocks, DependOnTheSeedAlone) {
  const auto first = rates("xeon", 4, 36);
  std::vector<std::vector<char>> between;
  for (std::size_t bytes = 16; bytes <= 512; bytes += 16) between.emplace_back(bytes);
  for (std::size_t i = 0; i < between.size(); i += 2) between[i] = {};
  EXPECT_EQ(rates("xeon", 4, 36), first);
}

TEST(PaperLocks, AreThoseThatThePaperCompares) {
  for (const char* machine : {"opteron", "xeon", "niagara", "tilera"})
    for (const std::string& lock : simulations::prover::locks_of(machine)) {
      EXPECT_NE(simulations::of_the_paper(lock), lock);
      EXPECT_EQ(simulations::of_the_library(simulations::of_the_paper(lock)), lock);
    }
  EXPECT_EQ(simulations::of_the_paper("ticket_plain"), "ticket_plain");
}

/// The claim is about libslock's; the evidence has the library's names.
TEST(PaperLocks, JudgeClaimsAboutLocks) {
  const auto theirs = rates("opteron", 1, 36);
  simulations::prover proof{1};
  std::size_t compared = 0;
  for (const auto& [machine, document] : simulations::evidence_for("S39", proof)) {
    if (machine != "opteron") continue;
    for (const results::cell& c : document.cells)
      if (c.metric == "throughput" && c.value) {
        EXPECT_EQ(*c.value, theirs.at(simulations::of_the_paper(c.at.word("lock")))) << c.at.to_string();
        ++compared;
      }
  }
  EXPECT_EQ(compared, 5U);
}

double alone(const char* lock, std::int64_t locks) {
  for (const results::cell& c :
       cells_of(built_in("opteron"), "locks.throughput",
                {{"lock", {lock}}, {"locks", {locks}}, {"threads", {1}}, {"protocol", {"saturated"}}}))
    if (c.metric == "throughput") return *c.value;
  return 0;
}

/// A full fence before the release and one after it; 27 cycles each beside a test-and-set of 20.
TEST(PaperLocks, HaveTheFencesOfTheirBenchmark) {
  EXPECT_GT(alone("libslock/tas", 1), 0);
  EXPECT_LT(alone("libslock/tas", 1), 0.6 * alone("tas", 1));
}

/// Six accesses more.
TEST(PaperLocks, AreDrawnByDiceWhereThereAreSeveral) {
  EXPECT_LT(alone("libslock/tas", 4), 0.9 * alone("libslock/tas", 1));
}

/// Cycles of a free lock, by where its previous owner ran.
double free_lock(const simulations::model_ptr& m, const char* lock, const std::string& distance,
                 const char* metric = "acquire_cycles") {
  for (const results::cell& c : cells_of(m, "locks.uncontested", {{"lock", {lock}}, {"distance", {distance}}}))
    if (c.metric == metric) return c.value.value();
  return 0;
}

/// Every time, on both ends: what a test-and-set takes longer than on an own line is what the line's transfer takes longer.
TEST(PaperPrograms, FindALockAsTheOtherThreadHasLeftIt) {
  using simulator::operation, simulator::state;
  for (const std::string machine : {"opteron", "xeon"}) {
    const auto m = built_in(machine);
    const double own = free_lock(m, "libslock/tas", "same_cpu");
    for (const std::string& d : m->distances()) {
      const auto transfer =
          m->latency(operation::tas, state::modified, static_cast<std::uint8_t>(m->distance_number(d)));
      EXPECT_NEAR(free_lock(m, "libslock/tas", d) - own,
                  static_cast<double>(transfer - m->local_atomic()) / simulator::per_cycle, 1e-6)
          << machine << ", " << d;
    }
  }
}

/// On the Xeon one within the time of an acquisition, everywhere one within that of a release.
TEST(PaperPrograms, HaveFencesWhereTheyAreTimed) {
  constexpr double dearer = 50;
  for (const std::string machine : {"opteron", "xeon", "niagara", "tilera"}) {
    const auto m = built_in(machine);
    auto document = m->document();
    document["fence"] = {{"value", static_cast<double>(m->fence()) / simulator::per_cycle + dearer},
                         {"kind", "assumed"},
                         {"from", "this test"}};
    const auto changed = model_of(document);
    const auto longer = [&](const char* metric) {
      return free_lock(changed, "libslock/tas", "same_cpu", metric) - free_lock(m, "libslock/tas", "same_cpu", metric);
    };
    EXPECT_NEAR(longer("acquire_cycles"), machine == "xeon" ? dearer : 0, 1e-6) << machine;
    EXPECT_NEAR(longer("release_cycles"), dearer, 1e-6) << machine;
  }
}

TEST(PaperPrograms, TimeAcquisitionAndReleaseApart) {
  for (const results::cell& c :
       cells_of(built_in("xeon"), "locks.uncontested", {{"lock", {"libslock/ticket"}}, {"distance", {"one_hop"}}}))
    EXPECT_EQ(c.value.has_value(), !c.metric.starts_with("pair")) << c.metric;
}

/// Cycles from before the acquisition to after the release.
double ticket_latency(const char* lock, std::int64_t threads, const char* protocol) {
  for (const results::cell& c : cells_of(built_in("opteron"), "locks.ticket",
                                         {{"lock", {lock}}, {"threads", {threads}}, {"protocol", {protocol}}}))
    if (c.metric == "latency_cycles") return c.value.value();
  return 0;
}

/// A read-modify-write of an own line, two fences, and a dozen cycles a piece for at most five other accesses.
TEST(PaperPrograms, TimeTheTicketLockWithTwoFencesAndWithoutTheRest) {
  const auto m = built_in("opteron");
  const double least = static_cast<double>(m->local_atomic() + 2 * m->fence()) / simulator::per_cycle;
  for (const char* lock : {"ticket_paper_plain", "ticket_paper", "ticket_paper_prefetch"}) {
    const double alone = ticket_latency(lock, 1, "paused");
    EXPECT_GT(alone, least) << lock;
    EXPECT_LT(alone, least + 60) << lock;
    EXPECT_NEAR(alone, ticket_latency(lock, 1, "saturated"), 1e-6) << lock;
  }
}

/// As many as there are threads wait for each other, but for those who rest.
TEST(PaperPrograms, ThreadsWaitForAllOthers) {
  for (const char* lock : {"ticket_paper_plain", "ticket_paper", "ticket_paper_prefetch"})
    EXPECT_GT(ticket_latency(lock, 12, "paused"), 11 * ticket_latency(lock, 1, "paused")) << lock;
}

}  // namespace
}  // namespace synchro::tests
