// Whose waiting threads sleep, and whose keep looking.
//
// The catalog says it (src/catalog/catalog.txt): of ours by waiting policies, of those of systems and languages in so many
// words. A document has the primitive's name, and may come from another system: so all
// names are known here, those too that this program cannot have. What was measured in a cell may show that it was not so
// there, and is all there is to go by for names that no catalog has: of other versions, of the simulator alone.

#ifndef SYNCHRO_RESULTS_SLEEPERS_HPP
#define SYNCHRO_RESULTS_SLEEPERS_HPP

#include <optional>
#include <string>

#include "results/cell.hpp"

namespace synchro::results {

/// Nothing of a name that no catalog has.
[[nodiscard]] std::optional<bool> sleeps_by_catalog(const std::string& primitive);

/// Whether the threads that waited in a cell slept. `switches` (context switches in one wait) and `cpu_share` (how much of
/// the wait took a processor) are those of its place, null where they are unknown; what is not sure decides nothing.
/// Nothing: they should have slept and were not switched, or nobody knows.
[[nodiscard]] std::optional<bool> slept(const std::string& primitive, const cell* switches, const cell* cpu_share);

}  // namespace synchro::results

#endif
