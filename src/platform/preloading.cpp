#include "platform/preloading.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "platform/executable.hpp"
#include "platform/interposer.hpp"

namespace synchro::platform {

namespace {

/// What a user may type to have the interposer, which a build of the program alone leaves out.
std::string cure() {
  const auto cache = beside_this_program("CMakeCache.txt", {"."});
  if (!cache) return "cmake --install installs it with this program, after a build of all targets";
  const auto folder = std::filesystem::path{*cache}.lexically_normal().parent_path();
  return fmt::format("cmake --build {} --target preload builds it", folder.string());
}

}  // namespace

std::string interposer_library() {
  const auto found = beside_this_program(interposer::file, {".", "../" SYNCHRO_LIBRARIES, "../lib", "../lib64"});
  if (!found) throw std::runtime_error{fmt::format("{} is not there: {}", interposer::file, cure())};
  if (found->find_first_of(" :") != std::string::npos)
    throw std::runtime_error{
        fmt::format("the loader takes no library from a folder with a blank or a colon: {}", *found)};
  return *found;
}

std::vector<std::pair<std::string, std::string>> preloading(const std::string& library) {
  const auto others = environment_variable("LD_PRELOAD");
  return {{"LD_PRELOAD", others && !others->empty() ? library + ":" + *others : library}};
}

}  // namespace synchro::platform
