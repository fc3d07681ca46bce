// Places where locks were compared, and how far they are from the one that is asked about.

#ifndef SYNCHRO_ADVICE_PLACE_HPP
#define SYNCHRO_ADVICE_PLACE_HPP

#include <map>
#include <string>
#include <vector>

#include "advice/known.hpp"
#include "advice/workload.hpp"

namespace synchro::advice {

/// What a lock's speed depends on.
struct place {
  double threads = 1, locks = 1;
  double critical_ns = 0, gap_ns = 0;
  double readers = 0;  ///< Percent.
};
[[nodiscard]] place place_of(const workload& w);
/// What measures a workload: the experiment of contended locks with its axes, as `synchroscope run` takes them.
[[nodiscard]] std::string run_of(const workload& w, const known& k);

/// How far two places are apart, in octaves: a factor of two in threads, in locks or in work is one, and so are 25 percent
/// of readers; together as the diagonal is of the sides. Work counts from 100 ns on, about what a line takes from one
/// processor to another: what is far below that is nothing beside it.
[[nodiscard]] double octaves(const place& a, const place& b);

/// "8 threads, 1 lock, 200 ns inside, 1 us between"
[[nodiscard]] std::string in_words(const place& p);

/// For so long a thread has a lock that nobody else wants: to take it and the line that it protects counts as 100 ns.
[[nodiscard]] double held_ns(const place& p);
/// Each thread wants a lock for this share of its time, if no one waits; all together, so many want each lock in the
/// mean.
[[nodiscard]] double demand(const place& p);
/// Below this a lock is nearly always free when it is wanted.
inline constexpr double seldom_wanted = 0.1;

/// What was measured of all locks at one place.
struct comparison {
  place where;
  std::map<std::string, const results::cell*> locks;  ///< The cell of each that says how good it is there.
};

/// The comparisons that say something about a workload: with more threads than processors or not, with several threads or
/// one, with readers or without, as the workload has it. What a lock is good for there says its throughput; but where
/// threads come again at once, and those of the workload do not, the time of a hand-off does (docs/contention.md). Locks
/// that know no readers take part where there are some: they serve them one by one.
[[nodiscard]] std::vector<comparison> comparisons_for(const workload& w, const known& k);

}  // namespace synchro::advice

#endif
