#include <fmt/format.h>

#include "fleet/commands.hpp"
#include "platform/executable.hpp"
#include "terminal/failure.hpp"

namespace synchro::fleet {

namespace {

/// What Python runs. The folder that somebody stands in is no place to import from.
constexpr const char* door = R"(import sys
sys.path[:] = filter(None, sys.path)
try:
    from synchroscope._fleet_run import main
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] != "synchroscope":
        raise
    print("synchroscope: fleet run is done by the package for Python, which " + sys.executable + " does not have: pip install "
          "the wheel that has it, or name the folder python of a clone in PYTHONPATH", file=sys.stderr)
    sys.exit(3)
sys.exit(main(sys.argv[1:], "synchroscope fleet"))
)";

/// That of the environment into which the wheel was installed, or the first one on PATH.
std::string python() {
  if (const auto here = platform::beside_this_program("python3", {"", "../../bin"})) return *here;
  if (const auto found = platform::find_executable("python3")) return *found;
  fail_cannot("fleet run is done by the package for Python, and there is no python3 here: apt-get install python3");
}

}  // namespace

command fleet_run_command() {
  return {"fleet", "Measures on many hosts", [](options& its) -> deed {
            its.passes_on();
            return [](const words& typed) -> status {
              const std::string path = python();
              words call{path, "-c", door};
              call.insert(call.end(), typed.begin() + 2, typed.end());
              fail_cannot(fmt::format("{} cannot be started: {}", path, platform::become(path, call, {})));
            };
          }};
}

}  // namespace synchro::fleet
