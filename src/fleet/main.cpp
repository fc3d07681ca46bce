// The program `synchroscope-fleet`, which `synchroscope` becomes for many hosts.

#include "fleet/commands.hpp"

int main(int argc, char** argv) {
  using namespace synchro::fleet;
  return program(argc, argv, {"How synchroscope judges many hosts.", "", ""}, {fleet_command()});
}
