#include <gtest/gtest.h>

#include "experiments/framework/usage_error.hpp"
#include "fakes.hpp"

namespace synchro::experiments {
namespace {

TEST(Plan, IsTheProductOfTheAxesTheLastChangingFastest) {
  const fake f;
  const plan p = make_plan(quick_setting(), {&f.what});
  std::vector<std::string> places;
  for (const planned_cell& cell : p.cells) places.push_back(cell.at.to_string());
  EXPECT_EQ(places, (std::vector<std::string>{"letter=a number=1", "letter=a number=2", "letter=b number=1",
                                              "letter=b number=2", "letter=c number=1", "letter=c number=2"}));
}

TEST(Plan, RepetitionsFollowTheLevelUnlessTheExperimentHasItsOwn) {
  fake f;
  setting s = quick_setting();
  EXPECT_EQ(make_plan(s, {&f.what}).cells[0].repetitions, 7U);
  s.thoroughness = level::standard;
  EXPECT_EQ(make_plan(s, {&f.what}).cells[0].repetitions, 11U);
  s.thoroughness = level::full;
  EXPECT_EQ(make_plan(s, {&f.what}).cells[0].repetitions, 21U);
  f.what.repetitions = [](level) { return 3U; };
  EXPECT_EQ(make_plan(s, {&f.what}).cells[0].repetitions, 3U);
}

TEST(Plan, SecondsGrowWithTheRepetitionsAndLeaveOutWhatCannotBeMeasured) {
  fake f;
  f.what.seconds = [](const setting&, const coordinates&) { return 2.0; };
  const double all = make_plan(quick_setting(), {&f.what}).seconds();
  EXPECT_GE(all, 6 * 7 * 2.0);
  f.what.unavailable = [](const setting&, const coordinates& at) {
    return at.word("letter") == "a" ? std::optional<std::string>{"no a here"} : std::nullopt;
  };
  const plan p = make_plan(quick_setting(), {&f.what});
  EXPECT_EQ(p.cells.size(), 6U);
  EXPECT_EQ(p.cells[0].unavailable, "no a here");
  EXPECT_NEAR(p.seconds(), all * 4 / 6, 1e-9);
}

TEST(Plan, SkippedPointsAreLeftOut) {
  fake f;
  f.what.skip = [](const setting&, const coordinates& at) { return at.number("number") == 2; };
  EXPECT_EQ(make_plan(quick_setting(), {&f.what}).cells.size(), 3U);
}

TEST(Plan, ChosenValuesReplaceTheExperimentsOwn) {
  const fake f;
  setting s = quick_setting();
  s.chosen["letter"] = {"c", "c", "a"};
  s.chosen["number"] = {17};
  const plan p = make_plan(s, {&f.what});
  ASSERT_EQ(p.cells.size(), 2U);
  EXPECT_EQ(p.cells[0].at.to_string(), "letter=c number=17");
  EXPECT_EQ(p.cells[1].at.to_string(), "letter=a number=17");
}

TEST(Plan, ChosenNumbersStandInOrder) {
  const fake f;
  setting s = quick_setting();
  s.chosen["letter"] = {"a"};
  s.chosen["number"] = {17, 2, 17, 5};
  std::vector<std::int64_t> numbers;
  for (const planned_cell& cell : make_plan(s, {&f.what}).cells) numbers.push_back(cell.at.number("number"));
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{2, 5, 17}));
}

usage_error error_of(const setting& s, const std::vector<const experiment*>& which) {
  try {
    (void)make_plan(s, which);
  } catch (const usage_error& e) {
    return e;
  }
  ADD_FAILURE() << "no usage_error";
  return {"", "", "", {}};
}

TEST(Plan, AnAxisThatNoExperimentHasIsAUsageError) {
  const fake f;
  setting s = quick_setting();
  s.chosen["leter"] = {"a"};
  const usage_error e = error_of(s, {&f.what});
  EXPECT_EQ(e.kind, "axis");
  EXPECT_EQ(e.word, "leter");
  EXPECT_EQ(e.names, (std::vector<std::string>{"letter", "number"}));
  EXPECT_STREQ(e.what(), "no experiment of this run has an axis 'leter'; the axes are letter, number");
}

TEST(Plan, AnUnknownWordIsAUsageErrorThatNamesTheKnownOnes) {
  const fake f;
  setting s = quick_setting();
  s.chosen["letter"] = {"a", "z"};
  const usage_error e = error_of(s, {&f.what});
  EXPECT_EQ(e.kind, "letter");
  EXPECT_EQ(e.word, "z");
  EXPECT_EQ(e.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_STREQ(e.what(), "letter cannot be 'z'; it can be a, b, c");
}

TEST(Plan, NumbersHaveALowestValueAndAreNoWords) {
  const fake f;
  setting s = quick_setting();
  s.chosen["number"] = {0};
  EXPECT_STREQ(error_of(s, {&f.what}).what(), "number must be 1 at least, not 0");
  s.chosen["number"] = {"many"};
  EXPECT_STREQ(error_of(s, {&f.what}).what(), "number takes whole numbers, not 'many'");
}

TEST(Plan, AnAxisMayHaveItsOwnRule) {
  fake f;
  f.what.axes[1].refuses = [](const setting&, const coordinate& c) {
    return c == coordinate{5} ? std::optional<std::string>{"5 is right out"} : std::nullopt;
  };
  setting s = quick_setting();
  s.chosen["number"] = {0};
  EXPECT_EQ(make_plan(s, {&f.what}).cells.size(), 3U);
  s.chosen["number"] = {5};
  EXPECT_STREQ(error_of(s, {&f.what}).what(), "5 is right out");
}

TEST(Plan, AValueThatOneExperimentTakesIsLeftOutByTheOthers) {
  const fake abc{"fake.abc"};
  fake xyz{"fake.xyz"};
  xyz.what.axes[0] = word_axis("letter", "another letter", {"x", "y", "a"});
  setting s = quick_setting();
  s.chosen["letter"] = {"x", "a"};
  const plan p = make_plan(s, {&abc.what, &xyz.what});
  std::vector<std::string> places;
  for (const planned_cell& cell : p.cells) places.push_back(cell.what->name + ' ' + cell.at.word("letter"));
  EXPECT_EQ(places, (std::vector<std::string>{"fake.abc a", "fake.abc a", "fake.xyz x", "fake.xyz x", "fake.xyz a",
                                              "fake.xyz a"}));
}

TEST(Plan, AValueOfAnotherLevelCanBeChosen) {
  fake f;
  f.what.axes[0].values = [](const setting& s) -> std::vector<coordinate> {
    if (s.thoroughness == level::full) return {"a", "b"};
    return {"a"};
  };
  setting s = quick_setting();
  s.chosen["letter"] = {"b"};
  EXPECT_EQ(make_plan(s, {&f.what}).cells.size(), 2U);
}

}  // namespace
}  // namespace synchro::experiments
