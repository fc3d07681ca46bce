// The recorder itself: it records what was asked, and ends the test where a real thread would wait for ever.

#include "library/recorder.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace synchro::tests {
namespace {

using word = recorder::atomic<std::uint32_t>;

TEST(recorder, records_kind_order_and_place) {
  recorder::reset();
  word w{0};
  w.store(1, memory_order::release);
  const unsigned line_of_store = __LINE__ - 1;
  std::uint32_t seen = 1;
  w.compare_exchange_strong(seen, 2, memory_order::acq_rel, memory_order::relaxed);
  w.compare_exchange_strong(seen, 3, memory_order::acq_rel, memory_order::relaxed);
  const auto& all = recorder::accesses();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].what, operation::store);
  EXPECT_EQ(all[0].how, memory_order::release);
  EXPECT_EQ(all[0].line, line_of_store);
  EXPECT_NE(std::string_view{all[0].file}.find("recorder_test"), std::string_view::npos);
  EXPECT_EQ(all[1].what, operation::read_modify_write);
  EXPECT_EQ(all[1].how, memory_order::acq_rel);
  EXPECT_EQ(all[2].what, operation::load) << "a compare-and-swap that fails is a load with the weaker order";
  EXPECT_EQ(all[2].how, memory_order::relaxed);
}

TEST(recorder, a_new_run_starts_in_a_new_world) {
  struct state {
    int value = 3;
  };
  recorder::reset();
  recorder::local<state>().value = 4;
  recorder::global<state>().value = 5;
  recorder::make<int>(1);
  EXPECT_NE(&recorder::local<state>(), &recorder::global<state>());
  EXPECT_EQ(recorder::objects_alive(), 1U);
  recorder::reset();
  EXPECT_EQ(recorder::local<state>().value, 3);
  EXPECT_EQ(recorder::global<state>().value, 3);
  EXPECT_EQ(recorder::objects_alive(), 0U);
  EXPECT_TRUE(recorder::accesses().empty());
}

using recorder_death = testing::Test;

TEST(recorder_death, a_wait_that_nobody_can_end) {
  word w{0};
  EXPECT_DEATH(recorder::await(w, memory_order::acquire, [](std::uint32_t v) { return v == 1; }), "waits for ever");
  EXPECT_DEATH(recorder::park(w, 0, recorder::never), "waits for ever");
  EXPECT_DEATH(recorder::exchange_until(
                   w, 1, [](std::uint32_t) { return false; }, memory_order::acquire),
               "waits for ever");
}

TEST(recorder_death, an_order_passed_on_to_the_wrong_access) {
  word w{0};
  const recorder::order release{memory_order::release};
  EXPECT_DEATH((void)w.load(release), "not an order for a load");
}

TEST(recorder, a_wait_with_a_limit_runs_out_at_once) {
  recorder::reset();
  word w{0};
  const auto deadline = recorder::clock::now() + std::chrono::hours{1};
  EXPECT_FALSE(recorder::await_until(
      w, memory_order::acquire, [](std::uint32_t v) { return v == 1; }, deadline));
  EXPECT_EQ(recorder::clock::now(), deadline);
  EXPECT_TRUE(recorder::park(w, 0, deadline));
}

}  // namespace
}  // namespace synchro::tests
