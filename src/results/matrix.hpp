// Many cells that differ by few numbers, such as those of all pairs of a machine's processors, as one entry of a document.
// docs/results.md says what it has.

#ifndef SYNCHRO_RESULTS_MATRIX_HPP
#define SYNCHRO_RESULTS_MATRIX_HPP

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/cell.hpp"
#include "results/json_fields.hpp"

namespace synchro::results {

/// So many cells (of 128 processors with each other), 5 to 16 MB, are worth that older programs refuse the file, and that
/// no line of it is a cell.
inline constexpr std::size_t fewest_of_matrix = 16'384;
/// 4,096 processors with each other.
inline constexpr std::size_t most_fields_of_matrix = std::size_t{1} << 24;

/// How many cells, from the first on, may be in one matrix: those of one metric that have the same axes, `from` and `to`
/// among them. 0 if the first is in none.
[[nodiscard]] std::size_t cells_of_a_matrix(std::span<const cell> cells);
/// These; nothing if they are in no order of rows and columns, or have too little in common.
[[nodiscard]] std::optional<json> matrix_json(std::span<const cell> cells);

[[nodiscard]] bool is_matrix(const json& entry);
/// Adds its cells, in their order. Throws std::runtime_error with one sentence; also if, one by one, they would take more
/// than `left`, which becomes smaller by as much.
void add_cells_of(const json& matrix, text_limits& left, std::vector<cell>& to);

/// A number of a cell that stands in a column of a matrix, and its place there as a JSON pointer.
struct placed_number {
  json* number;
  std::string place;
};
/// All of a cell as JSON, in the order of the columns.
[[nodiscard]] std::vector<placed_number> numbers_in_columns(json& cell);
/// The same of a part of it, without places.
void add_numbers_in(json& part, std::vector<json*>& to);

}  // namespace synchro::results

#endif
