// A table of text on a terminal: columns under headings, cut into strips where the terminal is too narrow.

#ifndef SYNCHRO_VIEWS_GRID_HPP
#define SYNCHRO_VIEWS_GRID_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace synchro::views {

/// What the terminal can show. Without colour there are no escape sequences at all.
struct style {
  bool color = false;
  std::size_t width = 80;  ///< Columns; 0: no bound.
  bool utf8 = false;
};

enum class tone : std::uint8_t { plain, heading, dim, warn, bad };

/// One place of the table. Numbers are aligned to the right, what follows them to the left; "(a)" stands apart.
struct entry {
  std::string number;
  std::string error;  ///< Its uncertainty: "±2%".
  std::string mark;   ///< Flags and footnotes: "~(a)".
  tone color = tone::plain;
  std::optional<double> heat = std::nullopt;  ///< 0 to 1: background colour.
  // The same as numbers, for what is not drawn as text.
  std::optional<double> value = std::nullopt;    ///< In the unit of the column.
  std::optional<double> percent = std::nullopt;  ///< Half the interval, relative to the value.
};

struct column {
  std::string group;  ///< Heading over this column and its neighbours of the same group.
  std::string name;
  std::vector<entry> entries;
  std::string unit = {};  ///< All entries'.
};

/// Text in a tone, if there is colour.
[[nodiscard]] std::string painted(const std::string& text, tone t, const style& s);

/// The table, each line ended. `labels` stand to the left, aligned to the left, and again in every strip.
[[nodiscard]] std::string render(const std::vector<column>& labels, const std::vector<column>& values, const style& s);

}  // namespace synchro::views

#endif
