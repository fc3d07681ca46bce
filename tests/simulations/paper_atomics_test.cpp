// The paper's own atomic operations (libslock's benchmark), by which claims about them are judged.

#include "simulations/paper_atomics.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cells.hpp"
#include "simulations/claims.hpp"
#include "simulations/paper_locks.hpp"
#include "simulations/prover.hpp"

namespace synchro::tests {
namespace {

using simulations::pause_of_paper_atomics;

/// A cell in which the word does not hold what the operations amount to is not valid.
double rate(const char* machine, const std::string& operation, std::int64_t threads, const char* metric = "attempts",
            const char* protocol = "paused") {
  for (const results::cell& c :
       cells_of(built_in(machine), "atomics.throughput",
                {{"operation", {operation}}, {"threads", {threads}}, {"protocol", {protocol}}})) {
    EXPECT_TRUE(c.valid) << machine << ", " << c.at.to_string() << ": " << c.reason.value_or("");
    if (c.metric == metric && c.value) return *c.value;
  }
  return 0;
}

TEST(PaperAtomics, AmountToWhatTheWordHolds) {
  for (const char* machine : {"opteron", "xeon", "niagara", "tilera", "epyc-7742"})
    for (const simulations::paper_atomic& row : simulations::paper_atomics())
      for (const std::int64_t threads : {1, 2, 36}) EXPECT_GT(rate(machine, row.name, threads), 0) << row.name;
}

/// scripts/test.sh asks for 0, 10, 30, 80 and 150; include/platform_defs.h takes a turn for 2, 9 and 4 cycles.
TEST(PaperAtomics, PauseTheLongerTheMoreThereAre) {
  const std::map<std::string, std::vector<std::uint64_t>> known{{"opteron", {0, 10, 10 * 3, 80, 150}},
                                                                {"xeon", {0, 10, 3 * 10, 10 * 10, 18 * 10}},
                                                                {"niagara", {0, 9, 3 * 9, 8 * 9, 16 * 9}},
                                                                {"tilera", {0, 2 * 4, 7 * 4, 80, 37 * 4}}};
  for (const auto& [machine, pauses] : known) {
    const simulations::model_ptr m = built_in(machine);
    std::vector<std::uint64_t> found;
    for (const unsigned threads : {1U, 2U, 6U, 12U, 13U}) found.push_back(pause_of_paper_atomics(*m, threads));
    EXPECT_EQ(found, pauses) << machine;
    EXPECT_EQ(pause_of_paper_atomics(*m, 3), pauses[2]) << machine;
    EXPECT_EQ(pause_of_paper_atomics(*m, 7), pauses[3]) << machine;
  }
}

TEST(PaperAtomics, DoNotPauseAlone) {
  for (const char* machine : {"opteron", "niagara"})
    EXPECT_EQ(rate(machine, "libslock/fai", 1), rate(machine, "libslock/fai", 1, "attempts", "saturated")) << machine;
}

TEST(PaperAtomics, OfCompareAndSwapCountTries) {
  EXPECT_EQ(rate("opteron", "libslock/cas", 1), rate("opteron", "libslock/cas", 1, "successes"));
  EXPECT_GT(rate("opteron", "libslock/cas", 12), 1.2 * rate("opteron", "libslock/cas", 12, "successes"));
}

/// SPARC has no fetch-and-add and no swap of bytes.
TEST(PaperAtomics, AreLoopsOnSparcWhereItHasNoInstruction) {
  for (const char* operation : {"libslock/fai", "libslock/swap"}) {
    EXPECT_NEAR(rate("niagara", operation, 32) / rate("niagara", "libslock/cas_fai", 32), 1, 0.3) << operation;
    EXPECT_GT(rate("tilera", operation, 32), 3 * rate("tilera", "libslock/cas_fai", 32)) << operation;
  }
  EXPECT_GT(rate("niagara", "libslock/tas", 32), 10 * rate("niagara", "libslock/fai", 32));
}

/// The loop's own accesses: where cores write their own lines they are in the price.
TEST(PaperAtomics, ComeWithTheirLoopWhereWritesGoHome) {
  for (const char* operation : {"fai", "swap", "tas"}) {
    const std::string theirs = std::string{"libslock/"} + operation;
    EXPECT_EQ(rate("opteron", theirs, 1), rate("opteron", operation, 1, "attempts", "saturated")) << operation;
    EXPECT_LT(rate("tilera", theirs, 1), 0.8 * rate("tilera", operation, 1, "attempts", "saturated")) << operation;
  }
}

/// The claim is about libslock's; the evidence has the library's names.
TEST(PaperAtomics, JudgeClaimsAboutAtomicOperations) {
  simulations::prover proof{1};
  std::size_t compared = 0;
  for (const auto& [machine, document] : simulations::evidence_for("S29", proof))
    for (const results::cell& c : document.cells)
      if (c.metric == "attempts" && c.value && c.at.number("threads") == 2) {
        EXPECT_EQ(*c.value, rate(machine.c_str(), "libslock/" + c.at.word("operation"), 2)) << c.at.to_string();
        ++compared;
      }
  EXPECT_EQ(compared, 4U);
  EXPECT_EQ(proof.atomic("niagara", "cas", 8), rate("niagara", "libslock/cas", 8));
}

}  // namespace
}  // namespace synchro::tests
