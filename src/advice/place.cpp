#include "advice/place.hpp"

#include <fmt/format.h>

#include <cmath>

#include "advice/locks.hpp"
#include "results/experiment_names.hpp"
#include "views/findings.hpp"

namespace synchro::advice {

using claims::cells;
using claims::number_at;
using results::cell;

namespace {

constexpr double transfer_ns = 100;
constexpr double readers_of_an_octave = 25;

std::string counted(double n, const char* noun) { return fmt::format("{:.0f} {}{}", n, noun, n == 1 ? "" : "s"); }

double condition(const cell& c, const char* name) {
  const auto found = c.conditions.find(name);
  return found == c.conditions.end() ? 0 : found->second;
}

place place_of(const cell& c, const known& k) {
  const auto cycles = [&](const char* axis) { return static_cast<double>(number_at(c, axis)) * k.cycle_ns(); };
  return {static_cast<double>(number_at(c, "threads", 1)), static_cast<double>(number_at(c, "locks", 1)),
          cycles("hold"), cycles("gap") + condition(c, "pause_ns"), static_cast<double>(number_at(c, "readers"))};
}

/// All coordinates but the lock, with other readers than the cell's if need be.
std::string key_of(const cell& c, std::int64_t readers) {
  std::string key;
  for (const auto& [axis, value] : c.at.entries())
    if (axis != "lock" && axis != "readers") key += axis + "=" + results::to_string(value) + " ";
  return key + fmt::format("readers={}", readers);
}

claims::place of_the_regime(const workload& w, const known& k) {
  constexpr std::int64_t any = 1'000'000;
  claims::place where{claims::absent_or(claims::is("placement", "compact"))};
  if (w.threads == 1) return where + claims::place{claims::is("threads", 1)};
  return where + claims::place{k.shares_processors(w.threads) ? claims::between("threads", k.processors() + 1, any)
                                                              : claims::between("threads", 2, k.processors())};
}

/// Files come from anywhere.
bool is_possible(const place& p) {
  return p.threads >= 1 && p.locks >= 1 && p.critical_ns >= 0 && p.gap_ns >= 0 && std::isfinite(p.gap_ns) &&
         p.readers >= 0 && p.readers <= 100;
}

/// The cells of one metric by place, and there by lock. If a cell is there twice, the first counts.
std::map<std::string, comparison> gathered(const cells& all, const known& k) {
  std::map<std::string, comparison> found;
  for (const cell* c : all) {
    if (!is_possible(place_of(*c, k))) continue;
    comparison& here = found[key_of(*c, number_at(*c, "readers"))];
    if (here.locks.empty()) here.where = place_of(*c, k);
    here.locks.try_emplace(claims::word_at(*c, "lock"), c);
  }
  return found;
}

}  // namespace

place place_of(const workload& w) {
  return {static_cast<double>(w.threads), static_cast<double>(w.locks), w.critical_ns, w.gap_ns,
          static_cast<double>(w.readers)};
}

std::string run_of(const workload& w, const known& k) {
  const auto cycles = [&](double ns) { return std::llround(ns / k.cycle_ns()); };
  return fmt::format("{} --quick --threads {} --locks {} --hold {} --gap {} --readers {} -o more.json",
                     results::experiment_names::locks_throughput, w.threads, w.locks, cycles(w.critical_ns),
                     cycles(w.gap_ns), w.readers);
}

double octaves(const place& a, const place& b) {
  const auto work = [](double ns) { return std::log2(1 + ns / transfer_ns); };
  const double sides[] = {std::log2(a.threads / b.threads), std::log2(a.locks / b.locks),
                          work(a.critical_ns) - work(b.critical_ns), work(a.gap_ns) - work(b.gap_ns),
                          (a.readers - b.readers) / readers_of_an_octave};
  double sum = 0;
  for (const double side : sides) sum += side * side;
  return std::sqrt(sum);
}

std::string in_words(const place& p) {
  std::string text = fmt::format("{}, {}, {} inside, {} between", counted(p.threads, "thread"),
                                 counted(p.locks, "lock"), views::time_text(p.critical_ns), views::time_text(p.gap_ns));
  if (p.readers > 0) text += fmt::format(", {:.0f} % readers", p.readers);
  return text;
}

double held_ns(const place& p) { return p.critical_ns + transfer_ns; }

double demand(const place& p) {
  const double busy = held_ns(p);
  return p.threads * busy / (busy + p.gap_ns) / p.locks;
}

std::vector<comparison> comparisons_for(const workload& w, const known& k) {
  const char* const experiment = results::experiment_names::locks_throughput;
  const claims::place regime = of_the_regime(w, k);
  const auto by_rate = gathered(k.cells().find(experiment, "throughput", regime), k);
  const auto by_handoff = gathered(k.cells().find(experiment, "handoff_time", regime), k);
  const bool may_pass_on = w.gap_ns > 0 && w.threads > 1 && w.readers == 0 && !k.shares_processors(w.threads);
  std::vector<comparison> all;
  for (const auto& [key, rates] : by_rate) {
    if ((rates.where.readers > 0) != (w.readers > 0)) continue;
    const auto passed_on = by_handoff.find(key);
    const bool at_once = may_pass_on && rates.where.gap_ns == 0 && passed_on != by_handoff.end();
    comparison one = at_once ? passed_on->second : rates;
    if (w.readers > 0)
      if (const auto alone = by_rate.find(key_of(*rates.locks.begin()->second, 0)); alone != by_rate.end())
        for (const auto& [name, c] : alone->second.locks)
          if (const auto* const what = facts_of(name); what != nullptr && !what->shared) one.locks.try_emplace(name, c);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace synchro::advice
