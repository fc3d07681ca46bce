// What a run leaves however it ends: its file, the journal beside it until then; and what an earlier run has left.

#ifndef SYNCHRO_CLI_RECORD_HPP
#define SYNCHRO_CLI_RECORD_HPP

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::cli {

/// How a measurement is to be recorded and shown.
struct recording {
  std::string output = "results.json";
  std::optional<std::string> label;
  std::vector<std::string> argv;
  double max_seconds = 0;  ///< 0: no bound.
  double repair = 1.0;     ///< How much longer than planned it may take to repeat what is not yet sure.
  bool silent = false;     ///< No progress.
  bool include_hostname = false;
};

/// What an interrupted or killed run left: its results file, its journal, or both.
struct earlier_run {
  std::string path;
  std::string id;
  std::optional<std::string> label;
  nlohmann::ordered_json asked;  ///< What was asked for, as `run` or `simulate` has written it.
  bool simulated = false;
  /// As the runner wants them; of a simulation, each with cells as they stand in the document.
  std::vector<nlohmann::ordered_json> entries;
  std::vector<results::document> origins;  ///< Where and by what they were measured: no more than that.
  bool in_document = false;                ///< The results file is this run's.
};
/// Throws failure (usage) with one sentence if there is nothing to resume.
[[nodiscard]] earlier_run read_earlier(const std::string& path);

/// Throws failure (usage) if it is from another machine or by another version of the program than `here`.
void check_origin(const earlier_run& earlier, const results::document& here);

/// The file that a run is to write and the journal beside it. Functions throw std::runtime_error with one sentence.
class run_record {
 public:
  /// Opens what cannot be replaced, which may wait for a reader. Both arguments must outlive it.
  run_record(const recording& how, const std::optional<earlier_run>& earlier);

  /// Takes over the identity of the earlier run, and opens the journal: anew, or where that run's one ends.
  void begin(results::document& d);
  [[nodiscard]] results::journal& log() { return *log_; }
  /// Writes the file and removes the journal, or says why the file could not be written, and where what was done is.
  [[nodiscard]] std::optional<std::string> end(const results::document& d);

 private:
  const recording& how_;
  const std::optional<earlier_run>& earlier_;
  results::destination file_;
  std::optional<results::journal> log_;
};

}  // namespace synchro::cli

#endif
