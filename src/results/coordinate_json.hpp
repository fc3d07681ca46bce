// A coordinate as JSON.

#ifndef SYNCHRO_RESULTS_COORDINATE_JSON_HPP
#define SYNCHRO_RESULTS_COORDINATE_JSON_HPP

#include "results/cell.hpp"
#include "results/json_fields.hpp"

namespace synchro::results {

/// A number, or text; of a number beyond 2^53, too.
[[nodiscard]] json coordinate_json(const coordinate& c);
/// Throws std::runtime_error with one sentence.
[[nodiscard]] coordinate coordinate_from(const field& f);

}  // namespace synchro::results

#endif
