// The program `synchroscope-verify`, which `synchroscope` becomes for what is proved.

#include "verify/commands.hpp"

int main(int argc, char** argv) {
  using namespace synchro::verify;
  return program(argc, argv, {"What synchroscope proves.", "", ""}, {verify_command(), list_primitives_command()});
}
