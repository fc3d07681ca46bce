// What a judge answers, and the one rule by which an interval and a claimed range come to a verdict.

#ifndef SYNCHRO_CLAIMS_VERDICT_HPP
#define SYNCHRO_CLAIMS_VERDICT_HPP

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/cell.hpp"

namespace synchro::claims {

enum class verdict : std::uint8_t {
  holds,
  fails,
  unresolved,  ///< Measured, and the interval does not decide.
  unmeasured,  ///< The cells that the claim is about are not there.
  none,        ///< A question or a set-up: nothing to hold or not.
};
/// "holds", "does not hold", "not resolved", "not measured", "no verdict".
[[nodiscard]] std::string to_string(verdict v);

inline constexpr double usual_confidence = 0.95;

/// A figure with the interval in which it lies with 95 % confidence; none if the repetitions do not bear one.
struct estimate {
  double value;
  std::optional<std::pair<double, double>> ci;
  std::string unit = "1";
};

/// "2.12 (2.08 to 2.15)", "18.4 us (17.4 to 21.7)"
[[nodiscard]] std::string in_words(const estimate& e);

/// Nothing where the cell has no value; without an interval where it is flagged as unreliable.
[[nodiscard]] std::optional<estimate> estimate_of(const results::cell& c, double confidence = usual_confidence);

/// a/b: by paired repetitions where enough of them pair, else by the two samples on their own. Nothing without values;
/// without an interval where a cell is flagged as unreliable.
[[nodiscard]] std::optional<estimate> ratio_of(const results::cell& a, const results::cell& b,
                                               double confidence = usual_confidence);

/// a/b of two figures, each known with 95 % confidence: from the one's lower end over the other's upper end to the
/// opposite, which is wider than need be.
[[nodiscard]] estimate quotient(const estimate& a, const estimate& b);

/// What a claim allows. An end of 1 in a ratio means more or less than 1: a ratio of exactly 1 decides nothing.
struct range {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};
[[nodiscard]] inline range from(double least) { return {least}; }
[[nodiscard]] inline range up_to(double most) { return {0, most}; }

/// The whole interval inside: holds; the whole interval outside: does not; else, or without an interval: not resolved.
[[nodiscard]] verdict within(const estimate& e, const range& r);

/// How far a figure is from what is claimed.
struct deviation {
  double times;  ///< Found over claimed: the number of the text, or the end of a range that it lies beyond; 1 within.
  bool of_a_range;
  /// To whichever side.
  [[nodiscard]] double factor() const { return std::max(times, 1 / times); }
};
/// None unless both are above zero.
[[nodiscard]] std::optional<deviation> off_number(double found, double claimed);
[[nodiscard]] std::optional<deviation> off_range(double found, const range& r);
/// The largest of them; none if there is none.
[[nodiscard]] std::optional<deviation> farthest(const std::vector<std::optional<deviation>>& all);

struct finding {
  verdict is;
  std::string sentence;  ///< The figures it rests on, or what is missing.
  std::optional<estimate> measured = {};
  std::optional<deviation> off =
      {};                        ///< None where no figure is compared, or what sets it is not what the claim is about.
  bool by_the_protocol = false;  ///< What the experiment has threads do besides decides it, not what they share.
  bool is_of_others = false;     ///< Not measured, for the claim is of other machines than this one.
};

[[nodiscard]] finding missing(std::string what);
/// The same, and no measurement here would help.
[[nodiscard]] finding of_other_machines(std::string why);
/// An estimate against a range; `what` names it.
[[nodiscard]] finding judged(const std::optional<estimate>& e, const range& r, const std::string& what,
                             const std::string& nothing);

/// Several parts of one sentence, or one sentence of several things: it does not hold if one does not; it holds if all
/// do. A part that is not measured leaves the whole not measured. The whole is as far off as the farthest part, unless a part
/// has a figure and does not say how far that is off.
[[nodiscard]] finding all_of(const std::vector<finding>& parts, const std::string& nothing);

}  // namespace synchro::claims

#endif
