// A null study: of contestants that do not differ, no sentence may say that they do in more than 5 of 100 files.

#include <gtest/gtest.h>

#include <functional>
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

using contestant = std::function<cell(int i, const std::vector<double>& samples)>;

struct kind {
  const char* name;
  contestant make;
};

cell sampled(const std::string& experiment, coordinates at, const std::string& metric,
             const std::vector<double>& samples, better direction = better::lower) {
  return made(experiment, at, metric, direction == better::higher ? "op/s" : "ns", samples, direction);
}

coordinate name_of(int i) { return "c" + std::to_string(i); }

/// A sentence of each kind that names whoever has the least or the most.
std::vector<kind> kinds() {
  return {
      {"range",
       [](int i, const auto& v) {
         return sampled("strange", {{"n", whole(i)}}, "delay", v);
       }},
      {"free lock",
       [](int i, const auto& v) {
         return sampled("locks.uncontested", {{"lock", name_of(i)}, {"distance", "same_cpu"}}, "pair", v);
       }},
      {"lock passes",
       [](int i, const auto& v) {
         return sampled("locks.throughput",
                        {{"lock", name_of(i)}, {"locks", whole(1)}, {"threads", whole(2)}, {"protocol", "saturated"}},
                        "handoff_time", v);
       }},
      {"pairs",
       [](int i, const auto& v) {
         return sampled("coherence.pairs", {{"from", whole(0)}, {"to", whole(i + 1)}, {"protocol", "cas"}}, "latency",
                        v);
       }},
      {"operations",
       [](int i, const auto& v) {
         return sampled("coherence.states",
                        {{"operation", name_of(i)}, {"state", "modified"}, {"distance", "same_cache"}}, "latency", v);
       }},
      {"transactions", [](int i, const auto& v) {
         const coordinate means = i == 0 ? coordinate{"std/mutex"} : name_of(i);
         return sampled("stm.bank", {{"means", means}, {"threads", whole(2)}, {"placement", "compact"}}, "throughput",
                        v, better::higher);
       }}};
}

document drawn(const kind& of, int contestants, std::size_t n, std::uint64_t seed) {
  noise dice{seed};
  list cells;
  for (int i = 0; i < contestants; ++i) cells.push_back(of.make(i, dice.repetitions(n)));
  return on_two(cells);
}

/// That the best cannot be told from any of the others: three by name, the rest counted.
bool ties_all(const std::string& text, int contestants) {
  const std::string rest = contestants > 4 ? " and " + std::to_string(contestants - 4) + " more" : "";
  return text.find("not distinguishable from ") != std::string::npos && text.find(rest) != std::string::npos;
}

/// What a sentence says if it tells two apart that it chose by looking.
bool tells_apart(const std::string& text, int contestants) {
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  const bool names_the_best = says("costs least with") || says("does most with") || says("all want passes to another");
  return (names_the_best && !ties_all(text, contestants)) || says(": from ") || says(", the farthest, ") ||
         says(", every ") || says("; c") || says("; one lock around everything") || says("The larger is") ||
         says("; most between");
}

/// All that is said of a document.
std::string said_of(const document& d) {
  std::string text;
  for (const conclusion& c : conclusions(d, experiments::all_presentations()))
    for (const std::string& sentence : c.sentences) text += sentence;
  return text + chart_findings(d, experiments::all_presentations()).dump();
}

/// Of the files of one kind, those in which a sentence tells apart what does not differ.
unsigned false_superlatives(const kind& of, int contestants, std::size_t n) {
  unsigned found = 0;
  for (unsigned i = 0; i < files; ++i) {
    const document d = drawn(of, contestants, n, 100'000 * static_cast<unsigned>(contestants) + i);
    if (tells_apart(said_of(d), contestants)) ++found;
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
      noise dice{7};
      list cells;
      for (int i = 0; i < contestants; ++i) {
        std::vector<double> samples = dice.repetitions(15);
        for (double& v : samples) v *= i == 0 ? 1 : 1.5;
        cells.push_back(of.make(i, samples));
      }
      const std::string text = said_of(on_two(cells));
      EXPECT_TRUE(tells_apart(text, contestants)) << of.name << ": " << text;
    }
}

}  // namespace
}  // namespace synchro::views
