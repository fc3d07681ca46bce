// What the program can do, one function for each command.

#ifndef SYNCHRO_CLI_COMMANDS_HPP
#define SYNCHRO_CLI_COMMANDS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/failure.hpp"
#include "cli/request.hpp"
#include "cli/session.hpp"

namespace synchro::cli {

/// The guided tour: a few minutes' worth of facts in under a minute.
[[nodiscard]] status tour(const request& asked, const recording& how);

/// The machine, its processors and what is to be known before measuring on it.
[[nodiscard]] status info(bool as_json);

/// How quiet this machine is, and what would help. Status `unreliable` under `strict` if anything would.
[[nodiscard]] status check(bool as_json, bool strict);

/// What there is: experiments, locks, wakes or models; these words, if `what` is empty.
[[nodiscard]] status list(const std::string& what, bool as_json);

struct run_options {
  request asked;
  recording how;
  bool output_given = false;
  std::optional<std::string> resume;
  bool estimate = false;
  bool strict = false;
  bool tables = false;  ///< Shown besides the findings.
};
[[nodiscard]] status run(run_options options);

struct simulate_options {
  request asked;
  recording how;
  std::string machines;  ///< A comma list of models.
  bool output_given = false;
  bool tables = false;
  bool oversubscribe = false;
  bool validate = false;               ///< Score the paper's claims instead.
  std::optional<std::string> against;  ///< A comma list of results files to hold predictions against, instead.
  std::optional<std::string> resume;   ///< A file of an interrupted simulation.
  std::vector<nlohmann::ordered_json> models = {};  ///< Names, or whole models.
};
struct model_options {
  std::string file;  ///< A results file, or a model.
  std::optional<std::string> output;
  std::string stretch = "1", across = "3";  ///< As typed.
};
/// Writes a machine model.
[[nodiscard]] status make_model(const model_options& options);

/// The same cells on machine models.
[[nodiscard]] status simulate(simulate_options options);
/// Scores every claim of the paper whose machines are modelled; into a file, if one is named.
[[nodiscard]] status validate(const simulate_options& o);
/// What results files measured beside what a model of their own coherence cells says.
[[nodiscard]] status hold_against(const simulate_options& options);

struct show_options {
  std::string file;
  std::optional<std::string> experiment;  ///< A name, family or glob.
  bool tables = false;
  bool claims = false;  ///< Of the literature, each with a verdict or the command that measures it.
  bool as_json = false;
};
/// What a results file says.
[[nodiscard]] status show(const show_options& options);

struct compare_options {
  std::vector<std::string> files;  ///< Two, or several runs of the first side.
  std::vector<std::string> with;   ///< Several runs of the second side.
  std::optional<std::string> experiment;
  std::optional<std::string> fail_if_slower;  ///< As typed: "5%".
  bool changed_only = false;
  bool tables = false;
  bool as_json = false;
};
/// Two results files cell by cell, or several runs of each side. Status `regression` if one is slower than the limit.
[[nodiscard]] status compare(const compare_options& options);

struct advise_options {
  std::vector<std::string> files;      ///< Results of one machine; results.json if there are none.
  std::optional<std::string> machine;  ///< A model, in place of files.
  std::optional<std::string> threads, critical, gap, locks, readers;  ///< As typed.
  std::optional<std::string> profile;  ///< The workload is that of a lock in this profile, where it is not given.
  std::optional<std::string> lock;     ///< That lock; if not given, that which was waited for longest.
  bool sleeps = false, fair = false;
  bool as_json = false;
};
/// What to take for a workload, by results or on a model.
[[nodiscard]] status advise(const advise_options& options);

struct export_options {
  std::string file;
  std::optional<std::string> format;  ///< Told by the ending of the output if not given.
  std::optional<std::string> output;  ///< If not given: standard output, or beside the results what is no text.
  std::optional<std::string> experiment;
  std::vector<std::string> at;  ///< "protocol=cas": only these cells.
};
/// A results file in the formats of other programs.
[[nodiscard]] status export_results(const export_options& options);

/// A results file, or those of its cells whose experiment matches. Throws failure (usage).
[[nodiscard]] results::document read_results(const std::string& file,
                                             const std::optional<std::string>& experiment = std::nullopt);

struct report_options {
  std::vector<std::string> files;
  std::string output = "report.html";
  bool paper = false;                                ///< The paper's platforms beside the files.
  std::optional<std::string> figure = std::nullopt;  ///< Only this one, as a picture.
};
/// One HTML file from results files, or one picture.
[[nodiscard]] status report(const report_options& options);

/// The same from documents. Throws failure (cannot) with one sentence.
void write_report(const std::vector<results::document>& documents, const std::string& output,
                  results::previous old = results::previous::kept_if_measured);

struct verify_options {
  std::vector<std::string> names;  ///< Primitives; none: all, and the seeded bugs.
  bool mutates = false;
  bool thorough = false;
  bool as_json = false;
  std::optional<std::string> replay;
};
/// Explores primitives under the memory model. Status `broken` if one is refuted, or a mutant survives.
[[nodiscard]] status verify(const verify_options& options);

struct with_options {
  std::string lock;                   ///< Of the catalog.
  std::vector<std::string> command;   ///< The program and its arguments.
  std::optional<std::string> report;  ///< Where each process says at its end what was called; "-": on standard error.
};
/// Becomes the command, with its mutexes, condition variables, rwlocks and spin locks served by that lock. Returns never:
/// throws failure if it cannot.
[[noreturn]] status with_lock(const with_options& options);

struct profile_options {
  std::vector<std::string> command;
  std::string lock = "native";        ///< What serves its mutexes: the C library, or a lock of the catalog.
  std::optional<std::string> output;  ///< The document goes there.
  std::optional<std::string> trace;   ///< The sampled acquisitions, for Perfetto.
  std::string every;                  ///< As typed; empty: the default.
  bool as_json = false;               ///< The document in place of the table.
};
/// Runs the command, with its locks recorded, and says on standard error what they did. Returns what the command ended with.
[[nodiscard]] status profile(const profile_options& options);
struct tune_options {
  std::vector<std::string> command;                ///< The program and its arguments.
  std::optional<std::string> locks;                ///< A comma list of names and globs, or "all".
  std::optional<std::string> repeat, time, limit;  ///< As typed.
  std::string metric = "wall";
  bool higher = false, lower = false;  ///< Which numbers of the metric are better.
  std::optional<std::uint64_t> seed;
  bool as_json = false;
  bool silent = false;  ///< Nothing on standard error.
};
/// Runs the command under each lock and under its own, and says which is best, or that no difference is resolved.
[[nodiscard]] status tune(const tune_options& options);

}  // namespace synchro::cli

#endif
