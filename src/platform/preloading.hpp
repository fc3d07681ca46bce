// How another program is given a lock of ours: libsynchro-preload.so, and what its environment says.

#ifndef SYNCHRO_PLATFORM_PRELOADING_HPP
#define SYNCHRO_PLATFORM_PRELOADING_HPP

#include <string>
#include <utility>
#include <vector>

namespace synchro::platform {

/// Where the interposer is: beside the program where it was built, or where libraries are installed. Throws
/// std::runtime_error with one sentence if it is not there or the loader could not take it from there.
[[nodiscard]] std::string interposer_library();

/// What the environment of a program must say so that the loader takes it; other libraries that are preloaded stay. What it is
/// to do is to be added (interposer.hpp).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> preloading(const std::string& library);

}  // namespace synchro::platform

#endif
