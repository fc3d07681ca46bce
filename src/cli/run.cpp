#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/answer.hpp"
#include "cli/asked_options.hpp"
#include "cli/commands.hpp"
#include "cli/plan.hpp"
#include "cli/session.hpp"
#include "results/experiment_names.hpp"
#include "results/file.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

namespace {

struct run_options {
  request asked;
  recording how;
  bool output_given = false;
  std::optional<std::string> resume;
  bool estimate = false;
  bool strict = false;
  bool tables = false;  ///< Shown besides the findings.
  terminal::words typed = {};
};

std::size_t count_of(const experiments::plan& p, const experiments::experiment* e) {
  return static_cast<std::size_t>(
      std::count_if(p.cells.begin(), p.cells.end(), [&](const auto& c) { return c.what == e && !c.unavailable; }));
}

double seconds_of(const experiments::plan& p, const experiments::experiment* e) {
  double sum = 0;
  for (const auto& c : p.cells)
    if (c.what == e && !c.unavailable) sum += c.seconds;
  return sum;
}

/// What a plan takes, and what it takes at most where cells are noisy and are repeated.
std::string with_repeats(const experiments::plan& p, const recording& how) {
  return fmt::format("{}, or up to {} where values are noisy and are measured again", duration_text(p.seconds()),
                     duration_text(p.seconds() * (1 + how.repair)));
}

void print_estimate(const resolved_request& what, const experiments::plan& p, const recording& how) {
  std::string text;
  for (const auto* e : what.which)
    text += fmt::format("{:<24} {:>6}  {:>13}\n", e->name, counted(count_of(p, e), "cell"),
                        duration_text(seconds_of(p, e)));
  text += fmt::format("{:<24} {:>6}  {:>13}\n", "all", "", duration_text(p.seconds()));
  tell(text + fmt::format("It takes {}.\n", with_repeats(p, how)));
}

void report_plan(const resolved_request& what, const experiments::plan& p, const recording& how) {
  std::size_t cells = 0;
  for (const auto* e : what.which) cells += count_of(p, e);
  say(fmt::format("{}, {}, about {}", counted(what.which.size(), "experiment"), counted(cells, "cell"),
                  with_repeats(p, how)));
}

void report_file(const measured& m, const recording& how, const std::optional<std::string>& locks) {
  say(fmt::format("written: {}", results::printable(how.output)));
  say_how_to_go_on(m, how, locks);
}

/// The locks as they were typed, if headers are among them, of which a file has only the names.
std::optional<std::string> locks_in_headers(const request& asked) {
  const auto typed = asked.axes.find("lock");
  if (typed == asked.axes.end()) return std::nullopt;
  const std::vector<std::string> locks = split(typed->second);
  if (std::none_of(locks.begin(), locks.end(), terminal::names_header)) return std::nullopt;
  return typed->second;
}

request asked_before(const earlier_run& earlier) {
  const std::string file = results::printable(earlier.path);
  if (earlier.simulated)
    fail_usage(fmt::format("{0} was simulated; synchroscope simulate --resume {0} completes it", file));
  try {
    return request_from_json(earlier.asked);
  } catch (const std::runtime_error& e) {
    fail_usage(fmt::format("{} cannot be resumed: {}", file, e.what()));
  }
}

/// The file that can be shown again; nothing of a stream.
std::optional<std::string> kept_in(const measured& m, const recording& how) {
  if (m.not_written || results::is_special(how.output)) return std::nullopt;
  return how.output;
}

/// What was measured is not to be lost by resuming it with another request.
void check_nothing_is_lost(const earlier_run& earlier, const experiments::plan& p, const std::string& output) {
  using results::is_same_file;
  const std::string there = results::journal::path_of(earlier.path), here = results::journal::path_of(output);
  if (there != here && !is_same_file(there, here) && !is_same_file(output, earlier.path)) return;
  const std::size_t lost = experiments::cells_outside(p, earlier.entries);
  if (lost > 0)
    fail_usage(fmt::format("{} holds {} that this request would lose; name another file with -o",
                           results::printable(output), counted(lost, "measured cell")));
}

status run(run_options options) {
  std::optional<earlier_run> earlier;
  if (options.resume) {
    earlier = read_earlier(*options.resume);
    options.asked = overlay(std::move(options.asked), asked_before(*earlier));
    if (!options.output_given) options.how.output = *options.resume;
  }
  if (!options.estimate) check_output(options.how.output);
  const resolved_request what = resolve(options.asked, this_machine());
  calibrate_clock(what.setting);
  const experiments::plan p = plan_for(what);
  if (p.cells.empty()) fail_usage("there is nothing to measure: no combination of these values makes sense here");
  if (!options.estimate) have_bodies(p, options.typed);
  if (earlier) check_origin(*earlier, what);  // of the program that measures
  if (options.estimate) {
    print_estimate(what, p, options.how);
    return status::done;
  }
  if (earlier) check_nothing_is_lost(*earlier, p, options.how.output);
  if (!options.how.silent) report_plan(what, p, options.how);
  const measured m = measure(p, what, options.how, earlier);
  const bool only_here = m.not_written.has_value();  // then nothing is left out
  print_answer(m.document, kept_in(m, options.how), options.tables || only_here);
  if (!m.not_written) report_file(m, options.how, locks_in_headers(options.asked));
  return verdict(m, options.strict);
}

deed declare_run(options& its) {
  struct everything {
    asked_options asked;
    std::optional<std::string> resume;
    bool estimate = false, strict = false, tables = false;
  };
  const auto typed = std::make_shared<everything>();
  its.values("experiments", typed->asked.experiments, "What to measure; everything if not given").called("EXPERIMENT");
  typed->asked.declare_levels(its, "Few values of each axis, few repetitions",
                              "All values of each axis, many repetitions");
  typed->asked.declare_recording(its);
  its.flag("--estimate", typed->estimate, "Print how long it would take, and measure nothing");
  its.value("--max-time", typed->asked.max_time,
            "Stop after this time: 500ms, 60s, 5m, 1h; experiments are completed one after the other")
      .called("DURATION");
  its.value("--resume", typed->resume, "Complete an interrupted run; options that are not given are taken from it")
      .called("FILE");
  its.flag("--strict", typed->strict, "Exit status 4 if a value is unreliable, or time ended before any was measured");
  declare_tables(its, typed->tables);
  typed->asked.declare_axes(its);
  its.ends_with(
      fmt::format("Example:\n  synchroscope run {} --threads 1,2,16 --lock 'mcs*,std/mutex' --quick -o r.json\n",
                  results::experiment_names::locks_throughput));
  return [typed](const words& all) {
    return run({typed->asked.as_request(), typed->asked.as_recording(all), typed->asked.output.has_value(),
                typed->resume, typed->estimate, typed->strict, typed->tables, all});
  };
}

}  // namespace

command run_command() {
  return {"run", "Measure experiments: names, families (coherence) or globs ('locks.*')", declare_run};
}

}  // namespace synchro::cli
