#include "terminal/parse_values.hpp"

#include <gtest/gtest.h>

#include "results/of_others.hpp"
#include "terminal/failure.hpp"

namespace synchro::terminal {
namespace {

using numbers = std::vector<std::int64_t>;
using words = std::vector<std::string>;

std::string refusal_of(const std::string& text) {
  try {
    (void)parse_sweep(text, "--threads");
  } catch (const failure& e) {
    EXPECT_EQ(e.code, status::usage);
    return e.what();
  }
  return "";
}

TEST(Words, ANameIsShownAsAShellTakesIt) {
  EXPECT_EQ(as_typed("out/r-1.json"), "out/r-1.json");
  EXPECT_EQ(as_typed("my results.json"), "'my results.json'");
  EXPECT_EQ(as_typed("it's"), "'it'\\''s'");
  EXPECT_EQ(as_typed(""), "''");
}

TEST(Sweep, TakesNumbersRangesAndSteps) {
  EXPECT_EQ(parse_sweep("3", "--threads"), (numbers{3}));
  EXPECT_EQ(parse_sweep("1,2,4-16:4", "--threads"), (numbers{1, 2, 4, 8, 12, 16}));
  EXPECT_EQ(parse_sweep("4-5", "--threads"), (numbers{4, 5}));
  EXPECT_EQ(parse_sweep("1-10:4", "--threads"), (numbers{1, 5, 9}));
}

TEST(Sweep, KeepsEachNumberOnceInTheOrderGiven) {
  EXPECT_EQ(parse_sweep("8,1-3,2,8", "--threads"), (numbers{8, 1, 2, 3}));
}

TEST(Sweep, NamesWhatItCannotRead) {
  for (const char* part : {"x", "", "1-", "-", "4:2", "4-1", "1-9:0", "1-9:-1", "1.5", "99999999999999999999",
                           "1-9999999999", " 1", "0x10"}) {
    const std::string sentence = refusal_of("1," + std::string{part});
    EXPECT_NE(sentence.find("'" + std::string{part} + "'"), std::string::npos) << part << ": " << sentence;
    EXPECT_NE(sentence.find("--threads"), std::string::npos);
  }
}

TEST(Nearest, FindsASlipOfTheFingers) {
  const words names{"tas", "ttas", "ticket", "mcs", "mcs/park", "clh", "coherence.pairs", "coherence.states"};
  EXPECT_EQ(nearest("msc", names, 1), words{"mcs"});
  EXPECT_EQ(nearest("tikcet", names, 1), words{"ticket"});
  EXPECT_EQ(nearest("TAS", names, 1), words{"tas"});
  EXPECT_EQ(nearest("coherance.pairs", names, 1), words{"coherence.pairs"});
  EXPECT_EQ(nearest("pairs", names, 1), words{"coherence.pairs"});
}

TEST(Nearest, SaysWhatIsThereInOneSentence) {
  EXPECT_EQ(no_such("lock", "x", {"mcs"}), "there is no lock 'x'; the nearest name is mcs");
  EXPECT_EQ(no_such("lock", "mcz", {"mcs", "clh"}), "there is no lock 'mcz'; the nearest names are mcs and clh");
  EXPECT_EQ(no_such("lock", "x", {}), "there is no lock 'x'");
}

TEST(Nearest, SaysOfAPrimitiveOfOthersThatItIsNotOurs) {
  EXPECT_EQ(results::no_such_of_ours("lock", "std/mutex", {"mcs", "clh"}),
            "'std/mutex' is not ours: only run measures primitives of others");
  EXPECT_EQ(results::no_such_of_ours("lock", "mcx", {"mcs"}), "there is no lock 'mcx'; the nearest name is mcs");
  EXPECT_EQ(no_such("lock", "std/mutex", {"mcs"}), "there is no lock 'std/mutex'; the nearest name is mcs");
}

TEST(Matching, TakesNamesFamiliesAndGlobs) {
  const words names{"coherence.pairs", "coherence.states", "locks.ticket", "mcs", "mcs/park"};
  EXPECT_EQ(matching("coherence", names), (words{"coherence.pairs", "coherence.states"}));
  EXPECT_EQ(matching("*.ticket", names), words{"locks.ticket"});
  EXPECT_EQ(matching("mcs", names), words{"mcs"});
  EXPECT_EQ(matching("mcs*", names), (words{"mcs", "mcs/park"}));
  EXPECT_EQ(matching("mc?", names), words{"mcs"});
  EXPECT_EQ(matching("coh", names), words{});
  EXPECT_EQ(matching("", names), words{});
}

TEST(Duration, TakesAUnit) {
  EXPECT_DOUBLE_EQ(parse_duration("500ms", "--max-time"), 0.5);
  EXPECT_DOUBLE_EQ(parse_duration("60s", "--max-time"), 60);
  EXPECT_DOUBLE_EQ(parse_duration("1.5m", "--max-time"), 90);
  EXPECT_DOUBLE_EQ(parse_duration("1h", "--max-time"), 3600);
  for (const char* text : {"60", "", "s", "-1s", "1 s", "1d", "1.2.3s", ".s", "0s", "nans", "1e3s"})
    EXPECT_THROW((void)parse_duration(text, "--max-time"), failure) << text;
}

TEST(Duration, IsToldForPeople) {
  EXPECT_EQ(duration_text(0.44), "0.4 s");
  EXPECT_EQ(duration_text(-1), "0.0 s");
  EXPECT_EQ(duration_text(59), "59 s");
  EXPECT_EQ(duration_text(59.7), "1 min 00 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(3900), "1 h 05 min");
}

TEST(Enumerate, JoinsWithAnd) {
  EXPECT_EQ(enumerate({}), "");
  EXPECT_EQ(enumerate({"a"}), "a");
  EXPECT_EQ(enumerate({"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace synchro::terminal
