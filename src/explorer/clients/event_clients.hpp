// The programs that try an event by itself. What was done before a set is written to a plain field, and whoever returns from
// its wait reads it.

#ifndef SYNCHRO_EXPLORER_CLIENTS_EVENT_CLIENTS_HPP
#define SYNCHRO_EXPLORER_CLIENTS_EVENT_CLIENTS_HPP

#include <vector>

#include "explorer/clients/any_event.hpp"
#include "explorer/subject.hpp"

namespace synchro::explorer {

/// What an event of this class is proved by.
std::vector<check> event_checks(const event_type& type);

}  // namespace synchro::explorer

#endif
