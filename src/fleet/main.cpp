// The program `synchroscope-fleet`, which `synchroscope` becomes for many hosts.

#include <string_view>

#include "fleet/commands.hpp"

int main(int argc, char** argv) {
  using namespace synchro::fleet;
  const bool runs = argc > 2 && std::string_view{argv[2]} == "run";
  return program(argc, argv, {"How synchroscope judges many hosts.", "", ""},
                 {runs ? fleet_run_command() : fleet_command()});
}
