// How this program was built.

#ifndef SYNCHRO_PLATFORM_BUILD_HPP
#define SYNCHRO_PLATFORM_BUILD_HPP

#include <string>
#include <vector>

namespace synchro::platform {

/// With which sanitizers; empty for none.
[[nodiscard]] std::vector<std::string> build_sanitizers();
/// Whether the compiler was asked to optimize.
[[nodiscard]] bool build_is_optimized() noexcept;

}  // namespace synchro::platform

#endif
