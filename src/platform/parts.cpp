#include "platform/parts.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "platform/executable.hpp"

namespace synchro::platform {

namespace {

/// Brings the part up to date, if there is something that does. Once: a program asks for a part again and again.
void build_first(const std::string& file) {
  static std::set<std::string> built;
  const auto builder = environment_variable(builder_variable);
  if (!builder || builder->empty() || builder->find('\'') != std::string::npos || !built.insert(file).second) return;
  const std::string line = fmt::format("'{}' part '{}' 1>&2", *builder, file);
  if (std::system(line.c_str()) != 0) throw std::runtime_error{fmt::format("{} could not be built", file)};
}

/// What a user may type to have it.
std::string cure(const std::string& file) {
  const auto cache = beside_this_program("CMakeCache.txt", {"."});
  if (!cache) return "cmake --install installs it with this program, after a build of all targets";
  const auto folder = std::filesystem::path{*cache}.lexically_normal().parent_path();
  return fmt::format("cmake --build {} --target {} builds it", folder.string(), file);
}

}  // namespace

std::string part(const std::string& file) {
  build_first(file);
  const auto found = beside_this_program(
      file, {".", "../" SYNCHRO_LIBRARIES "/synchroscope", "../" SYNCHRO_LIBRARIES, "../lib", "../lib64"});
  if (!found) throw std::runtime_error{fmt::format("{} is not there: {}", file, cure(file))};
  return *found;
}

}  // namespace synchro::platform
