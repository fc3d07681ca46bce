#include <gtest/gtest.h>

#include "cli/progress_bar.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

struct halfway {
  experiments::experiment what;
  experiments::planned_cell cell;
  experiments::progress p;

  halfway() {
    what.name = "locks.throughput";
    cell = {&what, {{"lock", std::string{"mcs"}}, {"threads", std::int64_t{2}}}, 7, 1, {}};
    p = {50, 100, 72, false, &cell};
  }
};

TEST(ProgressBar, ShowsShareTimeLeftAndWhatComesNext) {
  const halfway h;
  const std::string line = progress_bar::line(h.p, {true, false, 100});
  EXPECT_NE(line.find("50 %"), std::string::npos) << line;
  EXPECT_NE(line.find("############------------"), std::string::npos) << line;
  EXPECT_NE(line.find("1 min 12 s left"), std::string::npos) << line;
  EXPECT_NE(line.find("locks.throughput lock=mcs threads=2"), std::string::npos) << line;
}

TEST(ProgressBar, TellsThatUnsureCellsAreRepeated) {
  halfway h;
  h.p.repeats = true;
  const std::string line = progress_bar::line(h.p, {true, false, 120});
  EXPECT_NE(line.find("at most 1 min 12 s left"), std::string::npos) << line;
  EXPECT_NE(line.find("again, because it is uncertain: locks.throughput lock=mcs"), std::string::npos) << line;
}

TEST(ProgressBar, NeverExceedsTheScreen) {
  halfway h;
  for (const bool repeats : {false, true})
    for (const unsigned width : {40U, 60U, 61U, 80U, 200U}) {
      h.p.repeats = repeats;
      EXPECT_LT(progress_bar::line(h.p, {true, false, width}).size(), std::max(width, repeats ? 62U : 54U)) << width;
    }
}

TEST(ProgressBar, PaintsOnlyWhereColoursAreShown) {
  const halfway h;
  EXPECT_EQ(progress_bar::line(h.p, {true, false, 80}).find('\033'), std::string::npos);
  EXPECT_NE(progress_bar::line(h.p, {true, true, 80}).find('\033'), std::string::npos);
}

TEST(ProgressBar, IsFullAtTheEndAndWithNothingToDo) {
  const experiments::progress end{0, 0, 0, false, nullptr};
  EXPECT_NE(progress_bar::line(end, {true, false, 80}).find("100 %"), std::string::npos);
}

}  // namespace
}  // namespace synchro::cli
