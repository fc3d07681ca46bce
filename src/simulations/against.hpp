// A prediction held against what was measured: models made of a host's own coherence cells, and cells of the same host,
// of the same file or of another day, beside what is simulated for them.

#ifndef SYNCHRO_SIMULATIONS_AGAINST_HPP
#define SYNCHRO_SIMULATIONS_AGAINST_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/cell.hpp"
#include "results/document.hpp"
#include "simulations/simulations.hpp"

namespace synchro::simulations {

/// One cell.
struct forecast {
  std::string experiment;
  results::coordinates at;
  double measured;
  std::vector<double> predicted;  ///< By seed.
  std::string metric = {}, unit = {};
  std::string mode = "near";  ///< That of the cells the model was made of.
  bool fitted = false;        ///< The model was made of a cell of this place.
  results::better direction = results::better::neither;

  [[nodiscard]] double median() const;
  /// 0.2 and -0.2: predicted is a fifth more, a fifth less than measured.
  [[nodiscard]] double error() const { return median() / measured - 1; }
};

struct held {
  std::vector<forecast> cells;
  std::size_t elsewhere = 0;  ///< Measured where processors were at a distance that no model is of.
  std::vector<model_ptr> models = {};
};

/// The results that a model was to be made of yield none.
struct no_model : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Predicts the cells of `judged` by models of the coherence cells of `fit`, one for each mode: atomic operations and
/// locks without a pause, messages, hash tables, and single accesses; with a processor for each thread, two or more of
/// them, and with primitives of this library. Throws no_model with one sentence if `fit` yields none, std::runtime_error
/// with one if `judged` has no such cell.
[[nodiscard]] held held_against(const results::document& fit, const results::document& judged, std::uint64_t seed);

/// Predictions within this of what was measured, in the median, count as borne out.
inline constexpr double allowed_error = 0.30;

/// What becomes of an experiment in a mode; cells that the model was made of are a row of their own.
struct error_row {
  bool fitted;
  std::string experiment, mode;
  std::size_t cells;
  double median;                ///< Of the sizes of errors.
  std::optional<double> ninth;  ///< Nine of ten are no larger. Nothing of fewer than ten.

  /// What was fitted is not judged.
  [[nodiscard]] std::optional<bool> holds() const {
    return fitted ? std::nullopt : std::optional{median <= allowed_error};
  }
};
/// What was predicted before what was fitted, by experiment and mode.
[[nodiscard]] std::vector<error_row> errors_of(const std::vector<forecast>& all);

/// Nine of ten predictions of an experiment are off by at most so many times, up or down. Nothing of fewer than twenty.
[[nodiscard]] std::optional<double> error_of_most(const std::vector<forecast>& all, const std::string& experiment);

}  // namespace synchro::simulations

#endif
