// Large maps in short: how much room they take, and what is one. What the page reads of them is in unit.test.ts.

#include "report/maps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "report/packed.hpp"
#include "results/samples.hpp"
#include "statistics/random.hpp"

namespace synchro::report {
namespace {

using results::cell;
using results::samples::whole;
using json = nlohmann::ordered_json;

cell pair_cell(std::int64_t from, std::int64_t to, std::array<double, 3> sorted) {
  cell c;
  c.experiment = "some.matrix", c.metric = "latency", c.unit = "ns", c.direction = results::better::lower;
  c.at = {{"from", whole(from)}, {"to", whole(to)}, {"home", std::string{"from"}}};
  c.n = 11;
  c.value = sorted[1], c.ci = {sorted[0], sorted[2]};
  return c;
}

/// Repetitions as a clock gives them: a pair is near, in the same package or in another, and all scatter by some percent.
class latencies {
 public:
  std::array<double, 3> next(std::int64_t from, std::int64_t to) {
    const double ns = from / 2 == to / 2 ? 20 : from / 128 == to / 128 ? 60 : 240;
    const double median = ns * (0.95 + 0.1 * part());
    return {median * (1 - 0.03 * part()), median, median * (1 + 0.03 * part())};
  }
  /// Of 500 round trips on a counter of 2.1 GHz.
  std::array<double, 3> by_ticks(std::int64_t from, std::int64_t to) {
    std::array<double, 3> all = next(from, to);
    for (double& v : all) v = static_cast<double>(static_cast<std::int64_t>(v * 2100)) * (1e9 / 2.1e9) / 1000;
    return all;
  }

 private:
  double part() { return static_cast<double>(dice_.next() >> 11) / 9007199254740992.0; }
  statistics::random_numbers dice_{7};
};

using wanted = std::function<bool(std::int64_t from, std::int64_t to)>;
using measured = std::function<std::array<double, 3>(std::int64_t from, std::int64_t to)>;

std::vector<cell> matrix(std::int64_t processors, const wanted& is_there, const measured& numbers) {
  std::vector<cell> cells;
  for (std::int64_t from = 0; from < processors; ++from)
    for (std::int64_t to = 0; to < processors; ++to)
      if (from != to && is_there(from, to)) cells.push_back(pair_cell(from, to, numbers(from, to)));
  return cells;
}

bool every(std::int64_t, std::int64_t) { return true; }

TEST(Maps, OfAThousandProcessorsInBothDirectionsKeepEveryBitInTheRoomOfAPage) {
  latencies by;
  const auto cells = matrix(1024, every, [&](auto from, auto to) { return by.by_ticks(from, to); });
  ASSERT_TRUE(first_stretch(cells).is_map);
  const json map = map_json(cells, {});
  EXPECT_FALSE(map.contains("digits"));
  EXPECT_FALSE(map.at("symmetric"));
  EXPECT_LE(map.at("data").get_ref<const std::string&>().size(), usual_room);
}

TEST(Maps, OfNumbersWithoutACommonClockAreRoundedUntilThereIsRoom) {
  latencies by;
  const auto numbers = [&](auto from, auto to) { return by.next(from, to); };
  const json both = map_json(matrix(1024, every, numbers), {});
  EXPECT_EQ(both.at("digits"), 7);
  EXPECT_LE(both.at("data").get_ref<const std::string&>().size(), usual_room);
  const json one_way = map_json(matrix(1024, std::less<>{}, numbers), {});
  EXPECT_EQ(one_way.at("digits"), 9);
  EXPECT_EQ(one_way.at("step"), 1);
  EXPECT_LE(one_way.at("data").get_ref<const std::string&>().size(), usual_room);
  EXPECT_FALSE(map_json(matrix(384, every, numbers), {}).contains("digits"));
}

/// What the page reads of the same is in unit.test.ts.
TEST(Maps, WithoutRoomHaveSevenDigitsAndEndsOfFive) {
  const cell positive = pair_cell(0, 1, {25.987654321, 26.283751999, 27.123456789});
  const cell negative = pair_cell(1, 0, {-0.002, -0.00123456789, -0.001});
  const std::array<const cell*, 4> fields{nullptr, &positive, &negative, nullptr};
  const json map = packed(fields, 2, 0);
  EXPECT_EQ(map.dump(), R"({"symmetric":false,"kinds":[["ok",11,true]],"digits":7,"step":100,"first":-3573234568,)"
                        R"("bits":33,"below":9,"above":10,"data":"|r9ZB)k,+8!!!!4=`N!v"})");
}

TEST(Maps, WithHolesAreMaps) {
  const auto some = [](const wanted& is_there) {
    return first_stretch(matrix(200, is_there, [](auto, auto) { return std::array{1.0, 2.0, 3.0}; })).is_map;
  };
  EXPECT_TRUE(some([](auto from, auto to) { return from < to && !(from == 3 && to == 4); }));
  EXPECT_TRUE(some([](auto from, auto to) { return (from + to) % 16 == 0; }));
  EXPECT_FALSE(some([](auto from, auto to) { return (from + to) % 64 == 0; }));  // too few to be a burden
}

TEST(Maps, ThatAreSymmetricAreToldOnce) {
  const auto size = [](bool symmetric) {
    const auto number = [&](std::int64_t from, std::int64_t to) {
      const auto v = static_cast<double>(symmetric ? from * to % 997 : (from * 31 + to) % 997);
      return std::array{v, v + 1, v + 2};
    };
    const json map = map_json(matrix(128, every, number), {});
    EXPECT_EQ(map.at("symmetric"), symmetric);
    return map.at("data").get_ref<const std::string&>().size();
  };
  EXPECT_LT(size(true), size(false) * 6 / 10);
}

TEST(Maps, OfManyMoreProcessorsAreOverviewsOnlyWhereTheirCellsAreABurden) {
  const auto cells_of = [](std::int64_t each) {
    const auto is_there = [&](auto from, auto to) { return (from + to) % each == 0; };
    return matrix(2000, is_there, [](auto, auto) { return std::array{1.0, 2.0, 3.0}; });
  };
  const auto many = cells_of(16), few = cells_of(64);
  EXPECT_TRUE(first_stretch(many).is_map);
  EXPECT_EQ(map_json(many, {}).at("block"), 2);
  EXPECT_EQ(before_overviews(many), 0);
  EXPECT_FALSE(first_stretch(few).is_map);
  EXPECT_EQ(before_overviews(few), few.size());
}

}  // namespace
}  // namespace synchro::report
