// A null study: of contestants that do not differ, no sentence may say that they do in more than 5 of 100 files.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "results/text.hpp"
#include "statistics/noise.hpp"
#include "views/answer.hpp"
#include "views/as_declared.hpp"
#include "views/cells.hpp"

namespace synchro::views {

using namespace results;
using tests::noise;
namespace {

constexpr unsigned files = 1000;

/// Draws the repetitions of one cell of a contestant.
using draw = std::function<std::vector<double>()>;

/// A sentence that names whoever has the least or the most.
struct kind {
  const char* name;
  std::function<list(int i, const draw& repetitions)> make;  ///< The cells of the i-th contestant.
  /// Whether the sentence tells two apart that it chose by looking.
  std::function<bool(const std::string& text, int contestants)> tells;
};

cell sampled(const std::string& experiment, const coordinates& at, const std::string& metric,
             const std::vector<double>& samples, better direction = better::lower) {
  return made(experiment, at, metric, direction == better::higher ? "op/s" : "ns", samples, direction);
}

cell rate_of(const std::string& experiment, const coordinates& at, const std::vector<double>& samples,
             const char* metric = "throughput") {
  return sampled(experiment, at, metric, samples, better::higher);
}

coordinate name_of(int i) { return "c" + std::to_string(i); }
/// The first is the one that a sentence names in any case.
coordinate name_of(int i, const char* first) { return i == 0 ? coordinate{first} : name_of(i); }

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

std::size_t count_of(const std::string& words, const std::string& text) {
  std::size_t n = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
  return n;
}

/// That the best of a contest cannot be told from any of the others, so often: three by name, the rest counted.
bool ties_all(const std::string& text, int contestants, std::size_t times = 1) {
  const std::string rest = contestants > 4 ? " and " + std::to_string(contestants - 4) + " more" : "";
  return count_of("not distinguishable from ", text) >= times && (rest.empty() || count_of(rest, text) >= times);
}

/// Names the best, which has to be tied with all others.
auto leads_by(const char* words, std::size_t times = 1) {
  return [words, times](const std::string& text, int contestants) {
    return says(text, words) && !ties_all(text, contestants, times);
  };
}

/// Says this of two that it tells apart only.
auto says_any(std::vector<const char*> words) {
  return [words = std::move(words)](const std::string& text, int) {
    return std::any_of(words.begin(), words.end(), [&](const char* w) { return says(text, w); });
  };
}

template <class... Tells>
auto either(Tells... tells) {
  return [=](const std::string& text, int contestants) { return (tells(text, contestants) || ...); };
}

coordinates contended(const coordinate& lock) {
  return {{"lock", lock}, {"locks", whole(1)}, {"threads", whole(2)}, {"protocol", "saturated"}};
}

std::vector<kind> kinds_of_lines_and_locks() {
  return {{"range",
           [](int i, const draw& v) {
             return list{sampled("strange", {{"n", whole(i)}}, "delay", v())};
           },
           says_any({": from "})},
          {"free lock",
           [](int i, const draw& v) {
             return list{sampled("locks.uncontested", {{"lock", name_of(i)}, {"distance", "same_cpu"}}, "pair", v())};
           },
           leads_by("costs least with")},
          {"free std/mutex and the cheapest lock",
           [](int i, const draw& v) {
             return list{sampled("locks.uncontested", {{"lock", name_of(i, "std/mutex")}, {"distance", "same_cpu"}},
                                 "pair", v())};
           },
           either(leads_by("costs least with"), says_any({"the cheapest lock"}))},
          {"lock passes",
           [](int i, const draw& v) {
             return list{sampled("locks.throughput", contended(name_of(i)), "handoff_time", v())};
           },
           either(leads_by("all want passes to another"), says_any({", every "}))},
          {"lock passes and is taken",
           [](int i, const draw& v) {
             return list{sampled("locks.throughput", contended(name_of(i)), "handoff_time", v()),
                         rate_of("locks.throughput", contended(name_of(i)), v())};
           },
           either(leads_by("all want passes to another"), says_any({", every ", "lock taken most often"}))},
          {"pairs",
           [](int i, const draw& v) {
             return list{sampled("coherence.pairs", {{"from", whole(0)}, {"to", whole(i + 1)}, {"protocol", "cas"}},
                                 "latency", v())};
           },
           says_any({", the farthest, ", "; most between"})},
          {"operations",
           [](int i, const draw& v) {
             return list{sampled("coherence.states",
                                 {{"operation", name_of(i)}, {"state", "modified"}, {"distance", "same_cache"}},
                                 "latency", v())};
           },
           says_any({"; c"})},
          {"bandwidth",
           [](int i, const draw& v) {
             return list{made("coherence.bandwidth", {{"threads", whole(i + 1)}}, "read", "B/s", v(), better::higher)};
           },
           says_any({"times as much"})}};
}

std::vector<kind> kinds_of_work() {
  return {
      {"transactions",
       [](int i, const draw& v) {
         return list{rate_of(
             "stm.bank", {{"means", name_of(i, "std/mutex")}, {"threads", whole(2)}, {"placement", "compact"}}, v())};
       },
       either(leads_by("does most with"), says_any({"; one lock around everything"}))},
      {"hash tables",
       [](int i, const draw& v) {
         return list{rate_of("hashtable.throughput",
                             {{"lock", name_of(i)},
                              {"buckets", whole(512)},
                              {"load", whole(12)},
                              {"threads", whole(2)},
                              {"keys", "uniform"},
                              {"placement", "compact"}},
                             v())};
       },
       leads_by("elements each serves")},
      {"delegation",
       [](int i, const draw& v) {
         const coordinate who = i == 0 ? coordinate{"mcs"} : coordinate{"combining/" + std::to_string(i)};
         return list{rate_of("delegation.throughput",
                             {{"delegate", who},
                              {"threads", whole(2)},
                              {"lines", whole(1)},
                              {"gap", whole(0)},
                              {"placement", "compact"}},
                             v())};
       },
       [](const std::string& text, int contestants) {
         return !says(text, "no difference between the two is resolved") ||
                (contestants > 2 && !ties_all(text, contestants - 1));
       }},
      {"memcached",
       [](int i, const draw& v) {
         const auto at = [&](int threads) {
           return coordinates{
               {"lock", name_of(i, "pthread/mutex")}, {"threads", whole(threads)}, {"placement", "compact"}};
         };
         return list{rate_of("memcached.get", at(1), v()), rate_of("memcached.get", at(2), v())};
       },
       [](const std::string& text, int contestants) {
         return says(text, " times as often as with one") || says(text, " than with pthread/mutex (") ||
                !ties_all(text, contestants) || count_of("not distinguishable from ", text) < 2;
       }},
      {"transactions of a database",
       [](int i, const draw& v) {
         return list{rate_of("database.sysbench",
                             {{"lock", name_of(i, "pthread/mutex")}, {"work", "read_write"}, {"clients", whole(4)}},
                             v())};
       },
       either(leads_by("MariaDB completes"), says_any({"than with its own locks"}))}};
}

std::vector<kind> kinds_of_messages_and_wakes() {
  return {{"messages",
           [](int i, const draw& v) {
             const coordinates at{{"means", name_of(i)}, {"size", "line"}, {"distance", "same_cache"}};
             return list{sampled("messages.pair", at, "one_way", v()), sampled("messages.pair", at, "round_trip", v())};
           },
           leads_by("costs least, in a stream", 2)},
          {"server",
           [](int i, const draw& v) {
             return list{rate_of("messages.server",
                                 {{"means", name_of(i)},
                                  {"protocol", "round_trip"},
                                  {"size", "line"},
                                  {"threads", whole(2)},
                                  {"work", whole(0)},
                                  {"placement", "compact"}},
                                 v(), "messages")};
           },
           leads_by("A single server")},
          {"sleepers",
           [](int i, const draw& v) {
             cell asleep = wake(to_string(name_of(i)), "cpu_share", "1", 0.01);
             return list{
                 sampled("wake.broadcast", {{"primitive", name_of(i)}, {"threads", whole(1)}}, "wake_mean", v()),
                 asleep};
           },
           leads_by("after another thread wakes it")},
          {"limits of concurrency",
           [](int i, const draw& v) {
             return list{sampled("throttle.sum", {{"variant", "integer"}, {"threads", whole(8)}, {"permits", whole(i)}},
                                 "time", v())};
           },
           says_any({"Limiting concurrency helps", "did not help", "finish first", "the best limit"})}};
}

std::vector<kind> kinds() {
  std::vector<kind> all = kinds_of_lines_and_locks();
  for (const auto& more : {kinds_of_work(), kinds_of_messages_and_wakes()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// The values of the first contestant are 100, and those of the others so many times as large.
document drawn(const kind& of, int contestants, std::size_t n, std::uint64_t seed, double others = 1) {
  noise dice{seed};
  list cells;
  for (int i = 0; i < contestants; ++i) {
    const list its = of.make(i, [&] {
      std::vector<double> values = dice.repetitions(n);
      for (double& v : values) v *= i == 0 ? 1 : others;
      return values;
    });
    cells.insert(cells.end(), its.begin(), its.end());
  }
  return on_two(cells);
}

/// By the experiment's sentence, or by what stands at its charts.
bool tells_apart(const kind& of, const std::string& text, int contestants) {
  return of.tells(text, contestants) || says(text, "The larger is");
}

/// All that is said of a document.
std::string said_of(const document& d) {
  static const presentations how = experiments::all_presentations();
  std::string text;
  for (const conclusion& c : conclusions(d, how))
    for (const std::string& sentence : c.sentences) text += sentence;
  return text + chart_findings(d, how).dump();
}

/// Of the files of one kind, those in which a sentence tells apart what does not differ.
unsigned false_superlatives(const kind& of, int contestants, std::size_t n) {
  unsigned found = 0;
  for (unsigned i = 0; i < files; ++i) {
    const document d = drawn(of, contestants, n, 100'000 * static_cast<unsigned>(contestants) + i);
    if (tells_apart(of, said_of(d), contestants)) ++found;
  }
  return found;
}

TEST(Null, SentencesTellNoneApartThatDoNotDiffer) {
  for (const kind& of : kinds())
    for (const int contestants : {2, 7, 20})
      for (const std::size_t n : {9U, 15U})
        EXPECT_LT(false_superlatives(of, contestants, n), files * 5 / 100)
            << of.name << ", " << contestants << " contestants, " << n << " repetitions";
}

/// A test that is never resolved would pass the one above.
TEST(Null, SentencesStillTellApartWhatDiffers) {
  for (const kind& of : kinds())
    for (const int contestants : {2, 7, 20}) {
      const std::string text = said_of(drawn(of, contestants, 15, 7, 1.5));
      EXPECT_TRUE(tells_apart(of, text, contestants)) << of.name << ": " << text;
    }
}

}  // namespace
}  // namespace synchro::views
