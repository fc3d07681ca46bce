// What is made of a recording, and what becomes of damaged ones.

#include "recorded/processes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "profile/stored.hpp"
#include "recorded/shown.hpp"
#include "recorded/watched.hpp"
#include "results/file.hpp"

namespace {

using namespace synchro::recorded;
namespace layout = synchro::platform::lock_recording;

process with_orders(std::size_t locks, const std::vector<std::pair<std::size_t, std::size_t>>& orders) {
  process p;
  for (std::size_t i = 0; i < locks; ++i) {
    p.locks.emplace_back();
    p.locks.back().object = {"/bin/server", i, std::string(1, static_cast<char>('a' + i)), 0};
  }
  for (const auto& [held, next] : orders) p.orders.push_back({held, next, 7, {{"/bin/server", 16, "main", 4}}});
  return p;
}

/// "ab ba": the locks of each cycle.
std::string cycles_in(const process& p, std::size_t most = 32) {
  std::string text;
  for (const auto& cycle : cycles(p, most)) {
    for (const order& o : cycle) text += p.locks[o.held].name() + p.locks[o.next].name() + " ";
    text += "| ";
  }
  return text;
}

TEST(Cycles, AreFoundOfTwoAndOfThreeOnce) {
  EXPECT_EQ(cycles_in(with_orders(2, {{0, 1}, {1, 0}})), "ab ba | ");
  EXPECT_EQ(cycles_in(with_orders(4, {{0, 1}, {1, 2}, {2, 3}, {2, 0}})), "ab bc ca | ");
}

TEST(Cycles, AreNotFoundWhereThereIsAnOrder) {
  EXPECT_EQ(cycles_in(with_orders(0, {})), "");
  EXPECT_EQ(cycles_in(with_orders(4, {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {0, 3}})), "");
}

TEST(Cycles, LeaveOutWaysBetweenThem) {
  EXPECT_EQ(cycles_in(with_orders(4, {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}})), "ab ba | cd dc | ");
}

TEST(Cycles, AreTheShortestAndAtMostSoMany) {
  const process p = with_orders(3, {{0, 1}, {1, 2}, {2, 0}, {1, 0}});
  EXPECT_EQ(cycles_in(p), "ab ba | bc ca ab | ");
  EXPECT_EQ(cycles_in(p, 1), "ab ba | ");
}

TEST(Percentile, IsTheUpperEndOfABucket) {
  histogram h{};
  EXPECT_EQ(percentile(h, 50), std::nullopt);
  h[3] = 98, h[10] = 2;
  EXPECT_EQ(percentile(h, 50), 16.0);
  EXPECT_EQ(percentile(h, 98), 16.0);
  EXPECT_EQ(percentile(h, 99), 2048.0);
}

TEST(Buckets, ArePowersOfTwo) {
  using h = layout::histogram;
  EXPECT_EQ(h::bucket_of(0), 0U);
  EXPECT_EQ(h::bucket_of(1), 0U);
  EXPECT_EQ(h::bucket_of(2), 1U);
  EXPECT_EQ(h::bucket_of(1023), 9U);
  EXPECT_EQ(h::bucket_of(1024), 10U);
  EXPECT_EQ(h::bucket_of(~std::uint64_t{0}), h::buckets - 1);
}

TEST(Names, AreSymbolsOrModulesAndOffsets) {
  EXPECT_EQ(text_of({"/usr/bin/server", 0x2a0, "table", 0}), "table");
  EXPECT_EQ(text_of({"/usr/bin/server", 0x2a0, "table", 40}), "table+0x28");
  EXPECT_EQ(text_of({"/usr/bin/server", 0x2a0, "", 0}), "server+0x2a0");
  EXPECT_EQ(text_of({"", 0x7f00, "", 0}), "0x7f00");
}

/// A mutex at this byte of an object of so many.
lock in_object(std::uint64_t into, std::uint64_t size) {
  lock l;
  l.what = layout::sort::mutex;
  l.object = {"/bin/server", 0x1000 + into, "bank", into, size};
  return l;
}

std::string names_of(const std::vector<std::uint64_t>& places, std::uint64_t size) {
  std::vector<lock> all;
  for (const std::uint64_t into : places) all.push_back(in_object(into, size));
  find_arrays(all);
  std::string text;
  for (const lock& l : all) text += (text.empty() ? "" : " ") + l.name();
  return text;
}

TEST(Names, OfAnArraysElementsHaveItsNumber) {
  constexpr std::uint64_t bytes = sizeof(pthread_mutex_t), element = bytes + 8;
  EXPECT_EQ(names_of({6 * element, 0, 3 * element}, 8 * element), "bank[6] bank[0] bank[3]");
  EXPECT_EQ(names_of({8, 8 + 5 * element, 8 + 2 * element}, 8 * element),
            "bank[0] bank[5] bank[2]");  // the mutex is no first member
}

TEST(Names, OfWhatMayBeNoArrayAreOffsets) {
  constexpr std::uint64_t bytes = sizeof(pthread_mutex_t);
  EXPECT_EQ(names_of({0, 2 * bytes, 4 * bytes}, 8 * bytes),
            fmt::format("bank bank+{:#x} bank+{:#x}", 2 * bytes, 4 * bytes));  // each, or each second
  EXPECT_EQ(names_of({0, bytes + 16}, 2 * bytes + 40), fmt::format("bank bank+{:#x}", bytes + 16));
  EXPECT_EQ(names_of({0, bytes}, 2 * bytes), fmt::format("bank bank+{:#x}", bytes));  // two members as well
  EXPECT_EQ(names_of({bytes}, 0), fmt::format("bank+{:#x}", bytes));
  EXPECT_EQ(names_of({64}, 256), "bank+0x40");  // one alone or two may be members of anything
  EXPECT_EQ(names_of({0, bytes}, 3 * bytes), fmt::format("bank bank+{:#x}", bytes));
}

TEST(Names, OfTheHeapSkipTheRuntime) {
  lock l;
  l.address = 0x1000, l.object.offset = 0x1000;
  EXPECT_EQ(l.name(), "0x1000");
  l.made_at = {{"/lib/libstdc++.so.6", 1, "std::thing()", 0}, {"/bin/server", 2, "work()", 8}};
  EXPECT_EQ(l.name(), "made at work()+0x8");
}

watched_process watched(std::vector<lock_counts> locks, std::vector<std::string> names) {
  watched_process p;
  p.pid = 7, p.begun = 1, p.every = 10;
  p.locks = std::move(locks);
  p.names = std::make_shared<known_names>(known_names{std::move(names), {{3, "work()"}}});
  return p;
}

TEST(Rates, AreWhatTwoMomentsDifferBy) {
  const moment before{2, {watched({{100, 40, 4000, 100, 6000, 5, 0, 3}}, {"a"})}};
  const moment now{4, {watched({{300, 90, 4000 + 50 * 100, 250, 6000 + 150 * 30, 9, 1, 3}}, {"a"})}};
  const auto rates = rates_between(before, now);
  ASSERT_EQ(rates.size(), 1U);
  EXPECT_EQ(rates[0].name, "a");
  EXPECT_EQ(rates[0].pid, 7U);
  EXPECT_DOUBLE_EQ(rates[0].acquisitions, 1000);  // 200 samples of one in ten, in two seconds
  EXPECT_DOUBLE_EQ(rates[0].contended, 0.25);
  EXPECT_DOUBLE_EQ(rates[0].wait_ns, 100);
  EXPECT_DOUBLE_EQ(rates[0].waiting, 50 * 100 * 10 / 2e9);
  EXPECT_DOUBLE_EQ(rates[0].hold_ns, 30);
  EXPECT_DOUBLE_EQ(rates[0].held, 150 * 30 * 10 / 2e9);
  EXPECT_DOUBLE_EQ(rates[0].condition_waits, 2);
  EXPECT_EQ(rates[0].waiting_now, 1U);
  EXPECT_EQ(rates[0].place, "work()");
}

TEST(Rates, TakeLongWaitsAsTheyAre) {
  const moment before{2, {watched({{}}, {"a"})}};
  moment now{4, {watched({{}}, {"a"})}};
  now.processes[0].locks[0].long_waits = 4, now.processes[0].locks[0].long_ns = 2'000'000'000;
  const auto rates = rates_between(before, now);
  ASSERT_EQ(rates.size(), 1U);
  EXPECT_DOUBLE_EQ(rates[0].waiting, 1);
  EXPECT_DOUBLE_EQ(rates[0].wait_ns, 500'000'000);
}

TEST(Rates, OfOneNameAreOneRowAndWhatDidNothingIsNone) {
  const lock_counts idle{50, 1, 9, 50, 9, 0, 0, 3};
  const moment before{0, {watched({idle, {10, 0, 0, 10, 0, 0, 0, 0}}, {"idle", "pair"})}};
  const moment now{1,
                   {watched({idle, {20, 0, 0, 20, 0, 0, 0, 0}, {5, 0, 0, 5, 0, 0, 0, 0}}, {"idle", "pair", "pair"})}};
  const auto rates = rates_between(before, now);
  ASSERT_EQ(rates.size(), 1U);
  EXPECT_EQ(rates[0].name, "pair");
  EXPECT_EQ(rates[0].locks, 2U);
  EXPECT_DOUBLE_EQ(rates[0].acquisitions, 150);
}

TEST(Rates, OfAnotherProgramInTheSameProcessBeginAtNothing) {
  const moment before{0, {watched({{100, 0, 0, 100, 0, 0, 0, 0}}, {"a"})}};
  moment now{1, {watched({{30, 0, 0, 30, 0, 0, 0, 0}}, {"b"})}};
  now.processes[0].begun = 2;
  const auto rates = rates_between(before, now);
  ASSERT_EQ(rates.size(), 1U);
  EXPECT_EQ(rates[0].name, "b");
  EXPECT_DOUBLE_EQ(rates[0].acquisitions, 300);
}

run two_locks() {
  process p = with_orders(3, {{0, 1}, {1, 0}});
  p.pid = 42, p.program = "server \033[1m", p.every = 10, p.seconds = 1.5, p.threads = 2, p.lost_orders = 3;
  lock& a = p.locks[0];
  a.samples = 200, a.contended = 50, a.hand_offs = 20, a.across = 2, a.threads = 2;
  a.wait_ns = 50'000, a.wait[9] = 50, a.holds = 200, a.hold_ns = 20'000, a.hold[6] = 200;
  lock& b = p.locks[1];
  b.samples = 300, b.threads = 256, b.more_threads = true, b.condition_waits = 4, b.condition_ns = 9;
  process silent;
  return {{"server"}, "native", 10, {p, silent}};
}

TEST(Table, HasTheLocksThatWereWaitedForLongestFirst) {
  const std::string text = table_of(two_locks(), {false, 0, false});
  for (const char* const part :
       {"(process 42, 1.5 s, 2 threads locked)", "not kept: 3 orders of locks", "1 process with no lock sampled",
        "with a held, b was taken by thread 7 at\n      main+0x4\n", "with b held, a was taken by thread 7",
        "One acquisition in 10 was sampled", "Mutexes: native."})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const auto row = [&](const char* name) {
    const auto at = text.find(std::string{"\n"} + name + " ");
    return at == std::string::npos ? std::string{} : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  };
  for (const char* const part :
       {" 2000 ", " 25% ", " 500 us ±21% ", " <1.02 us ", " 100 ns ", " <128 ns ", " 10% ", " 1%"})
    EXPECT_NE(row("a").find(part), std::string::npos) << part << "\n" << row("a");
  for (const char* const part : {" 3000 ", " 0% ", " 256+ ", " 4"})
    EXPECT_NE(row("b").find(part), std::string::npos) << part << "\n" << row("b");
  EXPECT_LT(text.find("\na "), text.find("\nb "));
  EXPECT_EQ(text.find("\nc "), std::string::npos);  // it was never seen
  EXPECT_EQ(text.find('\033'), std::string::npos);
}

TEST(Table, SaysOfARankThatRestsOnFewWaitsThatItIsNotSure) {
  run r = two_locks();
  EXPECT_EQ(table_of(r, {false, 0, false}).find("? waits"), std::string::npos);
  lock& b = r.processes[0].locks[1];
  b.contended = 5, b.wait_ns = 8'000'000, b.wait[20] = 5;
  const std::string text = table_of(r, {false, 0, false});
  EXPECT_LT(text.find("\nb "), text.find("\na "));
  EXPECT_NE(text.find(" 80 ms ±83% ? "), std::string::npos) << text;
  EXPECT_NE(
      text.find(
          "? waits in fewer than 6 samples, or not surely longer than the next: the place in the order is not sure\n"),
      std::string::npos)
      << text;
}

TEST(Table, SaysOfARankThatTheNextLockMayHaveThatItIsNotSure) {
  run r = two_locks();
  lock& b = r.processes[0].locks[1];
  b.contended = 48, b.wait_ns = 48'000, b.wait[9] = 48;
  const std::string text = table_of(r, {false, 0, false});
  EXPECT_NE(text.find(" 500 us ±21% ? "), std::string::npos) << text;
  EXPECT_NE(text.find(" 480 us ±21%  "), std::string::npos) << text;  // nothing comes after it
}

TEST(Table, TakesLongWaitsAsTheyAre) {
  run r = two_locks();
  lock& c = r.processes[0].locks[2];  // no sample met it
  c.long_ns = 400'000'000, c.long_wait[22] = 80;
  const std::string text = table_of(r, {false, 0, false});
  EXPECT_LT(text.find("\nc "), text.find("\na "));
  EXPECT_NE(text.find(" 400 ms  "), std::string::npos) << text;
  EXPECT_NE(text.find(" <8.39 ms "), std::string::npos) << text;
  EXPECT_EQ(text.find("? waits"), std::string::npos) << text;
  EXPECT_NE(text.find("\nc           80 "), std::string::npos) << text;
  r.processes[0].locks[2].long_ns = 999'700'000;
  EXPECT_NE(table_of(r, {false, 0, false}).find(" 1.0 s  "), std::string::npos);
}

TEST(Table, SaysWhereNothingWasRecorded) {
  EXPECT_NE(table_of({{"server"}, "native", 64, {}}, {}).find("nothing was recorded"), std::string::npos);
}

TEST(Document, CountsSamplesAndEstimates) {
  const auto j = document_of(two_locks());
  const auto& a = j["processes"][0]["locks"][0];
  EXPECT_EQ(j["processes"][0]["locks"].size(), 2U);
  EXPECT_EQ(a["acquisitions"], 2000);
  EXPECT_EQ(a["contended_share"], 0.25);
  EXPECT_EQ(a["wait"]["estimated_total_ns"], 500'000);
  EXPECT_EQ(a["wait"]["interval_ns"].dump(), "[396962,603038]");
  EXPECT_EQ(a["acquisitions_interval"].dump(), "[1732,2268]");
  EXPECT_EQ(a["hold"]["interval_ns"].dump(), "[174240,225760]");
  EXPECT_EQ(a["wait"]["sure"], true);
  run once = two_locks();
  once.processes[0].locks[0].samples = 1;
  EXPECT_EQ(document_of(once)["processes"][0]["locks"][0]["acquisitions_interval"].dump(), "[1,29]");
  EXPECT_EQ(a["wait"]["histogram"].dump(), R"([{"from_ns":512,"to_ns":1024,"count":50}])");
  EXPECT_EQ(j["processes"][0]["cycles"][0].size(), 2U);
  EXPECT_EQ(j["processes"][1]["seconds"], nullptr);
}

run with_paths() {
  run r = two_locks();
  process& p = r.processes[0];
  p.program = "/usr/bin/server -x";
  const code_location lock_it{"/bin/server", 0x40, "lock_it(a;b)", 4}, main{"/bin/server", 0x80, "main", 8};
  const code_location other{"/bin/server", 0x90, "main", 24}, nameless{"/lib/libx.so", 0x77, "", 0};
  p.paths = {{0, {lock_it, main}, 3, 3000}, {0, {lock_it, other}, 1, 500}, {1, {nameless}, 2, 70'000}, {1, {}, 1, 9}};
  return r;
}

TEST(Paths, OfOneFunctionAreOneLineOutermostFirst) {
  EXPECT_EQ(folded_of(with_paths()),
            "server (42);[b] 9\n"
            "server (42);libx.so+0x77;[b] 70000\n"
            "server (42);main;lock_it(a:b);[a] 3500\n");
}

TEST(Paths, ThatWereNotKeptAreALineOfTheirOwn) {
  run r = with_paths();
  r.processes[0].lost_path_ns = 77;
  EXPECT_NE(folded_of(r).find("server (42);[paths that were not kept] 77\n"), std::string::npos);
}

TEST(Paths, OfReadersSaySo) {
  run r = with_paths();
  r.processes[0].locks[0].what = layout::sort::reading;
  EXPECT_NE(folded_of(r).find(";[a (reading)] 3500\n"), std::string::npos);
}

/// The fields of a message of Protocol Buffers that are of this number: those that are parts, as bytes.
std::vector<std::string> parts(const std::string& wire, unsigned number) {
  std::vector<std::string> all;
  std::size_t at = 0;
  const auto variable = [&] {
    std::uint64_t v = 0;
    for (unsigned shift = 0; at < wire.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(wire[at++]);
      v |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) break;
    }
    return v;
  };
  while (at < wire.size()) {
    const std::uint64_t key = variable(), value = variable();
    if ((key & 7) != 2) continue;
    if (key >> 3 == number) all.push_back(wire.substr(at, value));
    at += value;
  }
  return all;
}

TEST(Paths, ForPprofNameEachFunctionOnce) {
  const std::string wire = pprof_of(with_paths());
  EXPECT_EQ(parts(wire, 2).size(), 4U);  // samples,
  EXPECT_EQ(parts(wire, 4).size(), 4U);  // locations,
  EXPECT_EQ(parts(wire, 5).size(), 3U);  // functions
  const std::vector<std::string> texts = parts(wire, 6);
  EXPECT_EQ(texts.at(0), "");
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "main"), 1);
  EXPECT_EQ(parts(parts(wire, 2).at(0), 2).at(0), std::string("\x03\xb8\x17"));  // 3 waits, 3000 ns
}

class Damaged : public testing::Test {
 protected:
  void write(const std::string& bytes) { std::ofstream{folder.file("1.0"), std::ios::binary} << bytes; }
  std::size_t read() { return read_recordings(folder_path()).size(); }
  std::string folder_path() { return std::filesystem::path{folder.file("x")}.parent_path().string(); }

  synchro::results::temporary_folder folder;
};

TEST_F(Damaged, FilesThatAreNoRecordingsAreLeftOut) {
  EXPECT_EQ(read(), 0U);
  write("");
  EXPECT_EQ(read(), 0U);
  write(std::string(100'000, 'x'));
  EXPECT_EQ(read(), 0U);
}

TEST_F(Damaged, CountsBeyondTheFileFindNothingThere) {
  layout::header h{};
  h.magic = layout::magic;
  h.modules = 0xFFFF'FFFF;
  for (auto* const count : {&h.stacks, &h.orders, &h.spans, &h.paths, &h.locks}) count->store(0xFFFF'FFFF);
  write({reinterpret_cast<const char*>(&h), sizeof h});
  const auto all = read_recordings(folder_path());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].locks.size(), layout::most_locks);
  EXPECT_TRUE(all[0].orders.empty() && all[0].paths.empty());
  EXPECT_EQ(all[0].every, 1U);
}

std::string empty_recording() {
  layout::header h{};
  h.magic = layout::magic;
  return {reinterpret_cast<const char*>(&h), sizeof h};
}

/// Of a thread that lived for a second and worked for half of it.
void have_half_worked(layout::thread& t, std::uint64_t queued_before, std::uint64_t queued) {
  t.begun = 1, t.queued_before = queued_before;
  t.seen = 1'000'000'001, t.worked = 500'000'000, t.queued = queued;
}

TEST(Recordings, KnowHowLongThreadsWaitedForProcessorsWhereTheSystemToldIt) {
  synchro::results::temporary_folder folder;
  layout::header h{};
  h.magic = layout::magic, h.threads = 3;
  layout::thread threads[3] = {};
  have_half_worked(threads[0], 1000, 250'001'000);
  have_half_worked(threads[1], layout::thread::unknown, 5);
  have_half_worked(threads[2], 0, layout::thread::unknown);
  {
    std::ofstream file{folder.file("1.0"), std::ios::binary};
    file.write(reinterpret_cast<const char*>(&h), sizeof h);
    file.seekp(layout::threads::at).write(reinterpret_cast<const char*>(&threads), sizeof threads);
  }
  const run seen{
      {"server"}, "native", 1, read_recordings(std::filesystem::path{folder.file("x")}.parent_path().string())};
  const auto read_back = synchro::profile::read_stored(document_of(seen));
  ASSERT_EQ(read_back.processes.at(0).by_thread.size(), 3U);
  EXPECT_EQ(read_back.processes[0].by_thread[0].queued_seconds, 0.25);
  EXPECT_EQ(read_back.processes[0].by_thread[0].worked_seconds, 0.5);
  EXPECT_EQ(read_back.processes[0].by_thread[1].queued_seconds, std::nullopt);
  EXPECT_EQ(read_back.processes[0].by_thread[2].queued_seconds, std::nullopt);
}

TEST_F(Damaged, LinksAreNotFollowed) {
  write(empty_recording());
  EXPECT_EQ(read(), 1U);
  std::filesystem::create_symlink(folder.file("1.0"), folder.file("2.0"));
  EXPECT_EQ(read(), 1U);
}

TEST_F(Damaged, PipesAreNotWaitedFor) {
  write(empty_recording());
  ASSERT_EQ(mkfifo(folder.file("2.0").c_str(), 0600), 0);
  EXPECT_EQ(read(), 1U);
}

TEST_F(Damaged, WhatAnotherUserOwnsIsLeftOut) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  write(empty_recording());
  EXPECT_EQ(read(), 1U);
  ASSERT_EQ(chown(folder.file("1.0").c_str(), 65534, 65534), 0);
  EXPECT_EQ(read(), 0U);
}

}  // namespace
