#include "platform/preloading.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "platform/executable.hpp"
#include "platform/interposer.hpp"
#include "platform/parts.hpp"

namespace synchro::platform {

std::string interposer_library() { return part(interposer::file); }

std::vector<std::pair<std::string, std::string>> preloading(const std::string& library) {
  if (library.find_first_of(" :") != std::string::npos)
    throw std::runtime_error{
        fmt::format("the loader takes no library from a folder with a blank or a colon: {}", library)};
  const auto others = environment_variable("LD_PRELOAD");
  return {{"LD_PRELOAD", others && !others->empty() ? library + ":" + *others : library}};
}

}  // namespace synchro::platform
