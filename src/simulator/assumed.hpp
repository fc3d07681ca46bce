// What models assume that nothing was measured for: those of a matrix and those of a host's results alike.

#ifndef SYNCHRO_SIMULATOR_ASSUMED_HPP
#define SYNCHRO_SIMULATOR_ASSUMED_HPP

#include <nlohmann/json.hpp>

namespace synchro::simulator {

/// A constant with its plausible range, and whence both are.
inline nlohmann::ordered_json assumed_between(double value, double least, double most, const char* from) {
  return {{"value", value}, {"least", least}, {"most", most}, {"kind", "assumed"}, {"from", from}};
}

inline constexpr double assumed_instructions = 3;  ///< Cycles, besides each access.

/// A core of a processor of the last ten years.
inline nlohmann::ordered_json assumed_core() {
  return {{"instructions", assumed_between(assumed_instructions, 0.75, 6, "as in the model xeon")},
          {"window", assumed_between(112, 64, 256, "a reorder buffer of 224 entries, two a cycle, as Skylake's")},
          {"misses", assumed_between(10, 5, 20, "ten to twenty line fill buffers")}};
}

}  // namespace synchro::simulator

#endif
