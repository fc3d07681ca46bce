// How wide a prediction's intervals are told, and what is said of that.

#include "simulate/intervals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "simulations/program.hpp"

namespace {

using namespace synchro;
using namespace synchro::simulate;
using simulations::program_errors;

const simulator::model& opteron() {
  static const simulator::model m{nlohmann::ordered_json::parse(simulator::built_in_model("opteron"))};
  return m;
}

/// Programs recorded with 4 threads, all of which did so many times what was predicted: with the recorded lock, with another,
/// and with more threads than processors.
program_errors errors_of(int programs, const std::string& machine, double own, double other, double beyond) {
  std::string csv = std::string{program_errors::columns} + "\n";
  for (int p = 0; p < programs; ++p) {
    const auto add = [&](const char* lock, int threads, double times) {
      csv += fmt::format("{},48,1.5,p{},mutex,4,{},{},{},100 100 100 100 100 100 100\n", machine, p, lock, threads,
                         100 * times);
    };
    add("mutex", 4, own), add("mcs", 4, other), add("mutex", 192, beyond);
  }
  return program_errors{csv};
}

/// As a table has it: a comma would part fields.
std::string title_of_opteron() {
  std::string title = opteron().document().at("title");
  std::replace(title.begin(), title.end(), ',', ' ');
  return title;
}

results::coordinates at(const char* lock, std::int64_t threads) { return {{"lock", lock}, {"threads", threads}}; }

TEST(Intervals, AreAsWideAsTheirKindOfErrorNeeds) {
  const program_errors errors = errors_of(7, "elsewhere", 1.1, 1.5, 3);
  const intervals wide{errors, opteron(), "mutex", 4};
  EXPECT_DOUBLE_EQ(wide.of(at("mutex", 4)).times, 1.1);
  EXPECT_DOUBLE_EQ(wide.of(at("mcs", 4)).times, 1.5);
  EXPECT_DOUBLE_EQ(wide.of(at("mutex", 96)).times, 3);
  EXPECT_DOUBLE_EQ(wide.of(at("mutex", 48)).times, 3) << "not measured: the widest";
  EXPECT_DOUBLE_EQ(wide.of_comparison(4).times, 1.5 / 1.1);
}

TEST(Intervals, OfThroughputAloneBecomeWider) {
  const program_errors errors = errors_of(7, "elsewhere", 2, 2, 2);
  const intervals wide{errors, opteron(), "mutex", 4};
  results::cell c;
  c.at = at("mutex", 4), c.samples = {98, 99, 100, 100, 100, 101, 102};
  for (const char* metric : {simulations::program::rate, simulations::program::waiting}) {
    c.metric = metric;
    results::summarize(c);
    wide.widen(c);
    EXPECT_DOUBLE_EQ(c.ci->first, metric == std::string{simulations::program::rate} ? 49 : 98);
    EXPECT_DOUBLE_EQ(c.ci->second, metric == std::string{simulations::program::rate} ? 204 : 102);
    EXPECT_DOUBLE_EQ(*c.value, 100);
    EXPECT_EQ(c.quality == results::flag::ok, metric == std::string{simulations::program::waiting});
  }
}

TEST(Intervals, SayInHowManyOfTheProgramsTheyHold) {
  const auto said = [](const program_errors& errors, std::int64_t threads) {
    return intervals{errors, opteron(), "mutex", 4}.of_all({at("mutex", threads), at("mcs", threads)}).sentences;
  };
  const std::string few = said(errors_of(7, "elsewhere", 1.1, 1.5, 3), 4);
  EXPECT_EQ(
      few,
      "They are 1.10 to 1.50 times wider than that, down and up, by what 7 measured programs needed (elsewhere, 48 "
      "processors): of 8 programs like these an interval holds in 7. From so few more cannot be said; nine of ten "
      "takes 9 programs. On opteron, which is another machine, that is an extrapolation: how often intervals hold "
      "there is not known.");
  const std::string there = said(errors_of(9, title_of_opteron(), 1.1, 1.5, 3), 4);
  EXPECT_EQ(there.find("From so few"), std::string::npos) << there;
  EXPECT_EQ(there.find("extrapolation"), std::string::npos) << there;
  EXPECT_NE(there.find("of 10 programs like these an interval holds in 9."), std::string::npos) << there;
  EXPECT_NE(said(errors_of(9, "elsewhere", 1.1, 1.5, 3), 24)
                .find(" Nothing was measured of more threads, a processor each: the widest is taken."),
            std::string::npos);
  EXPECT_EQ(said(program_errors{program_errors::columns}, 4),
            "No program was measured beside its prediction, so how often intervals hold is not known.");
}

TEST(Intervals, HaveTheSameAsNumbers) {
  const program_errors errors = errors_of(7, title_of_opteron(), 1.1, 1.5, 3);
  const intervals wide{errors, opteron(), "mutex", 4};
  const auto there = wide.of_all({at("mutex", 4)}).evidence;
  EXPECT_EQ(there.at("coverage"), 7.0 / 8);
  EXPECT_EQ(there.at("programs"), 7);
  EXPECT_FALSE(there.at("extrapolated"));
  EXPECT_TRUE(wide.of_all({at("mutex", 24)}).evidence.at("extrapolated"));
}

}  // namespace
