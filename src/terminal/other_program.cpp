#include "terminal/other_program.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "platform/executable.hpp"
#include "platform/parts.hpp"
#include "terminal/failure.hpp"

namespace synchro::terminal {

void hand_over(const std::string& program, const words& typed) {
  try {
    const std::string path = platform::part(platform::program_file(program));
    fail_cannot(fmt::format("{} cannot be started: {}", path, platform::become(path, typed, {})));
  } catch (const failure&) {
    throw;
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

command performed_by(const std::string& program, const std::string& name, const std::string& line) {
  return {name, line, [program](options& its) -> deed {
            its.passes_on();
            return [program](const words& typed) -> status { hand_over(program, typed); };
          }};
}

}  // namespace synchro::terminal
