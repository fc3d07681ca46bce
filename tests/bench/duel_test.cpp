// Which pairs of a duel count, and what is said where none does. No times are asserted: what takes part tells made-up ones.

#include "duel.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "synchro/domains.hpp"

namespace synchro::bench {
namespace {

duel of_times(double house, double other) {
  return {"a duel", [=](std::uint64_t) { return house; }, [=] { return other; }, 0, 1};
}

std::string told(const duel& d, const left_out& why) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(tell(d, {}, why), outcome::not_resolved);
  return testing::internal::GetCapturedStdout();
}

TEST(Duel, CountsAPairOfTimes) {
  left_out why;
  EXPECT_EQ(one_pair(of_times(2, 3), 0, why), (std::pair{2.0, 3.0}));
  EXPECT_EQ(why.not_quiet + why.without_time, 0U);
}

TEST(Duel, SaysWhereThereWasNoTime) {
  for (const duel& d : {of_times(-1, 3), of_times(2, 0)}) {
    left_out why;
    for (std::size_t i = 0; i != 2; ++i) EXPECT_EQ(one_pair(d, i, why), std::nullopt);
    const std::string line = told(d, why);
    EXPECT_NE(line.find("nothing was measured: a time was too short for the clock, or found wrong, in 2 pairs\n"),
              std::string::npos)
        << line;
  }
}

TEST(Duel, SaysWhereItWasNotQuiet) {
  duel d = of_times(2, 0);
  d.alone_on = {static_cast<int>(os::allowed_cpus().front())};
  d.other = [time = 1.0]() mutable { return time *= 2; };  // it never agrees with itself
  left_out why;
  EXPECT_EQ(one_pair(d, 0, why), std::nullopt);
  const std::string line = told(d, why);
  EXPECT_NE(line.find("nothing was measured: the processor was not quiet in 1 pairs\n"), std::string::npos) << line;
}

TEST(Duel, SaysBothWithTheirNumbers) {
  EXPECT_EQ(in_words({2, 3}),
            "the processor was not quiet in 2 pairs, a time was too short for the clock, or found wrong, in 3 pairs");
}

TEST(Duel, AsksForAsManyPairsAsItIsTold) {
  const auto pairs = [](std::string argument) {
    std::string program = "check";
    char* words[] = {program.data(), argument.data(), nullptr};
    return pairs_of(program, 2, words, 15);
  };
  EXPECT_EQ(pairs("3"), 3U);
  EXPECT_EQ(pairs_of("check", 1, nullptr, 15), 15U);
  for (const char* const wrong : {"--help", "0", "3x", "", "99999999999999999999999"}) {
    try {
      pairs(wrong);
      ADD_FAILURE() << wrong;
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(e.what(), std::string{"'"} + wrong + "' is not a positive number; check [PAIRS [NAME]]");
    }
  }
}

}  // namespace
}  // namespace synchro::bench
