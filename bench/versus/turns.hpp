// Contests of what threads do by turns: ours and a peer in one interleaved run, compared by the time and the processor time of
// a turn.

#ifndef SYNCHRO_BENCH_TURNS_HPP
#define SYNCHRO_BENCH_TURNS_HPP

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "contests.hpp"
#include "measure/host.hpp"

namespace synchro::bench::turns {

using measure::host;

struct situation {
  std::string name;
  unsigned threads;
  std::vector<unsigned> cpus;  ///< One per thread; empty: wherever the system places them.
  std::uint64_t work_cycles;   ///< Before each turn.
  std::uint32_t turns;
};

/// Nanoseconds of a turn, each.
struct outcome {
  double time, processor_time;
};

inline double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

/// Apart, so that its instructions can be told from others'.
template <class Body>
[[gnu::noinline]] void take_part(Body& body, unsigned me) {
  body(me);
}

/// body(thread) in each of the team.
template <class Body>
outcome timed(const situation& s, Body body) {
  std::vector<std::uint64_t> begins(s.threads), ends(s.threads);
  double before = 0;
  host::team(s.cpus, s.threads, [&](unsigned me) {
    if (me == 0) before = processor_time();
    begins[me] = host::now();
    take_part(body, me);
    ends[me] = host::now();
  });
  const double used = processor_time() - before;
  const auto from = *std::min_element(begins.begin(), begins.end());
  const auto to = *std::max_element(ends.begin(), ends.end());
  return {host::to_ns(to - from) / s.turns, used / s.turns};
}

using contest = contest_of<situation, outcome>;

/// Prints one line; true if ours is resolved slower. Processor time is printed, and not judged.
inline bool tell(const contest& c) {
  bool slower = false, costlier = false;
  const std::string time = ratio_text(c, &outcome::time, 3, slower);
  const std::string processor = ratio_text(c, &outcome::processor_time, 3, costlier);
  fmt::print("{:<11} {:<15} {:<25} {} {} {} {}\n", c.ours, c.theirs, c.where.name, time, processor,
             instructions_text(c), slower ? "SLOWER" : "");
  return slower;
}

/// What main does; its exit status as in contests.hpp.
inline int hold_all(const char* program, int argc, char** argv, std::vector<contest> (*contests_here)()) {
  const std::string headings = fmt::format("{:<11} {:<15} {:<25} {:<43} {:<43} {}", "ours", "theirs", "situation",
                                           "time of a turn", "processor time of a turn", "instructions");
  return bench::hold_all(program, argc, argv, contests_here, headings, tell);
}

}  // namespace synchro::bench::turns

#endif
