#include "results/document.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <regex>
#include <set>

#include "results/samples.hpp"
#include "results/temporary.hpp"

namespace synchro::results {
namespace {

using nlohmann::ordered_json;
using samples::complaint;
using samples::complete_document;
using samples::folder;
using samples::made;
using samples::put;
using samples::whole;

document small() {
  return complete_document({made("locks.throughput", {{"lock", "mcs/park"}, {"threads", whole(2)}}, "throughput",
                                 "op/s", samples::around(1.9e7), better::higher),
                            samples::without_value("coherence.states", {{"state", "owned"}}, "latency", "ns",
                                                   "this processor has no state Owned")});
}

/// Documents of all shapes, some with strange but lawful content.
class generator {
 public:
  explicit generator(std::uint64_t seed) : random_{seed} {}

  document next() {
    document d = complete_document({});
    d.complete = chance(2);
    d.id = new_id();
    if (chance(2)) d.label.reset();
    d.machine["more"] = tree(4);
    d.os["more"] = tree(3);
    for (std::size_t i = below(3); i > 0; --i) d.warnings.push_back({text(), {{"evidence", tree(2)}}, text()});
    for (std::size_t i = below(6); i > 0; --i) d.cells.push_back(any_cell());
    return d;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  bool chance(std::size_t in) { return below(in) == 0; }

  double number() {
    const double sizes[] = {0, 1, -1, 5e-324, 1e-9, 0.1, 1e300, 12345.678};
    return sizes[below(8)] * (1 + static_cast<double>(below(1000)) / 7);
  }

  std::string text() {
    const char* parts[] = {"mcs",    "/",      " ",          "\n", "\"", "\\", "\x1b[31m",
                           "\u00e9", "\u4e16", "\U0001F512", "=",  "1",  ""};
    std::string out = "x";
    for (std::size_t i = below(6); i > 0; --i) out += parts[below(13)];
    return out;
  }

  ordered_json tree(unsigned depth) {
    switch (below(depth > 0 ? 7 : 5)) {
      case 0:
        return nullptr;
      case 1:
        return number();
      case 2:
        return text();
      case 3:
        return chance(2);
      case 4:
        return static_cast<std::int64_t>(below(1U << 30)) - (1 << 29);
      case 5: {
        ordered_json list = ordered_json::array();
        for (std::size_t i = below(4); i > 0; --i) list.push_back(tree(depth - 1));
        return list;
      }
      default: {
        ordered_json object = ordered_json::object();
        for (std::size_t i = below(4); i > 0; --i) object[text()] = tree(depth - 1);
        return object;
      }
    }
  }

  cell any_cell() {
    cell c;
    c.experiment = "room.experiment";
    c.metric = "latency";
    c.unit = chance(2) ? "ns" : "op/s";
    c.direction = chance(2) ? better::higher : better::neither;
    for (std::size_t i = below(4); i > 0; --i)
      c.at.set(text(), chance(2) ? coordinate{text()} : coordinate{static_cast<std::int64_t>(below(1U << 20)) - 1000});
    for (std::size_t i = below(15); i > 0; --i) c.samples.push_back(number());
    if (chance(4)) c.reason = text();
    if (chance(6)) c.valid = false;
    summarize(c, chance(5));
    if (chance(2)) c.quantiles = {{"p50", number()}, {"p99.9", number()}};
    if (chance(2)) c.noise = {{"mode", text()}, {"steal_ns", number()}};
    return c;
  }

  std::mt19937_64 random_;
};

TEST(Document, SurvivesTheRoundTrip) {
  const folder tmp;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const document d = generator{seed}.next();
    write_document(d, tmp.file("r.json"));
    const document back = read_document(tmp.file("r.json"));
    ASSERT_EQ(to_json(back), to_json(d)) << "seed " << seed;
    ASSERT_EQ(to_json(back).dump(), to_json(d).dump()) << "the order of the fields, seed " << seed;
    ASSERT_EQ(back.cells.size(), d.cells.size());
    for (std::size_t i = 0; i < d.cells.size(); ++i) {
      EXPECT_EQ(back.cells[i].at, d.cells[i].at);
      EXPECT_EQ(back.cells[i].samples, d.cells[i].samples) << "every digit";
      EXPECT_EQ(back.cells[i].value, d.cells[i].value);
      EXPECT_EQ(back.cells[i].quality, d.cells[i].quality);
    }
  }
}

TEST(Document, HasEveryFieldInTheOrderOfItsDescription) {
  std::string names;
  const ordered_json j = to_json(small());
  for (const auto& [name, value] : j.items()) names += name + " ";
  EXPECT_EQ(names, "schema complete id label tool invocation machine topology os clock warnings cells ");
}

TEST(Document, ACellIsALine) {
  const folder tmp;
  write_document(small(), tmp.file("r.json"));
  std::istringstream lines{samples::content_of(tmp.file("r.json"))};
  int cells = 0;
  for (std::string line; std::getline(lines, line);) cells += line.find("\"experiment\"") != std::string::npos ? 1 : 0;
  EXPECT_EQ(cells, 2);
}

TEST(Document, NamesTheFactsThatWereNotFinite) {
  document d = small();
  d.clock["hz"] = std::nan("");
  d.os["load"] = {1.0, std::numeric_limits<double>::infinity()};
  const auto j = to_json(d);
  EXPECT_TRUE(j["clock"]["hz"].is_null());
  EXPECT_TRUE(j["os"]["load"][1].is_null());
  const auto& w = j["warnings"].back();
  EXPECT_EQ(w["id"], "not_finite");
  EXPECT_EQ(w["evidence"]["fields"], ordered_json({"os.load[1]", "clock.hz"}));
}

TEST(Document, WritesCountersOf64BitsAsText) {
  document d = small();
  d.invocation["seed"] = std::numeric_limits<std::uint64_t>::max();
  d.os["low"] = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(to_json(d)["invocation"]["seed"], "18446744073709551615");
  EXPECT_EQ(to_json(d)["os"]["low"], "-9223372036854775808");
}

TEST(Document, WritesTextThatIsNotUtf8) {
  const folder tmp;
  document d = small();
  d.label = "caf\xe9";
  d.machine["model_name"] = std::string{"\xff\xfe", 2};
  write_document(d, tmp.file("r.json"));
  EXPECT_EQ(read_document(tmp.file("r.json")).label, "caf\ufffd");
}

TEST(Document, OfSeveralMachinesEachHasItsNameItsModelAndItsProcessors) {
  document d = small();
  d.machine = {{"kind", "simulated"},
               {"model_name", "a, b"},
               {"models", {{{"name", "a"}, {"topology", {{"cpus", {{{"cpu", 7}}}}}}}, {{"name", "b"}}}}};
  d.topology = ordered_json::object();
  for (const char* const machine : {"b", "a"}) {
    cell c = d.cells.front();
    c.at.set("machine", machine);
    d.cells.push_back(c);
  }
  const std::vector<document> runs = runs_of(d);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].machine["model_name"], "b");
  EXPECT_EQ(runs[0].topology, ordered_json::object());
  EXPECT_EQ(runs[1].machine["model_name"], "a");
  EXPECT_EQ(runs[1].topology["cpus"][0]["cpu"], 7);
  EXPECT_EQ(runs[1].machine["models"].size(), 1U);
  ASSERT_EQ(runs[1].cells.size(), 1U);
  EXPECT_EQ(runs[1].cells[0].at.find("machine"), nullptr);
}

TEST(Document, IdsAreUuidsAndDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string id = new_id();
    EXPECT_TRUE(std::regex_match(id, std::regex{"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"}))
        << id;
    EXPECT_TRUE(seen.insert(id).second);
  }
}

class Reading : public ::testing::Test {
 protected:
  /// The complaint about a file of this content, without its name.
  std::string about(const std::string& content) {
    put(path_, content);
    const std::string said = complaint([&] { (void)read_document(path_); });
    EXPECT_EQ(said.rfind(path_, 0), 0U) << said;
    return said.size() > path_.size() ? said.substr(path_.size() + 1) : said;
  }
  std::string about_changed(const std::function<void(ordered_json&)>& change) {
    ordered_json j = to_json(small());
    change(j);
    const std::string said = about(j.dump());
    const std::string start = "is not a results file that can be read here: ";
    EXPECT_EQ(said.rfind(start, 0), 0U) << said;
    return said.substr(std::min(said.size(), start.size()));
  }

  folder tmp_;
  std::string path_ = tmp_.file("r.json");
};

TEST_F(Reading, SaysWhatIsWrongWithTheFile) {
  EXPECT_EQ(about(""), "is empty");
  EXPECT_EQ(about(" \n\t "), "is empty");
  EXPECT_EQ(about("hello\n"), "is not JSON: it cannot be read on from line 1, byte 1");
  EXPECT_EQ(about("{\n \"a\": 1,\n nonsense}"), "is not JSON: it cannot be read on from line 3, byte 14");
  EXPECT_EQ(about("{\"schema\": \"synchr"), "ends in the middle of the JSON: it was cut off");
  EXPECT_EQ(about("{\"a\": 1e999}"), "contains a number that is too large");
  EXPECT_EQ(about(std::string(100'000, '[')), "is nested too deeply");
  EXPECT_EQ(complaint([&] { (void)read_document(tmp_.file("none.json")); }),
            tmp_.file("none.json") + " does not exist");
  EXPECT_EQ(complaint([&] { (void)read_document(tmp_.path().string()); }),
            tmp_.path().string() + " is a directory, not a file");
  EXPECT_EQ(complaint([] { (void)read_document("/dev/zero"); }), "/dev/zero is a device, not a file");
}

/// So many of them, in brackets.
std::string listed(std::size_t n, const std::function<std::string(std::size_t)>& one, const char* brackets) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += (i == 0 ? "" : ", ") + one(i);
  return brackets[0] + all + brackets[1];
}

TEST_F(Reading, RefusesWhatWouldTakeTheTimeOrTheMemory) {
  const auto field = [](std::size_t i) { return "\"" + std::to_string(i) + "\": 0"; };
  const auto object = [&](std::size_t) { return listed(1000, field, "{}"); };
  EXPECT_EQ(about("[" + listed(1001, field, "{}") + "]"), "has an object of too many fields");
  const std::string list = listed(3, object, "[]");
  EXPECT_EQ(about(list), "is not a results file that can be read here: must be an object, not an array");
  const auto refused = [&](results::text_limits most) { return complaint([&] { (void)read_document(path_, most); }); };
  EXPECT_EQ(refused({.values = 20'000}), path_ + " has too many objects of many fields");
  EXPECT_NE(refused({.values = 40'000}), path_ + " has too many objects of many fields");
  EXPECT_EQ(refused({.bytes = list.size() - 1}), path_ + " is larger than 0 MiB");
  (void)about(listed(
      3000, [](std::size_t) { return std::string{"0"}; }, "[]"));
  EXPECT_EQ(refused({.values = 2999}), path_ + " has too many values");
  EXPECT_NE(refused({.values = 3000}), path_ + " has too many values");
}

TEST_F(Reading, SaysWhatIsWrongWithTheDocument) {
  EXPECT_EQ(about_changed([](auto& j) { j.erase("schema"); }), "it has no field \"schema\"");
  EXPECT_EQ(about_changed([](auto& j) { j = ordered_json::array({1}); }), "must be an object, not an array");
  EXPECT_EQ(about_changed([](auto& j) { j["schema"] = "somebody/1"; }), "its schema is \"somebody/1\"");
  EXPECT_EQ(about_changed([](auto& j) { j["schema"] = "synchroscope/3"; }),
            "it was written by a newer Synchroscope (schema \"synchroscope/3\"; this one reads \"synchroscope/2\")");
  EXPECT_EQ(about_changed([](auto& j) { j["schema"] = 1; }), "schema must be text, not 1");
  EXPECT_EQ(about_changed([](auto& j) { j.erase("clock"); }), "the field \"clock\" is missing");
  EXPECT_EQ(about_changed([](auto& j) { j["complete"] = "yes"; }), "complete must be true or false, not text");
  EXPECT_EQ(about_changed([](auto& j) { j["os"] = nullptr; }), "os must be an object, not null");
  EXPECT_EQ(about_changed([](auto& j) { j["warnings"][0].erase("advice"); }),
            "the field \"advice\" is missing in warnings[0]");
  EXPECT_EQ(about_changed([](auto& j) { j["cells"][1].erase("unit"); }), "cells[1]: the field \"unit\" is missing");
  EXPECT_EQ(about_changed([](auto& j) { j["cells"][0]["n"] = "7"; }), "cells[0]: n must be a whole number, not text");
}

TEST_F(Reading, SaysItInOneLineWhateverTheFileHolds) {
  const std::string said = about_changed([](auto& j) { j["schema"] = "evil\n\x1b[2Jname" + std::string(5000, 'x'); });
  EXPECT_LT(said.size(), 400U);
  EXPECT_EQ(said.find_first_of("\n\r\x1b"), std::string::npos);
}

TEST_F(Reading, TakesWhatALaterMinorVersionAdds) {
  ordered_json j = to_json(small());
  j["added"] = {{"later", 1}};
  put(path_, j.dump());
  EXPECT_EQ(read_document(path_).cells.size(), 2U);
}

/// Whatever the bytes: a document, or one sentence.
void must_cope(const std::string& path, const std::string& content, const std::string& what) {
  put(path, content);
  try {
    (void)read_document(path);
  } catch (const std::runtime_error& e) {
    const std::string said = e.what();
    EXPECT_FALSE(said.empty()) << what;
    EXPECT_EQ(said.find('\n'), std::string::npos) << what;
    EXPECT_LT(said.size(), 700U) << what;
  }
}

TEST_F(Reading, CopesWithAFileCutOffAnywhere) {
  write_document(small(), path_);
  const std::string full = samples::content_of(path_);
  const std::string cut = tmp_.file("cut.json");
  for (std::size_t length = 0; length + 2 < full.size(); ++length) {
    must_cope(cut, full.substr(0, length), "cut at " + std::to_string(length));
    EXPECT_THROW((void)read_document(cut), std::runtime_error) << length;
  }
}

TEST_F(Reading, CopesWithChangedBytes) {
  write_document(small(), path_);
  const std::string full = samples::content_of(path_);
  const std::string changed = tmp_.file("changed.json");
  std::mt19937_64 random{99};
  const std::string likely = "{}[]\",:0123456789.-eE\\\n\x80\xff\0tfn";
  for (int i = 0; i < 6000; ++i) {
    std::string text = full;
    for (std::size_t n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % text.size();
      if (random() % 4 == 0)
        text.erase(at, 1 + random() % 20);
      else
        text[at] = random() % 2 == 0 ? likely[random() % likely.size()] : static_cast<char>(random() % 256);
    }
    must_cope(changed, text, "change " + std::to_string(i));
  }
}

}  // namespace
}  // namespace synchro::results
