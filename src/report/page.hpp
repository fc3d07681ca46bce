// One offline HTML file from results: the template of report/ with the documents put into it as JSON.

#ifndef SYNCHRO_REPORT_PAGE_HPP
#define SYNCHRO_REPORT_PAGE_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::report {

/// False if the program was built where there was no Node.js: then there is no template.
[[nodiscard]] bool available();

/// How large the data in a page may be.
struct limits {
  std::size_t detailed = std::size_t{24} << 20;  ///< Beyond, single repetitions and noise evidence stay in the file.
  std::size_t most = std::size_t{192} << 20;     ///< Beyond, no browser would open it with pleasure.
};

/// What the program says of the documents; the page derives nothing of it again.
struct page_words {
  /// {name, line, source, axes, metrics, charts} for each experiment: definitions beside the numbers, and how to draw them.
  nlohmann::ordered_json experiments = nlohmann::ordered_json::array();
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();     ///< {name, title}, in the order of the design.
  nlohmann::ordered_json headlines = nlohmann::ordered_json::array();  ///< A list for each run (results::runs_of).
  nlohmann::ordered_json rankings = nlohmann::ordered_json::array();   ///< A list for each run (views/ranking.hpp).
  /// For each run what its charts show, in sentences (views/summary.hpp).
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  /// For each run the sentence that no value of it is sure (results/doubt.hpp), else null.
  nlohmann::ordered_json unsure = nlohmann::ordered_json::array();
  /// For each run {why, command}, if nothing is sure about the locks that several threads want; else null.
  nlohmann::ordered_json locks = nlohmann::ordered_json::array();
  /// For each run which lock to take, as far as it is sure: [{text, target, metric, at}].
  nlohmann::ordered_json choices = nlohmann::ordered_json::array();
  /// For each run how it differs from the first, or null: {cells, same_machine, disturbance, warnings}. `cells` are lists of
  /// [place, place in the first, verdict, ratio, low, high, as runs differ] and, if there is one, a doubt.
  nlohmann::ordered_json comparisons = nlohmann::ordered_json::array();
  /// A figure as in an address (figure.hpp), if the page is to have it alone.
  std::optional<std::string> only = std::nullopt;
};

/// What stands in a page as JSON. Throws as page() does.
[[nodiscard]] std::string data_text(const std::vector<results::document>& documents, const page_words& words = {},
                                    const limits& bounds = {});

/// The page. Throws std::runtime_error with one sentence if there is too much data for a page.
[[nodiscard]] std::string page(const std::vector<results::document>& documents, const page_words& words = {},
                               const limits& bounds = {});

/// The page of a profile that was checked (profile/stored.hpp), with what the program says of it: {lock, pid, finding, advice,
/// commands: [{text, purpose}], doubts}. Throws as the other does.
[[nodiscard]] std::string profile_page(const nlohmann::ordered_json& profile, const nlohmann::ordered_json& verdict,
                                       const limits& bounds = {});

/// The page of a fleet (fleet/told.hpp). Throws as the other does.
[[nodiscard]] std::string fleet_page(const nlohmann::ordered_json& fleet, const limits& bounds = {});

}  // namespace synchro::report

#endif
