// What a user asked to be measured: from the words on the command line to a setting and a plan, and into the results
// file and back, so that an interrupted run can be taken up again.

#ifndef SYNCHRO_CLI_REQUEST_HPP
#define SYNCHRO_CLI_REQUEST_HPP

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/runner.hpp"
#include "terminal/own_lock.hpp"

namespace synchro::cli {

/// As typed; what is absent was not typed.
struct request {
  bool tour = false;                     ///< The guided tour, which picks its cells itself.
  std::vector<std::string> experiments;  ///< Names, globs, families; none: every experiment.
  std::optional<experiments::level> thoroughness;
  std::optional<std::string> cpus;
  std::map<std::string, std::string> axes;  ///< Axis to comma list.
  std::optional<std::uint64_t> seed;
  terminal::own_lock_use use =
      terminal::own_lock_use::measure;  ///< What locks in headers of the user's are compiled for.
};

/// Made sense of: names that exist, processors that may be used, values that mean something.
struct resolved_request {
  bool tour = false;
  std::vector<const experiments::experiment*> which;
  experiments::setting setting;
};

inline constexpr std::array levels{experiments::level::quick, experiments::level::standard, experiments::level::full};
[[nodiscard]] std::string to_string(experiments::level l);
/// Throws std::runtime_error if there is none of this name.
[[nodiscard]] experiments::level level_from(const std::string& name);

/// All names of experiments, in the order of the design.
[[nodiscard]] std::vector<std::string> experiment_names(
    const std::vector<experiments::experiment>& all = experiments::all_experiments());
/// Experiments that these patterns mean, each once. Throws failure (usage).
[[nodiscard]] std::vector<const experiments::experiment*> select(
    const std::vector<std::string>& patterns,
    const std::vector<experiments::experiment>& all = experiments::all_experiments());

/// Every axis that any experiment has, with the line of the first that has it.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> all_axes();

/// Throws failure (usage) with one sentence for the first thing that makes no sense. What is resolved points into `all`.
[[nodiscard]] resolved_request resolve(
    const request& r, const platform::topology& machine,
    const std::vector<experiments::experiment>& all = experiments::all_experiments());

/// What a results file keeps of it (invocation.request), and the request it was.
[[nodiscard]] nlohmann::ordered_json to_json(const resolved_request& r);
[[nodiscard]] request request_from_json(const nlohmann::ordered_json& j);

/// What was typed now, and for what was not typed, what was typed then.
[[nodiscard]] request overlay(request now, const request& then);

}  // namespace synchro::cli

#endif
