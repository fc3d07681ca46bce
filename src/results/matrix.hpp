// Matrices in short: a measurement between each two of many processors is a million cells that differ by two numbers each. In a file
// and on a page a matrix is one entry of `cells`.

#ifndef SYNCHRO_RESULTS_MATRIX_HPP
#define SYNCHRO_RESULTS_MATRIX_HPP

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "results/document.hpp"

namespace synchro::results {

/// The schema of a document with a matrix in short, of which who reads only the other (schema_name) knows nothing.
inline constexpr const char* schema_with_matrices = "synchroscope/2";

/// Of so many pairs (those of 129 processors in both directions) a results file keeps a matrix; fewer are a cell each, with all
/// that was measured, and so are those of a run that is not complete.
inline constexpr std::size_t fewest_of_a_file = 16384;

/// The same with the cells of each matrix of so many fields behind each other, row by row: those that differ by `from` and `to`
/// alone. Behind all others, and of several that of more processors later.
[[nodiscard]] document matrices_together(document d, std::size_t fewest);

/// How many of these cells, from the first on (at least that), belong together, and whether they are one matrix of so many fields.
struct stretch {
  std::size_t cells = 1;
  bool is_matrix = false;
};
[[nodiscard]] stretch first_stretch(std::span<const cell> cells, std::size_t fewest);

/// The processors that occur in these cells, by number.
[[nodiscard]] std::vector<std::int64_t> processors_of(std::span<const cell> cells);
/// The two of a cell of a matrix.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> pair_of(const cell& c);

/// `fields`, row by row (`from`), each column (`to`) a field; nullptr: there is no such cell. `map` is one of them, with what all have
/// in common; `processors` are rows and columns, `block` of them one.
/// `data` is in base64, seven bytes for each field: the value as a float (not a number: no such cell), its lowest byte first; then
/// from the lowest bit on, flag (2 bits), which of `repetitions` (4 bits), and how far below and above the value the interval
/// ends (9 bits each), in parts of the value: 0 is nothing, 511 no interval, and k is `least` times `ratio` to the power of k - 1.
/// The value is that float to seven digits. Ends are rounded outward, and of more than 16 numbers of repetitions the next lower
/// one that is kept stands for the others. Single repetitions and noise evidence are left out.
[[nodiscard]] nlohmann::ordered_json matrix_json(const std::vector<const cell*>& fields,
                                                 const std::vector<std::int64_t>& processors, std::size_t block = 1);
/// That of cells that are one matrix, as first_stretch() has found them.
[[nodiscard]] nlohmann::ordered_json matrix_json(std::span<const cell> cells);

/// What stands for the cells of a matrix; any other entry of `cells` is a cell.
[[nodiscard]] bool is_matrix(const nlohmann::ordered_json& entry);
/// Throws std::runtime_error with one sentence that says what is wrong. No overviews (`block` above 1): their fields are no pairs.
[[nodiscard]] std::vector<cell> cells_of_matrix(const nlohmann::ordered_json& entry);

}  // namespace synchro::results

#endif
