// One figure of a page as a picture, or the card of its machine, without a browser: the page's own script, run by Node.js, which draws as it does there.

#ifndef SYNCHRO_REPORT_FIGURE_HPP
#define SYNCHRO_REPORT_FIGURE_HPP

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace synchro::report {

enum class picture : std::uint8_t { svg, png, pdf };

/// The format that the end of a file's name asks for; nothing if it is none of them.
[[nodiscard]] std::optional<picture> picture_for(const std::string& file);

/// There is no such figure, or not with these choices: the sentence says which there are.
struct no_such_figure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The figure of a page with this data (data_text() in page.hpp). `figure` is what stands behind # in the address of a
/// page: "locks-throughput-threads?scale=log"; an experiment's name may have its dot. Throws no_such_figure, or
/// std::runtime_error with one sentence if Node.js, or for PNG and PDF rsvg-convert, is missing or fails.
[[nodiscard]] std::string figure(const std::string& data, const std::string& figure, picture as);

/// The same figure as data in JSON, for who draws it with something else: report/src/plot.ts says what it holds. Throws as
/// figure() does.
[[nodiscard]] std::string figure_data(const std::string& data, const std::string& figure);

/// One picture of a machine to send on: 1200 by 630, with the map of its processors and at most five facts, of which each is sure.
struct card_parts {
  std::string svg;
  std::string caption;  ///< The same in words: a line for each fact.
  std::string name;     ///< For a file, without its ending: it holds the machine's.
};

/// The card of the one run in this data. Throws as figure() does; no_such_figure if there are several runs.
[[nodiscard]] card_parts card(const std::string& data);

/// One dot of a PNG for each unit. Throws std::runtime_error as figure() does.
[[nodiscard]] std::string card_as(const card_parts& parts, picture as);

}  // namespace synchro::report

#endif
