#include "experiments/framework/on_demand.hpp"

#include "platform/module.hpp"
#include "platform/parts.hpp"

namespace synchro::experiments {

void load_bodies() {
  if (!bodies_are_here) platform::load_module(platform::part("synchroscope-bodies.so"));
}

}  // namespace synchro::experiments
