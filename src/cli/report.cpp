#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <variant>

#include "advice/which_lock.hpp"
#include "cli/commands.hpp"
#include "cli/read_results.hpp"
#include "cli/reported.hpp"
#include "experiments/coherence/among_published.hpp"
#include "experiments/framework/experiment.hpp"
#include "profile/stored.hpp"
#include "profile/verdict.hpp"
#include "report/figure.hpp"
#include "report/maps.hpp"
#include "report/page.hpp"
#include "report/published.hpp"
#include "results/comparison.hpp"
#include "results/doubt.hpp"
#include "results/experiment_names.hpp"
#include "results/json_fields.hpp"
#include "results/origin.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"
#include "views/places.hpp"
#include "views/summary.hpp"

namespace synchro::cli {

namespace {

struct report_options {
  std::vector<std::string> files;
  std::optional<std::string> output = std::nullopt;  ///< As typed.
  bool paper = false;                                ///< The paper's platforms beside the files.
  bool card = false;                                 ///< The machine on one picture.
  std::optional<std::string> figure = std::nullopt;  ///< Only this one, as a picture.

  [[nodiscard]] std::string page() const { return output.value_or("report.html"); }
};

using json = nlohmann::ordered_json;
using results::document;

/// What the numbers of these documents mean and how they are drawn: the experiments' own words.
json definitions_for(const std::vector<document>& documents) {
  std::set<std::string> there;
  for (const document& d : documents)
    for (const results::cell& c : d.cells) there.insert(c.experiment);
  json all = json::array();
  for (const experiments::experiment& e : experiments::all_experiments()) {
    if (!there.contains(e.name)) continue;
    json axes = json::array(), metrics = json::array();
    for (const auto& a : e.axes) axes.push_back({{"name", a.name}, {"line", a.line}});
    for (const auto& m : e.metrics)
      metrics.push_back({{"name", m.name}, {"unit", m.unit}, {"definition", m.definition}});
    all.push_back({{"name", e.name},
                   {"line", e.line},
                   {"source", e.source},
                   {"axes", axes},
                   {"metrics", metrics},
                   {"charts", views::charts_json(e.view)}});
  }
  return all;
}

json layers() {
  json all = json::array();
  for (const experiments::layer& l : experiments::all_layers()) all.push_back({{"name", l.name}, {"title", l.title}});
  return all;
}

std::vector<document> runs_in(const std::vector<document>& documents) {
  std::vector<document> all;
  for (const document& d : documents)
    for (document& run : results::runs_of(d)) all.push_back(std::move(run));
  return all;
}

/// One cell beside that of the first run; both are named by their places. A doubt stands at the end if there is one.
json judged_pair(const results::compared& pair, const document& first, const document& other) {
  const auto known = [](const auto& ends, double value) { return ends ? json(value) : json(); };
  const auto [low, high] = pair.ratio_ci.value_or(std::pair{0.0, 0.0});
  json all = json::array({pair.b - other.cells.data(), pair.a - first.cells.data(), results::to_string(pair.what),
                          known(pair.ratio, pair.ratio.value_or(0)), known(pair.ratio_ci, low),
                          known(pair.ratio_ci, high), pair.as_runs_differ});
  if (const auto doubt = pair.doubt()) all.push_back(*doubt);
  return all;
}

/// Against the first run, as `compare` judges.
json comparison_of(const document& first, const document& other) {
  const results::comparison c = results::compare(first, other);
  const auto disturbance = results::disturbance(c);
  json cells = json::array(), warnings = json::array();
  for (const results::compared& pair : c.cells) cells.push_back(judged_pair(pair, first, other));
  for (const std::string& sentence : c.warnings)
    if (sentence != disturbance) warnings.push_back(sentence);
  return {{"cells", cells},
          {"same_machine", !results::is_simulated(first) && results::other_machine(first, other).empty()},
          {"disturbance", disturbance ? json(*disturbance) : json()},
          {"warnings", warnings}};
}

json missing_locks(const document& run, const std::vector<advice::lock_choice>& choices) {
  if (const auto missing = results::no_contended_lock_sure(run))
    return {{"why", missing->why}, {"command", missing->command}};
  if (!advice::is_choice_open(run, choices)) return json();
  return {{"why", "the values of such locks are too uncertain to choose by"},
          {"command", results::repetition(run, {results::experiment_names::locks_throughput})}};
}

/// Which lock to take, in the words of `show`, each with the figure that tells more and what is to be chosen there.
json choices_by(const document& run, const views::presentations& how, const std::vector<advice::lock_choice>& choices) {
  json all = json::array();
  for (const advice::lock_choice& c : choices)
    if (const views::presentation* const shown = views::find(how, c.by.experiment); shown != nullptr)
      all.push_back({{"lock", c.lock},
                     {"where", c.where},
                     {"because", "it " + c.why()},
                     {"target", c.by.experiment + "-" + views::told_at(*shown, {run, c.by.experiment})},
                     {"metric", c.by.metric},
                     {"at", views::place_json(c.by.at)}});
  return all;
}

json rankings_of(const document& run) {
  const auto ranking = experiments::among_published(run);
  return ranking ? json::array({views::to_json(*ranking)}) : json::array();
}

report::page_words words_for(const std::vector<document>& documents) {
  report::page_words words{definitions_for(documents), layers()};
  std::vector<document> runs = runs_in(documents);
  const views::presentations how = experiments::all_presentations();
  for (document& run : runs) {
    words.headlines.push_back(views::headlines(run, how));
    words.rankings.push_back(rankings_of(run));
    words.findings.push_back(views::chart_findings(run, how));
    const auto unsure = results::nothing_sure(run);
    words.unsure.push_back(unsure ? json(*unsure) : json());
    const auto choices = advice::lock_choices(run);
    words.locks.push_back(missing_locks(run, choices));
    words.choices.push_back(choices_by(run, how, choices));
    // A field of an overview is no pair that the other run has, too.
    const auto whole = static_cast<std::ptrdiff_t>(report::before_overviews(run.cells));
    run.cells.erase(run.cells.begin() + whole, run.cells.end());
  }
  for (const document& run : runs) {
    const bool stands_alone =
        &run == runs.data() || results::why_no_evidence(run) || results::why_no_evidence(runs.front());
    words.comparisons.push_back(stands_alone ? json() : comparison_of(runs.front(), run));
  }
  return words;
}

/// What draws without a browser fails with a sentence: of who asked, or of what is missing here.
template <class Draw>
void drawing(const Draw& draw) {
  try {
    draw();
  } catch (const report::no_such_figure& e) {
    fail_usage(results::printable(e.what(), 2000));
  } catch (const failure&) {
    throw;
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

void written(const std::string& output) { say(fmt::format("written: {}", results::printable(output))); }

std::string data_of(std::vector<document> documents) {
  for (document& d : documents) d = report::maps_together(std::move(d));
  return report::data_text(documents, words_for(documents));
}

/// One figure, in the form that the name of the output says: as data, or as a picture.
void write_figure(const std::vector<document>& documents, const std::string& name, const std::string& output) {
  drawing([&] {
    const std::optional<report::picture> picture = report::picture_for(output);
    const std::string data = data_of(documents);
    write_output(output, picture ? report::figure(data, name, *picture) : report::figure_data(data, name));
  });
  written(output);
}

/// What the names of an experiment's figures begin with: "layer-name-" of "layer.name".
std::string slug_of(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '_'; }, '-');
  return name + "-";
}

/// One figure as a page, for a reader to choose in: only the cells that it may show are in it.
void write_figure_page(std::vector<document> documents, const std::string& name, const std::string& output) {
  const std::string wanted = slug_of(name.substr(0, name.find('?')));  // an experiment's name names its first figure
  const auto shown = [&](const results::cell& c) { return wanted.starts_with(slug_of(c.experiment)); };
  bool any = false;
  for (document& d : documents) {
    std::erase_if(d.cells, [&](const results::cell& c) { return !shown(c); });
    any = any || !d.cells.empty();
    d = report::maps_together(std::move(d));
  }
  if (!any) fail_usage(fmt::format("there is no figure '{}' in these results", results::printable(name, 200)));
  report::page_words words = words_for(documents);
  words.only = name;
  write_output(output, report::page(documents, words));
  written(output);
}

/// The picture into a file that is called after the machine if it was not named, the caption to standard output.
void write_card(const std::vector<document>& documents, const report_options& options) {
  drawing([&] {
    const report::card_parts card = report::card(data_of(documents));
    const std::string output = options.output.value_or(card.name + ".png");
    check_output(output, options.files);
    write_output(output, report::card_as(card, *report::picture_for(output)));
    tell(card.caption + "\n");
    written(output);
  });
}

void refuse_without_page() {
  if (!report::available())
    fail_cannot("this build has no HTML report: Node.js 18 or an npm package was missing at build time");
}

/// What the file holds, if it is a profile. Throws failure (usage) if it is one that cannot be read here.
std::optional<json> profile_in(const std::string& file) {
  json j;
  try {
    j = results::read_json(file);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  if (!profile::is_profile(j)) return std::nullopt;
  try {
    static_cast<void>(profile::read_stored(j));
  } catch (const std::runtime_error& e) {
    fail_usage(fmt::format("{} is not a profile that can be read here: {}", results::printable(file, 200),
                           results::printable(e.what(), 300)));
  }
  return j;
}

/// What the profile comes to, as the page takes it; its commands as they are typed.
json verdict_json(const json& profile, const std::string& file) {
  const profile::verdict v = profile::verdict_on(profile::read_stored(profile), file);
  json commands = json::array();
  for (const profile::remedy& r : v.remedies) commands.push_back({{"text", as_typed(r.words)}, {"purpose", r.purpose}});
  return {{"lock", v.lock},     {"pid", v.pid},         {"finding", v.finding},
          {"advice", v.advice}, {"commands", commands}, {"doubts", v.doubts}};
}

void write_profile(const json& profile, const report_options& options) {
  if (options.files.size() != 1) fail_usage("a profile is reported alone: one file");
  if (options.figure || options.card) fail_usage("a profile has no figures that can be written alone");
  if (options.paper) fail_usage("--paper adds published measurements, and no paper has published a profile");
  try {
    write_output(options.page(), report::profile_page(profile, verdict_json(profile, options.files.front())));
  } catch (const failure&) {
    throw;
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
  written(options.page());
}

/// Results, or the first file that is a profile.
std::variant<std::vector<document>, json> read_files(const std::vector<std::string>& files) {
  std::vector<document> documents;
  for (const std::string& file : files) try {
      documents.push_back(read_results(file));
    } catch (const failure&) {
      if (auto found = profile_in(file)) return std::move(*found);
      throw;
    }
  return documents;
}

void write_results(std::vector<document> documents, const report_options& options) {
  if (options.paper)
    for (document& d : report::published_beside(documents)) documents.push_back(std::move(d));
  if (options.card) return write_card(documents, options);
  if (options.figure && options.output->ends_with(".html"))
    return write_figure_page(std::move(documents), *options.figure, *options.output);
  if (options.figure) return write_figure(documents, *options.figure, *options.output);
  write_report(std::move(documents), options.page());
  written(options.page());
}

}  // namespace

void write_report(std::vector<document> documents, const std::string& output, results::previous old) {
  refuse_without_page();
  for (document& d : documents) d = report::maps_together(std::move(d));
  write_output(output, report::page(documents, words_for(documents)), old);
}

namespace {

/// What cannot be asked for together, or not so.
void check(const report_options& options) {
  const bool picture = options.output && report::picture_for(*options.output);
  const auto ends = [&](const char* with) { return options.output && options.output->ends_with(with); };
  if (options.figure && !picture && !ends(".html") && !ends(".json"))
    fail_usage("--figure needs -o with the name of a .svg, .png, .pdf, .html or .json file");
  if (options.card && options.output && !picture) fail_usage("--card writes a .svg, .png or .pdf file");
  if (options.card && options.figure) fail_usage("--card and --figure are two pictures: ask for one");
  if (options.card && options.paper) fail_usage("a card shows one machine: --paper has no place on it");
  if (!options.card || options.output) check_output(options.page(), options.files);
}

status report(const report_options& options) {
  refuse_without_page();
  check(options);
  auto read = read_files(options.files);
  if (const json* const profile = std::get_if<json>(&read))
    write_profile(*profile, options);
  else
    write_results(std::get<std::vector<document>>(std::move(read)), options);
  return status::done;
}

deed declare_report(options& its) {
  const auto typed = std::make_shared<report_options>();
  its.values("files", typed->files, "Results files, or one profile").required().called("FILE");
  its.value("-o,--output", typed->output, "File to write (report.html)").called("FILE");
  its.value("--figure", typed->figure,
            "Only this figure: -o names a .svg, .png or .pdf file, .html for a page of its own, or .json for what it "
            "draws as data. Its name is the part after # in a link to it, with the selections; an experiment's name is "
            "that of its first figure")
      .called("NAME");
  its.flag("--card", typed->card,
           "Only one picture of the machine, 1200 by 630: its map and what is sure. Standard output gets the same in "
           "words; without -o the file is called after the machine");
  its.flag("--paper", typed->paper, "Show the numbers that papers published for their machines as well");
  its.ends_with(
      fmt::format("Examples:\n  synchroscope report before.json after.json -o report.html\n"
                  "  synchroscope report r.json --figure '{}-threads?scale=log' -o locks.svg\n",
                  results::experiment_names::locks_throughput));
  return [typed](const words&) { return report(*typed); };
}

}  // namespace

command report_command() {
  return {"report", "Draw charts into one HTML file: of results files side by side, or of one profile", declare_report};
}

}  // namespace synchro::cli
