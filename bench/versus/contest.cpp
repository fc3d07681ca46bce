#include "contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>

#include "measure/mode.hpp"
#include "statistics/statistics.hpp"

namespace synchro::bench {

namespace {

/// Both contenders of one round, and the distance of the processors before and after.
struct played {
  outcome ours, theirs;
  std::optional<double> before, after;
};

std::optional<double> probe(const situation& s) {
  if (s.cpus.size() < 2 || s.cpus.front() == s.cpus.back()) return std::nullopt;
  return measure::probe_pair(s.cpus.front(), s.cpus.back());
}

played play(const contest& c, bool ours_first) {
  played p{};
  p.before = probe(c.where);
  if (ours_first) p.ours = c.run_ours(c.where);
  p.theirs = c.run_theirs(c.where);
  if (!ours_first) p.ours = c.run_ours(c.where);
  p.after = probe(c.where);
  return p;
}

/// The rounds by mode; "" where the processors have no distance to probe. Rounds that flipped are left out.
std::map<std::string, std::vector<played>> by_mode(const std::vector<played>& rounds, const measure::mode_map& modes) {
  std::map<std::string, std::vector<played>> sorted;
  for (const played& p : rounds) {
    if (!p.before || !p.after) {
      sorted[""].push_back(p);
    } else if (const auto mode = modes.of(*p.before, *p.after)) {
      sorted[modes.modes()[*mode].name].push_back(p);
    }
  }
  return sorted;
}

/// Prints one line; true if ours is resolved slower.
bool tell(const contest& c, const std::string& mode, const std::vector<played>& rounds, std::size_t flipped) {
  std::vector<double> ours, theirs, hand_ours, hand_theirs;
  for (const played& p : rounds) {
    ours.push_back(p.ours.ns_per_op);
    theirs.push_back(p.theirs.ns_per_op);
    hand_ours.push_back(p.ours.hand_off);
    hand_theirs.push_back(p.theirs.hand_off);
  }
  const results::ratio r = results::paired_ratio(theirs, ours);
  const bool slower = r.resolved() && r.value < 1;
  const std::string interval = r.ci ? fmt::format("{:.2f}..{:.2f}", r.ci->first, r.ci->second) : "too few";
  const char* const verdict = !r.resolved() ? "not distinguishable" : slower ? "SLOWER" : "faster";
  fmt::print("{:<17} {:<22} {:<27} {:<5} {:>3} {:>7} {:>8.1f} {:>8.1f}   {:>5.2f} [{}]  {:<19} {:>3.0f} %/{:.0f} %\n",
             c.ours, c.theirs, c.where.name, mode, rounds.size(), flipped, results::median(ours),
             results::median(theirs), r.value, interval, verdict, 100 * results::median(hand_ours),
             100 * results::median(hand_theirs));
  return slower;
}

}  // namespace

unsigned hold(const std::vector<contest>& contests, unsigned rounds, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<std::vector<played>> all(contests.size());
  std::vector<std::size_t> order(contests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (unsigned round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) all[i].push_back(play(contests[i], (random() & 1) != 0));
  }

  std::vector<double> probes;
  for (const auto& list : all)
    for (const played& p : list)
      for (const auto& value : {p.before, p.after})
        if (value) probes.push_back(*value);
  const measure::mode_map modes{probes};

  fmt::print("seed {}, {} rounds; ratio = speed of ours / speed of theirs, with its 95 % interval\n", seed, rounds);
  for (const auto& m : modes.modes())
    fmt::print("mode {}: the processors in use are {:.0f} ns apart\n", m.name, m.probe_ns);
  fmt::print("{:<17} {:<22} {:<27} {:<5} {:>3} {:>7} {:>8} {:>8}   {:<19} {:<19} {}\n", "ours", "theirs", "situation",
             "mode", "n", "flipped", "ours ns", "their ns", "ratio", "", "hand-offs ours/theirs");
  unsigned lost = 0;
  for (std::size_t i = 0; i < contests.size(); ++i) {
    const auto sorted = by_mode(all[i], modes);
    std::size_t kept = 0;
    for (const auto& [mode, list] : sorted) kept += list.size();
    for (const auto& [mode, list] : sorted) lost += static_cast<unsigned>(tell(contests[i], mode, list, rounds - kept));
  }
  return lost;
}

}  // namespace synchro::bench
