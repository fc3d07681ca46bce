// What a results file says to the claims of the literature, and how to measure what it does not say.

#ifndef SYNCHRO_CLI_CLAIMS_HPP
#define SYNCHRO_CLI_CLAIMS_HPP

#include <nlohmann/json.hpp>
#include <string>

#include "results/document.hpp"
#include "views/grid.hpp"

namespace synchro::cli {

/// One of results::machines_of(); null if it is blank.
[[nodiscard]] nlohmann::ordered_json machine_or_null(const std::string& name);

/// Each claim that has a verdict on any machine: `id`, `source`, `where`, `says`, `verdict`, `because`, `command` (what
/// measures it; null if it is measured, or this program has nothing that measures it), `machine` (null unless the document
/// holds several).
[[nodiscard]] nlohmann::ordered_json claims_json(const results::document& d);
/// The same as a list, those with a verdict first.
[[nodiscard]] std::string claims_text(const results::document& d, const views::style& s);

}  // namespace synchro::cli

#endif
