// Contests: ours and a peer take turns in random order, in every round of one run, and are compared round by round.

#ifndef SYNCHRO_BENCH_CONTESTS_HPP
#define SYNCHRO_BENCH_CONTESTS_HPP

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "../argument.hpp"
#include "instructions.hpp"
#include "measure/host.hpp"
#include "statistics/statistics.hpp"

namespace synchro::bench {

template <class Situation, class Outcome>
struct contest_of {
  std::string ours, theirs;
  Situation where;
  std::function<Outcome(const Situation&)> run_ours, run_theirs;
  std::vector<Outcome> of_ours = {}, of_theirs = {};
  std::optional<double> our_instructions = {}, their_instructions = {};  ///< Of a turn, where one thread takes it.
};

/// Ours, theirs; blank where nothing was counted.
template <class Situation, class Outcome>
std::string instructions_text(const contest_of<Situation, Outcome>& c) {
  if (!c.our_instructions || !c.their_instructions) return fmt::format("{:13}", "");
  return fmt::format("{:>6.0f} {:>6.0f}", *c.our_instructions, *c.their_instructions);
}

/// Ours, theirs, and ours / theirs with its interval to so many digits; whether ours is resolved slower.
template <class Situation, class Outcome>
std::string ratio_text(const contest_of<Situation, Outcome>& c, double Outcome::*what, int digits, bool& slower) {
  std::vector<double> ours, theirs;
  for (const Outcome& o : c.of_ours) ours.push_back(o.*what);
  for (const Outcome& o : c.of_theirs) theirs.push_back(o.*what);
  const results::ratio r = results::paired_ratio(ours, theirs);
  slower = r.resolved() && r.value > 1;
  const std::string interval =
      r.ci ? fmt::format("[{:.{}f}, {:.{}f}]", r.ci->first, digits, r.ci->second, digits) : "[too few]";
  return fmt::format("{:>9.0f} {:>9.0f} {:>{}.{}f} {:<{}}", results::median(ours), results::median(theirs), r.value,
                     3 + digits, digits, interval, 7 + 3 * digits);
}

template <class Contest>
void play(std::vector<Contest>& contests, unsigned rounds, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<Contest*> order;
  for (Contest& c : contests) order.push_back(&c);
  for (unsigned round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (Contest* c : order) {
      const bool ours_first = (random() & 1) != 0;
      if (ours_first) c->of_ours.push_back(c->run_ours(c->where));
      c->of_theirs.push_back(c->run_theirs(c->where));
      if (!ours_first) c->of_ours.push_back(c->run_ours(c->where));
    }
  }
  fmt::print("seed {}, {} rounds; in ns, ours and theirs, and ours / theirs with its 95 % interval\n", seed, rounds);
}

template <class Contest>
void count_instructions(std::vector<Contest>& contests, const char* program) {
  instruction_counter counter{program};
  for (std::size_t i = 0; i < contests.size(); ++i) {
    Contest& c = contests[i];
    if (c.where.threads != 1) continue;
    c.our_instructions = counter.of_a_turn(i, "ours", c.ours + c.where.name);
    c.their_instructions = counter.of_a_turn(i, "theirs", c.theirs + c.where.name);
  }
}

/// What this program does when it counts for another of itself: `count CONTEST SIDE TURNS`.
template <class Contest>
int take_turns(char** argv, const std::vector<Contest>& contests) {
  constexpr const char* usage = "count CONTEST SIDE TURNS";
  const Contest& c = contests.at(number_in(argv[2], usage, 0));
  auto where = c.where;
  where.turns = number_in(argv[4], usage);
  static_cast<void>(measure::host::to_ns(measure::host::now()));  // so that the clock is known
  (std::strcmp(argv[3], "ours") == 0 ? c.run_ours : c.run_theirs)(where);
  return 0;
}

/// What main does. `tell` prints one line, and returns whether ours was resolved slower. Exit status: 0 if it was nowhere, 1 if
/// it was, 2 for a bad argument, 3 if this machine cannot hold a contest.
template <class Contest>
int hold_all(const char* program, int argc, char** argv, std::vector<Contest> (*contests_here)(),
             const std::string& headings, bool (*tell)(const Contest&)) try {
  if (argc == 5 && std::strcmp(argv[1], "count") == 0) return take_turns(argv, contests_here());
  const auto [rounds, seed] = rounds_and_seed_of(program, argc, argv);
  std::vector<Contest> contests = contests_here();
  play(contests, rounds, seed);
  count_instructions(contests, argv[0]);
  fmt::print("{}\n", headings);
  const auto lost = std::count_if(contests.begin(), contests.end(), tell);
  fmt::print("{} of {} contests lost\n", lost, contests.size());
  return lost == 0 ? 0 : 1;
} catch (const std::invalid_argument& e) {
  fmt::print(stderr, "{}: {}\n", program, e.what());
  return 2;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}: {}\n", program, e.what());
  return 3;
}

}  // namespace synchro::bench

#endif
