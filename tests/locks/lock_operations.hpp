// Every lock of the catalog behind plain function pointers, as a shared library offers them.

#ifndef SYNCHRO_TESTS_LOCKS_LOCK_OPERATIONS_HPP
#define SYNCHRO_TESTS_LOCKS_LOCK_OPERATIONS_HPP

#include <string>
#include <vector>

namespace synchro::tests {

struct lock_operations {
  std::string name;
  void* (*make)();
  void (*lock)(void*);
  void (*unlock)(void*);
  void (*destroy)(void*);
};

/// As generated.
void add_operations(std::vector<lock_operations>& all);

/// One library each: both are built from shared_library.cpp with all their symbols hidden but this.
const std::vector<lock_operations>& operations_here();
const std::vector<lock_operations>& operations_there();

}  // namespace synchro::tests

#endif
