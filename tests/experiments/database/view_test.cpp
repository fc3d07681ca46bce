// What is said of the database's cells.

#include <gtest/gtest.h>

#include <string>

#include "claims/book.hpp"
#include "experiments/database/database.hpp"

namespace synchro::experiments {
namespace {

using tests::book;
using tests::number;

class totals : public book {
 public:
  totals() : book{4} {}
  totals& total(const std::string& lock, double ns, std::int64_t threads = 2) {
    add("database.tpch", {{"lock", lock}, {"threads", number(threads)}, {"scale", "0.1"}}, "total", "ns", ns);
    return *this;
  }
};

std::string said_of(const results::document& d) {
  const experiment e = database_tpch();
  std::string all;
  for (const std::string& sentence : e.view.findings(views::own_cells{d, e.name})) all += sentence + "\n";
  return all;
}

TEST(Findings, NameTheLockThatCostsMost) {
  const std::string said = said_of(totals{}.total("pthread/mutex", 2e8).total("mcs/park", 2.6e8).total("mutex", 2.1e8));
  EXPECT_NE(said.find("(no TPC result)"), std::string::npos) << said;
  EXPECT_NE(said.find("with 2 threads and its own locks; with mcs/park that takes 30 % more."), std::string::npos)
      << said;
}

TEST(Findings, NameTheLockThatSparesMostWhereNoneCosts) {
  const std::string said = said_of(totals{}.total("pthread/mutex", 2e8).total("mcs/park", 1e8));
  EXPECT_NE(said.find("; with mcs/park it takes 100 ms"), std::string::npos) << said;
}

TEST(Findings, SayWhenNoDifferenceIsResolved) {
  const std::string said = said_of(totals{}.total("pthread/mutex", 2e8, 1).total("mcs/park", 2.00001e8, 1));
  EXPECT_NE(
      said.find("with 1 thread and its own locks; no lock that takes their place makes a difference that is resolved."),
      std::string::npos)
      << said;
}

TEST(Findings, OfTheProgramsOwnLocksAlone) { EXPECT_EQ(said_of(totals{}.total("mcs/park", 2e8)), ""); }

TEST(FindingsOnMariadb, NameTheBestLockOfEachWork) {
  book b{4};
  const auto add = [&](const char* lock, const char* work, double rate) {
    b.add("database.sysbench", {{"lock", lock}, {"work", work}, {"clients", number(4)}}, "throughput", "op/s", rate);
  };
  add("pthread/mutex", "point_select", 5e4), add("mutex", "point_select", 4e4);
  add("pthread/mutex", "read_write", 800), add("mutex", "read_write", 1200);
  const experiment e = database_sysbench();
  const auto said = e.view.findings(views::own_cells{b, e.name});
  ASSERT_EQ(said.size(), 2U);
  EXPECT_NE(said[0].find("of 4 clients and with pthread/mutex."), std::string::npos) << said[0];
  EXPECT_NE(said[1].find("of 4 clients and with mutex: 50 % more than with its own locks."), std::string::npos)
      << said[1];
}

TEST(FindingsOnMariadb, NameAllLocksThatCannotBeToldFromTheBest) {
  book b{4};
  const auto add = [&](const char* lock, double rate) {
    b.add("database.sysbench", {{"lock", lock}, {"work", "read_write"}, {"clients", number(4)}}, "throughput", "op/s",
          rate);
  };
  add("pthread/mutex", 800), add("mutex", 1200), add("mcs/park", 1199.9);
  const experiment e = database_sysbench();
  const auto said = e.view.findings(views::own_cells{b, e.name});
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("and with mutex, not distinguishable from mcs/park: 50 % more than with its own locks."),
            std::string::npos)
      << said[0];
}

}  // namespace
}  // namespace synchro::experiments
