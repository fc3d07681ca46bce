// A machine whose processors were measured in pairs, among published matrices of the same protocol.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_AMONG_PUBLISHED_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_AMONG_PUBLISHED_HPP

#include <optional>

#include "results/document.hpp"
#include "views/ranking.hpp"

namespace synchro::experiments {

/// Nothing if so few pairs are sure that some processors cannot be placed.
[[nodiscard]] std::optional<views::ranking> among_published(const results::document& d);

}  // namespace synchro::experiments

#endif
