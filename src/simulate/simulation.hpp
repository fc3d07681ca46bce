// Computing the cells of a simulation, so that nothing computed is lost.

#ifndef SYNCHRO_SIMULATE_SIMULATION_HPP
#define SYNCHRO_SIMULATE_SIMULATION_HPP

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/record.hpp"
#include "cli/request.hpp"
#include "simulator/model.hpp"

namespace synchro::simulate {

using cli::earlier_run;
using cli::recording;
using cli::resolved_request;

/// What is simulated on one machine.
struct simulation_part {
  std::string machine;  ///< The coordinate of its cells; empty if there is no other machine.
  std::shared_ptr<std::vector<experiments::experiment>> experiments;
  resolved_request what;                              ///< Points into them.
  std::function<void(results::cell&)> finished = {};  ///< Called with each cell before it is kept.
};

/// A part with what of it is to be computed.
struct planned_part {
  simulation_part part;
  std::vector<experiments::planned_cell> cells;
};

struct simulated {
  results::document document;
  bool broken;                             ///< A self-check failed.
  bool interrupted;                        ///< Someone asked us to stop.
  std::optional<std::string> not_written;  ///< Why the file could not be written, and where the journal is.
};

/// As --machine names it, or a whole document. Throws failure (usage).
[[nodiscard]] std::shared_ptr<const simulator::model> read_model(const nlohmann::ordered_json& machine);

/// Each `of`th of all cells from the `part`th on, those with most threads first: what one of several computes that share
/// the work.
struct share {
  std::size_t part = 0, of = 1;
  bool shrinks = false;  ///< The first part has most cells and the last fewest: whoever takes the last is soon done.
};

/// Each part with all of its cells. Throws failure (usage).
[[nodiscard]] std::vector<planned_part> planned(std::vector<simulation_part> parts);

/// Computes the cells of all parts, or of a share of them, that the earlier run does not have, each into the journal as
/// soon as it is known, and writes the file: `origin` with cells. Cells do not depend on how often that was interrupted.
/// Throws failure.
[[nodiscard]] simulated compute(const std::vector<planned_part>& all, results::document origin, const recording& how,
                                const std::optional<earlier_run>& earlier, share mine);

}  // namespace synchro::simulate

#endif
