#include "results/matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "results/bit_columns.hpp"
#include "results/document.hpp"
#include "results/samples.hpp"
#include "results/temporary.hpp"

namespace synchro::results {
namespace {

using samples::whole;

/// As a clock of 2.1 GHz gives them: 500 round trips take so many ticks.
double in_ticks(double ticks) { return std::round(ticks) * (1e9 / 2.1e9) / 1000; }

/// A pair of processors, as it is measured: near ones take less, and none as long as another.
cell pair(std::int64_t from, std::int64_t to) {
  const double ns = from / 2 == to / 2 ? 20 : from / 128 == to / 128 ? 60 : 240;
  const auto scatter = [&](double k) {
    return std::abs(std::fmod(std::sin(12.9898 * double(from) + 78.233 * double(to) + k) * 43758.5453, 1));
  };
  const double ticks = 2100 * ns * (0.95 + 0.1 * scatter(1));
  cell c;
  c.experiment = "coherence.pairs";
  c.at = {{"from", from}, {"to", to}, {"protocol", "cas"}, {"home", "from"}};
  c.metric = "latency", c.unit = "ns", c.direction = better::lower;
  c.value = in_ticks(ticks);
  c.ci = {in_ticks(ticks * (1 - 0.03 * scatter(3))), in_ticks(ticks * (1 + 0.03 * scatter(5)))};
  c.n = 7, c.quality = flag::ok;
  return c;
}

/// The same with repetitions, and with what disturbed them.
cell measured_pair(std::int64_t from, std::int64_t to) {
  cell c = pair(from, to);
  for (int i = -3; i <= 3; ++i) c.samples.push_back(*c.value + i * 1.25);
  c.ci = {c.samples.front(), c.samples.back()};
  c.noise = {{"processors", {from, to}},
             {"run_delay_ns", 1000000007 * from + to},
             {"migrations", 0},
             {"core_mhz", {2900 + from % 7, 2900.5}},
             {"seconds", {0.25 + double(to) / 1024}}};
  c.probe_ns = 50.5 + double(from % 3);
  return c;
}

using makes_cell = std::function<cell(std::int64_t, std::int64_t)>;
using chooses = std::function<bool(std::int64_t, std::int64_t)>;

std::vector<cell> pairs(std::int64_t processors, const chooses& there, const makes_cell& made) {
  std::vector<cell> cells;
  for (std::int64_t from = 0; from < processors; ++from)
    for (std::int64_t to = 0; to < processors; ++to)
      if (there(from, to)) cells.push_back(made(from, to));
  return cells;
}

std::string text_of(const cell& c) { return dump(to_json(c)); }

class Matrix : public testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return tmp_.file("r.json"); }

  /// Read as they were written: cell by cell, to the last bit. What the file has.
  json written(const std::vector<cell>& cells) {
    write_document(samples::complete_document(cells), path());
    const document back = read_document(path());
    EXPECT_EQ(back.cells.size(), cells.size());
    for (std::size_t i = 0; i < std::min(cells.size(), back.cells.size()); ++i) {
      if (text_of(back.cells[i]) == text_of(cells[i])) continue;
      ADD_FAILURE() << text_of(cells[i]) << "\n" << text_of(back.cells[i]);
      break;
    }
    return read_json(path());
  }
  /// In fewer entries than cells, of the schema that older programs refuse.
  void expect_matrix(const std::vector<cell>& cells, std::size_t entries = 1) {
    const json j = written(cells);
    EXPECT_EQ(j.at("schema"), "synchroscope/2");
    EXPECT_EQ(j.at("cells").size(), entries);
  }
  void expect_cells(const std::vector<cell>& cells) {
    const json j = written(cells);
    EXPECT_EQ(j.at("schema"), "synchroscope/1");
    EXPECT_EQ(j.at("cells").size(), cells.size());
  }

 private:
  samples::folder tmp_;
};

const chooses others = std::not_equal_to<>{};

TEST_F(Matrix, ComesBackCellByCell) {
  expect_matrix(pairs(129, others, pair));
  expect_matrix(pairs(129, others, measured_pair));
  expect_matrix(pairs(
      128, [](auto, auto) { return true; }, measured_pair));
}

TEST_F(Matrix, OfOneDirectionOrWithHolesOrInTheTopologysOrder) {
  expect_matrix(pairs(184, std::less<>{}, measured_pair));
  expect_matrix(pairs(184, std::greater<>{}, measured_pair));
  expect_matrix(pairs(
      180, [](auto from, auto to) { return (3 * from + 5 * to) % 7 > 2; }, measured_pair));
  expect_matrix(pairs(129, others, [](auto from, auto to) { return measured_pair(from * 64 % 129, to * 64 % 129); }));
}

TEST_F(Matrix, WithMoreAxes) {
  std::vector<cell> cells;
  for (const cell& c : pairs(80, others, measured_pair))
    for (const char* protocol : {"oneway", "cas", "handover"}) {
      cells.push_back(c);
      cells.back().at.set("protocol", protocol);
    }
  expect_matrix(cells);
}

TEST_F(Matrix, OfCellsOfManyKinds) {
  const auto made = [](std::int64_t from, std::int64_t to) {
    cell c = measured_pair(from, to);
    const std::int64_t kind = (from + 3 * to) % 9;
    if (kind == 0) c = samples::without_value(c.experiment, c.at, c.metric, c.unit, "processor 3 was taken away");
    if (kind == 1) c.samples[2] = std::nan("");
    if (kind == 2) c.ci.reset(), c.samples.resize(3), c.n = 3, c.quality = flag::unreliable;
    if (kind == 3) c.value = -0.0, c.ci = {-0.0, 0.0}, c.probe_ns.reset();
    if (kind == 4) c.noise = {{"a/b~c", {1, nullptr, {2.5, "text"}}}, {"", -9007199254740992}};
    if (kind == 5) c.valid = false, c.value.reset(), c.ci.reset(), c.reason = "it let two threads in";
    if (kind == 6) c.quantiles = {{"p50", 3.5}}, c.conditions = {{"pause_ns", 200}};
    if (kind == 7) c.samples[0] = 5e-324, c.samples[1] = -1.7976931348623157e308;
    return c;
  };
  expect_matrix(pairs(129, others, made));
}

TEST_F(Matrix, AmongOtherCells) {
  std::vector<cell> cells{samples::made("coherence.local", {{"level", "l1"}}, "latency", "ns", {1, 2, 3})};
  for (const cell& c : pairs(129, others, measured_pair)) cells.push_back(c);
  for (cell c : pairs(129, others, pair)) c.metric = "latency_cycles", cells.push_back(c);
  cells.push_back(samples::made("locks.throughput", {{"lock", "mcs"}}, "throughput", "op/s", {1, 2, 3}));
  expect_matrix(cells, 4);
}

TEST_F(Matrix, IsNotMadeOfFewCells) {
  expect_cells(pairs(128, others, pair));  // 16,256
  expect_cells(pairs(
      129, [](auto from, auto to) { return from != to && (from + to) % 57 != 0; }, pair));
}

TEST_F(Matrix, IsNotMadeOfWhatIsNone) {
  std::vector<cell> shuffled = pairs(129, others, pair);
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937{5});
  expect_cells(shuffled);
  expect_cells(pairs(129, others, [](auto from, auto to) {
    cell c = pair(from, to);
    c.reason = "a reason of its own: " + std::to_string(from * 1000 + to);
    return c;
  }));
  std::vector<cell> diagonal;
  for (std::int64_t i = 0; i < 16'400; ++i) diagonal.push_back(pair(i, i));
  expect_cells(diagonal);
  expect_cells(pairs(129, others, [](auto from, auto to) {
    cell c = pair(from, to);
    c.at = {{"threads", from}, {"locks", to}};
    return c;
  }));
}

/// The file that tests of other readers read is as matrices are written today.
TEST_F(Matrix, IsWhatOtherReadersAreTestedBy) {
  const std::vector<cell> cells = read_document(SYNCHRO_MATRIX).cells;
  EXPECT_EQ(cells.size(), 24U);
  EXPECT_EQ(dump(*matrix_json(cells)), dump(read_json(SYNCHRO_MATRIX)["cells"][0]));
}

/// 1,024 processors with each other, of which every pair has numbers of its own.
TEST_F(Matrix, OfAThousandProcessorsTakesLessThanTenMegabytes) {
  const std::string text = dump(*matrix_json(pairs(1024, others, pair)));
  EXPECT_LT(text.size(), 10'000'000U);
}

class Damaged : public Matrix {
 protected:
  void SetUp() override {
    const auto cells = pairs(129, others, measured_pair);
    write_document(samples::complete_document(cells), path());
    whole_ = read_json(path());
  }
  /// What is said of the file with this changed in its matrix.
  std::string about(const std::function<void(json&)>& change) {
    json j = whole_;
    change(j["cells"][0]["matrix"]);
    try {
      (void)document_from_json(j);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "nothing";
  }
  /// The column at this place.
  static json& column(json& matrix, const std::string& at) {
    for (json& c : matrix["columns"])
      if (c["at"] == at) return c;
    throw std::logic_error("no column at " + at);
  }
  json whole_;
};

TEST_F(Damaged, IsRefusedWithASentence) {
  EXPECT_EQ(about([](json&) {}), "nothing");
  EXPECT_EQ(about([](json& m) { m = 3; }), "cells[0]: matrix must be an object, not 3");
  EXPECT_EQ(about([](json& m) { m.erase("kinds"); }), "cells[0]: the field \"kinds\" is missing in matrix");
  EXPECT_EQ(about([](json& m) { m["axes"][0][1].erase(3); }),
            "cells[0]: matrix.kind.data must have 2064 bytes, not 2081");
  EXPECT_EQ(about([](json& m) { m["axes"][1] = m["axes"][0]; }), "cells[0]: matrix.axes[1] is there twice");
  EXPECT_EQ(about([](json& m) { m["axes"][1].push_back(1); }),
            "cells[0]: matrix.axes[1] must be a name and its values");
  EXPECT_EQ(about([](json& m) { m["axes"][1][1][2] = 1.5; }),
            "cells[0]: matrix.axes[1][1][2] must be a whole number, not 1.5");
  EXPECT_EQ(about([](json& m) { m["kinds"][0].erase("n"); }), "cells[0]: matrix.kinds[0]: the field \"n\" is missing");
  EXPECT_EQ(about([](json& m) {
              m["kinds"][0]["samples"] = {{"x", 1}};
            }),
            "cells[0]: matrix.kinds[0]: samples must be an array, not an object");
  EXPECT_EQ(about([](json& m) { m["kind"]["least"] = 2; }), "cells[0]: matrix.kind has a number of no kind: 2");
  EXPECT_EQ(about([](json& m) { m["kind"]["least"] = -1; }), "cells[0]: matrix.kind has a number of no kind: -1");
  EXPECT_EQ(about([](json& m) { m["numbers"][0] = m["numbers"][0].get<std::string>().substr(4); }),
            "cells[0]: matrix.numbers[0] must have 8 bytes for each number");
  EXPECT_EQ(about([](json& m) { m["numbers"][0] = to_base64(std::string("\0\0\0\0\0\0\xf0\x7f", 8)); }),
            "cells[0]: matrix.numbers[0] has what is not a finite number");
}

TEST_F(Damaged, ColumnIsRefusedWithASentence) {
  EXPECT_EQ(about([](json& m) { m["columns"][0]["data"] = "AAA*"; }), "cells[0]: matrix.columns[0].data is not Base64");
  EXPECT_EQ(about([](json& m) { m["columns"][0]["data"] = "AAAA"; }),
            "cells[0]: matrix.columns[0].data must have 30960 bytes, not 3");
  EXPECT_EQ(about([](json& m) { m["columns"][0]["bits"] = 56; }),
            "cells[0]: matrix.columns[0].bits must be 55 at most");
  EXPECT_EQ(about([](json& m) { m["columns"].push_back(m["columns"][0]); }).substr(29), "is there twice");
  EXPECT_EQ(about([](json& m) { m["columns"][0]["numbers"] = 99; }),
            "cells[0]: matrix.columns[0].numbers is no table of the matrix");
  EXPECT_EQ(about([](json& m) { column(m, "/noise/processors/0")["axis"] = "away"; }).substr(29),
            "axis is not an axis of the matrix");
  EXPECT_EQ(about([](json& m) { column(m, "/noise/processors/0")["axis"] = "home"; }),
            "cells[0]: matrix has a word where a column has a number, at from=0 to=1 protocol=cas home=from");
  EXPECT_EQ(about([](json& m) { column(m, "/value")["least"] = 1'000'000; }),
            "cells[0]: matrix has a number that is not in its table, at from=0 to=1 protocol=cas home=from");
  EXPECT_EQ(about([](json& m) { std::swap(column(m, "/ci/0")["at"], column(m, "/ci/1")["at"]); }),
            "cells[0]: matrix has an interval that ends before it begins, at from=0 to=1 protocol=cas home=from");
}

/// Few letters that would become very many cells.
TEST_F(Damaged, IsRefusedWhereItWouldTakeTheMemory) {
  const auto all_of_one_kind = [](json& m) { m["kind"] = {{"bits", 0}, {"least", 1}, {"data", ""}}; };
  EXPECT_EQ(about([&](json& m) {
              all_of_one_kind(m);
              for (std::size_t i = 0; i < 4; ++i)
                m["axes"].push_back({"more" + std::to_string(i), std::vector<int>(9, 1)});
            }),
            "cells[0]: matrix.axes must have a field, and no more than 16,777,216");
  EXPECT_EQ(about([&](json& m) {
              all_of_one_kind(m);
              m["axes"].push_back({"more", std::vector<int>(1000, 1)});
              m["columns"] = json::array();
            }),
            "cells[0]: matrix has more cells than can be read here");
  text_limits left{.bytes = 1'000'000};
  std::vector<cell> cells;
  EXPECT_THROW(add_cells_of(whole_["cells"][0], left, cells), std::runtime_error);
  left = {.values = 16'000};
  EXPECT_THROW(add_cells_of(whole_["cells"][0], left, cells), std::runtime_error);
  EXPECT_TRUE(cells.empty());
}

TEST(BitColumns, AreBase64) {
  const std::map<std::string, std::string> known{{"", ""},
                                                 {"f", "Zg=="},
                                                 {"fo", "Zm8="},
                                                 {"foo", "Zm9v"},
                                                 {"foob", "Zm9vYg=="},
                                                 {"fooba", "Zm9vYmE="},
                                                 {"foobar", "Zm9vYmFy"}};  // RFC 4648
  for (const auto& [bytes, text] : known) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
  for (const char* none : {"A", "AAA", "A===", "=AAA", "AA=A", "AAA\n", "A AA", "\xff\xff\xff\xff", "===="})
    EXPECT_FALSE(from_base64(none)) << none;
}

TEST(BitColumns, AreReadAsTheyWereWritten) {
  std::mt19937_64 random{7};
  for (unsigned bits = 0; bits <= most_bits; ++bits) {
    std::vector<std::uint64_t> numbers;
    for (int i = 0; i < 100; ++i) numbers.push_back(random() & ((std::uint64_t{1} << bits) - 1));
    const std::string bytes = bytes_of_numbers(numbers, bits);
    EXPECT_EQ(bytes.size(), bytes_of(numbers.size(), bits));
    bit_reader reader{bytes, bits};
    for (const std::uint64_t n : numbers) EXPECT_EQ(reader.next(), n) << bits;
  }
}

}  // namespace
}  // namespace synchro::results
