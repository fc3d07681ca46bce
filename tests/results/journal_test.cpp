#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "results/document.hpp"
#include "results/temporary.hpp"

namespace synchro::results {
namespace {

using nlohmann::ordered_json;
using samples::complaint;
using samples::folder;
using samples::in_child;

std::vector<ordered_json> numbered(int from, int to) {
  std::vector<ordered_json> entries;
  for (int i = from; i < to; ++i) entries.push_back({{"i", i}, {"text", "line\nbreak"}});
  return entries;
}

void append_all(journal& log, const std::vector<ordered_json>& entries) {
  for (const auto& e : entries) log.append(e);
}

TEST(Journal, IsReadAsItWasWritten) {
  const folder tmp;
  journal log{tmp.file("r.json")};
  append_all(log, numbered(0, 5));
  EXPECT_EQ(journal::read(tmp.file("r.json")), numbered(0, 5)) << "while it is still open";
  log.finish();
  EXPECT_EQ(tmp.entries(), 0U);
  EXPECT_TRUE(journal::read(tmp.file("r.json")).empty()) << "no file, no entries";
}

TEST(Journal, KeepsEverythingWhenTheProgramIsKilled) {
  const folder tmp;
  const int status = in_child([&] {
    journal log{tmp.file("r.json")};
    append_all(log, numbered(0, 7));
    return ::raise(SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(journal::read(tmp.file("r.json")), numbered(0, 7));
}

TEST(Journal, LeavesOutATornLastLine) {
  const folder tmp;
  const std::string path = tmp.file("r.json.partial");
  {
    journal log{tmp.file("r.json")};
    append_all(log, numbered(0, 3));
  }
  const std::string full = samples::content_of(path);
  for (std::size_t length = 0; length <= full.size(); ++length) {
    const std::string cut = full.substr(0, length);
    samples::put(path, cut);
    const auto lines = std::count(cut.begin(), cut.end(), '\n');
    EXPECT_EQ(journal::read(tmp.file("r.json")), numbered(0, static_cast<int>(lines))) << length;
  }
}

TEST(Journal, GoesOnBehindATornLine) {
  const folder tmp;
  {
    journal log{tmp.file("r.json")};
    append_all(log, numbered(0, 2));
  }
  samples::put(tmp.file("r.json.partial"), samples::content_of(tmp.file("r.json.partial")) + "{\"i\": 2, \"te");
  {
    journal log{tmp.file("r.json"), journal::start::onwards};
    append_all(log, numbered(2, 4));
  }
  EXPECT_EQ(journal::read(tmp.file("r.json")), numbered(0, 4));
}

TEST(Journal, StartsAnewUnlessToldToGoOn) {
  const folder tmp;
  { append_all(*std::make_unique<journal>(tmp.file("r.json")), numbered(0, 2)); }
  journal log{tmp.file("r.json")};
  EXPECT_TRUE(journal::read(tmp.file("r.json")).empty());
}

TEST(Journal, SaysWhichLineIsDamaged) {
  const folder tmp;
  samples::put(tmp.file("r.json.partial"), "{\"i\": 0}\n{\"i\": nonsense}\n{\"i\": 2}\n");
  EXPECT_EQ(complaint([&] { (void)journal::read(tmp.file("r.json")); }),
            tmp.file("r.json.partial") + " is damaged: line 2 cannot be read");
}

TEST(Journal, SaysBeforeMeasuringThatItCannotWrite) {
  const folder tmp;
  const auto open = [](const std::string& path) { return complaint([&] { journal log{path}; }); };
  EXPECT_EQ(open(tmp.file("none/r.json")),
            tmp.file("none/r.json") + " cannot be written: there is no folder " + tmp.file("none"));
  EXPECT_EQ(open(tmp.path().string()), tmp.path().string() + " cannot be written: it is a directory");
}

TEST(Journal, RefusesASecondMeasurementOfTheSameFile) {
  const folder tmp;
  journal log{tmp.file("r.json")};
  log.append({{"i", 0}});
  EXPECT_EQ(complaint([&] { journal second{tmp.file("r.json")}; }),
            tmp.file("r.json.partial") + " is in use: another measurement is writing it");
  EXPECT_EQ(journal::read(tmp.file("r.json")).size(), 1U) << "what the first wrote is still there";
}

TEST(Journal, AnewSetsAsideWhatAKilledRunLeft) {
  const folder tmp;
  for (int run = 0; run != 3; ++run) {
    journal log{tmp.file("r.json")};
    EXPECT_TRUE(journal::read(tmp.file("r.json")).empty());
    log.append({{"run", run}});
  }
  EXPECT_EQ(samples::content_of(tmp.file("r.json.partial.1")), "{\"run\":0}\n");
  EXPECT_EQ(samples::content_of(tmp.file("r.json.partial.2")), "{\"run\":1}\n");
  EXPECT_EQ(samples::content_of(tmp.file("r.json.partial")), "{\"run\":2}\n");
}

TEST(Journal, BesideADeviceThereIsNone) {
  journal log{"/dev/full"};
  log.append({{"i", 0}});
  log.finish();
  EXPECT_FALSE(std::filesystem::exists("/dev/full.partial"));
}

TEST(Journal, AFullDiskKeepsWhatWasWritten) {
  const folder tmp;
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &small);
    journal log{tmp.file("r.json")};
    const std::string said = complaint([&] { append_all(log, numbered(0, 1000)); });
    return said == tmp.file("r.json.partial") + " cannot be written: File too large" ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  const std::string left = samples::content_of(tmp.file("r.json.partial"));
  EXPECT_TRUE(left.ends_with("\n")) << "no half line";
  const auto entries = journal::read(tmp.file("r.json"));
  EXPECT_GT(entries.size(), 10U);
  EXPECT_EQ(entries, numbered(0, static_cast<int>(entries.size())));
}

TEST(Journal, OneThatGotNotEvenItsFirstLineLeavesNoFile) {
  const folder tmp;
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_FSIZE, &none);
    journal log{tmp.file("r.json")};
    return complaint([&] { append_all(log, numbered(0, 1)); }).empty() ? 1 : 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(std::filesystem::exists(tmp.file("r.json.partial")));
}

TEST(Journal, WritesTextThatIsNotUtf8AndNumbersThatAreNone) {
  const folder tmp;
  journal log{tmp.file("r.json")};
  log.append({{"text", "\xff"}, {"number", std::numeric_limits<double>::quiet_NaN()}});
  const auto entries = journal::read(tmp.file("r.json"));
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_TRUE(entries[0]["number"].is_null());
}

}  // namespace
}  // namespace synchro::results
