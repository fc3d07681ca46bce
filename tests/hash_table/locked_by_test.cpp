#include "hash_table/churn.hpp"

namespace synchro::tests {

[[maybe_unused]] static const bool tables_added = (add_locked_tables(), true);

}  // namespace synchro::tests
