// Contests of what threads do by turns: ours and a peer in one interleaved run, compared by the time and the processor time of
// a turn.

#ifndef SYNCHRO_BENCH_TURNS_HPP
#define SYNCHRO_BENCH_TURNS_HPP

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure/host.hpp"
#include "statistics/statistics.hpp"

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

/// body(thread) in each of the team.
template <class Body>
outcome timed(const situation& s, Body body) {
  std::vector<std::uint64_t> begins(s.threads), ends(s.threads);
  double before = 0;
  host::team(s.cpus, s.threads, [&](unsigned me) {
    if (me == 0) before = processor_time();
    begins[me] = host::now();
    body(me);
    ends[me] = host::now();
  });
  const double used = processor_time() - before;
  const auto from = *std::min_element(begins.begin(), begins.end());
  const auto to = *std::max_element(ends.begin(), ends.end());
  return {host::to_ns(to - from) / s.turns, used / s.turns};
}

struct contest {
  std::string ours, theirs;
  situation where;
  std::function<outcome(const situation&)> run_ours, run_theirs;
  std::vector<outcome> of_ours = {}, of_theirs = {};
};

inline std::string ratio_text(const contest& c, double outcome::*what, bool& slower) {
  std::vector<double> ours, theirs;
  for (const outcome& o : c.of_ours) ours.push_back(o.*what);
  for (const outcome& o : c.of_theirs) theirs.push_back(o.*what);
  const results::ratio r = results::paired_ratio(ours, theirs);
  slower = r.resolved() && r.value > 1;
  const std::string interval = r.ci ? fmt::format("[{:.3f}, {:.3f}]", r.ci->first, r.ci->second) : "[too few]";
  return fmt::format("{:>9.0f} {:>9.0f} {:>6.3f} {:<16}", results::median(ours), results::median(theirs), r.value,
                     interval);
}

/// Prints one line; true if ours is resolved slower.
inline bool tell(const contest& c) {
  bool slower = false, costlier = false;
  const std::string time = ratio_text(c, &outcome::time, slower);
  const std::string processor = ratio_text(c, &outcome::processor_time, costlier);
  fmt::print("{:<11} {:<15} {:<25} {} {} {}\n", c.ours, c.theirs, c.where.name, time, processor,
             slower ? "SLOWER" : "");
  return slower;
}

inline unsigned hold(std::vector<contest>& contests, unsigned rounds, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<contest*> order;
  for (contest& c : contests) order.push_back(&c);
  for (unsigned round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (contest* c : order) {
      const bool ours_first = (random() & 1) != 0;
      if (ours_first) c->of_ours.push_back(c->run_ours(c->where));
      c->of_theirs.push_back(c->run_theirs(c->where));
      if (!ours_first) c->of_ours.push_back(c->run_ours(c->where));
    }
  }
  fmt::print("seed {}, {} rounds; in ns, ours and theirs, and ours / theirs with its 95 % interval\n", seed, rounds);
  fmt::print("{:<11} {:<15} {:<25} {:<43} {}\n", "ours", "theirs", "situation", "time of a turn",
             "processor time of a turn");
  return static_cast<unsigned>(std::count_if(contests.begin(), contests.end(), tell));
}

inline unsigned number(const char* program, const char* text) {
  unsigned value = 0;
  const char* const end = text + std::strlen(text);
  if (std::from_chars(text, end, value).ptr != end || value == 0)
    throw std::invalid_argument{fmt::format("'{}' is not a positive number; {} [ROUNDS] [SEED]", text, program)};
  return value;
}

/// What main does. Exit status: 0 if ours was resolved slower nowhere, 1 if it was (processor time is printed, and not judged),
/// 2 for a bad argument, 3 if this machine cannot hold a contest.
inline int hold_all(const char* program, int argc, char** argv, std::vector<contest> (*contests_here)()) try {
  const unsigned rounds = argc > 1 ? number(program, argv[1]) : 31;
  const std::uint64_t seed = argc > 2 ? number(program, argv[2]) : std::random_device{}();
  std::vector<contest> contests = contests_here();
  const unsigned lost = hold(contests, rounds, seed);
  fmt::print("{} of {} contests lost\n", lost, contests.size());
  return lost == 0 ? 0 : 1;
} catch (const std::invalid_argument& e) {
  fmt::print(stderr, "{}: {}\n", program, e.what());
  return 2;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}: {}\n", program, e.what());
  return 3;
}

}  // namespace synchro::bench::turns

#endif
