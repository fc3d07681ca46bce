#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "interpose/commands.hpp"
#include "interpose/preloaded.hpp"
#include "interpose/profile_view.hpp"
#include "platform/interposer.hpp"
#include "platform/program_run.hpp"
#include "recorded/shown.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::interpose {

namespace {

struct profile_options {
  std::vector<std::string> command;
  recorder_options recorder;
  std::optional<std::string> output;  ///< The document goes there.
  std::optional<std::string> trace;   ///< The sampled acquisitions, for Perfetto.
  std::optional<std::string> folded;  ///< Where waits were, for flame graphs.
  std::optional<std::string> pprof;   ///< The same, for pprof.
  bool as_json = false;               ///< The document in place of the table.
};

void check(const profile_options& options) {
  demand_lock(options.recorder);
  std::vector<std::string> others;
  for (const auto* const output : {&options.output, &options.trace, &options.folded, &options.pprof})
    if (*output) check_output(**output, others), others.push_back(**output);
}

std::string text_of(const nlohmann::ordered_json& document) {
  return document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void show_found(const profile_options& options, const recorded::run& run) {
  const auto document = recorded::document_of(run);
  if (options.output) write_output(*options.output, text_of(document));
  if (options.trace) write_output(*options.trace, text_of(recorded::trace_of(run)));
  if (options.folded) write_output(*options.folded, recorded::folded_of(run));
  if (options.pprof) write_output(*options.pprof, recorded::pprof_of(run));
  if (options.as_json) return say_raw(text_of(document));
  const views::style style = style_for(standard_error());
  say_raw(verdict_text(profile::read_stored(document), options.output, style) + recorded::table_of(run, style));
}

platform::program_end run(const preloaded& command) {
  try {
    return platform::run_to_end(command.path, command.words, command.variables);
  } catch (const std::runtime_error& e) {
    fail_cannot(fmt::format("{} cannot be started: {}", command.path, e.what()));
  }
}

platform::program_end run_recorded(const profile_options& options, preloaded command, unsigned every) {
  const platform::mapped_folder recordings;
  record_locks(command, options.recorder, recordings.path());
  if (options.folded || options.pprof) command.variables.emplace_back(platform::interposer::paths_variable, "1");
  const auto end = run(command);
  show_found(options, {options.command, options.recorder.lock, every, recorded::read_recordings(recordings.path())});
  return end;
}

status perform(const profile_options& options) {
  refuse_to_measure_under_an_emulator("profile");
  const preloaded command = prepare_preloaded(options.command, "profile", "synchroscope profile -- COMMAND");
  const unsigned every = options.recorder.samples_one_in();
  check(options);
  const auto end = run_recorded(options, command, every);
  if (end.signal != 0) platform::end_by_signal(end.signal);
  return static_cast<status>(end.status);
}

deed declare_profile(options& its) {
  const auto typed = std::make_shared<profile_options>();
  its.values("command", typed->command, "The program and its arguments, after --").called("-- COMMAND");
  its.flag("--json", typed->as_json, "Print a JSON document on standard error in place of the table");
  its.value("-o,--output", typed->output, "File to write the JSON document to").called("FILE");
  its.value("--trace", typed->trace, "File to write the sampled acquisitions to, for Perfetto").called("FILE");
  its.value("--folded", typed->folded, "File to write waiting times by call path to, for flame graphs").called("FILE");
  its.value("--pprof", typed->pprof, "File to write waiting times by call path to, for pprof").called("FILE");
  declare_recorder(its, typed->recorder);
  its.ends_with(
      "Example:\n"
      "  synchroscope profile -o locks.json -- ./server --port 8080\n"
      "Its own output goes to standard error, because standard output is the command's. The exit status is the "
      "command's.\n"
      "2: no such lock, command or folder; 3: its locks cannot be seen, or a file cannot be written.\n");
  return [typed](const words&) { return perform(*typed); };
}

}  // namespace

command profile_command() {
  return {"profile",
          "Run a program and show which of its locks are waited for or held long, and the lock-order cycles among them",
          declare_profile};
}

}  // namespace synchro::interpose
