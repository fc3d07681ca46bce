// What tables for people call the traits of a lock.

#ifndef SYNCHRO_CATALOG_LOCK_WORDS_HPP
#define SYNCHRO_CATALOG_LOCK_WORDS_HPP

#include "synchro/traits.hpp"

namespace synchro::catalog {

[[nodiscard]] constexpr const char* order_of_service(fairness fair) {
  switch (fair) {
    case fairness::first_come:
      return "as they come";
    case fairness::bounded:
      return "bounded";
    case fairness::none:
      break;
  }
  return "any";
}

}  // namespace synchro::catalog

#endif
