#include "argument.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace synchro::bench {
namespace {

std::string answer_to(const char* text, unsigned least) {
  try {
    return std::to_string(number_in(text, "check [PAIRS]", least));
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

TEST(Argument, IsANumberOfItsRange) {
  EXPECT_EQ(number_in("4294967295", "check [PAIRS]"), 4'294'967'295U);
  EXPECT_EQ(number_in("0", "check [PAIRS]", 0), 0U);
}

TEST(Argument, IsRefusedInOneSentence) {
  for (const char* const wrong : {"--help", "abc", "", "-1", "3x", " 3", "4294967296"}) {
    EXPECT_EQ(answer_to(wrong, 1), std::string{"'"} + wrong + "' is not a positive number; check [PAIRS]");
    EXPECT_EQ(answer_to(wrong, 0), std::string{"'"} + wrong + "' is not a number; check [PAIRS]");
  }
  EXPECT_EQ(answer_to("0", 1), "'0' is not a positive number; check [PAIRS]");
}

TEST(Argument, MayBeRoundsAndASeed) {
  std::string program = "check", rounds = "7", seed = "9", wrong = "seed";
  char* good[] = {program.data(), rounds.data(), seed.data(), nullptr};
  const auto [n, from] = rounds_and_seed_of("check", 3, good);
  EXPECT_EQ(n, 7U);
  EXPECT_EQ(from, 9U);
  EXPECT_GT(rounds_and_seed_of("check", 1, good).rounds, 0U);
  char* bad[] = {program.data(), rounds.data(), wrong.data(), nullptr};
  try {
    rounds_and_seed_of("check", 3, bad);
    FAIL() << "it took a word for a seed";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "'seed' is not a positive number; check [ROUNDS] [SEED]");
  }
}

}  // namespace
}  // namespace synchro::bench
