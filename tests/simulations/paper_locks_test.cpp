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

}  // namespace
}  // namespace synchro::tests
