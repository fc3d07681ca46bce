// The programs that try a wake primitive. Each trigger carries a message in a
// plain field: whoever returns from its wait reads it, so a missing order is a data race, a wait that returns too early
// is a race or a wrong number, and a lost wake-up is a deadlock.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_WAKE_HARNESSES_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_WAKE_HARNESSES_HPP

#include <optional>
#include <string>
#include <type_traits>

#include "catalog/wake_line.hpp"
#include "model_checker/harnesses/any_event.hpp"
#include "model_checker/harnesses/any_wake.hpp"
#include "model_checker/subject.hpp"

namespace synchro::model_checker {

/// What a wake primitive of this class is proved by, and the event of which it is made, if it is.
subject wake_subject(const std::string& name, const std::string& header, const wake_type& type,
                     const std::optional<event_type>& event);

/// The subjects of one line of the catalog.
template <class Line>
void add_line(subjects& to) {
  add_variants<Line>(to, [&]<class Variant>(const Variant& variant) {
    using wake = typename Variant::template wake<explored>;
    using defined = typename Variant::template defined<explored>;
    std::optional<event_type> event;
    if constexpr (!std::is_same_v<wake, defined>) event = event_type_of<defined>();
    return wake_subject(variant.name, Line::header(), wake_type_of<wake>(), event);
  });
}

}  // namespace synchro::model_checker

#endif
