// What is known of a machine: the cells of its results, and the few facts about it that advice needs.

#ifndef SYNCHRO_ADVICE_KNOWN_HPP
#define SYNCHRO_ADVICE_KNOWN_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "claims/evidence.hpp"
#include "results/document.hpp"

namespace synchro::advice {

/// One document of several that were measured on the same machine, or simulated on the same model: the cells of all, of
/// which later ones count before earlier ones, and the facts of the first. Throws std::runtime_error with one sentence if
/// they are of several machines, or do not say how many processors there are.
[[nodiscard]] results::document taken_together(const std::vector<results::document>& all);

class known {
 public:
  /// The document must outlive it.
  explicit known(const results::document& d);

  [[nodiscard]] const claims::evidence& cells() const { return cells_; }
  [[nodiscard]] std::int64_t processors() const { return cells_.processors(); }
  [[nodiscard]] std::int64_t cores() const { return cells_.cores(); }
  /// What a cycle of work takes, by the rate of the document's clock.
  [[nodiscard]] double cycle_ns() const { return cycle_ns_; }
  [[nodiscard]] bool shares_processors(std::int64_t threads) const { return threads > processors(); }
  /// A sentence with the command that measures this again.
  [[nodiscard]] std::string how_to_repeat(const std::string& what) const;

 private:
  const results::document& document_;
  claims::evidence cells_;
  double cycle_ns_;
};

/// The cells that are nearest to so many threads, and on the same side of the number of processors: shared by
/// `more` threads than that of the axis (the one that wakes the others) or not. None if none is on that side.
[[nodiscard]] claims::cells with_about(const claims::cells& all, std::int64_t threads, const known& k,
                                       std::int64_t more = 0);

/// How many times as good a is as b, whichever way their metric improves, by paired repetitions. Whoever chose the two by
/// looking says among how many, and the interval pays for the look (statistics/look.hpp); there is none where repetitions are
/// too few. A figure that scatters has a wide interval and still may be resolved to differ. Nothing without values.
[[nodiscard]] std::optional<claims::estimate> lead_of(const results::cell& a, const results::cell& b,
                                                      std::size_t among = 2);
/// What is said where repetitions are too few for an interval.
inline constexpr const char* too_few = "too few repetitions to tell them apart";
/// The whole interval beyond 1, times `least`.
[[nodiscard]] bool is_ahead(const std::optional<claims::estimate>& lead, double least = 1);
/// The whole interval up to `most` only: that no more is gained is sure, which is more than that a gain is not resolved.
[[nodiscard]] bool is_at_most(const std::optional<claims::estimate>& lead, double most);
/// The whole interval between 1 / `most` and `most`: that the two are equal, up to that, is sure.
[[nodiscard]] bool are_equal(const std::optional<claims::estimate>& lead, double most);
/// Neither is a lead resolved, nor is it excluded that one is half as good again as the other: a choice by that would be a chance.
[[nodiscard]] bool says_nothing(const std::optional<claims::estimate>& lead);
/// What is said instead of "it does not matter" where that is not sure.
inline constexpr const char* cannot_tell = "The measurement cannot tell them apart";

/// "4.90 million times a second (4.85 to 4.97)"
[[nodiscard]] std::string figure(const results::cell& c);
/// The same without the interval.
[[nodiscard]] std::string bare_figure(const results::cell& c);
/// A name from a file, in plain ASCII.
[[nodiscard]] std::string word(const results::cell& c, const char* axis);

}  // namespace synchro::advice

#endif
