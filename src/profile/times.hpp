// How long something takes, from drawing to drawing.

#ifndef SYNCHRO_PROFILE_TIMES_HPP
#define SYNCHRO_PROFILE_TIMES_HPP

#include <vector>

#include "profile/stored.hpp"

namespace synchro::profile {

/// Times as they were counted, in buckets of powers of two, stretched to their own mean.
class times {
 public:
  times() = default;
  /// All are this long.
  explicit times(double ns) : mean_{ns} {}
  /// `mean`: ns. Buckets as in the document; of none, all are as long as the mean.
  times(double mean, const std::vector<bucket>& counted);

  [[nodiscard]] double mean() const { return mean_; }
  /// ns; `which` and `where` are from 0 to 1, drawn at random: which bucket, and where in it.
  [[nodiscard]] double at(double which, double where) const;

 private:
  double mean_ = 0;
  double stretch_ = 1;
  std::vector<double> from_, below_;  // of each bucket; the share of all that is not beyond it
};

/// The middle of a bucket, ns.
[[nodiscard]] inline double middle_of(const bucket& b) {
  return b.from_ns == 0 ? 1 : 1.5 * static_cast<double>(b.from_ns);
}

/// Some holds or gaps have a time in them, beside the thread's work, in which it takes no processor.
struct think_time {
  double chance = 0;
  times length;

  [[nodiscard]] double mean() const { return chance * length.mean(); }
};

}  // namespace synchro::profile

#endif
