// What one library of the program does with the version of the headers that it was built with.

#include <vector>

#include "synchro/locks/mcs.hpp"

#define SYNCHRO_TESTS_JOIN(a, b) a##b
#define SYNCHRO_TESTS_NAME(a, b) SYNCHRO_TESTS_JOIN(a, b)

int SYNCHRO_TESTS_NAME(version_of_, SIDE)() { return SYNCHRO_VERSION; }
const void* SYNCHRO_TESTS_NAME(slots_of_, SIDE)() {
  return &synchro::hardware::global<synchro::detail::slot_register>();
}
/// Takes many nodes, so that those that others of the same name gave back would be among them.
void SYNCHRO_TESTS_NAME(lock_in_, SIDE)() {
  std::vector<synchro::mcs_lock> locks(200);
  for (auto& lock : locks) lock.lock();
  for (auto& lock : locks) lock.unlock();
}
