// All locks of the catalog in a shared library whose symbols are hidden: node pools and thread-locals of its own.

#include "catalog/rows.hpp"
#include "locks/lock_operations.hpp"

namespace synchro::tests {

__attribute__((visibility("default"))) const std::vector<lock_operations>& SYNCHRO_TESTS_OPERATIONS() {
  static const std::vector<lock_operations> all = catalog::rows_of(add_operations);
  return all;
}

}  // namespace synchro::tests
