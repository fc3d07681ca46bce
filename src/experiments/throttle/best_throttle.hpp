// What throttle.sum comes to: the best number of permits and its gain, and the article's log.

#ifndef SYNCHRO_EXPERIMENTS_THROTTLE_BEST_THROTTLE_HPP
#define SYNCHRO_EXPERIMENTS_THROTTLE_BEST_THROTTLE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/paired.hpp"
#include "views/pivot.hpp"

namespace synchro::experiments::throttle {

/// The one of several limits that looks best was chosen by the repetitions that its ratios are made of, so these need an
/// interval that is the surer the more limits there were.
struct throttle_gain {
  std::int64_t threads;
  std::int64_t permits;  ///< With which the median time is shortest.
  std::size_t limits;    ///< How many numbers were compared.
  bool holds;            ///< Wherever those lie that are not sure, none is shorter.
  /// Time without a semaphore over the time with so many permits; of a pool nothing.
  std::optional<results::ratio> gain;
  bool certain;  ///< That interval makes up for the choice; else it is as of one limit, and may be a chance.
  /// Time with the next best number over it, made up for likewise; nothing if there is no other.
  std::optional<results::ratio> lead;
  std::string variant;  ///< What kind of work it was, if the cells say.
};

/// Of the `time` cells of one variant that are sure; nothing if no limit is, or if what it is to be compared with is not.
[[nodiscard]] std::optional<throttle_gain> best_throttle(const views::cells& times);
/// In a sentence: the gain or the loss with its interval, or that none is resolved. A number is called the best only where
/// that is.
[[nodiscard]] std::string in_words(const throttle_gain& g);

/// The article's log with this machine's columns in front, then the other metrics.
[[nodiscard]] std::vector<views::laid_out> throttle_tables(const views::cells& of_experiment, const views::style& s);

}  // namespace synchro::experiments::throttle

#endif
