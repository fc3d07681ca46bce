// How far a run has come: a bar on a terminal, a line now and then elsewhere. Drawn only when the runner reports, which
// it does between measurements and from its own thread, so nothing is drawn while something is timed.

#ifndef SYNCHRO_CLI_PROGRESS_BAR_HPP
#define SYNCHRO_CLI_PROGRESS_BAR_HPP

#include <chrono>
#include <string>

#include "experiments/framework/runner.hpp"
#include "terminal/console.hpp"

namespace synchro::cli {

class progress_bar {
 public:
  using clock = std::chrono::steady_clock;

  /// Draws on standard error; nothing at all if `silent`.
  progress_bar(terminal::screen where, bool silent) : where_{where}, silent_{silent} {}
  ~progress_bar() { clear(); }
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void show(const experiments::progress& p);
  /// Takes the bar off the line, for other text.
  void clear();

  /// The text of the bar, for so many columns.
  [[nodiscard]] static std::string line(const experiments::progress& p, const terminal::screen& where);

 private:
  terminal::screen where_;
  bool silent_;
  std::size_t drawn_ = 0;  ///< Columns that hold text now.
  clock::time_point last_ = clock::time_point::min();
};

}  // namespace synchro::cli

#endif
