#include "platform/parts.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "platform/executable.hpp"

namespace synchro::platform {

std::string part(const std::string& file) {
  const auto builder = environment_variable(builder_variable);
  const auto is_safe = [](const std::string& text) { return text.find('\'') == std::string::npos; };
  if (builder && !builder->empty() && is_safe(*builder)) {
    const std::string line = fmt::format("'{}' part '{}' 1>&2", *builder, file);
    if (std::system(line.c_str()) != 0) throw std::runtime_error{fmt::format("{} could not be built", file)};
  }
  const auto found = beside_this_program(
      file, {".", "../" SYNCHRO_LIBRARIES "/synchroscope", "../" SYNCHRO_LIBRARIES, "../lib", "../lib64"});
  if (!found)
    throw std::runtime_error{fmt::format(
        "{} is not there: it is installed with this program, and in a clone of its repository ./dev run builds it",
        file)};
  return *found;
}

}  // namespace synchro::platform
