#include "cli/app.hpp"

int main(int argc, char** argv) { return synchro::cli::program(argc, argv); }
