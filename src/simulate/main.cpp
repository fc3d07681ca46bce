// The program `synchroscope-simulate`, which `synchroscope` becomes for what is computed on machine models.

#include "simulate/commands.hpp"

int main(int argc, char** argv) {
  using namespace synchro::simulate;
  return program(
      argc, argv, {"What synchroscope does on models of machines.", "", ""},
      {simulate_command(), predict_command(), model_command(), advise_on_model_command(), list_models_command()});
}
