// A line of the catalog behind plain function pointers.

#ifndef SYNCHRO_TESTS_LOCKS_ERASED_LINE_HPP
#define SYNCHRO_TESTS_LOCKS_ERASED_LINE_HPP

#include <string>
#include <vector>

#include "catalog/lock_line.hpp"
#include "locks/lock_operations.hpp"
#include "synchro/domains.hpp"
#include "synchro/hardware.hpp"

namespace synchro::tests {

template <class Lock>
lock_operations operations_of(const std::string& name) {
  return {name, []() -> void* { return new Lock(catalog::make_lock<Lock>(hardware::here())); },
          [](void* p) { static_cast<Lock*>(p)->lock(); }, [](void* p) { static_cast<Lock*>(p)->unlock(); },
          [](void* p) { delete static_cast<Lock*>(p); }};
}

template <class Line>
void add_line(std::vector<lock_operations>& all) {
  Line::each([&]<class Variant>(const Variant& variant) {
    all.push_back(operations_of<typename Variant::template lock<hardware>>(variant.name));
  });
}

}  // namespace synchro::tests

#endif
