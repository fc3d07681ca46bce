#include "results/matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "results/samples.hpp"
#include "results/temporary.hpp"

namespace synchro::results {
namespace {

using json = nlohmann::ordered_json;
using samples::complaint;
using samples::complete_document;
using samples::folder;
using samples::made;
using samples::whole;

/// A latency between each two of so many processors, all different, some without an interval, one that could not be measured.
document map_of(std::int64_t processors) {
  std::mt19937_64 random{7};
  std::uniform_real_distribution<double> ns{20, 2000}, scatter{0, 0.3};
  std::vector<cell> cells;
  for (std::int64_t from = 0; from < processors; ++from)
    for (std::int64_t to = 0; to < processors; ++to) {
      if (from == to) continue;
      std::vector<double> repetitions = samples::around(ns(random), scatter(random));
      if (to % 10 == 3) repetitions.resize(5);
      cells.push_back(made("coherence.pairs", {{"protocol", "cas"}, {"from", whole(from)}, {"to", whole(to)}},
                           "latency", "ns", repetitions));
    }
  cells.front() = samples::without_value("coherence.pairs", cells.front().at, "latency", "ns", "it never ran");
  cells.push_back(made("coherence.local", {{"level", "l1"}}, "latency", "ns", samples::around(1)));
  return complete_document(std::move(cells));
}

/// Of each place; in files the cells of a matrix come last.
std::map<std::string, const cell*> by_place(const document& d) {
  std::map<std::string, const cell*> all;
  for (const cell& c : d.cells) all.emplace(c.at.to_string(), &c);
  return all;
}

TEST(Matrix, OfAFileIsReadAsItsCells) {
  const folder tmp;
  const document d = map_of(140);
  write_document(d, tmp.file("r.json"));
  const document back = read_document(tmp.file("r.json"));
  ASSERT_EQ(back.cells.size(), d.cells.size());
  const auto read = by_place(back);
  for (const cell& c : d.cells) {
    const cell& r = *read.at(c.at.to_string());
    ASSERT_EQ(r.at, c.at);
    ASSERT_EQ(std::tie(r.experiment, r.metric, r.unit, r.direction, r.n, r.quality, r.reason),
              std::tie(c.experiment, c.metric, c.unit, c.direction, c.n, c.quality, c.reason));
    ASSERT_EQ(r.value.has_value(), c.value.has_value());
    ASSERT_EQ(r.ci.has_value(), c.ci.has_value());
    if (c.value) {
      ASSERT_NEAR(*r.value, *c.value, *c.value * 6e-7);  // half of the seventh digit, and the float's own rounding
    }
    if (!c.ci) continue;
    ASSERT_LE(r.ci->first, c.ci->first);
    ASSERT_GE(r.ci->second, c.ci->second);
    ASSERT_NEAR(r.ci->first, c.ci->first, 0.03 * (*c.value - c.ci->first) + 2e-5 * *c.value);
    ASSERT_NEAR(r.ci->second, c.ci->second, 0.03 * (c.ci->second - *c.value) + 2e-5 * *c.value);
  }
}

TEST(Matrix, WrittenAgainIsTheSame) {
  const json once = to_json(map_of(140));
  const json again = to_json(document_from_json(once));
  EXPECT_TRUE(again.at("cells")[2].at("data") == once.at("cells")[2].at("data"));
}

TEST(Matrix, IsOneEntryAndTakesTenBytesForAPair) {
  const json j = to_json(map_of(140));
  EXPECT_EQ(j.at("schema"), "synchroscope/2");
  ASSERT_EQ(j.at("cells").size(), 3U);  // what has no value, what is no pair, and all others
  EXPECT_TRUE(is_matrix(j.at("cells")[2]));
  EXPECT_LT(j.at("cells")[2].dump().size(), 140U * 140 * 10);
}

TEST(Matrix, OfFewProcessorsIsCellByCell) {
  const document d = map_of(128);
  EXPECT_EQ(to_json(d).at("schema"), "synchroscope/1");
  EXPECT_EQ(to_json(d).at("cells").size(), d.cells.size());
}

TEST(Matrix, OfARunThatIsToGoOnHasItsRepetitions) {
  document d = map_of(140);
  d.complete = false;
  EXPECT_EQ(to_json(d).at("schema"), "synchroscope/1");
  EXPECT_EQ(document_from_json(to_json(d)).cells.back().samples, d.cells.back().samples);
}

TEST(Matrix, ThatIsDamagedIsRefusedWithASentence) {
  const json sound = to_json(map_of(140)).at("cells")[2];
  const auto about = [&](const auto& change) {
    json j = sound;
    change(j);
    return complaint([&] { (void)cells_of_matrix(j); });
  };
  EXPECT_EQ(about([](json&) {}), "");
  EXPECT_EQ(about([](json& j) { j.erase("data"); }), "the field \"data\" is missing");
  EXPECT_EQ(about([](json& j) { j["data"] = j["data"].get<std::string>().substr(8); }),
            "data is not of as many fields as there are pairs of processors");
  EXPECT_EQ(about([](json& j) { j["processors"][1] = 0; }), "processors must not name one twice");
  EXPECT_EQ(about([](json& j) { j["block"] = 2; }), "block must be 1: an overview is of a page and no measurement");
  EXPECT_EQ(about([](json& j) { j["map"]["at"].erase("to"); }), "map must be of two processors, from and to");
  EXPECT_EQ(about([](json& j) { j["map"]["value"] = nullptr, j["map"]["ci"] = nullptr, j["map"]["reason"] = "none"; }),
            "map must have a value, and no samples");
  EXPECT_EQ(about([](json& j) { j["ratio"] = 1e300; }), "ratio is no ratio of distances");
  EXPECT_EQ(about([](json& j) { j["data"].get_ref<std::string&>().replace(0, 8, "AACAfwAA"); }),
            "a field of the matrix has no value");
}

}  // namespace
}  // namespace synchro::results
