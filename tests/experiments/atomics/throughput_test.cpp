#include "experiments/atomics/throughput.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "experiments/atomics/atomics.hpp"
#include "experiments/atomics/in_form.hpp"
#include "experiments/framework/runner.hpp"
#include "measure/host.hpp"
#include "platform/topology.hpp"

namespace synchro::experiments::atomics {
namespace {

/// Hardware whose atomics forget every 100th thing that is done to them.
struct forgetful_hardware : hardware {
  template <class T>
  class atomic : public std::atomic<T> {
   public:
    using std::atomic<T>::atomic;
    T fetch_add(T n, order o) {
      const T old = std::atomic<T>::fetch_add(n, o);
      if (forgets()) std::atomic<T>::store(old, memory_order::relaxed);
      return old;
    }
    T exchange(T value, order o) {
      return forgets() ? std::atomic<T>::load(memory_order::relaxed) : std::atomic<T>::exchange(value, o);
    }
    bool compare_exchange_strong(T& seen, T value, order success, order failure) {
      if (forgets()) return std::atomic<T>::load(memory_order::relaxed) == seen;
      return std::atomic<T>::compare_exchange_strong(seen, value, success, failure);
    }
  };

  static bool forgets() {
    static std::atomic<unsigned> done{0};
    return ++done % 100 == 0;
  }
};
struct forgetful_host : measure::host {
  using machine = forgetful_hardware;
};

template <class Lab, template <class> class Operation>
outcome contended(unsigned threads) {
  return contend<Lab, Operation>({{}, threads, 2e6, 0});
}

template <template <class> class Operation, class Lab = measure::host>
void expect_sound(bool always_succeeds) {
  for (const unsigned threads : {1U, 2U, 8U}) {
    const outcome o = contended<Lab, Operation>(threads);
    EXPECT_EQ(o.broken, std::nullopt) << threads << " threads";
    EXPECT_EQ(o.threads.size(), threads);
    EXPECT_GT(o.sum(&tally::successes), 0U);
    EXPECT_GT(o.duration(), 0U);
    for (const tally& t : o.threads) {
      EXPECT_GE(t.attempts, t.successes);
      EXPECT_GE(t.successes, t.hand_offs);
    }
    if (always_succeeds || threads == 1) {
      EXPECT_EQ(o.sum(&tally::attempts), o.sum(&tally::successes));
    }
    if (threads == 1) {
      EXPECT_EQ(o.sum(&tally::hand_offs), 0U);
    }
  }
}

TEST(Operations, AddUp) {
  expect_sound<fai>(true);
  expect_sound<swap>(true);
  expect_sound<cas>(false);
  expect_sound<cas_fai>(false);
  expect_sound<tas>(false);
}

/// A form of instructions that every processor has: the compiler's.
struct compiled {
  static std::uint64_t fetch_add(std::uint64_t& word, std::uint64_t n) { return std::atomic_ref{word}.fetch_add(n); }
  static std::uint64_t exchange(std::uint64_t& word, std::uint64_t n) { return std::atomic_ref{word}.exchange(n); }
  static std::uint64_t compare_exchange(std::uint64_t& word, std::uint64_t expected, std::uint64_t n) {
    std::atomic_ref{word}.compare_exchange_strong(expected, n);
    return expected;
  }
};

TEST(Operations, AddUpInAProcessorsOwnForm) {
  expect_sound<fai, host_in_form<compiled>>(true);
  expect_sound<swap, host_in_form<compiled>>(true);
  expect_sound<cas, host_in_form<compiled>>(false);
  expect_sound<cas_fai, host_in_form<compiled>>(false);
  expect_sound<tas, host_in_form<compiled>>(false);
}

TEST(Operations, EachThreadsWorkIsCheckedAgainstTheWord) {
  const auto broken = [](const outcome& o) { return o.broken.value_or("nothing found"); };
  EXPECT_NE(broken(contended<forgetful_host, fai>(1)).find("the word holds"), std::string::npos);
  EXPECT_NE(broken(contended<forgetful_host, swap>(1)).find("the word holds"), std::string::npos);
  EXPECT_NE(broken(contended<forgetful_host, cas>(1)).find("the word holds"), std::string::npos);
  EXPECT_NE(broken(contended<forgetful_host, cas_fai>(1)).find("the word holds"), std::string::npos);
}

/// Two parts in turn, as threads would take them.
template <template <class> class Operation>
std::uint64_t hand_offs_of(const std::vector<std::size_t>& turns) {
  target<hardware> shared;
  Operation<hardware> players[] = {{shared, std::uint64_t{1}}, {shared, std::uint64_t{2}}};
  std::uint64_t hand_offs = 0;
  for (const std::size_t turn : turns) {
    stroke s = players[turn]();
    if (!s.success) s = players[turn]();  // a cas that had to look first
    if (s.handed_over) ++hand_offs;
  }
  return hand_offs;
}

template <template <class> class Operation>
void expect_hand_offs_counted() {
  EXPECT_EQ(hand_offs_of<Operation>({0, 0, 0, 0}), 0U);
  EXPECT_EQ(hand_offs_of<Operation>({0, 1, 0, 1}), 3U);
  EXPECT_EQ(hand_offs_of<Operation>({0, 0, 1, 1, 1, 0}), 2U);
  EXPECT_EQ(hand_offs_of<Operation>({1}), 0U);
}

TEST(HandOffs, AreKnownFromTheValues) {
  expect_hand_offs_counted<fai>();
  expect_hand_offs_counted<swap>();
  expect_hand_offs_counted<cas>();
  expect_hand_offs_counted<cas_fai>();
  expect_hand_offs_counted<tas>();
}

TEST(Operations, OnlyCasFaiTriesAgainAtOnce) {
  target<hardware> shared;
  shared.word = 5;
  EXPECT_TRUE((cas<hardware>{shared, 1}().pause));
  EXPECT_FALSE((cas_fai<hardware>{shared, 1}().pause));
  EXPECT_TRUE((fai<hardware>{shared, 1}().pause));
}

setting on_this_machine() {
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = level::quick;
  return s;
}

TEST(Throughput, EveryOperationGivesEveryMetricItCan) {
  const experiment e = atomics_throughput();
  const setting s = on_this_machine();
  for (const char* operation : {"fai", "swap", "cas", "tas", "cas_fai"})
    for (const auto& [threads, protocol] :
         {std::pair{1, "saturated"}, {1, "paused"}, {2, "saturated"}, {2, "paused"}}) {
      const coordinates at{
          {"operation", operation}, {"threads", threads}, {"protocol", protocol}, {"placement", "compact"}};
      const repetition r = e.measure(s, at, 1);
      EXPECT_EQ(r.broken, std::nullopt);
      EXPECT_EQ(r.conditions.contains("pause_ns"), protocol == std::string{"paused"});
      std::set<std::string> told;
      for (const observation& o : r.observations) told.insert(o.metric);
      for (const auto& [metric, why] : r.unavailable) told.insert(metric);
      std::set<std::string> declared;
      for (const metric& m : e.metrics) declared.insert(m.name);
      EXPECT_EQ(told, declared) << at.to_string();
    }
}

/// That no team does more is a matter of time, and tried on a simulated machine (tests/simulations).
TEST(Throughput, TheCeilingIsOneOperationAPauseOfEachThreadThatHasAProcessor) {
  const experiment e = atomics_throughput();
  const setting s = on_this_machine();
  for (const char* operation : {"fai", "cas_fai"})
    for (const int threads : {1, 2, 5}) {
      const repetition r = e.measure(
          s, {{"operation", operation}, {"threads", threads}, {"protocol", "paused"}, {"placement", "compact"}}, 1);
      const auto value = [&](const std::string& metric) {
        for (const observation& o : r.observations)
          if (o.metric == metric) return o.value;
        return -1.0;
      };
      EXPECT_GT(value("successes"), 0);
      const auto processors = static_cast<double>(s.machine.processors.size());
      EXPECT_DOUBLE_EQ(value("ceiling"), std::min<double>(threads, processors) * 1e9 / r.conditions.at("pause_ns"));
    }
}

TEST(Throughput, TheFirstMetricIsWhatSucceeded) {
  EXPECT_EQ(atomics_throughput().metrics.front().name, "successes");
  outcome o{{std::vector<tally>(2)}, {}, {}};
  o.threads[0] = {1000, 100, 10, 100, 0, 50};
  o.threads[1] = {500, 100, 10, 100, 0, 50};
  const repetition r = record_atomics(o, 1e6);
  const auto value = [&](const std::string& metric) {
    return std::find_if(r.observations.begin(), r.observations.end(), [&](const auto& x) { return x.metric == metric; })
        ->value;
  };
  EXPECT_DOUBLE_EQ(value("successes"), 200 / 1e-3);
  EXPECT_DOUBLE_EQ(value("attempts"), 1500 / 1e-3);
  EXPECT_DOUBLE_EQ(value("handoff_time"), 1e6 / 20);
  EXPECT_DOUBLE_EQ(value("handoff_share"), 0.1);
}

TEST(Throughput, RunsWithMoreThreadsThanProcessorsAndUnpinned) {
  const experiment e = atomics_throughput();
  const setting s = on_this_machine();
  const auto threads = static_cast<std::int64_t>(2 * s.machine.processors.size());
  for (const char* placement : {"compact", "unpinned"}) {
    const repetition r = e.measure(s, {{"operation", "tas"}, {"threads", threads}, {"placement", placement}}, 1);
    EXPECT_EQ(r.broken, std::nullopt);
    EXPECT_GT(r.observations.at(0).value, 0);
  }
}

TEST(Throughput, ThePlanCoversOperationsAndThreads) {
  const experiment e = atomics_throughput();
  setting s = on_this_machine();
  s.machine.processors.resize(1);
  const std::size_t protocols = 2;
  EXPECT_EQ(make_plan(s, {&e}).cells.size(), 5 * 2 * protocols);
}

}  // namespace
}  // namespace synchro::experiments::atomics
