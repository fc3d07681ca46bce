// The programs that try a lock. Whatever a lock offers is tried, so no list of locks is kept.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_LOCK_HARNESSES_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_LOCK_HARNESSES_HPP

#include <string>

#include "catalog/lock_line.hpp"
#include "model_checker/harnesses/any_lock.hpp"
#include "model_checker/subject.hpp"

namespace synchro::model_checker {

/// What a lock of this class is proved by.
subject lock_subject(const std::string& name, const std::string& header, const lock_type& type);

/// The subjects of one line of the catalog.
template <class Line>
void add_line(subjects& to) {
  add_variants<Line>(to, [&]<class Variant>(const Variant& variant) {
    return lock_subject(variant.name, Line::header(), lock_type_of<typename Variant::template lock<explored>>());
  });
}

}  // namespace synchro::model_checker

#endif
