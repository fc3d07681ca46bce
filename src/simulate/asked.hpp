// What `simulate` was asked for, for the file each of its three ways: cells, claims, a comparison.

#ifndef SYNCHRO_SIMULATE_ASKED_HPP
#define SYNCHRO_SIMULATE_ASKED_HPP

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/record.hpp"
#include "cli/request.hpp"
#include "terminal/failure.hpp"

namespace synchro::simulate {

using namespace terminal;
using cli::recording;
using cli::request;

struct simulate_options {
  request asked;
  recording how;
  std::string machines;  ///< A comma list of models.
  bool output_given = false;
  bool tables = false;
  bool oversubscribe = false;
  bool validate = false;               ///< Score the paper's claims instead.
  std::optional<std::string> vary;     ///< With validate: only these of the assumed constants, a comma list, or all.
  std::optional<std::string> against;  ///< A comma list of results files to hold predictions against, instead.
  std::optional<std::string> resume;   ///< A comma list: an interrupted simulation, or parts of one.
  std::optional<std::string> share;    ///< "K/N": only these cells.
  std::vector<nlohmann::ordered_json> models = {};  ///< Names, or whole models.
};

/// Scores every claim of the paper whose machines are modelled; into a file, if one is named.
[[nodiscard]] status validate(const simulate_options& o);
/// What each assumed constant alone does to the claims that are predicted.
[[nodiscard]] status vary_constants(const simulate_options& o);
/// What results files measured beside what a model of their own coherence cells says.
[[nodiscard]] status hold_against(const simulate_options& options);

}  // namespace synchro::simulate

#endif
