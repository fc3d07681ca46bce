// The paper's transactional memory (TM2C), by which a claim about transactions is judged.

#include "simulations/paper_transactions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cells.hpp"
#include "experiments/stm/bank.hpp"
#include "experiments/stm/set.hpp"
#include "simulations/claims.hpp"
#include "simulations/prover.hpp"

namespace synchro::tests {
namespace {

namespace transactions = experiments::transactions;
using simulations::copying_laboratory;
using simulations::tm2c::lock_table;

const std::string paper = "messages/paper";

/// On the first processors of a machine.
template <class Play>
transactions::outcome played(Play play, const char* machine, unsigned threads, unsigned elements, unsigned updates,
                             std::uint64_t seed = 1) {
  const auto m = built_in(machine);
  simulator::world w{*m, seed};
  transactions::task t{{}, threads, elements, (elements + 7) / 8, updates, 50'000, seed};
  for (unsigned p = 0; p != std::max(2U, threads); ++p) t.cpus.push_back(p);
  return play(t);
}
transactions::outcome on_bank(const char* machine, unsigned threads, unsigned accounts, unsigned transfers,
                              std::uint64_t seed = 1) {
  return played(simulations::tm2c::play<transactions::bank>, machine, threads, accounts, transfers, seed);
}

double aborts(const transactions::outcome& o) {
  return 1 - static_cast<double>(o.sum(&transactions::tally::transactions)) /
                 static_cast<double>(o.sum(&transactions::tally::attempts));
}

TEST(PaperTransactions, KeepEveryAuditAndSumOnEveryMachine) {
  for (const char* machine : {"opteron", "xeon", "niagara", "tilera"})
    for (const unsigned threads : {1U, 2U, 12U, 36U})
      for (const unsigned transfers : {70U, 100U}) {
        const auto o = on_bank(machine, threads, 8, transfers);
        EXPECT_EQ(o.broken, std::nullopt) << machine << ", " << threads;
        EXPECT_GT(o.sum(&transactions::tally::transactions), 0U) << machine << ", " << threads;
      }
}

TEST(PaperTransactions, KeepListsSorted) {
  for (const char* machine : {"opteron", "niagara"})
    for (const unsigned keys : {4U, 16U}) {
      const auto o = played(simulations::tm2c::play<transactions::set>, machine, 12, keys, 80);
      EXPECT_EQ(o.broken, std::nullopt) << machine;
      EXPECT_GT(o.sum(&transactions::tally::transactions), 0U) << machine;
    }
}

TEST(PaperTransactions, BeginAgainWhereTheyAreRefused) {
  EXPECT_EQ(aborts(on_bank("xeon", 2, 4, 100)), 0) << "one client beside a server";
  const double often = aborts(on_bank("xeon", 12, 4, 100));
  EXPECT_GT(often, 0.3);
  EXPECT_LT(aborts(on_bank("xeon", 12, 1024, 100)), often / 5);
}

/// The library's asks four times, for leave to read and then to write.
TEST(PaperTransactions, AskOnceForEachAccountOfATransfer) {
  const auto alone = [](auto play) {
    return played(play, "opteron", 2, 1024, 100).sum(&transactions::tally::transactions);
  };
  const auto theirs = alone(simulations::tm2c::play<transactions::bank>),
             ours = alone(transactions::use_served<copying_laboratory, back_off_retry, transactions::bank>);
  EXPECT_GT(10 * theirs, 13 * ours);
}

/// Addresses are those of the simulated machine, whatever the system's allocator does.
TEST(PaperTransactions, DependOnTheSeedAlone) {
  const auto done = [](std::uint64_t seed) {
    std::vector<std::uint64_t> by_thread;
    for (const auto& t : on_bank("opteron", 12, 16, 100, seed).threads) by_thread.push_back(t.end);
    return by_thread;
  };
  const auto once = done(3);
  const std::vector<std::vector<char>> in_the_way(7, std::vector<char>(333'333));
  EXPECT_EQ(once, done(3));
  EXPECT_NE(once, done(4));
}

TEST(PaperTransactions, AreThereIfTheyAreNamed) {
  const auto names = [](axes chosen) {
    chosen["threads"] = {2};
    std::set<std::string> all;
    for (const results::cell& c : cells_of(built_in("xeon"), "stm.bank", chosen)) {
      EXPECT_TRUE(c.valid) << c.at.to_string();
      all.insert(c.at.word("means"));
    }
    return all;
  };
  EXPECT_FALSE(names({}).contains(paper));
  EXPECT_EQ(names({{"means", {paper}}}), std::set<std::string>{paper});
}

TEST(PaperTransactions, HaveServersOnEachThirdProcessor) {
  using simulations::with_servers_first;
  EXPECT_EQ(with_servers_first({0, 1, 2, 3, 4, 5}, 2), (std::vector<unsigned>{0, 3, 1, 2, 4, 5}));
  EXPECT_EQ(with_servers_first({0, 1, 2, 3}, 1), (std::vector<unsigned>{0, 1, 2, 3}));
}

/// The evidence is of the paper's, and not of the library's messages.
TEST(PaperTransactions, JudgeTheClaim) {
  simulations::prover proof{1};
  proof.take(1);
  for (const auto& [machine, document] : simulations::evidence_for("S64", proof)) {
    std::set<std::string> means;
    for (const results::cell& c : document.cells) means.insert(c.at.word("means"));
    EXPECT_TRUE(means.contains(paper)) << machine;
    EXPECT_FALSE(means.contains("messages")) << machine;
  }
}

/// A table in a world, outside of its threads.
class PaperLockTable : public testing::Test {
  simulations::model_ptr machine_ = built_in("opteron");
  simulator::world world_{*machine_, 1};

 protected:
  lock_table locks;
};

TEST_F(PaperLockTable, LetsManyReadAndOneWrite) {
  EXPECT_TRUE(locks.lets_read(0, 64));
  EXPECT_TRUE(locks.lets_read(1, 64));
  EXPECT_FALSE(locks.lets_write(2, 64));
  EXPECT_FALSE(locks.lets_write(0, 64)) << "another reads";
  locks.remove(1);
  EXPECT_TRUE(locks.lets_write(0, 64)) << "the only reader";
  EXPECT_FALSE(locks.lets_read(1, 64));
  EXPECT_FALSE(locks.lets_write(1, 64));
  EXPECT_TRUE(locks.lets_write(1, 72)) << "another address";
  EXPECT_FALSE(locks.lets_write(2, 72)) << "which nobody reads";
}

TEST_F(PaperLockTable, TakesBackAllOfOneClient) {
  EXPECT_TRUE(locks.lets_read(0, 64));
  EXPECT_TRUE(locks.lets_read(0, 64)) << "a second time";
  EXPECT_TRUE(locks.lets_write(0, 64));
  EXPECT_TRUE(locks.lets_read(0, 72));
  EXPECT_TRUE(locks.lets_read(1, 72));
  locks.remove(0);
  EXPECT_FALSE(locks.is_free());
  EXPECT_TRUE(locks.lets_write(2, 64));
  EXPECT_FALSE(locks.lets_write(2, 72)) << "client 1 reads it";
  locks.remove(1), locks.remove(2);
  EXPECT_TRUE(locks.is_free());
  EXPECT_TRUE(locks.lets_write(3, 72));
}

/// Buckets have room for three, and grow.
TEST_F(PaperLockTable, HoldsAnyNumberOfAddresses) {
  for (std::uint64_t i = 1; i <= 1000; ++i) ASSERT_TRUE(locks.lets_write(0, 8 * i)) << i;
  for (std::uint64_t i = 1; i <= 1000; ++i) ASSERT_FALSE(locks.lets_read(1, 8 * i)) << i;
  locks.remove(0);
  for (std::uint64_t i = 1; i <= 1000; ++i) ASSERT_TRUE(locks.lets_read(1, 8 * i)) << i;
}

}  // namespace
}  // namespace synchro::tests
