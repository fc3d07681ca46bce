// The number from which a lock that counts begins to count.

#ifndef SYNCHRO_DETAIL_FIRST_TICKET_HPP
#define SYNCHRO_DETAIL_FIRST_TICKET_HPP

#include <cstdint>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// Locks that number their threads take one when they are made. It changes nothing but the numbers, which wrap: tests
/// begin just before that.
struct first_ticket {
  std::uint32_t number = 0;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
