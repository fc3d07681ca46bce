// What is said of a file in which no value is sure.

#include "results/doubt.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "results/comparison.hpp"
#include "results/samples.hpp"

namespace synchro::results {
namespace {

cell wide(const std::string& experiment) {
  return samples::made(experiment, {{"lock", "mcs"}}, "pair", "ns", samples::around(10, 0.4));
}

document some(std::vector<cell> cells) { return samples::complete_document(std::move(cells)); }

TEST(NothingSure, SaysWhyAndWhatMeasuresAgain) {
  cell few = wide("locks.uncontested"), broken = wide("wake.broadcast");
  few.samples.resize(2), summarize(few);
  broken.valid = false;
  EXPECT_EQ(
      nothing_sure(some({few, few, wide("wake.broadcast"), broken})).value_or("nothing"),
      "No reliable finding: no value is sure; 2 without an interval (fewer than 6 repetitions), 1 with an interval "
      "whose half is 10 % or more, 1 of a cell that failed its self-check. To measure again, when nothing else runs "
      "(synchroscope check): synchroscope run locks.uncontested wake.broadcast");
}

TEST(NothingSure, RepeatsWhatTheRunWasAskedFor) {
  document d = some({wide("locks.uncontested")});
  d.invocation["request"] = {{"axes", {{"lock", {"mcs", "$(reboot)"}}, {"primitive", {"event"}}}}};
  EXPECT_TRUE(
      nothing_sure(d).value_or("nothing").ends_with(": synchroscope run locks.uncontested --lock mcs,'$(reboot)'"));
  d.machine = {{"kind", "simulated"}, {"model_name", "opteron"}};
  EXPECT_TRUE(nothing_sure(d).value_or("nothing").ends_with(
      "To simulate again with more repetitions: synchroscope simulate locks.uncontested --lock mcs,'$(reboot)' "
      "--machine opteron"));
}

/// The page reads the same file (tests/report/unit.test.ts).
TEST(Repetition, IsThatOfThePage) {
  for (const json& vector : json::parse(std::ifstream{SYNCHRO_REPETITIONS})) {
    std::vector<cell> cells;
    for (const json& one : vector.at("cells")) {
      cells.push_back(wide(one.at(0).get<std::string>()));
      cells.back().at = {};
      for (const auto& [axis, value] : one.at(1).items())
        cells.back().at.set(axis, value.is_string() ? coordinate{value.get<std::string>()} : value.get<std::int64_t>());
    }
    document d = some(std::move(cells));
    d.machine = vector.at("machine");
    d.invocation["request"] = vector.at("request");
    EXPECT_EQ(repetition(d, vector.at("experiments").get<std::vector<std::string>>()),
              vector.at("command").get<std::string>())
        << vector.at("what");
  }
}

TEST(NothingSure, OfARunThatWasStoppedGoesOn) {
  document d = some({wide("locks.uncontested")});
  d.complete = false;
  EXPECT_NE(nothing_sure(d).value_or("nothing").find("synchroscope run --resume FILE"), std::string::npos);
}

TEST(NothingSure, OfAnEmulatorIsSaidHoweverNarrowTheIntervalsAre) {
  document d = some({samples::made("locks.uncontested", {{"lock", "tas"}}, "pair", "ns", samples::around(10))});
  d.machine["emulation"] = nullptr;
  EXPECT_EQ(document_from_json(to_json(d)).cells.front().quality, flag::ok);
  d.machine["emulation"] = "qemu-aarch64 on x86_64";
  d = document_from_json(to_json(d));
  EXPECT_EQ(d.cells.front().quality, flag::emulated) << "whatever the file says";
  EXPECT_FALSE(has_interval(d.cells.front()));
  EXPECT_EQ(nothing_sure(d),
            "No reliable finding: this was measured under an emulator (qemu-aarch64 on x86_64), whose figures say "
            "nothing about any processor.");
}

TEST(NothingSure, IsNotSaidWhereAValueIsOrNoneIsThere) {
  const cell sure = samples::made("locks.uncontested", {{"lock", "tas"}}, "pair", "ns", samples::around(10));
  EXPECT_FALSE(nothing_sure(some({wide("locks.uncontested"), sure})));
  EXPECT_FALSE(nothing_sure(some({samples::without_value("locks.uncontested", {}, "pair", "ns", "there is no time")})));
  EXPECT_FALSE(nothing_sure(some({})));
  document printed = some({wide("locks.uncontested")});
  printed.machine["kind"] = "published";
  EXPECT_FALSE(nothing_sure(printed)) << "a paper's numbers have no intervals";
}

TEST(NothingSure, WarnsWhoCompares) {
  const cell sure = samples::made("locks.uncontested", {{"lock", "mcs"}}, "pair", "ns", samples::around(10));
  const comparison c = compare(some({sure}), some({wide("locks.uncontested")}));
  ASSERT_EQ(c.warnings.size(), 1U);
  EXPECT_TRUE(c.warnings.front().starts_with("The second file: No reliable finding: no value is sure"))
      << c.warnings.front();
}

cell contended(double width, std::int64_t threads = 2) {
  return samples::made("locks.throughput", {{"lock", "mcs"}, {"threads", threads}}, "throughput", "op/s",
                       samples::around(1e7, width));
}

TEST(NoContendedLockSure, SaysWhatMeasuresThem) {
  const cell free = samples::made("locks.uncontested", {{"lock", "tas"}}, "pair", "ns", samples::around(10));
  const auto missing = no_contended_lock_sure(some({free, contended(0.4)}));
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->why, "no value of such a lock is sure");
  EXPECT_EQ(missing->command, "synchroscope run locks.throughput");
  const auto unmeasured = no_contended_lock_sure(some({free, contended(0.01, 1)}));
  ASSERT_TRUE(unmeasured);
  EXPECT_EQ(unmeasured->why, "there is no value of such a lock");
  document model = some({contended(0.4)});
  model.machine["kind"] = "simulated";
  EXPECT_EQ(no_contended_lock_sure(model).value().command,
            "synchroscope simulate locks.throughput --machine 'A processor'");
  document stopped = some({wide("coherence.local")});
  stopped.invocation["request"]["experiments"] = {"coherence.local", "locks.uncontested"};
  EXPECT_TRUE(no_contended_lock_sure(stopped)) << "it was asked for locks and did not come to them";
}

TEST(NoContendedLockSure, IsNotSaidWhereOneIsOrNobodyAsked) {
  EXPECT_FALSE(no_contended_lock_sure(some({contended(0.4), contended(0.01)})));
  document of_others = some({wide("coherence.local")});
  EXPECT_FALSE(no_contended_lock_sure(of_others));
  of_others.invocation["request"]["experiments"] = {"coherence.local"};
  EXPECT_FALSE(no_contended_lock_sure(of_others));
}

}  // namespace
}  // namespace synchro::results
