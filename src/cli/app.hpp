// The command line: what it offers, and what becomes of a mistake on it.

#ifndef SYNCHRO_CLI_APP_HPP
#define SYNCHRO_CLI_APP_HPP

namespace synchro::cli {

/// The program. Returns its exit status (failure.hpp); never throws.
[[nodiscard]] int program(int argc, char** argv) noexcept;

}  // namespace synchro::cli

#endif
