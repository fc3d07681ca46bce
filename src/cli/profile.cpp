#include <fmt/format.h>

#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/output.hpp"
#include "cli/preloaded.hpp"
#include "cli/words.hpp"
#include "platform/interposer.hpp"
#include "platform/program_run.hpp"
#include "profile/shown.hpp"

namespace synchro::cli {

namespace {

namespace agreed = platform::interposer;

void check(const profile_options& options) {
  auto locks = names_of_own_locks();
  locks.emplace_back(agreed::native_lock);
  demand_lock(options.lock, locks);
  if (options.output) check_output(*options.output);
  if (options.trace)
    check_output(*options.trace, options.output ? std::vector{*options.output} : std::vector<std::string>{});
}

std::string text_of(const nlohmann::ordered_json& document) {
  return document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void tell(const profile_options& options, const profile::run& run) {
  const auto document = options.as_json || options.output ? profile::document_of(run) : nlohmann::ordered_json{};
  if (options.output) write_output(*options.output, text_of(document));
  if (options.trace) write_output(*options.trace, text_of(profile::trace_of(run)));
  say_raw(options.as_json ? text_of(document) : profile::table_of(run, style_for(standard_error())));
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
  command.variables.emplace_back(agreed::lock_variable, options.lock);
  command.variables.emplace_back(agreed::profile_variable, recordings.path());
  command.variables.emplace_back(agreed::every_variable, fmt::format("{}", every));
  const auto end = run(command);
  tell(options, {options.command, options.lock, every, profile::read_recordings(recordings.path())});
  return end;
}

}  // namespace

status profile(const profile_options& options) {
  const preloaded command = prepare_preloaded(options.command, "profile", "synchroscope profile -- COMMAND");
  const unsigned every = options.every.empty() ? agreed::default_every
                                               : parse_number(options.every, "--every", "whole number", 1U, 999'999U);
  check(options);
  const auto end = run_recorded(options, command, every);
  if (end.signal != 0) platform::end_by_signal(end.signal);
  return static_cast<status>(end.status);
}

}  // namespace synchro::cli
