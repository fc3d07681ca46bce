// The table of all locks and peers.

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "experiments/locks/lock_table.hpp"

namespace synchro::experiments {
namespace {

TEST(lock_table, has_every_family) {
  std::set<std::string> names;
  for (const lock_bodies& row : all_locks()) EXPECT_TRUE(names.insert(row.name).second) << row.name << " twice";
  for (const char* name :
       {"tas", "ttas", "ticket", "ticket_plain", "ticket_prefetch", "array", "mcs", "mcs/park", "clh", "clh/park",
        "mutex", "std/mutex", "std/shared_mutex", "pthread/mutex", "pthread/mutex_adaptive", "pthread/spin"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(lock_table, own_locks_come_first) {
  bool peers = false;
  for (const lock_bodies& row : all_locks()) {
    if (row.kind == primitive_kind::peer) peers = true;
    EXPECT_EQ(peers, row.kind == primitive_kind::peer) << row.name;
  }
  EXPECT_TRUE(peers);
}

TEST(lock_table, every_row_has_its_bodies) {
  for (const lock_bodies& row : all_locks()) {
    EXPECT_TRUE(row.contend.is_here()) << row.name;
    EXPECT_TRUE(row.succeed.is_here()) << row.name;
  }
}

TEST(lock_table, the_tour_takes_the_forms_of_its_lines_that_do_not_yield) {
  EXPECT_TRUE(find_lock("mcs").in_tour);
  EXPECT_TRUE(find_lock("mcs/park").in_tour);
  EXPECT_FALSE(find_lock("mcs/yield").in_tour);
  EXPECT_TRUE(find_lock("std/mutex").in_tour);
  EXPECT_FALSE(find_lock("clh").in_tour);
}

TEST(lock_table, rows_describe_their_locks) {
  for (const lock_bodies& row : all_locks()) {
    EXPECT_EQ(row.name.substr(0, row.family.size()), row.family);
    EXPECT_TRUE((std::set<std::string>{"spin", "yield", "park"}.contains(row.waiting))) << row.name;
    EXPECT_EQ(row.what.parks, row.waiting == "park") << row.name;
    EXPECT_FALSE(row.what.words.judgement.empty()) << row.name;
    EXPECT_GT(row.what.bytes_per_lock, 0U);
    if (row.kind == primitive_kind::own) {
      EXPECT_EQ(row.first, row.name == row.family) << row.name;
    }
  }
}

TEST(lock_table, knows_what_a_lock_offers) {
  EXPECT_TRUE(find_lock("mcs").what.own_node);
  EXPECT_FALSE(find_lock("mcs").native_node);
  EXPECT_TRUE(find_lock("std/shared_mutex").what.shared);
  EXPECT_FALSE(find_lock("std/mutex").what.shared);
  EXPECT_TRUE(find_lock("pthread/mutex").what.timed);
  EXPECT_TRUE(find_lock("pthread/spin").only_spins());
  EXPECT_FALSE(find_lock("mcs/park").only_spins());
}

TEST(lock_table, refuses_unknown_names) { EXPECT_THROW((void)find_lock("nothing"), std::out_of_range); }

}  // namespace
}  // namespace synchro::experiments
