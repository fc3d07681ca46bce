// Think time, as queueing theory has it: a thread waits for nobody of its system and takes no processor. It sleeps, or waits
// for a client, a file or a timer.
//
// How long threads did that in all is known, and how long they worked; of holds and gaps only a sample, which has few of the
// rare long ones, or by chance too many. So the longest are taken to be think time, whichever lock they belong to, until no
// more is left than the other time was; and what they come to is set to what think time was.

#ifndef SYNCHRO_PROFILE_THINK_TIMES_HPP
#define SYNCHRO_PROFILE_THINK_TIMES_HPP

#include <vector>

#include "profile/stored.hpp"
#include "profile/times.hpp"

namespace synchro::profile {

/// Holds of a kind, without what is taken meanwhile; or gaps after it.
struct recorded_times {
  double mean = 0;   ///< ns
  double count = 0;  ///< How many there are, beside those of others.
  std::vector<bucket> buckets;
};

/// `think_ns`: of all together; `other_ns`: what is left of all, at most. Takes the former out of them: what of each.
[[nodiscard]] std::vector<think_time> take_think_times(std::vector<recorded_times>& all, double think_ns,
                                                       double other_ns);

}  // namespace synchro::profile

#endif
