// A machine model out of a matrix of times between processors, as core-to-core latency tools write it: one row for each
// processor, half of a round trip in nanoseconds of two threads that take turns on one line by compare-and-swap.

#ifndef SYNCHRO_SIMULATOR_CORE_MATRIX_HPP
#define SYNCHRO_SIMULATOR_CORE_MATRIX_HPP

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "statistics/levels.hpp"

namespace synchro::simulator {

struct core_matrix {
  statistics::distances ns;
  std::vector<std::string> remarks;  ///< What was not as it should be, and what was taken instead.
};

/// Separated by commas, semicolons or tabs; whole or a triangle; fields that are empty, 0 or "nan" were not measured; lines
/// that begin with # are passed over. Throws std::runtime_error with one sentence.
[[nodiscard]] core_matrix read_core_matrix(std::string_view csv);

/// What no matrix says.
struct machine_facts {
  std::string name;
  std::optional<double> ghz;
  unsigned packages = 1;
};

/// Finds the levels and takes one hand-off for one transfer of a modified line by an atomic operation; what else it takes,
/// and why, stands under "assumptions". Throws std::runtime_error with one sentence.
[[nodiscard]] nlohmann::ordered_json model_from_matrix(const core_matrix& m, const machine_facts& facts);

/// By the name of the file, which is that of the machine.
[[nodiscard]] bool is_core_matrix(const std::string& file);
[[nodiscard]] nlohmann::ordered_json model_from_matrix_file(const std::string& file, std::optional<double> ghz,
                                                            unsigned packages);

}  // namespace synchro::simulator

#endif
