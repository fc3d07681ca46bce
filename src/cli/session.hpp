// One measurement from the plan to the file: what happens before anything is timed (the file can be written, the clock
// is calibrated), the run itself, and what is left behind however it ends.

#ifndef SYNCHRO_CLI_SESSION_HPP
#define SYNCHRO_CLI_SESSION_HPP

#include <optional>
#include <string>
#include <vector>

#include "cli/record.hpp"
#include "cli/request.hpp"
#include "experiments/framework/runner.hpp"
#include "results/document.hpp"
#include "terminal/command.hpp"
#include "terminal/failure.hpp"

namespace synchro::cli {

/// The machine as far as this process may use it. Throws failure (cannot), also where the environment describes another
/// machine in its place.
[[nodiscard]] platform::topology this_machine();
/// The same, or the machine that the environment describes in its place. Throws failure (cannot).
[[nodiscard]] platform::topology described_machine();
/// "the environment (HWLOC_XMLFILE) describes another machine than this one" if it does.
[[nodiscard]] std::optional<std::string> why_foreign(const platform::topology& t);

/// Throws failure (usage) if it was measured on another machine or by another version of the program.
void check_origin(const earlier_run& earlier, const resolved_request& what);

/// Calibrates the clock on these processors: before the plan is made, for how far the clocks are apart decides which
/// cells this machine can show.
void calibrate_clock(const experiments::setting& s);

struct measured {
  results::document document;
  bool broken;                                  ///< A self-check failed.
  bool interrupted;                             ///< Someone asked us to stop.
  std::vector<std::string> unfinished = {};     ///< Experiments that lack planned repetitions.
  std::optional<std::string> not_written = {};  ///< Why the file could not be written, and where the journal is.
};

/// Becomes the program that has the bodies on demand, if this plan needs one and this program has none. What was typed is read
/// once more there, so nothing must have been said yet. Throws failure (cannot).
void have_bodies(const experiments::plan& p, const terminal::words& typed);

/// Measures the plan and writes the file. Throws failure (cannot) if nothing can be measured. If the file cannot be
/// written at the end, what was measured is still there to be shown, and in the journal.
[[nodiscard]] measured measure(const experiments::plan& p, const resolved_request& what, const recording& how,
                               const std::optional<earlier_run>& earlier = std::nullopt);

/// Says which experiments are not complete, and what to type to go on; nothing of what cannot go on. `locks`: what has to be
/// typed of them again, because headers are among them.
void say_how_to_go_on(const measured& m, const recording& how, const std::optional<std::string>& locks = {});

/// What the program ends with after this measurement. Throws failure (cannot) if it was not written.
[[nodiscard]] terminal::status verdict(const measured& m, bool strict);

}  // namespace synchro::cli

#endif
