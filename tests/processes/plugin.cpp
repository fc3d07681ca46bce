// A plugin with hidden symbols that uses one part of the library: what its host calls, by name.

#include "synchro/domains.hpp"
#include "synchro/locks/hierarchical/hmcs.hpp"
#include "synchro/locks/mcs.hpp"

namespace {

/// Enough locks held at once for nodes to go through the pool's depot.
[[maybe_unused]] unsigned pool() {
  synchro::mcs_lock locks[100];
  for (auto& lock : locks) lock.lock();
  for (auto& lock : locks) lock.unlock();
  return 1;
}
[[maybe_unused]] unsigned slot() { return synchro::hardware::slot() + 1; }
void at_the_end(void* /*p*/) {}
[[maybe_unused]] unsigned ending() {
  static char mine = 0;
  return synchro::hardware::at_thread_exit<at_the_end>(&mine) ? 1 : 0;
}
[[maybe_unused]] unsigned domain() { return synchro::hardware::domain() + 1; }

}  // namespace

extern "C" __attribute__((visibility("default"))) unsigned use() { return SYNCHRO_TESTS_USES(); }
