// The programs that try a lock. Whatever a lock offers is tried, so no list of locks is kept.

#ifndef SYNCHRO_EXPLORER_CLIENTS_LOCK_CLIENTS_HPP
#define SYNCHRO_EXPLORER_CLIENTS_LOCK_CLIENTS_HPP

#include <string>

#include "catalog/lock_line.hpp"
#include "explorer/clients/any_lock.hpp"
#include "explorer/subject.hpp"

namespace synchro::explorer {

/// What a lock of this class is proved by.
subject lock_subject(const std::string& name, const std::string& header, const lock_type& type);

/// The subjects of one line of the catalog.
template <class Line>
void add_line(subjects& to) {
  add_variants<Line>(to, [&]<class Variant>(const Variant& variant) {
    return lock_subject(variant.name, Line::header(), lock_type_of<typename Variant::template lock<explored>>());
  });
}

}  // namespace synchro::explorer

#endif
