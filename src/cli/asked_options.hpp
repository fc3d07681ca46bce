// The options by which `run`, `simulate` and the tour are asked for cells: their axes, their level, their file.

#ifndef SYNCHRO_CLI_ASKED_OPTIONS_HPP
#define SYNCHRO_CLI_ASKED_OPTIONS_HPP

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/record.hpp"
#include "cli/request.hpp"
#include "terminal/command.hpp"

namespace synchro::cli {

/// As typed; what is absent was not typed.
struct asked_options {
  std::vector<std::string> experiments;
  std::map<std::string, std::optional<std::string>> axes;
  std::optional<std::string> cpus, output, label, seed, max_time;
  bool quick = false, full = false, no_progress = false, include_hostname = false;

  /// `quick` and `full` say what they mean for the command.
  void declare_levels(terminal::options& its, const std::string& few, const std::string& many);
  void declare_label(terminal::options& its);
  void declare_progress(terminal::options& its);
  /// Where, into which file, and how it is shown while it runs.
  void declare_recording(terminal::options& its);
  void declare_axes(terminal::options& its);

  /// Throw failure (usage) with one sentence.
  [[nodiscard]] request as_request() const;
  [[nodiscard]] recording as_recording(const terminal::words& typed) const;
};

void declare_tables(terminal::options& its, bool& tables);

}  // namespace synchro::cli

#endif
