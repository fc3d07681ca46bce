// What the program ends with, and how a user's mistake travels there: one sentence and an exit status.

#ifndef SYNCHRO_TERMINAL_FAILURE_HPP
#define SYNCHRO_TERMINAL_FAILURE_HPP

#include <stdexcept>
#include <string>

namespace synchro::terminal {

enum class status : int {
  done = 0,
  broken = 1,      ///< A self-check failed: a lock does not exclude.
  usage = 2,       ///< The command line, or a file named on it, makes no sense.
  cannot = 3,      ///< This machine, or this account, cannot do it.
  unreliable = 4,  ///< Measured, but not to be trusted; only with --strict.
  regression = 5,  ///< `compare` found something slower than the limit allows.
  interrupted = 130,
  terminated = 143,
};

struct failure : std::runtime_error {
  failure(status s, const std::string& sentence) : std::runtime_error{sentence}, code{s} {}
  status code;
};

[[noreturn]] inline void fail_usage(const std::string& sentence) { throw failure{status::usage, sentence}; }
[[noreturn]] inline void fail_cannot(const std::string& sentence) { throw failure{status::cannot, sentence}; }

}  // namespace synchro::terminal

#endif
