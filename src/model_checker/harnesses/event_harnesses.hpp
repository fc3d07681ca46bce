// The programs that try an event by itself. What was done before a set is written to a plain field, and whoever returns from
// its wait reads it.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_EVENT_HARNESSES_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_EVENT_HARNESSES_HPP

#include <vector>

#include "model_checker/harnesses/any_event.hpp"
#include "model_checker/subject.hpp"

namespace synchro::model_checker {

/// What an event of this class is proved by.
std::vector<check> event_checks(const event_type& type);

}  // namespace synchro::model_checker

#endif
