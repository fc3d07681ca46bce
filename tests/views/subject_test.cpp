// That every finding tells what it is about in its first five words, whatever the cells say: of each experiment the cells of
// its own plan, with values that rise, that fall, and that do not differ.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <sstream>

#include "experiments/framework/runner.hpp"
#include "experiments/machine_of.hpp"
#include "views/as_declared.hpp"
#include "views/cells.hpp"

namespace synchro::views {
namespace {

using experiments::experiment;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// "(protocol" is the word "protocol".
bool begins_with(const std::string& word, const std::string& subject) {
  const auto letter = std::find_if(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
  return lower({letter, word.end()}).starts_with(lower(subject));
}

bool tells_first(const std::string& sentence, const std::string& subject) {
  constexpr int first = 5;
  std::istringstream text{sentence};
  std::string word;
  bool found = false;
  for (int i = 0; i < first && text >> word; ++i) found = found || begins_with(word, subject);
  return found && std::isdigit(static_cast<unsigned char>(sentence.front())) == 0;
}

using value_of = std::function<double(std::size_t)>;

list cells_of(const experiment& e, experiments::level l, const value_of& value) {
  experiments::setting s = tests::machine_of(4, l);
  s.untried = true;
  list cells;
  std::size_t i = 0;
  for (const experiments::planned_cell& c : experiments::make_plan(s, {&e}).cells) {
    ++i;
    for (const experiments::metric& m : e.metrics)
      cells.push_back(made(e.name, c.at, m.name, m.unit, around(value(i)), m.direction));
  }
  return cells;
}

results::document of_four(list cells) {
  results::document d = complete_document(std::move(cells));
  d.topology["processors"] = {0, 1, 2, 3};
  return d;
}

/// At the first level at which it has something to say.
std::vector<results::document> documents_of(const experiment& e) {
  std::vector<results::document> all;
  for (const value_of& value : std::vector<value_of>{[](std::size_t i) { return 100.0 * static_cast<double>(i); },
                                                     [](std::size_t i) { return 1e9 / static_cast<double>(i); },
                                                     [](std::size_t) { return 100.0; }})
    for (const auto l : {experiments::level::quick, experiments::level::standard}) {
      results::document d = of_four(cells_of(e, l, value));
      if (e.view.findings(own_cells{d, e.name}).empty()) continue;
      all.push_back(std::move(d));
      break;
    }
  return all;
}

TEST(Subject, OfASentenceStandsInItsFirstFiveWords) {
  for (const experiment& e : experiments::all_experiments()) {
    EXPECT_EQ(e.view.about.empty(), !e.view.findings)
        << e.name << ": a view that has findings says in `about` the word that stands among the first five of each";
    if (!e.view.findings) continue;
    const auto documents = documents_of(e);
    EXPECT_FALSE(documents.empty()) << e.name << " says nothing of cells of its own";
    for (const results::document& d : documents)
      for (const std::string& sentence : e.view.findings(own_cells{d, e.name}))
        EXPECT_TRUE(tells_first(sentence, e.view.about)) << e.name << " (" << e.view.about << "): " << sentence;
  }
}

/// Below a chart, whose title says the rest.
TEST(Subject, OfAChartsSentenceIsTheMetric) {
  std::size_t told = 0;
  for (const experiment& e : experiments::all_experiments()) {
    if (!e.view.findings) continue;
    for (const results::document& d : documents_of(e)) {
      const auto found = chart_findings(d, {{e.name, e.view}});
      for (const auto& [chart, by_metric] : found.items())
        for (const auto& [metric, here] : by_metric.items()) {
          const std::string word = metric.substr(0, metric.find('_'));
          auto sentences = here["own"];
          for (const auto& place : here["places"])
            sentences.insert(sentences.end(), place["told"].begin(), place["told"].end());
          for (const auto& sentence : sentences) {
            ++told;
            const std::string text = sentence.get<std::string>();
            EXPECT_TRUE(tells_first(text, word) || tells_first(text, e.view.about)) << chart << ": " << text;
          }
        }
    }
  }
  EXPECT_GT(told, 0U);
}

TEST(Subject, IsNoNumberWhereASentenceIsAboutAllNumbers) {
  list cells{pair(0, 1, 26, 0.3), pair(1, 0, 26)};
  cells.push_back(contender("bad", 2, 1e7));
  cells.back().valid = false;
  const auto told = doubts(complete_document(std::move(cells)));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_TRUE(tells_first(told[0], "self-check")) << told[0];
  EXPECT_TRUE(tells_first(told[1], "uncertain")) << told[1];
}

}  // namespace
}  // namespace synchro::views
