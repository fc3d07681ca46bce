#include "fleet/gathered.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "results/samples.hpp"

namespace synchro::fleet {
namespace {

namespace fs = std::filesystem;
using results::document;
namespace samples = results::samples;

results::cell under(double pause_ns) {
  results::cell c = samples::made("a.b", {}, "latency", "ns", samples::around(50));
  c.conditions["pause_ns"] = pause_ns;
  return c;
}

TEST(Places, AreTheOldestWhoseConditionsAreAlike) {
  places known;
  EXPECT_EQ(known.of({under(103), under(100), under(-100), under(0)}), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(known.of({under(101.5), under(98.1), under(-101), under(0), under(97)}),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(Places, AreFoundAgainAmongVeryMany) {
  places known;
  std::vector<results::cell> cells;
  for (int i = -5'000; i < 5'000; ++i) cells.push_back(under(std::pow(1.0206, i)));
  const std::vector<std::uint32_t> numbers = known.of(cells);
  EXPECT_EQ(known.size(), cells.size());
  for (results::cell& c : cells) c.conditions["pause_ns"] *= 1.01;
  EXPECT_EQ(known.of(cells), numbers);
}

class Gathering : public testing::Test {
 protected:
  [[nodiscard]] std::string put(const std::string& name, const std::string& text) const {
    std::ofstream{folder_.file(name)} << text;
    return folder_.file(name);
  }
  [[nodiscard]] std::string put(const std::string& name, const document& d) const {
    return put(name, results::to_json(d).dump());
  }
  static document answer_of(const std::string& host, const std::string& id, const std::string& started) {
    document d = samples::complete_document(
        {samples::made("a.b", {{"threads", samples::whole(2)}}, "latency", "ns", samples::around(50))});
    d.id = id;
    d.os["hostname"] = host;
    d.invocation["started"] = started;
    d.invocation["wall_s"] = 1.0;
    return d;
  }
  [[nodiscard]] std::string why(std::size_t i) const {
    const refusal& r = all_.refused.at(i);
    return r.why.substr(r.why.find(".json") + 6);
  }

  results::temporary_folder folder_;
  gathered all_;
};

TEST_F(Gathering, AFolderIsItsFilesAndThoseOfFoldersInIt) {
  fs::create_directory(folder_.file("deep"));
  const std::vector<std::string> made{put("b.json", "{}"), put("deep/a.json", "{}")};
  static_cast<void>(put("c.json.partial", "{}"));
  EXPECT_EQ(files_meant({folder_.file("")}), made);
  EXPECT_EQ(files_meant({"named.txt"}), std::vector<std::string>{"named.txt"});
}

TEST_F(Gathering, ALinkThatLeadsNowhereHidesNoFile) {
  fs::create_symlink("loop.json", folder_.file("loop.json"));
  const std::vector<std::string> files = files_meant({folder_.file("")});
  EXPECT_EQ(files, std::vector<std::string>{folder_.file("loop.json")});
  gather({files.front(), put("1.json", answer_of("h", "1", "2026-11-02"))}, all_);
  EXPECT_EQ(all_.hosts.size(), 1U);
  EXPECT_EQ(all_.refused.size(), 1U);
}

TEST_F(Gathering, FilesOfOneNameThatOverlapAreDoubted) {
  document first = answer_of("h", "1", "2026-11-02T23:59:00Z");
  first.invocation["wall_s"] = 90.0;
  gather({put("1.json", first), put("2.json", answer_of("h", "2", "2026-11-03T00:00:29Z")),
          put("3.json", answer_of("h", "3", "2026-11-03T00:00:31Z")), put("4.json", answer_of("g", "4", "2026-11-03"))},
         all_);
  ASSERT_EQ(all_.doubts.size(), 1U);
  EXPECT_NE(all_.doubts[0].find("2.json began before "), std::string::npos) << all_.doubts[0];
  EXPECT_NE(all_.doubts[0].find("two machines of one name"), std::string::npos);
}

TEST_F(Gathering, AnswersOfOneNameAreOneHostTheOldestFirst) {
  gather({put("1.json", answer_of("h", "1", "2026-11-02")), put("2.json", answer_of("h", "2", "2026-11-01")),
          put("3.json", answer_of("g", "3", "2026-11-03"))},
         all_);
  ASSERT_EQ(all_.hosts.size(), 2U);
  EXPECT_EQ(all_.hosts[0].name, "g");
  EXPECT_EQ(all_.hosts[1].answers.front().id, "2");
  EXPECT_EQ(all_.hosts[1].now().id, "1");
  EXPECT_TRUE(all_.refused.empty());
}

TEST_F(Gathering, WhoAnswersTwiceIsNamed) {
  gather({put("1.json", answer_of("h", "1", "2026-11-02")), put("2.json", answer_of("h", "1", "2026-11-02")),
          put("3.json", answer_of("other", "1", "2026-11-04")), put("4.json", answer_of("h", "4", "2026-11-02"))},
         all_);
  EXPECT_EQ(all_.hosts.size(), 1U);
  ASSERT_EQ(all_.refused.size(), 3U);
  EXPECT_TRUE(why(0).starts_with("holds the same run as ")) << why(0);
  EXPECT_TRUE(why(1).starts_with("holds the same run as ")) << why(1);
  EXPECT_TRUE(why(2).starts_with("is a second file from its host for the same time: ")) << why(2);
}

TEST_F(Gathering, OneNameOnTwoKindsOfMachinesIsTwoHosts) {
  document other = answer_of("h", "2", "2026-11-03");
  other.machine["model_name"] = "Another";
  gather({put("1.json", answer_of("h", "1", "2026-11-02")), put("2.json", other)}, all_);
  ASSERT_EQ(all_.hosts.size(), 2U);
  EXPECT_EQ(all_.hosts[1].name, "h (Another, 0 processors)");
}

TEST_F(Gathering, FilesThatAreNoHostsAreNamedAndTheRestIsRead) {
  document simulated = answer_of("s", "5", "2026-11-02"), empty = answer_of("e", "6", "2026-11-02");
  document emulated = answer_of("m", "8", "2026-11-02");
  simulated.machine["kind"] = "simulated";
  emulated.machine["emulation"] = "qemu-arm";
  empty.cells.clear();
  document newer = answer_of("n", "7", "2026-11-02");
  std::string text = results::to_json(newer).dump();
  text.replace(text.find("synchroscope/1"), 14, "synchroscope/3");
  gather(
      {put("1.json", answer_of("h", "1", "2026-11-02")), put("2.json", results::to_json(newer).dump().substr(0, 300)),
       put("3.json", "[1, 2]"), put("4.json", text), put("5.json", simulated), put("6.json", empty),
       put("7.json", std::string(100'000, '[')), put("8.json", emulated), folder_.file("9.json")},
      all_);
  EXPECT_EQ(all_.hosts.size(), 1U);
  ASSERT_EQ(all_.refused.size(), 8U);
  EXPECT_EQ(why(0), "ends in the middle of the JSON: it was cut off");
  EXPECT_NE(why(1).find("is not a results file"), std::string::npos);
  EXPECT_NE(why(2).find("newer Synchroscope"), std::string::npos);
  EXPECT_EQ(why(3), "holds no host's measurements: its machine is simulated");
  EXPECT_EQ(why(4), "holds no value that could be compared");
  EXPECT_EQ(why(5), "is nested too deeply");
  EXPECT_EQ(why(6), "was measured under an emulator (qemu-arm), whose figures say nothing about any processor");
  EXPECT_EQ(why(7), "does not exist");
}

TEST_F(Gathering, AFileThatWouldTakeTheMemoryOfAllIsNamedAndTheRestIsRead) {
  const std::string large = put("2.json", "{");
  fs::resize_file(large, (std::uintmax_t{128} << 20) + 1);
  std::string values = "[0";
  while (values.size() < 20'000'002) values += ",0";
  gather({put("1.json", answer_of("h", "1", "2026-11-02")), large, put("3.json", values + "]")}, all_);
  EXPECT_EQ(all_.hosts.size(), 1U);
  ASSERT_EQ(all_.refused.size(), 2U);
  EXPECT_EQ(why(0), "is larger than 128 MiB, too large for the file of one host");
  EXPECT_EQ(why(1), "has too many values");
}

TEST_F(Gathering, AHostWithoutANameIsCalledAsItsFile) {
  document d = answer_of("", "1", "2026-11-02");
  gather({put("rack-7.json", d)}, all_);
  EXPECT_EQ(all_.hosts.at(0).name, "rack-7");
}

TEST_F(Gathering, ValuesOfOtherConditionsAreOfAnotherPlace) {
  document a = answer_of("a", "1", "2026-11-02"), b = answer_of("b", "2", "2026-11-02");
  a.cells[0].conditions["pause_ns"] = 100;
  b.cells[0].conditions["pause_ns"] = 101;
  gather({put("1.json", a), put("2.json", b)}, all_);
  EXPECT_EQ(all_.known.size(), 1U);
  b.id = "3", b.cells[0].conditions["pause_ns"] = 200;
  gather({put("3.json", b)}, all_);
  EXPECT_EQ(all_.known.size(), 2U);
}

}  // namespace
}  // namespace synchro::fleet
