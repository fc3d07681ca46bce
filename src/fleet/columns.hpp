// What the hosts of a group are compared in: columns, one value a host.

#ifndef SYNCHRO_FLEET_COLUMNS_HPP
#define SYNCHRO_FLEET_COLUMNS_HPP

#include <vector>

#include "fleet/judgement.hpp"

namespace synchro::fleet {

/// All columns in which enough hosts of the group have a value, with what those come to. Counts in each host's verdict what was left
/// out.
[[nodiscard]] std::vector<column> columns_of(const gathered& all, group& g);

}  // namespace synchro::fleet

#endif
