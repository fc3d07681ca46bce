#include "experiments/framework/tour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/answer.hpp"
#include "cli/asked_options.hpp"
#include "cli/commands.hpp"
#include "cli/company.hpp"
#include "cli/plan.hpp"
#include "cli/reported.hpp"
#include "cli/session.hpp"
#include "results/file.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"
#include "views/summary.hpp"

namespace synchro::cli {

namespace {

std::string summary_text(const results::document& d) {
  const views::style style = style_for(standard_output());
  std::string text = views::painted(heading(d), views::tone::heading, style) + "\n\n";
  for (const std::string& sentence : views::summary(d, experiments::all_presentations()))
    text += results::wrapped("- " + sentence, reading_width(), 2);
  return text;
}

/// Beside results.json: report.html; beside other.json: other.html.
std::string report_beside(const std::string& file) {
  std::filesystem::path path{file};
  if (path.filename() == recording{}.output) return path.replace_filename("report.html").string();
  return path.replace_extension(path.extension() == ".html" ? ".report.html" : ".html").string();
}

/// Writes the report, too, and says where all is. A report that cannot be written is no reason to fail.
std::string where_it_is(const results::document& d, const std::string& output) {
  const std::string file = results::printable(output);
  const std::string tables =
      fmt::format("All measurements are in {}; synchroscope show {} --tables prints their tables.\n", file, file);
  if (results::is_special(output)) return tables;
  const std::string report = report_beside(output);
  try {
    write_report({d}, report, results::previous::kept);  // the name was not the user's
  } catch (const failure& e) {
    say(fmt::format("synchroscope: no report: {}", e.what()));
    return tables;
  }
  return tables + fmt::format("Charts for the browser are in {}.\n", results::printable(report));
}

/// E.g. if no thread may be started: the summary has nothing to tell, so the reason is told.
void fail_if_nothing_was_measured(const measured& m) {
  const auto& cells = m.document.cells;
  if (m.interrupted || std::any_of(cells.begin(), cells.end(), [](const auto& c) { return c.value.has_value(); }))
    return;
  const auto why = std::find_if(cells.begin(), cells.end(), [](const auto& c) { return c.reason.has_value(); });
  fail_cannot("nothing could be measured" + (why == cells.end() ? "" : ": " + results::printable(*why->reason, 400)));
}

/// Looks until other programs leave the processors alone, so long at most. False if they do not.
bool wait_for_others(const platform::topology& t, std::optional<double> seconds) {
  const auto begin = std::chrono::steady_clock::now();
  const auto is_over = [&] {
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
    return seconds && waited.count() >= *seconds;
  };
  while (!is_over())
    if (const auto others = company_now(t); !others || !platform::disturbs(*others, t.processors.size())) return true;
  return false;
}

/// A person at the terminal chooses; true: to wait.
bool would_rather_wait() {
  const auto answer = answer_to(
      "The tour would take several times as long beside them, and most of its figures would be in doubt.\n"
      "w and Enter waits until they leave the processors alone, Enter goes on: ");
  return answer && (answer->starts_with('w') || answer->starts_with('W'));
}

/// Says who else has the processors, and waits for them if that is wanted, `patience` seconds or, where `asks`, as a person says.
void look_for_others(const platform::topology& t, double patience, bool asks) {
  const std::size_t processors = t.processors.size();
  const auto others = company_now(t);
  if (!others || !platform::disturbs(*others, processors)) return;
  say("warning: " + company_text(*others, processors) + ".");
  if (patience > 0) {
    say(fmt::format("Waiting for them, {} at most.", duration_text(patience)));
    if (wait_for_others(t, patience)) return;
  } else if (asks && would_rather_wait()) {
    say("Waiting for them; Ctrl-C ends the tour.");
    (void)wait_for_others(t, std::nullopt);
    return;
  }
  say("The tour goes on beside them, takes several times as long, and most of its figures will be in doubt. "
      "End them, or start it with --wait 10m, which waits for them.");
}

status tour(const request& asked, const recording& how, double patience) {
  request r = asked;
  r.tour = true;
  r.experiments.clear();
  for (const auto* stop : experiments::tour_experiments()) r.experiments.push_back(stop->name);
  r.thoroughness = experiments::level::quick;
  check_output(how.output);
  const resolved_request what = resolve(r, this_machine());
  calibrate_clock(what.setting);
  const experiments::plan p = plan_for(what);
  recording short_run = how;
  short_run.repair = 0.2;
  look_for_others(what.setting.machine, patience, !how.silent);
  if (!how.silent)
    say(fmt::format("A tour of this machine, about {} if nothing else runs.", duration_text(p.seconds())));
  const measured m = measure(p, what, short_run);
  print(summary_text(m.document) + "\n" + (m.not_written ? "" : where_it_is(m.document, how.output)));
  say_how_to_go_on(m, how);
  fail_if_nothing_was_measured(m);
  return verdict(m, false);
}

}  // namespace

command tour_command() {
  return {"tour", "Run the guided tour, as without a command, with options", [](options& its) -> deed {
            struct tour_options {
              asked_options asked;
              std::optional<std::string> wait;
            };
            const auto typed = std::make_shared<tour_options>();
            typed->asked.declare_recording(its);
            its.value("--wait", typed->wait, "Wait at most this long for other programs to end: 60s, 10m, 1h")
                .called("DURATION");
            return [typed](const words& all) {
              return tour(typed->asked.as_request(), typed->asked.as_recording(all),
                          typed->wait ? parse_duration(*typed->wait, "--wait") : 0);
            };
          }};
}

}  // namespace synchro::cli
