// A setting on a machine that is described and not there.

#ifndef SYNCHRO_TESTS_EXPERIMENTS_MACHINE_OF_HPP
#define SYNCHRO_TESTS_EXPERIMENTS_MACHINE_OF_HPP

#include <string>

#include "experiments/framework/experiment.hpp"
#include "platform/topology.hpp"

namespace synchro::tests {

/// One package of so many processors.
inline experiments::setting machine_of(unsigned cores, experiments::level thoroughness = experiments::level::quick) {
  experiments::setting s;
  s.machine = platform::topology_from_synthetic("package:1 core:" + std::to_string(cores) + " pu:1");
  s.thoroughness = thoroughness;
  return s;
}

}  // namespace synchro::tests

#endif
