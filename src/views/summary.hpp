// What a document says, in a handful of sentences for somebody who meets these things for the first time.

#ifndef SYNCHRO_VIEWS_SUMMARY_HPP
#define SYNCHRO_VIEWS_SUMMARY_HPP

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "views/presentation.hpp"

namespace synchro::views {

/// The findings of all experiments that the document has cells of, in plain ASCII. A number appears only with its
/// interval; what no measurement resolves is called so. Empty if there is nothing to say. Where no value is sure that alone
/// is said (results::nothing_sure), and there are neither headlines nor findings of charts.
[[nodiscard]] std::vector<std::string> summary(const results::document& d, const presentations& how);

/// Sentences about what not to rely on: what would be findings if they were surer, cells that failed their self-check,
/// numbers that are uncertain.
[[nodiscard]] std::vector<std::string> doubts(const results::document& d, const presentations& how);

/// The headlines of a document, as the page takes them: figure, text, detail, target.
[[nodiscard]] nlohmann::ordered_json headlines(const results::document& d, const presentations& how);

/// What each chart shows of each metric, in sentences, as the page takes them: {"EXPERIMENT-CHART": {"METRIC": {"own": [...],
/// "places": [{"at": {"locks": 512, ...}, "told": [...]}]}}}. `own`: the experiment's own findings, which stand at the chart of
/// its headline, else at the first that is no table, at its first metric; they are about what the chart begins with. `places`:
/// what else there is to see, which follows from the axes, at each place that the reader can choose.
/// As in the summary, a number appears only with its interval, and what no measurement resolves is called so.
[[nodiscard]] nlohmann::ordered_json chart_findings(const results::document& d, const presentations& how);

/// The chart of an experiment that its own sentences are about; empty if it has none.
[[nodiscard]] std::string told_at(const presentation& shown, const own_cells& own);

/// The charts of an experiment, as the page takes them.
[[nodiscard]] nlohmann::ordered_json charts_json(const presentation& p);

}  // namespace synchro::views

#endif
