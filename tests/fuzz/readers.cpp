#include "fuzz/readers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <string_view>

#include "advice/advise.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/trial.hpp"
#include "profile/closed_system.hpp"
#include "profile/stored.hpp"
#include "profile/verdict.hpp"
#include "profile/workload.hpp"
#include "report/page.hpp"
#include "results/comparison.hpp"
#include "results/file.hpp"
#include "results/json_fields.hpp"
#include "results/origin.hpp"
#include "results/text.hpp"
#include "simulator/core_matrix.hpp"
#include "simulator/from_results.hpp"
#include "simulator/model.hpp"
#include "views/answer.hpp"
#include "views/comparison_text.hpp"
#include "views/export.hpp"
#include "views/summary.hpp"
#include "views/table.hpp"

namespace synchro::fuzz {
namespace {

using results::json;

tally counts;

void expect_harmless(const char* from, std::string_view text, bool tabs = false) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(tabs ? "\n\t\r" : "\n", begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (results::printable(line, line.size() + 1) != line)
      throw fault(std::string{from} + " lets characters through that could harm a terminal");
    begin = end + 1;
  }
}

/// True if the action was done, false if it was refused with a sentence.
bool refused_with_a_sentence_or_done(const char* what, const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const std::runtime_error& e) {
    const std::string_view sentence = e.what();
    if (sentence.empty() || sentence.find("json.exception") != std::string_view::npos)
      throw fault(std::string{what} + " says \"" + e.what() + "\"");
    return false;
  } catch (const fault&) {
    throw;
  } catch (const std::exception& e) {
    throw fault(std::string{what} + " throws what nobody expects: " + e.what());
  }
}

void be_advised(const results::document& d) {
  for (const std::int64_t threads : {0, 2, 1000})
    for (const std::int64_t readers : {0, 90}) {
      const advice::counsel c = advice::advise(d, {.threads = threads, .readers = readers, .sleeps = threads == 2});
      expect_harmless("advise", in_words(c, 80));
      expect_harmless("advise --json", results::dump(to_json(c, d), 1));
    }
}

void use_document(const results::document& d) {
  ++counts.documents;
  const views::style plain{false, 0, true};
  const views::presentations& shown = experiments::all_presentations();
  expect_harmless("show", views::show(d, shown, plain));
  expect_harmless("answer", views::answer(d, shown, plain, 20));
  for (const std::string& sentence : views::summary(d, shown)) expect_harmless("summary", sentence);
  const results::comparison c = results::compare(d, d);
  expect_harmless("compare", views::show(c, {"a", "b"}, false, plain));
  expect_harmless("compare --json", results::dump(results::to_json(c, {"a", "b"}, 0.05), 1));
  for (const auto form : {views::to_csv, views::to_gbench}) expect_harmless("export", form(d).content, true);
  expect_harmless("export", views::to_markdown(d, shown).content, true);
  refused_with_a_sentence_or_done("matrix", [&] { expect_harmless("matrix", views::to_matrix(d).content); });
  refused_with_a_sentence_or_done("advise", [&] { be_advised(d); });
  static_cast<void>(results::other_machine(d, results::document{}));
  static_cast<void>(results::other_program(d, d));
  for (const auto& entry : experiments::entries_of(d)) static_cast<void>(experiments::journaled_from(entry));
  static_cast<void>(results::to_json(d));
}

void use_model(const simulator::model& m) {
  ++counts.models;
  expect_harmless("model", results::dump(m.document(), 2));
  static_cast<void>(m.topology());
  std::vector<unsigned> some;
  for (unsigned p = 0; p < m.processors() && p < 20; ++p) some.push_back(p);
  static_cast<void>(m.longest_transfer(some));
  refused_with_a_sentence_or_done(
      "stretched", [&] { static_cast<void>(simulator::model{simulator::stretched(m.document(), 2, 3)}); });
}

void use_profile(const json& j) {
  const profile::stored s = profile::read_stored(j);
  ++counts.profiles;
  for (const char* name : {"", "hot", "no such"})
    refused_with_a_sentence_or_done("workload", [&] {
      const profile::lock_use u = profile::use_of(s, name);
      for (const std::string* text : {&u.name, &u.process}) expect_harmless("workload", *text);
      for (const std::string& source : u.sources) expect_harmless("workload", source);
      if (!(u.hold_ns >= 0) || !(u.gap_ns >= 0) || !(u.readers >= 0 && u.readers <= 1) || u.threads == 0 ||
          u.locks == 0)
        throw fault("a workload is none");
    });
}

bool is_fault(const std::function<void()>& action) {
  try {
    action();
    return false;
  } catch (const fault&) {
    return true;
  }
}

/// A model can be made of it if the costs of cache lines were measured.
void check_document(const results::document& d) {
  use_document(d);
  const auto is_of_lines = [](const results::cell& c) { return c.experiment == "coherence.states"; };
  if (std::any_of(d.cells.begin(), d.cells.end(), is_of_lines))
    use_model(simulator::model{simulator::model_from_results(d)});
}

void read_as_value(const std::string& text) {
  refused_with_a_sentence_or_done("matrix", [&] {
    use_model(simulator::model{simulator::model_from_matrix(simulator::read_core_matrix(text), {"made", {}, 1})});
    ++counts.matrices;
  });
  json j;
  if (!refused_with_a_sentence_or_done("JSON", [&] { j = results::parse_json(text); })) return;
  refused_with_a_sentence_or_done("model", [&] { use_model(simulator::model{j}); });
  if (profile::is_profile(j)) refused_with_a_sentence_or_done("profile", [&] { use_profile(j); });
  results::document d;
  if (!refused_with_a_sentence_or_done("document", [&] { d = results::document_from_json(j); })) return;
  refused_with_a_sentence_or_done("what a document is used for", [&] { use_document(d); });
  refused_with_a_sentence_or_done("model from results",
                                  [&] { use_model(simulator::model{simulator::model_from_results(d)}); });
}

void read_as_journal(const std::string& text) {
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    refused_with_a_sentence_or_done("journal", [&] {
      if (experiments::journaled_from(results::parse_json(text.substr(begin, end - begin)))) ++counts.entries;
    });
}

}  // namespace

const tally& taken() { return counts; }

void write_as_others_do(const std::string& text) {
  refused_with_a_sentence_or_done("report of a profile", [&] {
    const json j = results::parse_json(text);
    if (!profile::is_profile(j) || !report::available()) return;
    const profile::verdict v = profile::verdict_on(profile::read_stored(j), "profile.json");
    static_cast<void>(report::profile_page(j, {{"lock", v.lock}, {"finding", v.finding}, {"doubts", v.doubts}}));
  });
  refused_with_a_sentence_or_done("a closed system of a profile", [&] {
    const json j = results::parse_json(text);
    if (!profile::is_profile(j)) return;
    const profile::closed_system c = profile::closed_system_of(profile::read_stored(j));
    static_cast<void>(c.round_ns()), static_cast<void>(c.holds_in_a_round());
  });
  refused_with_a_sentence_or_done("xlsx and report", [&] {
    const results::document d = results::document_from_json(results::parse_json(text));
    const views::presentations& shown = experiments::all_presentations();
    static_cast<void>(views::to_xlsx(d, shown));
    const json headlines = views::headlines(d, shown);
    expect_harmless("headlines", results::dump(headlines, 1));
    const json found = views::chart_findings(d, shown);
    expect_harmless("findings", results::dump(found, 1));
    if (report::available()) static_cast<void>(report::page({d}, {json::array(), json::array(), headlines, found}));
  });
}

void read_as_all(const std::string& text) {
  read_as_value(text);
  read_as_journal(text);
}

void check_judges() {
  const auto reader_that = [](const auto& end) { refused_with_a_sentence_or_done("a reader", end); };
  const bool seen = is_fault([] { expect_harmless("a table", "two\nlines \xC2\x9B"); }) &&
                    is_fault([&] { reader_that([] { static_cast<void>(json("text").get<int>()); }); }) &&
                    is_fault([&] { reader_that([] { throw std::runtime_error("[json.exception.type_error]"); }); }) &&
                    is_fault([&] { reader_that([] { throw std::bad_alloc(); }); }) &&
                    !is_fault([&] { reader_that([] { throw std::runtime_error("is empty"); }); });
  if (!seen) throw fault("a fault is not seen");
}

void check_seeds(const std::vector<std::string>& seeds) {
  std::size_t documents = 0, models = 0, profiles = 0, journals = 0;
  for (const std::string& text : seeds) {
    const json j = json::parse(text, nullptr, false);
    if (j.is_discarded())
      ++journals;
    else if (profile::is_profile(j))
      use_profile(j), ++profiles;
    else if (j.contains("cells"))
      check_document(results::document_from_json(j)), ++documents;
    else
      use_model(simulator::model{j}), ++models;
  }
  if (documents == 0 || models == 0 || profiles == 0 || journals == 0)
    throw fault("a document, a model, a profile or a journal is missing");
}

}  // namespace synchro::fuzz
