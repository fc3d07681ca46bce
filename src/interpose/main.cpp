// The program `synchroscope-interpose`, which `synchroscope` becomes for what stands in front of other programs.

#include "interpose/commands.hpp"

int main(int argc, char** argv) {
  using namespace synchro::interpose;
  return program(argc, argv, {"What synchroscope does in front of other programs.", "", ""},
                 {with_command(), profile_command(), top_command(), tune_command()});
}
