// Does coherence.pairs agree with a ping-pong that shares no code with it?
//
// Both are run by turns, a probe of the two processors' distance before and after each couple, because a hypervisor may
// move them apart in mid-run. Couples are sorted by the mode that their probes agree on, and measured until one mode has
// 11, at least. In every mode that has as many the interval of the ratio must meet 0.9 to 1.1.
//
// Usage: pingpong_check [FROM TO [COUPLES]]. Exit 0 if they agree, 1 if they do not, 3 if this machine cannot tell.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "../argument.hpp"
#include "../promise.hpp"
#include "experiments/coherence/coherence.hpp"
#include "measure/mode.hpp"
#include "minimal.hpp"
#include "platform/clock.hpp"
#include "statistics/statistics.hpp"

namespace {

using synchro::experiments::coordinates;

constexpr double least = 0.9, most = 1.1;
constexpr std::size_t enough = 11;
constexpr std::size_t patience = 10;  // times as many couples as asked for, if modes change too often

struct couple {
  double before, after;  // probes
  double house, minimal;
};

double of_the_house(const synchro::experiments::setting& s, const std::string& protocol, unsigned from, unsigned to,
                    std::uint64_t seed) {
  static const synchro::experiments::experiment pairs = synchro::experiments::coherence_pairs();
  const coordinates at{{"from", from}, {"to", to}, {"protocol", protocol}, {"home", "from"}};
  return pairs.measure(s, at, seed).observations.front().value;
}

struct mode_values {
  std::string name;
  std::vector<double> house, minimal;
};

std::vector<mode_values> by_mode(const std::vector<couple>& couples) {
  std::vector<double> probes;
  for (const couple& c : couples) probes.insert(probes.end(), {c.before, c.after});
  const synchro::measure::mode_map modes{probes};
  std::vector<mode_values> all;
  for (const auto& mode : modes.modes()) all.push_back({mode.name, {}, {}});
  for (const couple& c : couples)
    if (const auto mode = modes.of(c.before, c.after)) {
      all[*mode].house.push_back(c.house);
      all[*mode].minimal.push_back(c.minimal);
    }
  return all;
}

bool has_enough(const std::vector<mode_values>& modes) {
  return std::any_of(modes.begin(), modes.end(), [](const mode_values& m) { return m.house.size() >= enough; });
}

std::vector<mode_values> measure(const synchro::experiments::setting& s, const std::string& protocol, unsigned from,
                                 unsigned to, std::size_t n) {
  const auto probe = [&] { return synchro::measure::probe_pair(from, to).value_or(0); };
  const auto alone = protocol == "cas" ? minimal::cas : minimal::handover;
  std::vector<couple> couples;
  double before = probe();
  for (std::size_t i = 0; i < n || (i < patience * n && !has_enough(by_mode(couples))); ++i) {
    couple c{before, 0, 0, 0};
    const auto house = [&] { c.house = of_the_house(s, protocol, from, to, i + 1); };
    if (i % 2 == 0) house();
    c.minimal = alone(static_cast<int>(from), static_cast<int>(to));
    if (i % 2 != 0) house();
    before = c.after = probe();
    if (c.minimal > 0) couples.push_back(c);
  }
  return by_mode(couples);
}

/// Prints a line for each mode; nothing if no mode has enough couples.
std::optional<bool> judge(const std::string& protocol, const std::vector<mode_values>& modes) {
  std::optional<bool> agreed;
  for (const mode_values& m : modes) {
    if (m.house.empty()) continue;
    const synchro::results::ratio r = synchro::results::paired_ratio(m.house, m.minimal);
    const bool told = m.house.size() >= enough && r.ci;
    const bool meets = told && r.ci->first <= most && r.ci->second >= least;
    if (told) agreed = agreed.value_or(true) && meets;
    fmt::print("{:9} mode {:6} n {:3}  house {:6.1f} ns  minimal {:6.1f} ns  ratio {:.3f} [{}]  {}\n", protocol, m.name,
               m.house.size(), synchro::results::median(m.house), synchro::results::median(m.minimal), r.value,
               r.ci ? fmt::format("{:.3f}, {:.3f}", r.ci->first, r.ci->second) : "too few",
               !told   ? "not judged"
               : meets ? "agrees"
                       : "DISAGREES");
  }
  return agreed;
}

}  // namespace

int main(int argc, char** argv) try {
  if (synchro::bench::asks_for_table(argc, argv)) {
    synchro::bench::print_table(
        "pingpong_check", {{{"moving a cache line (cas, handover)", "`coherence.pairs`, `latency`", "a ping-pong"},
                            synchro::bench::told_bounds(least, most)}});
    return 0;
  }
  synchro::experiments::setting s;
  s.machine = synchro::platform::read_topology();
  s.thoroughness = synchro::experiments::level::standard;
  if (s.machine.processors.size() < 2) {
    fmt::print(stderr, "pingpong_check: one processor has nobody to play with\n");
    return 3;
  }
  const auto argument = [&](int i, unsigned otherwise, unsigned least = 0) {
    return argc > i ? synchro::bench::number_in(argv[i], "pingpong_check [FROM TO [COUPLES]]", least) : otherwise;
  };
  const unsigned from = argument(1, s.machine.processors[0].cpu);
  const unsigned to = argument(2, s.machine.processors[1].cpu);
  const std::size_t couples = argument(3, 21, 1);
  if (from == to || s.machine.find(from) == nullptr || s.machine.find(to) == nullptr) {
    fmt::print(stderr, "pingpong_check: give two different processors that this process may use\n");
    return 2;
  }
  synchro::platform::tick_clock::calibrate({from, to});
  bool all_agree = true;
  bool all_told = true;
  for (const std::string protocol : {"cas", "handover"}) {
    const std::optional<bool> agreed = judge(protocol, measure(s, protocol, from, to, couples));
    all_told = all_told && agreed.has_value();
    all_agree = all_agree && agreed.value_or(true);
  }
  if (!all_agree) return 1;
  if (!all_told) fmt::print(stderr, "pingpong_check: no mode lasted for {} couples; run it again\n", enough);
  return all_told ? 0 : 3;
} catch (const std::exception& e) {
  fmt::print(stderr, "pingpong_check: {}\n", e.what());
  return 2;
}
