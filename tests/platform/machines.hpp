// The machines of the tests.

#ifndef SYNCHRO_TESTS_PLATFORM_MACHINES_HPP
#define SYNCHRO_TESTS_PLATFORM_MACHINES_HPP

#include <string>

#include "platform/topology.hpp"

namespace synchro::platform::machines {

inline topology from_file(const std::string& name) {
  return topology_from_xml(std::string{SYNCHRO_TEST_FIXTURES} + "/" + name);
}

inline topology one_cpu() { return topology_from_synthetic("package:1 core:1 pu:1"); }

/// Numbered as Linux does: the cores' first threads are 0-7, their second ones 8-15.
inline topology two_sockets_smt() {
  return topology_from_synthetic("package:2 l3:1 l2:4 l1d:1 core:1 pu:2(indexes=2*8:8*1)");
}

/// 2 packages of 4 dies of 2 caches of 4 cores, no SMT: 64 processors.
inline topology many_dies() { return topology_from_synthetic("package:2 die:4 l3:2 l2:4 core:1 pu:1"); }

/// 4 performance cores with two threads (0-7), 8 efficiency cores in clusters of four (8-11, 12-15).
inline topology hybrid() { return from_file("hybrid.xml"); }

/// 8 packages of 36 cores of two threads, numbered core by core.
inline topology cpus_576() { return topology_from_synthetic("package:8 [numa] l3:1 l2:36 core:1 pu:2"); }

}  // namespace synchro::platform::machines

#endif
