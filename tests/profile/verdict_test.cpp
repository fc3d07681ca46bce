// What a profile comes to, and how sure that is.

#include "profile/verdict.hpp"

#include <gtest/gtest.h>

namespace {

using namespace synchro::profile;

/// Waited for `waits` times in samples, each for 1.5 times `from_ns`.
stored_lock contended(const std::string& name, std::uint64_t from_ns, std::uint64_t waits, std::uint64_t hold_ns) {
  stored_lock l;
  l.name = name, l.kind = "mutex", l.samples = 1000, l.acquisitions = 10'000, l.contended = waits, l.threads = 4;
  l.wait_ns = from_ns * 3 / 2 * waits, l.holds = 1000, l.hold_ns = 1000 * hold_ns;
  if (waits != 0) l.waits = {{from_ns, waits}};
  return l;
}

/// One process that looked at one acquisition in ten, in one second.
stored profile_of(std::vector<stored_lock> locks) {
  stored_process p;
  p.pid = 42, p.program = "server -v", p.seconds = 1, p.threads = 4, p.every = 10, p.locks = std::move(locks);
  return {{"server", "-v"}, "native", {p}};
}

std::string first_word_of(const remedy& r) { return r.words.front() == "synchroscope" ? r.words[1] : r.words[0]; }

TEST(Verdict, NamesTheLockAndItsShareOfTheRun) {
  const verdict v =
      verdict_on(profile_of({contended("calm", 1000, 0, 10), contended("hot", 16'384, 400, 1000)}), "p.json");
  EXPECT_EQ(v.lock, "hot");
  EXPECT_EQ(v.pid, 42U);
  EXPECT_NE(v.finding.find("The lock hot is waited for longest: 98.3 ms, all threads together, in the 1.00 s"),
            std::string::npos)
      << v.finding;
  EXPECT_NE(v.finding.find("9.83 %"), std::string::npos) << v.finding;
  EXPECT_TRUE(v.doubts.empty());
  ASSERT_EQ(v.remedies.size(), 2U);
  EXPECT_EQ(v.remedies[0].words, (std::vector<std::string>{"synchroscope", "tune", "--", "server", "-v"}));
  EXPECT_EQ(v.remedies[1].words, (std::vector<std::string>{"synchroscope", "advise", "results.json", "--profile",
                                                           "p.json", "--lock", "hot"}));
}

TEST(Verdict, NamesHowManyLocksOfOneName) {
  stored_lock first = contended("stripe", 16'384, 400, 1000), second = first;
  first.address = 1, second.address = 2;
  EXPECT_EQ(verdict_on(profile_of({first, second}), "p.json").finding.rfind("The 2 locks stripe are waited for", 0),
            0U);
}

TEST(Verdict, SaysThatALockWhichIsAlwaysHeldIsNoMatterOfWhichLock) {
  const verdict often = verdict_on(profile_of({contended("hot", 16'384, 400, 80'000)}), "p.json");
  EXPECT_NE(often.advice.find("held for 80.0 % of that time"), std::string::npos) << often.advice;
  EXPECT_EQ(first_word_of(often.remedies.front()), "advise");
  stored_lock rare = contended("hot", 16'384, 400, 200'000);
  rare.holds = 10, rare.hold_ns = 10 * 200'000;  // a fiftieth of the run
  EXPECT_NE(verdict_on(profile_of({rare}), "p.json").advice.find("held for 200 \u00b5s at a time"), std::string::npos);
}

TEST(Verdict, SendsElsewhereWhereThereIsLittleToGain) {
  EXPECT_EQ(first_word_of(verdict_on(profile_of({contended("hot", 1024, 400, 10)}), "p.json").remedies.front()),
            "perf");
  const verdict none = verdict_on(profile_of({contended("calm", 1, 0, 10)}), "p.json");
  EXPECT_EQ(none.lock, "");
  EXPECT_EQ(first_word_of(none.remedies.front()), "perf");
  EXPECT_TRUE(none.doubts.empty());
  const verdict empty = verdict_on(profile_of({}), "p.json");
  EXPECT_EQ(empty.doubts.size(), 1U);
  EXPECT_EQ(first_word_of(empty.remedies.front()), "profile");
}

TEST(Verdict, IsDoubtedWhereFewWaitsWereSeen) {
  const auto doubts = [](const std::vector<stored_lock>& locks) {
    return verdict_on(profile_of(locks), "p.json").doubts;
  };
  EXPECT_EQ(doubts({contended("hot", 16'384, 6, 1000)}),
            std::vector<std::string>{"Half of that time is 3 of the 6 waits that were seen."});
  EXPECT_EQ(doubts({contended("hot", 16'384, 5, 1000)}), std::vector<std::string>{"Only 5 waits for it were seen."});
  stored_lock uneven = contended("hot", 1024, 1000, 1000);
  uneven.waits.push_back({1 << 24, 1}), ++uneven.contended, uneven.wait_ns += 3 << 23;
  EXPECT_EQ(doubts({uneven}), std::vector<std::string>{"Half of that time is one of the 1001 waits that were seen."});
}

TEST(Verdict, TakesLongWaitsAsTheyAreForAllOfThemAreCounted) {
  stored_lock rare = contended("rare", 1024, 0, 10);
  rare.samples = rare.acquisitions = 0;  // no sample met it
  rare.long_ns = 400'000'000, rare.longs = {{4'194'304, 80}};
  const verdict v = verdict_on(profile_of({contended("busy", 512, 500, 10), rare}), "p.json");
  EXPECT_EQ(v.lock, "rare");
  EXPECT_NE(v.finding.find("400 ms, all threads together"), std::string::npos) << v.finding;
  EXPECT_TRUE(v.doubts.empty()) << v.doubts.front();
  rare.longs = {{4'194'304, 5}};
  EXPECT_EQ(verdict_on(profile_of({rare}), "p.json").doubts,
            std::vector<std::string>{"Only 5 waits for it were seen."});
  rare.longs = {{1024, 1000}, {1 << 28, 1}};
  EXPECT_EQ(verdict_on(profile_of({rare}), "p.json").doubts,
            std::vector<std::string>{"Half of that time is one of the 1001 waits that were seen."});
}

TEST(Verdict, AsksForAnotherProfileWhereNoHoldWasSeen) {
  stored_lock rare = contended("rare", 1024, 0, 10);
  rare.samples = rare.acquisitions = rare.holds = rare.hold_ns = 0;
  rare.long_ns = 400'000'000, rare.longs = {{4'194'304, 80}};
  const verdict v = verdict_on(profile_of({rare}), "p.json");
  EXPECT_EQ(first_word_of(v.remedies.front()), "profile");
  for (const remedy& r : v.remedies) EXPECT_NE(first_word_of(r), "advise");  // it would refuse
  EXPECT_EQ(v.doubts.size(), 1U);
}

TEST(Verdict, IsDoubtedWhereTheNextIsAsLong) {
  const auto doubts = [](std::uint64_t first, std::uint64_t second) {
    return verdict_on(profile_of({contended("a", 16'384, first, 10), contended("b", 16'384, second, 10)}), "p.json")
        .doubts.size();
  };
  EXPECT_EQ(doubts(400, 370), 1U);  // counts of 400 and 370 scatter by 28 together
  EXPECT_EQ(doubts(400, 300), 0U);
}

TEST(Verdict, SaysThatTheRunHadNoEnd) {
  stored s = profile_of({contended("hot", 16'384, 400, 1000)});
  s.processes[0].seconds.reset();
  const verdict v = verdict_on(s, "p.json");
  ASSERT_EQ(v.doubts.size(), 1U);
  EXPECT_NE(v.doubts[0].find("did not end by itself"), std::string::npos);
  EXPECT_EQ(first_word_of(v.remedies.front()), "tune");
  s.processes[0].seconds = 0;  // as a damaged file may say
  EXPECT_EQ(verdict_on(s, "p.json").finding, v.finding);
}

}  // namespace
