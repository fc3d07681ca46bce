// What is said of memcached's cells.

#include <gtest/gtest.h>

#include <string>

#include "claims/book.hpp"
#include "experiments/memcached/memcached.hpp"

namespace synchro::experiments {
namespace {

using tests::book;
using tests::number;

class answers : public book {
 public:
  answers() : book{4} {}
  answers& rate(const std::string& lock, std::int64_t threads, double value) {
    add("memcached.get",
        {{"lock", lock}, {"threads", number(threads)}, {"placement", "compact"}, {"clients", number(500)}},
        "throughput", "op/s", value);
    return *this;
  }
};

std::string said_of(const results::document& d) {
  const experiment e = memcached_get();
  std::string all;
  for (const std::string& sentence : e.view.findings(views::own_cells{d, e.name})) all += sentence + "\n";
  return all;
}

TEST(Findings, NameTheBestLockItsSpeedUpAndTheServerAsItIs) {
  const std::string said = said_of(answers{}
                                       .rate("mcs", 1, 1e5)
                                       .rate("mcs", 2, 1.8e5)
                                       .rate("pthread/mutex", 1, 1e5)
                                       .rate("pthread/mutex", 2, 1.2e5));
  EXPECT_NE(said.find("with mcs and 2 threads, 1.80 times as often as with one: 50 % more than with pthread/mutex"),
            std::string::npos)
      << said;
}

TEST(Findings, SayWhenNoDifferenceIsResolved) {
  const std::string said = said_of(answers{}.rate("mcs", 2, 1.0001e5).rate("pthread/mutex", 2, 1e5));
  EXPECT_NE(said.find("no difference to pthread/mutex is resolved"), std::string::npos) << said;
}

TEST(Findings, NameAllThatCannotBeToldFromTheBestAndNoSpeedUpThatIsNotResolved) {
  const std::string said =
      said_of(answers{}.rate("mcs", 1, 1e5).rate("mcs", 2, 1.0001e5).rate("clh", 2, 1e5).rate("tas", 2, 5e4));
  EXPECT_NE(said.find("with mcs, not distinguishable from clh, and 2 threads, not distinguishable from 1."),
            std::string::npos)
      << said;
}

TEST(Findings, WithoutLocksIsNoContestantAndMarkedUnsafe) {
  const std::string faster = said_of(answers{}.rate("mcs", 2, 1e5).rate("unsafe/none", 2, 2e5));
  EXPECT_NE(faster.find("with mcs and 2 threads"), std::string::npos) << faster;
  EXPECT_NE(faster.find("memcached without its locks, which is unsafe, answers"), std::string::npos) << faster;
  const std::string equal = said_of(answers{}.rate("mcs", 2, 1e5).rate("unsafe/none", 2, 1.0001e5));
  EXPECT_NE(equal.find("which is unsafe, shows no difference that is resolved"), std::string::npos) << equal;
  EXPECT_EQ(said_of(answers{}.rate("unsafe/none", 2, 2e5)), "");
}

TEST(Charts, ThatOfSetRequestsIsThePapersFigure) {
  EXPECT_EQ(memcached_set().view.charts.front().like, "Fig. 12");
  EXPECT_NE(memcached_get().view.charts.front().like, "Fig. 12");
}

}  // namespace
}  // namespace synchro::experiments
