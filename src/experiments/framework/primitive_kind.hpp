// Whose a lock or a wake primitive is.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_PRIMITIVE_KIND_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_PRIMITIVE_KIND_HPP

#include <cstdint>
#include <string>

namespace synchro::experiments {

enum class primitive_kind : std::uint8_t {
  own,   ///< Of this library.
  peer,  ///< Of another, measured beside ours.
};

[[nodiscard]] inline std::string to_string(primitive_kind k) { return k == primitive_kind::own ? "own" : "peer"; }

}  // namespace synchro::experiments

#endif
