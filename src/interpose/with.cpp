#include <fmt/format.h>

#include <memory>
#include <optional>

#include "interpose/commands.hpp"
#include "interpose/preloaded.hpp"
#include "platform/executable.hpp"
#include "platform/interposer.hpp"
#include "terminal/own_lock.hpp"

namespace synchro::interpose {

namespace {

namespace agreed = platform::interposer;

struct with_options {
  std::string lock;                   ///< Of the catalog.
  std::vector<std::string> command;   ///< The program and its arguments.
  std::optional<std::string> report;  ///< Where each process says at its end what was called; "-": on standard error.
};

/// Becomes the command, with its mutexes, condition variables, rwlocks and spin locks served by that lock. Returns never:
/// throws failure if it cannot.
[[noreturn]] void run_with(const with_options& options) {
  std::string name = options.lock, library;
  if (names_header(options.lock)) {
    const own_lock mine = read_own_lock(options.lock);
    std::vector<std::string> taken = names_of_own_locks();
    taken.emplace_back(agreed::native_lock);
    refuse_taken(mine, taken);
    name = mine.stem;
    library = module_of(mine, own_lock_use::with);
  } else {
    demand_lock(options.lock, names_of_own_locks());
  }
  preloaded command = prepare_preloaded(options.command, "with", "synchroscope with mcs -- COMMAND", library);
  command.variables.emplace_back(agreed::lock_variable, name);
  if (options.report) command.variables.emplace_back(agreed::report_variable, *options.report);
  fail_cannot(fmt::format("{} cannot be started: {}", command.path,
                          platform::become(command.path, command.words, command.variables)));
}

deed declare_with(options& its) {
  const auto typed = std::make_shared<with_options>();
  its.value("lock", typed->lock, "A lock of ours (synchroscope list locks), or a header with one of yours")
      .required()
      .called("LOCK");
  its.values("command", typed->command, "The program and its arguments, after --").called("-- COMMAND");
  its.value("--report", typed->report,
            "Append one line of JSON for each process to this file: how often it called each function; - is standard "
            "error")
      .called("FILE");
  its.ends_with(
      "Example:\n"
      "  synchroscope with mcs -- ./server --port 8080\n"
      "The exit status is the command's. 2: no such lock or command; 3: its locks cannot be replaced.\n");
  return [typed](const words&) -> status { run_with(*typed); };
}

}  // namespace

command with_command() {
  return {"with", "Run a program with its pthread and C11 locks replaced by a lock of ours, without compiling it anew",
          declare_with, "with needs a lock and a command: synchroscope with mcs -- COMMAND"};
}

}  // namespace synchro::interpose
