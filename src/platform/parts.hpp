// The parts of this program that stand in files of their own: other programs that it becomes, the library that it puts in
// front of other programs. Where it was built they are built when they are first asked for.

#ifndef SYNCHRO_PLATFORM_PARTS_HPP
#define SYNCHRO_PLATFORM_PARTS_HPP

#include <optional>
#include <string>

namespace synchro::platform {

/// The variable of the environment that names what builds parts: a command that takes a part's name. `./dev run` sets it.
inline constexpr const char* builder_variable = "SYNCHROSCOPE_BUILDER";

/// Where this part is: beside this program, or where parts are installed. If there is something that builds parts, the part
/// is brought up to date first. Throws std::runtime_error with one sentence if it cannot be had.
[[nodiscard]] std::string part(const std::string& file);

}  // namespace synchro::platform

#endif
