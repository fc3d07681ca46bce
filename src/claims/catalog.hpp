// The parts of the catalog, one for each file of sentences.

#ifndef SYNCHRO_CLAIMS_CATALOG_HPP
#define SYNCHRO_CLAIMS_CATALOG_HPP

#include <vector>

#include "claims/claim.hpp"

namespace synchro::claims {

[[nodiscard]] std::vector<claim> claims_of_the_paper();
[[nodiscard]] std::vector<claim> claims_of_the_articles();

}  // namespace synchro::claims

#endif
