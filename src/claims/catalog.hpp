// The sources of the catalog: each has its claims in a file of its own, or in a folder; an entry is a sentence with its rule
// and its judge.

#ifndef SYNCHRO_CLAIMS_CATALOG_HPP
#define SYNCHRO_CLAIMS_CATALOG_HPP

#include <span>
#include <vector>

#include "claims/claim.hpp"

namespace synchro::claims {

[[nodiscard]] source the_paper();
[[nodiscard]] source forkjoin();
[[nodiscard]] source windows_study();
[[nodiscard]] source throttle();
[[nodiscard]] source bogner();

[[nodiscard]] inline std::vector<claim> listed(std::span<const claim> all) { return {all.begin(), all.end()}; }

}  // namespace synchro::claims

#endif
