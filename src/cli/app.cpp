#include "cli/app.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/words.hpp"
#include "platform/facts.hpp"
#include "platform/interposer.hpp"
#include "results/measured.hpp"
#include "results/text.hpp"
#include "simulator/model.hpp"

namespace synchro::cli {

namespace {

constexpr const char* description =
    "Synchroscope measures what synchronization costs on this machine: cache coherence, atomic operations, locks,\n"
    "delegation, messages, hash tables, transactional memory, waking threads, system calls, limiting concurrency,\n"
    "fork and join.\n"
    "Without a command it gives a guided tour in under a minute and writes results.json and report.html.";

std::string examples() {
  return fmt::format(
      "Examples:\n"
      "  synchroscope                                             a tour of this machine\n"
      "  synchroscope list                                        what can be measured\n"
      "  synchroscope run {} --quick -o r.json       how far apart the processors are\n"
      "  synchroscope run {} --threads 1,2,4-16:4 --lock mcs,ticket,std/mutex\n"
      "  synchroscope show r.json                                 the findings again; --tables for all numbers\n"
      "  synchroscope compare before.json after.json              what became faster or slower\n"
      "  synchroscope advise r.json --threads 8 --gap 2000        which lock to take, and what that rests on\n"
      "  synchroscope report r.json -o report.html                charts, in one file for the browser\n"
      "  synchroscope export r.json -o r.xlsx                     for a spreadsheet\n"
      "  synchroscope with mcs -- ./server                        a program with its locks replaced\n"
      "  synchroscope profile -- ./server                         which locks a program waits for, and why\n"
      "  synchroscope tune -- ./batch                             the lock that suits a program best\n"
      "\n"
      "Exit status: 0 done, 1 a lock failed its self-check, 2 a mistake on the command line or in a file,\n"
      "3 this machine or account cannot do it, 4 unreliable (--strict), 5 slower (compare --fail-if-slower),\n"
      "130 interrupted, 143 terminated. What was measured is kept.\n",
      results::measured::coherence_pairs, results::measured::locks_throughput);
}

/// All that the command line can say.
struct command_line {
  std::string list_what;
  bool list_json = false;
  bool info_json = false;
  bool check_json = false, check_strict = false;
  show_options show;
  bool tables = false;
  compare_options comparison;
  advise_options advice;
  report_options report;
  export_options exporting;
  verify_options verify;
  with_options with;
  profile_options profile;
  tune_options tune;
  std::string help_command;

  std::vector<std::string> experiments;
  std::map<std::string, std::string> axes;
  std::string machines;
  model_options model;
  bool oversubscribe = false, validate = false;
  std::string against;
  std::string cpus, output, resume, label, max_time, seed;
  bool quick = false, full = false, estimate = false, strict = false, no_progress = false, include_hostname = false;
};

void add_verify(CLI::App& app, command_line& line) {
  CLI::App& verify = *app.add_subcommand(
      "verify", "Explore primitives: every interleaving and every weak-memory behaviour within bounds");
  verify.add_option("names", line.verify.names, "Locks and other primitives; all if not given")->type_name("NAME");
  CLI::Option* const mutate =
      verify.add_flag("--mutate", line.verify.mutates,
                      "Alter every memory order and statement in turn, and check that a program fails");
  verify.add_flag("--long", line.verify.thorough, "Many more states, and random schedules of 6 threads");
  verify.add_flag("--json", line.verify.as_json, "As an array of objects");
  verify.add_option("--replay", line.verify.replay, "Show a counter-example step by step")
      ->type_name("ID")
      ->excludes(mutate);
  verify.footer("Example:\n  synchroscope verify mcs clh/park\n");
}

void add_recording(CLI::App& command, command_line& line) {
  command
      .add_option("--cpus", line.cpus,
                  "Processors to use: 0-3,8,!2 (all but 2), class:performance, node:0, package:1, smt:first")
      ->type_name("LIST")
      ->join();
  command.add_option("-o,--output", line.output, "File to write (results.json)")->type_name("FILE");
  command.add_option("--label", line.label, "A name for this run, kept in the file")->type_name("TEXT");
  command.add_option("--seed", line.seed, "Seed of the random order; chosen and recorded if not given")
      ->type_name("NUMBER");
  command.add_flag("--no-progress", line.no_progress, "No progress on standard error");
  command.add_flag("--include-hostname", line.include_hostname, "Record the name of this computer");
}

void add_tables(CLI::App& command, bool& tables) {
  command.add_flag("--tables", tables, "All tables before the findings, through $PAGER on a terminal");
}

void add_run(CLI::App& app, command_line& line) {
  CLI::App& run = *app.add_subcommand("run", "Measure experiments: names, families (coherence) or globs ('locks.*')");
  run.add_option("experiments", line.experiments, "What to measure; everything if not given")->type_name("EXPERIMENT");
  CLI::Option* const quick = run.add_flag("--quick", line.quick, "Few values of each axis, few repetitions");
  run.add_flag("--full", line.full, "All values of each axis, many repetitions")->excludes(quick);
  add_recording(run, line);
  run.add_flag("--estimate", line.estimate, "Print how long it would take, and measure nothing");
  run.add_option("--max-time", line.max_time, "Stop when this long has passed: 500ms, 60s, 5m, 1h")
      ->type_name("DURATION");
  run.add_option("--resume", line.resume, "Complete an interrupted run; options that are not given are taken from it")
      ->type_name("FILE");
  run.add_flag("--strict", line.strict, "Exit status 4 if a value is unreliable");
  add_tables(run, line.tables);
  for (const auto& [axis, meaning] : all_axes())
    run.add_option("--" + axis, line.axes[axis], meaning)
        ->type_name("LIST")
        ->join()
        ->group("Axes, for the experiments that have them (comma lists; numbers also as 4-16:4)");
  run.footer(fmt::format("Example:\n  synchroscope run {} --threads 1,2,16 --lock 'mcs*,std/mutex' --quick -o r.json\n",
                         results::measured::locks_throughput));
}

void add_show(CLI::App& app, show_options& options) {
  CLI::App& show = *app.add_subcommand("show", "The findings of a results file, in at most twenty lines; its tables");
  show.add_option("file", options.file, "A results file")->required()->type_name("FILE");
  show.add_option("--experiment", options.experiment, "Only these: a name, family or glob")->type_name("EXPERIMENT");
  add_tables(show, options.tables);
  show.add_flag("--claims", options.claims,
                "What the literature claims, with a verdict or with the command that measures it");
  show.add_flag("--json", options.as_json,
                "As a JSON object, for scripts: findings, doubts, values; with --claims an array of these");
  show.footer(fmt::format("Example:\n  synchroscope show r.json --experiment {} --tables\n",
                          results::measured::locks_throughput));
}

void add_compare(CLI::App& app, compare_options& options) {
  CLI::App& compare = *app.add_subcommand(
      "compare", "Two results files, or several runs of each side, cell by cell: ratios with intervals");
  compare
      .add_option("files", options.files, "The baseline and the file to judge; or, before --with, runs of the baseline")
      ->required()
      ->type_name("FILE");
  compare.add_option("--with", options.with, "Runs to judge, at least 3, against at least 3 runs of the baseline")
      ->type_name("FILE");
  compare.add_option("--experiment", options.experiment, "Only these: a name, family or glob")->type_name("EXPERIMENT");
  compare
      .add_option("--fail-if-slower", options.fail_if_slower,
                  "Exit status 5 if a cell of the second side is slower (or worse) by more than this: 5%")
      ->type_name("PERCENT");
  CLI::Option* const changed =
      compare.add_flag("--changed", options.changed_only, "Show only differences that are resolved");
  compare.add_flag("--json", options.as_json, "As a JSON object, with all cells")->excludes(changed);
  add_tables(compare, options.tables);
  compare.footer(
      "Examples:\n"
      "  synchroscope compare before.json after.json\n"
      "  synchroscope compare old1.json old2.json old3.json --with new1.json new2.json new3.json --fail-if-slower "
      "5%\n");
}

void add_report(CLI::App& app, command_line& line) {
  CLI::App& report = *app.add_subcommand(
      "report", "Charts in one HTML file; several results files are shown side by side, a profile alone");
  report.add_option("files", line.report.files, "Results files, or one profile")->required()->type_name("FILE");
  report.add_option("-o,--output", line.report.output, "File to write (report.html)")->type_name("FILE");
  report
      .add_option("--figure", line.report.figure,
                  "Only this figure, as a picture: -o names a .svg, .png or .pdf file. Its name is the part after # in "
                  "a link to it, with the selections")
      ->type_name("NAME");
  report.add_flag("--paper", line.report.paper, "Show the numbers that papers published for their machines as well");
  report.footer(
      fmt::format("Examples:\n  synchroscope report before.json after.json -o report.html\n"
                  "  synchroscope report r.json --figure '{}-threads?scale=log' -o locks.svg\n",
                  results::measured::locks_throughput));
}

void add_advise(CLI::App& app, advise_options& options) {
  CLI::App& advise = *app.add_subcommand(
      "advise", "Which lock, wake primitive, limit and job size suit a workload, by results or on a model");
  CLI::Option* const files = advise.add_option("files", options.files, "Results files of one machine (results.json)");
  files->type_name("FILE");
  advise
      .add_option("--machine", options.machine,
                  "Simulate what is needed on a model, in place of files: " + enumerate(simulator::built_in_models()) +
                      ", or a file")
      ->type_name("MODEL");
  advise.add_option("--threads", options.threads, "Threads that want the locks (one for each processor)")
      ->type_name("N");
  advise.add_option("--critical", options.critical, "Work inside a critical section (100)")->type_name("NS");
  advise.add_option("--gap", options.gap, "Work of a thread between two critical sections (1000)")->type_name("NS");
  advise.add_option("--locks", options.locks, "How many locks there are (1)")->type_name("N");
  advise.add_option("--readers", options.readers, "Percent of the acquisitions that only read (0)")
      ->type_name("PERCENT");
  CLI::Option* const profile =
      advise.add_option("--profile", options.profile, "The workload is what a profile says of one of its locks");
  profile->type_name("FILE");
  advise.add_option("--lock", options.lock, "Which lock of the profile (that which was waited for longest)")
      ->type_name("NAME")
      ->needs(profile);
  advise.add_flag("--sleep", options.sleeps, "Waiting threads have to sleep");
  advise.add_flag("--fair", options.fair, "No waiter may be overtaken without bound");
  advise.add_flag("--json", options.as_json, "As a JSON object, with the cells it rests on");
  advise.footer(
      "Examples:\n"
      "  synchroscope advise results.json --threads 8 --critical 300 --gap 2000\n"
      "  synchroscope advise results.json --profile locks.json --lock queue_mutex\n"
      "  synchroscope advise --machine xeon --threads 40 --locks 16 --fair\n");
}

void add_export(CLI::App& app, export_options& options) {
  CLI::App& command = *app.add_subcommand("export", "A results file in the formats of other programs");
  command.add_option("file", options.file, "A results file")->required()->type_name("FILE");
  command
      .add_option("--format", options.format,
                  "csv, xlsx, markdown, gbench (Google Benchmark's JSON) or matrix (numbers by processor)")
      ->type_name("FORMAT");
  command
      .add_option("-o,--output", options.output,
                  "File to write (standard output; xlsx: beside the results); its extension may give the format")
      ->type_name("FILE");
  command.add_option("--experiment", options.experiment, "Only these: a name, family or glob")->type_name("EXPERIMENT");
  command.add_option("--at", options.at, "Only cells with these coordinates: protocol=cas, threads=1,2")
      ->type_name("AXIS=VALUES")
      ->allow_extra_args(false);
  command.footer("Example:\n  synchroscope export r.json --format matrix --at protocol=cas -o matrix.csv\n");
}

void add_simulate(CLI::App& app, command_line& line) {
  CLI::App& simulate = *app.add_subcommand("simulate", "The same cells on models of other machines");
  simulate.add_option("experiments", line.experiments, "What to simulate: names, families or globs")
      ->type_name("EXPERIMENT");
  simulate
      .add_option("--machine", line.machines,
                  "Models: " + enumerate(simulator::built_in_models()) + ", a file, or a results file of a host")
      ->type_name("LIST")
      ->join();
  CLI::Option* const quick = simulate.add_flag("--quick", line.quick, "Few values of each axis, six seeds");
  simulate.add_flag("--full", line.full, "All values of each axis, eleven seeds")->excludes(quick);
  simulate.add_option("-o,--output", line.output, "File to write (simulation.json; none with --validate)")
      ->type_name("FILE");
  simulate.add_option("--resume", line.resume, "Complete an interrupted simulation")->type_name("FILE");
  simulate.add_option("--label", line.label, "A name for this run, kept in the file")->type_name("TEXT");
  simulate.add_option("--seed", line.seed, "Seed of jitter and phases; the same seed gives the same cells (1)")
      ->type_name("NUMBER");
  simulate.add_flag("--oversubscribe", line.oversubscribe, "Allow more threads than the model has processors");
  simulate.add_flag("--validate", line.validate, "Score every claim of the paper whose machines are modelled");
  simulate
      .add_option("--against", line.against,
                  "Results files of hosts: measured throughput beside what their coherence cells predict")
      ->type_name("FILES");
  add_tables(simulate, line.tables);
  simulate.add_flag("--no-progress", line.no_progress, "No progress on standard error");
  for (const auto& [axis, meaning] : all_axes())
    simulate.add_option("--" + axis, line.axes[axis], meaning)
        ->type_name("LIST")
        ->join()
        ->group("Axes, for the experiments that have them (comma lists; numbers also as 4-16:4)");
  simulate.footer(
      fmt::format("Example:\n  synchroscope simulate {} --machine opteron,niagara --lock mcs,ticket -o s.json\n",
                  results::measured::locks_throughput));
}

void add_model(CLI::App& app, model_options& options) {
  CLI::App& model = *app.add_subcommand("model", "A machine model for simulate, made from measurements");
  model
      .add_option("file", options.file,
                  fmt::format("A results file with {} and {}, or a model", results::measured::coherence_states,
                              results::measured::coherence_local))
      ->required()
      ->type_name("FILE");
  model.add_option("-o,--output", options.output, "File to write (standard output)")->type_name("FILE");
  model.add_option("--stretch", options.stretch, "Multiply the number of packages by this")->type_name("N");
  model
      .add_option("--across", options.across,
                  "If only one package was measured: how many times longer a transfer between packages takes (3)")
      ->type_name("FACTOR");
  model.footer("Example:\n  synchroscope model results.json --stretch 8 -o eight.json\n");
}

void add_with(CLI::App& app, with_options& options) {
  CLI::App& with = *app.add_subcommand(
      "with", "Run a program with its pthread and C11 locks replaced by a lock of ours, without compiling it anew");
  with.add_option("lock", options.lock, "A lock of ours: synchroscope list locks")->required()->type_name("LOCK");
  with.add_option("command", options.command, "The program and its arguments, behind --")->type_name("-- COMMAND");
  with.add_option("--report", options.report,
                  "Each process appends to this file, in a line of JSON, what it called how often; - is standard error")
      ->type_name("FILE");
  with.footer(
      "Example:\n"
      "  synchroscope with mcs -- ./server --port 8080\n"
      "The exit status is the command's. 2: no such lock or command; 3: its locks cannot be replaced.\n");
}

void add_profile(CLI::App& app, profile_options& options) {
  CLI::App& profile = *app.add_subcommand(
      "profile",
      "Run a program and show which of its locks are waited for or held long, and the lock-order cycles among them");
  profile.add_option("command", options.command, "The program and its arguments, behind --")->type_name("-- COMMAND");
  profile.add_flag("--json", options.as_json, "On standard error a JSON document in place of the table");
  profile.add_option("-o,--output", options.output, "File to write the JSON document to")->type_name("FILE");
  profile.add_option("--trace", options.trace, "File to write the sampled acquisitions to, for Perfetto")
      ->type_name("FILE");
  profile
      .add_option("--every", options.every,
                  fmt::format("Look at one acquisition in K ({}); 1: at all", platform::interposer::default_every))
      ->type_name("K");
  profile
      .add_option("--lock", options.lock, "With its locks replaced by this lock of ours; native: its own, as they are")
      ->type_name("LOCK");
  profile.footer(
      "Example:\n"
      "  synchroscope profile -o locks.json -- ./server --port 8080\n"
      "What it says is on standard error, for standard output is the command's. The exit status is the command's.\n"
      "2: no such lock or command; 3: its locks cannot be seen, or a file cannot be written.\n");
}

void add_tune(CLI::App& app, command_line& line) {
  tune_options& options = line.tune;
  CLI::App& tune = *app.add_subcommand(
      "tune", "Run a program with each lock of ours and with its own, by turns, and say which is best");
  tune.add_option("command", options.command, "The program and its arguments, behind --")->type_name("-- COMMAND");
  tune.add_option("--locks", options.locks,
                  "Names and globs, or all; those whose waiters sleep or give way if not given")
      ->type_name("LIST");
  tune.add_option("--repeat", options.repeat, "At most so many rounds of one run each (10; with --time as many as fit)")
      ->type_name("N");
  tune.add_option("--time", options.time, "Begin no round when this long has passed: 60s, 5m")->type_name("DURATION");
  tune.add_option("--limit", options.limit,
                  "A run that takes longer has failed (ten times its longest run with its own locks, at least 10 s)")
      ->type_name("DURATION");
  tune.add_option(
          "--metric", options.metric,
          "wall: the time a run takes; regex:PATTERN: the first group, in the last line of its output that fits; "
          "command:COMMAND: what the shell makes of its output")
      ->type_name("METRIC");
  tune.add_flag("--higher,--higher-is-better", options.higher, "Larger numbers of the metric are better");
  tune.add_flag("--lower,--lower-is-better", options.lower, "Smaller ones are");
  tune.add_option("--seed", line.seed, "Seed of the random order; chosen and printed if not given")
      ->type_name("NUMBER");
  tune.add_flag("--json", options.as_json, "As a JSON object");
  tune.add_flag("--no-progress", options.silent, "Nothing on standard error");
  tune.footer(
      "Examples:\n"
      "  synchroscope tune -- ./batch input.dat\n"
      "  synchroscope tune --locks 'mcs*,ticket/yield,mutex' --metric 'regex:([0-9.]+) requests/s' --higher -- "
      "./load.sh\n"
      "Exit status: 0 a winner, or no difference resolved; 2 a mistake on the command line; 3 the command fails with "
      "its\n"
      "own locks or with every other, or its locks cannot be replaced; 130, 143 interrupted, with what there is.\n");
}

void declare(CLI::App& app, command_line& line) {
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", [] {
    const auto tool = platform::tool_facts();
    const auto word = [&](const char* name) {
      return tool.contains(name) && tool[name].is_string() ? tool[name].get<std::string>() : std::string{"unknown"};
    };
    return fmt::format("synchroscope {}\ngit {}\ncompiler {}\nflags {}\nlibc {}\nschema {}", word("version"),
                       word("git"), word("compiler"), word("flags"), word("libc"), results::schema_name);
  });
  add_recording(*app.add_subcommand("tour", "The guided tour, as without a command, with options"), line);
  add_run(app, line);
  add_simulate(app, line);
  add_model(app, line.model);
  add_show(app, line.show);
  add_compare(app, line.comparison);
  add_advise(app, line.advice);
  add_report(app, line);
  add_export(app, line.exporting);
  add_with(app, line.with);
  add_profile(app, line.profile);
  add_tune(app, line);
  CLI::App& list =
      *app.add_subcommand("list", "What can be measured or simulated: experiments, locks, wake primitives, models");
  list.add_option("what", line.list_what, "experiments, locks, wakes or models")->type_name("WHAT");
  list.add_flag("--json", line.list_json, "As an array of objects with a name");
  add_verify(app, line);
  CLI::App& info = *app.add_subcommand("info", "This machine: processors, caches, distances, clock");
  info.add_flag("--json", line.info_json, "As a JSON object");
  CLI::App& check = *app.add_subcommand("check", "How quiet this machine is, and what would help");
  check.add_flag("--json", line.check_json, "As a JSON object");
  check.add_flag("--strict", line.check_strict, "Exit status 4 if something would help");
  app.add_subcommand("help", "Help for a command, as COMMAND --help")
      ->add_option("command", line.help_command, "A command; without it, a summary of all")
      ->type_name("COMMAND");
  app.footer(examples());  // Last, for commands inherit it when they are added.
}

/// Of an option given several times, CLI11 puts the texts on lines of their own. (It could put commas itself, but then it
/// also takes empty parts away, and the next option for a value.)
std::string listed(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ',');
  return text;
}

std::uint64_t read_seed(const std::string& text) {
  const bool digits = !text.empty() && text.size() <= 15 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) fail_usage(fmt::format("--seed takes a whole number of at most 15 digits, not '{}'", text));
  return std::stoull(text);
}

request request_of(const command_line& line, const CLI::App& command) {
  request r;
  r.experiments = line.experiments;
  if (line.quick) r.thoroughness = experiments::level::quick;
  if (line.full) r.thoroughness = experiments::level::full;
  if (command.get_option_no_throw("--cpus") != nullptr && command.count("--cpus") > 0) r.cpus = listed(line.cpus);
  if (command.count("--seed") > 0) r.seed = read_seed(line.seed);
  for (const auto& [axis, text] : line.axes)
    if (command.get_option_no_throw("--" + axis) != nullptr && command.count("--" + axis) > 0)
      r.axes[axis] = listed(text);
  return r;
}

tune_options tuned(const command_line& line, const CLI::App& command) {
  tune_options options = line.tune;
  if (command.count("--seed") > 0) options.seed = read_seed(line.seed);
  return options;
}

recording recording_of(const command_line& line, const CLI::App& command, int argc, char** argv) {
  recording how;
  if (command.count("--output") > 0) how.output = line.output;
  if (command.count("--label") > 0) how.label = line.label;
  how.silent = line.no_progress;
  how.include_hostname = line.include_hostname;
  for (int i = 0; i < argc; ++i) how.argv.push_back(results::printable(argv[i], 4096));
  if (command.get_option_no_throw("--max-time") != nullptr && command.count("--max-time") > 0)
    how.max_seconds = parse_duration(line.max_time, "--max-time");
  return how;
}

status parse_and_perform(int argc, char** argv);

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// The same as `COMMAND --help`, or `--help`.
status help(const CLI::App& app, std::string command, char* program) {
  const auto known = names_of_commands(app);
  if (!command.empty() && std::find(known.begin(), known.end(), command) == known.end())
    fail_usage(no_such("command", command, known));
  std::string option = "--help";
  char* words[] = {program, command.empty() ? option.data() : command.data(), option.data(), nullptr};
  return parse_and_perform(command.empty() ? 2 : 3, words);
}

status perform(const command_line& line, const CLI::App& app, int argc, char** argv) {
  if (app.get_subcommands().empty()) return tour({}, recording_of(line, *app.get_subcommand("tour"), argc, argv));
  const CLI::App& command = *app.get_subcommands().front();
  const std::string name = command.get_name();
  if (name == "help") return help(app, line.help_command, argv[0]);
  if (name == "info") return info(line.info_json);
  if (name == "verify") return verify(line.verify);
  if (name == "check") return check(line.check_json, line.check_strict);
  if (name == "list") return list(line.list_what, line.list_json);
  if (name == "report") return report(line.report);
  if (name == "show") return show(line.show);
  if (name == "advise") return advise(line.advice);
  if (name == "compare") return compare(line.comparison);
  if (name == "export") return export_results(line.exporting);
  if (name == "model") return make_model(line.model);
  if (name == "with") with_lock(line.with);
  if (name == "profile") return profile(line.profile);
  if (name == "tune") return tune(tuned(line, command));
  const request asked = request_of(line, command);
  const recording how = recording_of(line, command, argc, argv);
  if (name == "tour") return tour(asked, how);
  if (name == "simulate")
    return simulate({asked, how, listed(line.machines), command.count("--output") > 0, line.tables, line.oversubscribe,
                     line.validate, command.count("--against") > 0 ? std::optional{listed(line.against)} : std::nullopt,
                     command.count("--resume") > 0 ? std::optional{line.resume} : std::nullopt});
  run_options options{asked, how, command.count("--output") > 0, std::nullopt, line.estimate, line.strict, line.tables};
  if (command.count("--resume") > 0) options.resume = line.resume;
  return run(std::move(options));
}

// Mistakes that CLI11 finds, in our words.

const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* o : command.get_options())
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string sentence_about_extras(CLI::App& app) {
  const auto extras = app.remaining(true);
  const auto option = std::find_if(extras.begin(), extras.end(), [](const auto& e) { return e.starts_with("-"); });
  const std::string word = option != extras.end() ? *option : extras.empty() ? "" : extras.front();
  const CLI::App& command = innermost(app);
  const std::string typed = results::printable(word.substr(0, word.find('=')), 80);
  if (word.size() > 1 && word[0] == '-')
    return no_such(&command == &app ? "option" : command.get_name() + " option", typed, names_of_options(command));
  if (&command == &app) return no_such("command", typed, names_of_commands(app));
  return fmt::format("{} does not take '{}'; synchroscope {} --help says what it takes", command.get_name(), typed,
                     command.get_name());
}

/// All words that a command cannot do without are results files, but for `with`.
std::string sentence_about_files(const CLI::App& command) {
  if (command.get_name() == "with") return "with needs a lock and a command: synchroscope with mcs -- COMMAND";
  const auto needed = command.get_options([](const CLI::Option* o) { return o->get_required(); });
  return fmt::format("{} needs {}; synchroscope {} --help says more", command.get_name(),
                     needed.size() == 1 ? "a results file" : counted(needed.size(), "results file"),
                     command.get_name());
}

std::string sentence_about(const CLI::ParseError& e, CLI::App& app) {
  if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) return sentence_about_extras(app);
  if (dynamic_cast<const CLI::RequiredError*>(&e) != nullptr) return sentence_about_files(innermost(app));
  const std::string what = e.what();
  if (what.starts_with("--") && what.ends_with(" missing")) return what.substr(0, what.find(':')) + " needs a value";
  return results::printable(what, 400);
}

status parse_and_perform(int argc, char** argv) {
  CLI::App app{description, "synchroscope"};
  command_line line;
  declare(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    std::ostringstream out;
    app.exit(e, out, out);
    print(out.str());
    return status::done;
  } catch (const CLI::ParseError& e) {
    fail_usage(sentence_about(e, app));
  }
  return perform(line, app, argc, argv);
}

}  // namespace

int program(int argc, char** argv) noexcept {
  const auto end = [](const std::string& sentence, status s) {
    say("synchroscope: " + results::printable(sentence, 1000));  // it may quote what was typed or read
    return static_cast<int>(s);
  };
  prepare_streams();
  try {
    std::vector<std::string> words = words_typed(argc, argv);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return static_cast<int>(parse_and_perform(static_cast<int>(words.size()), pointers.data()));
  } catch (const failure& e) {
    return end(e.what(), e.code);
  } catch (const std::bad_alloc&) {
    return end("there is not enough memory", status::cannot);
  } catch (const std::exception& e) {
    return end(e.what(), status::cannot);
  } catch (...) {
    return end("internal error", status::cannot);
  }
}

}  // namespace synchro::cli
