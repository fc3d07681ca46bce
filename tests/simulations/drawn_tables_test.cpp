// Tables that only score the models.

#include "simulations/drawn_tables.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "claims/held_out.hpp"

namespace synchro::tests {
namespace {

using simulations::table_figure;
using simulations::table_point;

TEST(DrawnTables, AllThatOnlyScoreDoAndNoOthers) {
  std::set<std::string> scored, drawn;
  for (const table_point& t : simulations::published_tables()) scored.emplace(t.table);
  for (const std::string_view table : claims::drawn_tables())
    if (!claims::may_set_constants(table) && table != claims::lock_curves && table != claims::hash_tables)
      drawn.emplace(table);
  EXPECT_EQ(scored, drawn);
}

TEST(DrawnTables, EveryPointHasAFigure) {
  simulations::prover p{1};
  for (const table_point& t : simulations::predicted_tables(p)) {
    EXPECT_GT(t.predicted, 0) << t.table;
    EXPECT_EQ(t.given, t.what == table_figure::memory || t.what == table_figure::transfer) << t.table;
  }
}

TEST(DrawnTables, PricesAreCountedApartFromWhatIsPredicted) {
  const std::vector<table_point> all{{"a", "m", table_figure::memory, "near", 0, 100, 50, true},
                                     {"b", "m", table_figure::one_way, "near", 2, 100, 400},
                                     {"b", "m", table_figure::served_one_way, "", 6, 8, 2},
                                     {claims::server_table.data(), "m", table_figure::served_one_way, "", 6, 8, 1}};
  EXPECT_EQ(
      simulations::tables_in_words(all),
      "| table that only scores | figure | measured | model |\n"
      "|---|---|--:|--:|\n"
      "| a | near, load, cycles | 100 | 50 |\n"
      "| b | near, one way, cycles | 100 | 400 |\n"
      "| b | 6 processes, one way, millions a second | 8 | 2 |\n"
      "| ssmp-threads: a server and its clients on the Opteron | 6 processes, one way, millions a second | 8 | 1 |\n"
      "\nprices of the models, beside others' measurements of the same machines: 2 times to either side in the "
      "median of 1\n"
      "\nnot predicted, for the table has shaped a model: 8 times to either side in the median of 1\n"
      "\npredicted, in tables that only score: 4 times to either side in the median of 2\n");
}

}  // namespace
}  // namespace synchro::tests
