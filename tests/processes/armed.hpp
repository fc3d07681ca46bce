// A hook that a program shares with its plugins.

#ifndef SYNCHRO_TESTS_PROCESSES_ARMED_HPP
#define SYNCHRO_TESTS_PROCESSES_ARMED_HPP

#include "synchro/os.hpp"

namespace synchro::tests {

__attribute__((visibility("default"))) void note_fork();
extern __attribute__((visibility("default"))) os::fork_hook<note_fork> host_s_hook;

}  // namespace synchro::tests

#endif
