// What sysbench says, read.

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "experiments/database/mariadb.hpp"

namespace synchro::experiments {
namespace {

const std::string said = R"(SQL statistics:
    queries performed:
        read:                            21042
        total:                           30060
    transactions:                        1503   (747.26 per sec.)
    queries:                             30060  (14945.24 per sec.)
    ignored errors:                      2      (0.99 per sec.)

General statistics:
    total time:                          2.0103s

Latency (ms):
         min:                                    2.01
         avg:                                    5.35
         95th percentile:                       12.52
)";

TEST(Sysbench, IsRead) {
  const auto seen = database::read_sysbench(said);
  EXPECT_DOUBLE_EQ(seen.transactions, 747.26);
  EXPECT_DOUBLE_EQ(seen.latency_ns, 5.35e6);
  EXPECT_EQ(seen.errors, 2U);
}

TEST(Sysbench, ThatSaysSomethingElseIsRefused) {
  EXPECT_THROW(static_cast<void>(database::read_sysbench("")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(database::read_sysbench(said.substr(0, said.find("Latency")))), std::runtime_error);
}

}  // namespace
}  // namespace synchro::experiments
