// A null study: of contestants that do not differ, advice may tell two apart in no more than 5 of 100 files.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "advice/locks.hpp"
#include "advice/waking.hpp"
#include "book_of_locks.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/wakes/wake_table.hpp"
#include "statistics/noise.hpp"

namespace synchro::tests {
namespace {

using advice::recommendation;
namespace names = results::experiment_names;

constexpr unsigned files = 1000;

std::string lock(std::size_t i) { return experiments::all_locks().at(i).name; }
std::string wake(std::size_t i) { return experiments::all_wakes().at(i).name; }

results::cell rate(const char* experiment, const coordinates& at, const std::vector<double>& samples) {
  return results::samples::made(experiment, at, "throughput", "op/s", samples, results::better::higher);
}

results::cell taken(std::size_t i, std::int64_t locks, const std::vector<double>& samples) {
  return rate(names::locks_throughput,
              {{"lock", lock(i)},
               {"locks", locks},
               {"threads", 4},
               {"protocol", "saturated"},
               {"hold", 0},
               {"gap", 0},
               {"placement", "compact"},
               {"readers", 0}},
              samples);
}

/// A lock, and a way to have sections run by others.
std::string delegate(std::size_t i) {
  static const std::vector<std::string> delegates{"cc_synch",          "dsm_synch",
                                                  "cc_synch/park",     "dsm_synch/park",
                                                  "flat_combining",    "flat_combining/yield",
                                                  "delegation_server", "delegation_server/yield"};
  return i % 2 == 0 && i / 2 < delegates.size() ? delegates[i / 2] : lock(i);
}

/// A topic, in which the first contestant is the one that may be ahead.
struct topic {
  const char* name;
  bool rates;
  std::function<results::cell(std::size_t i, const std::vector<double>& samples)> make;
  std::function<recommendation(const advice::known&)> ask;
};

std::vector<topic> topics() {
  const advice::workload crowd{.threads = 4, .critical_ns = 0, .gap_ns = 0};
  advice::workload seldom = crowd;
  seldom.waiting = 0;
  return {{"lock", true, [](std::size_t i, const auto& v) { return taken(i, 1, v); },
           [=](const advice::known& k) { return lock_for(crowd, k); }},
          {"free lock", false,
           [](std::size_t i, const auto& v) {
             return results::samples::made(names::locks_uncontested, {{"lock", lock(i)}, {"distance", "same_cache"}},
                                           "pair", "ns", v);
           },
           [=](const advice::known& k) { return lock_for(seldom, k); }},
          {"sharding", true, [](std::size_t i, const auto& v) { return taken(i / 2, i % 2 == 0 ? 4 : 1, v); },
           [=](const advice::known& k) { return sharding_for(crowd, k); }},
          {"delegation", true,
           [](std::size_t i, const auto& v) {
             return rate(
                 names::delegation_throughput,
                 {{"delegate", delegate(i)}, {"threads", 4}, {"lines", 1}, {"gap", 0}, {"placement", "compact"}}, v);
           },
           [=](const advice::known& k) { return delegation_for(crowd, k); }},
          {"waking", false,
           [](std::size_t i, const auto& v) {
             return results::samples::made(names::wake_broadcast, {{"primitive", wake(i)}, {"threads", 3}}, "wake_last",
                                           "ns", v);
           },
           [=](const advice::known& k) { return waking_for(crowd, k); }},
          {"forking", false,
           [](std::size_t i, const auto& v) {
             return results::samples::made(names::forkjoin_breakeven, {{"primitive", wake(i)}, {"threads", 4}},
                                           "pays_from", "ns", v);
           },
           [=](const advice::known& k) { return forking_for(crowd, k); }}};
}

/// What is said of a file in which the first of them is so many times as good as the others.
recommendation said_of(const topic& t, std::size_t contestants, std::size_t n, std::uint64_t seed, double ahead = 1) {
  noise dice{seed};
  results::document d = book{8};
  for (std::size_t i = 0; i < contestants; ++i) {
    const double times = i == 0 ? ahead : 1;
    d.cells.push_back(t.make(i, dice.repetitions(n, t.rates ? times : 1 / times)));
  }
  return t.ask(knowledge{d}.known());
}

/// Whether two are told apart: by the verdict, by an interval of a ratio that excludes 1, or because the next is not said to be as
/// good.
bool tells_apart(const recommendation& r) {
  static const std::regex ratio{R"(\(([0-9.]+) to ([0-9.]+)\) times as good|ratio [0-9.]+ \(([0-9.]+) to ([0-9.]+)\))"};
  for (auto m = std::sregex_iterator{r.because.begin(), r.because.end(), ratio}; m != std::sregex_iterator{}; ++m) {
    const auto number = [&](std::size_t a, std::size_t b) {
      return std::strtod(((*m)[a].matched ? (*m)[a] : (*m)[b]).str().c_str(), nullptr);
    };
    if (number(1, 3) > 1 || number(2, 4) < 1) return true;
  }
  const auto says = [&](const char* words) { return r.because.find(words) != std::string::npos; };
  const bool next_is_behind =
      says(" Next: ") && !says("no difference is resolved, take either") && !says(advice::too_few);
  return r.sure != advice::confidence::rule && (r.matters || next_is_behind);
}

TEST(AdvicesNull, TellsNoneApartThatDoNotDiffer) {
  for (const topic& t : topics())
    for (const std::size_t contestants : {2U, 7U, 20U})
      for (const std::size_t n : {9U, 15U}) {
        unsigned found = 0;
        std::string one;
        for (unsigned i = 0; i < files; ++i)
          if (const auto r = said_of(t, contestants, n, 100'000 * contestants + i); tells_apart(r))
            ++found, one = r.because;
        EXPECT_LT(found, files * 5 / 100)
            << t.name << ", " << contestants << " contestants, " << n << " repetitions: " << one;
      }
}

/// A test that is never resolved would pass the one above. Seven repetitions are what a quick run has.
TEST(AdvicesNull, StillTellsApartWhatDiffers) {
  for (const topic& t : topics())
    for (const std::size_t contestants : {2U, 7U, 20U})
      for (const std::size_t n : {7U, 9U, 15U}) {
        const auto r = said_of(t, contestants, n, 7, 1.5);
        EXPECT_TRUE(tells_apart(r)) << t.name << ", " << contestants << ", " << n << ": " << r.because;
        EXPECT_TRUE(r.matters) << t.name << ", " << contestants << ", " << n << ": " << r.because;
        EXPECT_NE(r.sure, advice::confidence::rule) << t.name << ": " << r.because;
      }
}

/// By order statistics or by Student's test, nothing is told of five.
TEST(AdvicesNull, TellsNothingFromTooFewRepetitions) {
  const auto made = [](const char* name, double value, std::size_t n) {
    return results::samples::made("strange", {{"who", name}}, "delay", "ns", noise{1}.repetitions(n, value));
  };
  EXPECT_FALSE(advice::lead_of(made("a", 1, 5), made("b", 2, 5))->ci);
  EXPECT_TRUE(advice::is_ahead(advice::lead_of(made("a", 1, 6), made("b", 2, 6), 20)));
  // Each has an interval of its own, but no repetition in common.
  results::cell early = made("a", 1, 6), late = made("b", 2, 6);
  early.noise = {{"repetition", {0U, 1U, 2U, 3U, 4U, 5U}}};
  late.noise = {{"repetition", {6U, 7U, 8U, 9U, 10U, 11U}}};
  EXPECT_TRUE(early.ci && late.ci);
  EXPECT_FALSE(advice::lead_of(early, late)->ci) << "two intervals do not pay for a look";
}

}  // namespace
}  // namespace synchro::tests
