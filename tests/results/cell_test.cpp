#include "results/cell.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "results/samples.hpp"
#include "statistics/vectors.hpp"

namespace synchro::results {
namespace {

using samples::made;
using samples::whole;

cell measured(const std::vector<double>& repetitions) { return made("a.b", {}, "m", "ns", repetitions); }

TEST(Coordinates, KeepTheirOrderAndAreReplacedInPlace) {
  coordinates at{{"lock", "mcs"}, {"threads", whole(2)}};
  at.set("lock", "ticket");
  at.set("placement", "compact");
  EXPECT_EQ(at.to_string(), "lock=ticket threads=2 placement=compact");
  EXPECT_EQ(at.word("lock"), "ticket");
  EXPECT_EQ(at.number("threads"), 2);
  EXPECT_EQ(at.find("locks"), nullptr);
  EXPECT_THROW((void)at.number("locks"), std::out_of_range);
  EXPECT_THROW((void)at.number("lock"), std::bad_variant_access);
  EXPECT_THROW((void)at.word("threads"), std::bad_variant_access);
}

TEST(Coordinates, ToStringIsAKey) {
  const coordinates number{{"threads", whole(4)}};
  const coordinates word{{"threads", "4"}};
  const coordinates two{{"a", "x"}, {"b", "y"}};
  const coordinates one{{"a", "x b=y"}};
  EXPECT_NE(number.to_string(), word.to_string());
  EXPECT_NE(two.to_string(), one.to_string());
}

TEST(Summarize, TakesMedianAndIntervalOfTheRepetitions) {
  const cell c = measured({100, 101, 99, 102, 98, 100.5, 99.5});
  EXPECT_EQ(c.value, 100);
  EXPECT_EQ(c.ci, std::pair(98.0, 102.0));
  EXPECT_EQ(c.n, 7U);
  EXPECT_EQ(c.quality, flag::ok);
  EXPECT_FALSE(c.reason);
}

TEST(Summarize, FlagsByTheHalfWidth) {
  const auto with_half_width = [](double h) { return measured({100 - h, 100, 100, 100, 100, 100 + h}).quality; };
  EXPECT_EQ(with_half_width(0), flag::ok);
  EXPECT_EQ(with_half_width(4.9), flag::ok);
  EXPECT_EQ(with_half_width(5), flag::noisy);
  EXPECT_EQ(with_half_width(9.9), flag::noisy);
  EXPECT_EQ(with_half_width(10), flag::unreliable);
  EXPECT_EQ(with_half_width(1000), flag::unreliable);
}

TEST(Summarize, FlagsAsTheVectorsSay) {
  for (const auto& expected : tests::vectors("flags")) {
    const cell c = samples::made("x", {}, "t", "ns", expected.at("values").get<std::vector<double>>());
    EXPECT_EQ(to_string(c.quality), expected.at("flag").get<std::string>()) << expected;
    ASSERT_EQ(half_width(c).has_value(), !expected.at("half_width").is_null()) << expected;
    if (half_width(c)) tests::expect_equal(*half_width(c), expected.at("half_width").get<double>());
  }
}

TEST(Summarize, FiveRepetitionsHaveAValueButAreUnreliable) {
  const cell c = measured({100, 100, 100, 100, 100});
  EXPECT_EQ(c.value, 100);
  EXPECT_FALSE(c.ci);
  EXPECT_EQ(c.quality, flag::unreliable);
}

TEST(Summarize, AValueOfZeroIsSureOnlyIfAllAreZero) {
  EXPECT_EQ(measured({0, 0, 0, 0, 0, 0}).quality, flag::ok);
  EXPECT_EQ(measured({-1, 0, 0, 0, 0, 1}).quality, flag::unreliable);
}

TEST(Summarize, ClockLimitedComesBeforeTheRest) {
  cell c = measured({10, 10, 10, 10, 10, 10});
  summarize(c, true);
  EXPECT_EQ(c.quality, flag::clock_limited);
  EXPECT_EQ(c.value, 10);
}

TEST(Summarize, SaysWhyThereIsNoValue) {
  cell broken = measured({1, 2, 3, 4, 5, 6});
  broken.valid = false;
  summarize(broken);
  EXPECT_FALSE(broken.value);
  EXPECT_FALSE(broken.ci);
  EXPECT_TRUE(broken.reason);

  EXPECT_TRUE(measured({}).reason);
  EXPECT_FALSE(measured({}).value);

  const cell infinite = measured({1, 2, 3, std::numeric_limits<double>::infinity(), 5, 6});
  EXPECT_FALSE(infinite.value);
  EXPECT_TRUE(infinite.reason);

  cell reasoned;
  reasoned.reason = "two processors have no third";
  summarize(reasoned);
  EXPECT_EQ(reasoned.reason, "two processors have no third");
}

TEST(CellJson, HasNoNumberThatIsNotFinite) {
  cell c = measured({1, 2, 3, 4, 5, 6});
  c.value = std::nan("");
  c.ci = {{-std::numeric_limits<double>::infinity(), 1}};
  c.samples[2] = std::nan("");
  c.quantiles["p50"] = std::numeric_limits<double>::infinity();
  c.noise = {{"run_delay_ns", std::nan("")}};
  const auto j = to_json(c);
  EXPECT_TRUE(j["value"].is_null());
  EXPECT_TRUE(j["ci"].is_null());
  EXPECT_TRUE(j["samples"][2].is_null());
  EXPECT_TRUE(j["quantiles"]["p50"].is_null());
  EXPECT_TRUE(j["noise"]["run_delay_ns"].is_null());
  EXPECT_EQ(j["reason"], "the value is not finite");
}

TEST(CellJson, ABrokenCellIsWrittenWithoutItsNumber) {
  cell c = measured({1, 2, 3, 4, 5, 6});
  c.valid = false;  // And not summarized again.
  EXPECT_TRUE(to_json(c)["value"].is_null());
  EXPECT_EQ(to_json(c)["reason"], "a self-check failed");
}

TEST(CellJson, WholeNumbersThatOthersWouldRoundAreText) {
  cell c = measured({1});
  c.at = {{"seed", whole((std::int64_t{1} << 53) + 1)}, {"threads", whole(std::int64_t{1} << 53)}};
  EXPECT_EQ(to_json(c)["at"]["seed"], "9007199254740993");
  EXPECT_EQ(to_json(c)["at"]["threads"], std::int64_t{1} << 53);
}

struct wrong {
  const char* field;
  nlohmann::ordered_json value;
  const char* said;
};

TEST(CellFromJson, NamesWhatIsWrong) {
  const std::vector<wrong> cases = {
      {"unit", 3, "unit must be text, not 3"},
      {"value", "fast", "value must be a number, not text"},
      {"ci", {1}, "ci must be null or two numbers, from and to"},
      {"ci", {2, 1}, "ci must not end before it begins"},
      {"ci", {1, "x"}, "ci[1] must be a number, not text"},
      {"n", -1, "n must be a count, not -1"},
      {"n", 1.5, "n must be a whole number, not 1.5"},
      {"flag", "good", "flag must be one of ok, noisy, unreliable, clock_limited, emulated"},
      {"better", "faster", "better must be one of higher, lower, neither"},
      {"at", {{"threads", 1.5}}, "at.threads must be a whole number, not 1.5"},
      {"at", {{"threads", nullptr}}, "at.threads must be a whole number or text, not null"},
      {"at",
       {{"threads", 18446744073709551615U}},
       "at.threads must be a whole number of 63 bits, not 18446744073709551615"},
      {"samples", {{"a", 1}}, "samples must be an array, not an object"},
      {"samples", {1, "x"}, "samples[1] must be a number, not text"},
      {"quantiles", {{"p50", true}}, "quantiles.p50 must be a number, not true or false"},
      {"noise", 1, "noise must be an object, not 1"},
      {"valid", 1, "valid must be true or false, not 1"},
      {"valid", false, "the cell failed its self-check and yet has a value"},
      {"value", nullptr, "the cell has an interval but no value"}};
  for (const wrong& w : cases) {
    auto j = to_json(measured({1, 2, 3, 4, 5, 6}));
    j[w.field] = w.value;
    try {
      (void)cell_from_json(j);
      ADD_FAILURE() << w.said;
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), w.said);
    }
  }
}

TEST(CellFromJson, NamesEveryFieldThatIsMissing) {
  const auto whole_cell = to_json(measured({1, 2, 3, 4, 5, 6}));
  const auto later = [](const std::string& name) { return name == "probe_ns" || name == "conditions"; };
  for (const auto& [name, value] : whole_cell.items()) {
    if (later(name)) continue;
    auto j = whole_cell;
    j.erase(name);
    try {
      (void)cell_from_json(j);
      ADD_FAILURE() << name;
    } catch (const std::runtime_error& e) {
      EXPECT_EQ(std::string{e.what()}, "the field \"" + name + "\" is missing");
    }
  }
}

TEST(CellFromJson, TakesTheDistanceOfAnOldFileFromItsProbes) {
  auto j = to_json(measured({1, 2, 3, 4, 5, 6}));
  j.erase("probe_ns");
  j.erase("conditions");
  EXPECT_FALSE(cell_from_json(j).probe_ns);
  j["noise"]["probes_ns"] = {{40, 44}, nullptr, {46, 400}};
  EXPECT_EQ(cell_from_json(j).probe_ns, 45);
  j["probe_ns"] = 50;
  EXPECT_EQ(cell_from_json(j).probe_ns, 50);
}

TEST(CellFromJson, CallsAMetricOfAnOldFileByItsNameOfToday) {
  auto j = to_json(measured({1, 2, 3, 4, 5, 6}));
  j["metric"] = "hand_over";
  EXPECT_EQ(cell_from_json(j).metric, "handoff_time");
  j["metric"] = "hand_off";
  EXPECT_EQ(cell_from_json(j).metric, "handoff_share");
  j["metric"] = "throughput";
  EXPECT_EQ(cell_from_json(j).metric, "throughput");
}

TEST(CellFromJson, IgnoresFieldsOfALaterMinorVersion) {
  auto j = to_json(measured({1, 2, 3, 4, 5, 6}));
  j["added_later"] = 1;
  EXPECT_EQ(cell_from_json(j).value, 3.5);
}

}  // namespace
}  // namespace synchro::results
