// What the fork-join experiments have in common: work that knows when it ran, one piece of divided work, and cells.

#ifndef SYNCHRO_EXPERIMENTS_FORKJOIN_STAGE_HPP
#define SYNCHRO_EXPERIMENTS_FORKJOIN_STAGE_HPP

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/forkjoin/way.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/finish.hpp"

namespace synchro::experiments::forkjoin {

/// A time in which a thread ran without a break, ns since the first trigger.
struct stretch {
  double from, to;
};

/// What one thread did, ns since the first trigger.
struct part_played {
  double started = 0;
  double done = 0;
  std::vector<stretch> ran = {};  ///< Between started and done; a gap is a time in which the thread was not running.
};

/// One piece of work, divided. parts[0] is the one who started the others; `started` is when its call had returned.
struct performance {
  std::vector<part_played> parts;
  double ended = 0;  ///< When the first thread knew that all was done.

  /// From the first trigger to the start of the last worker.
  [[nodiscard]] double invocation_delay() const;
  /// Times in which two threads or more ran at the same moment, added up.
  [[nodiscard]] double parallel() const;
  /// From the first such moment to the last; nothing if there was none.
  [[nodiscard]] std::optional<stretch> together() const;
  /// The smallest time between the starts of two workers that follow each other; nothing with fewer than two.
  [[nodiscard]] std::optional<double> smallest_gap() const;
};

/// Settles the team, then divides the work: shares_ns[i] is what thread i does. The stretches in which each ran are only
/// watched if asked for: watching takes a reading of the clock each microsecond.
[[nodiscard]] performance perform(way& how, const std::vector<double>& shares_ns, bool watch_stretches);

/// Does work for so long, alone, and says how long it took.
[[nodiscard]] double alone(double ns);

/// Shares of `work` with which all threads end at the same time if thread i starts lags[i] late; none is below zero.
[[nodiscard]] std::vector<double> cut_shares(double work, const std::vector<double>& lags);

/// The team of a cell at work.
class stage {
 public:
  stage(way& how, pulse& heart) : how_{how}, heart_{heart} {}

  [[nodiscard]] performance perform(const std::vector<double>& shares_ns, bool watch_stretches = false) {
    heart_.beat();
    return forkjoin::perform(how_, shares_ns, watch_stretches);
  }

 private:
  way& how_;
  pulse& heart_;
};

/// A repetition: `body`, which has to own what it touches, is given the team of the cell, in a thread of its own on the
/// first processor. A round that takes longer than `patience` is a lost wake-up.
[[nodiscard]] repetition on_stage(const setting& s, const coordinates& at,
                                  const std::function<repetition(stage&)>& body,
                                  std::chrono::nanoseconds patience = std::chrono::seconds{10});

// What the cells of all three have in common.
[[nodiscard]] axis team_axis();
[[nodiscard]] std::optional<std::string> unavailable(const setting& s, const coordinates& at);
[[nodiscard]] std::vector<unsigned> cpus_of(const setting& s, const coordinates& at);

}  // namespace synchro::experiments::forkjoin

#endif
