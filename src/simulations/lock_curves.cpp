#include "simulations/lock_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "results/units.hpp"
#include "simulations/simulated_locks.hpp"
#include "simulations/simulations.hpp"
#include "simulator/laboratory.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulations {

namespace {

// Chatzopoulos, Guerraoui, Harris, Trigonakis: Abstracting Multi-Core Topologies with MCTOP, EuroSys 2017;
// github.com/LPD-EPFL/mctop at a8f88ca, results/locks, MIT licence, Copyright (c) 2016 Distributed Programming Lab, EPFL.
// Medians of eleven runs without back-off, so that its ticket lock is our plain one. The Xeon's other points have two
// threads to a core, which the model has not.
const std::vector<lock_point> curve_points{
    {"opteron", "tas", 6, 739738},
    {"opteron", "tas", 12, 469633},
    {"opteron", "tas", 24, 243867},
    {"opteron", "tas", 48, 119944},
    {"opteron", "ttas", 6, 653580},
    {"opteron", "ttas", 12, 420531},
    {"opteron", "ttas", 24, 349848},
    {"opteron", "ttas", 48, 175076},
    {"opteron", "ticket_plain", 6, 506335},
    {"opteron", "ticket_plain", 12, 366714},
    {"opteron", "ticket_plain", 24, 228696},
    {"opteron", "ticket_plain", 48, 120283},
    {"opteron", "mcs", 6, 763378},
    {"opteron", "mcs", 12, 738108},
    {"opteron", "mcs", 24, 706366},
    {"opteron", "mcs", 48, 701214},
    {"opteron", "clh", 6, 712829},
    {"opteron", "clh", 12, 681405},
    {"opteron", "clh", 24, 647127},
    {"opteron", "clh", 48, 641464},
    {"xeon", "tas", 20, 146139},
    {"xeon", "tas", 40, 68919},
    {"xeon", "tas", 60, 51861},
    {"xeon", "tas", 80, 31661},
    {"xeon", "ttas", 20, 409815},
    {"xeon", "ttas", 40, 200801},
    {"xeon", "ttas", 60, 119101},
    {"xeon", "ttas", 80, 92449},
    {"xeon", "ticket_plain", 20, 522871},
    {"xeon", "ticket_plain", 40, 349559},
    {"xeon", "ticket_plain", 60, 263859},
    {"xeon", "ticket_plain", 80, 189934},
    {"xeon", "mcs", 20, 754798},
    {"xeon", "mcs", 40, 676807},
    {"xeon", "mcs", 60, 674863},
    {"xeon", "mcs", 80, 677811},
    {"xeon", "clh", 20, 684940},
    {"xeon", "clh", 40, 589965},
    {"xeon", "clh", 60, 574414},
    {"xeon", "clh", 80, 569450},
};

// "critical: 1000", "backoff 1..1000": taken as cycles.
constexpr std::uint64_t curve_hold = 1000, curve_gap = 500;
constexpr double curve_window_cycles = 2e6;
constexpr unsigned curve_seeds = 3;

double curve_throughput(const simulator::model& m, const lock_point& p, std::uint64_t seed) {
  experiments::locks::contention_task task;
  task.cpus.resize(m.processors());
  std::iota(task.cpus.begin(), task.cpus.end(), 0U);
  task.threads = p.threads;
  task.hold = curve_hold;
  task.gap = curve_gap;
  task.window_ns = curve_window_cycles / m.ghz();
  task.seed = seed;
  const auto& rows = simulated_locks();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const experiments::lock_bodies& r) { return r.name == p.lock; });
  if (row == rows.end()) throw std::out_of_range{fmt::format("no lock is called '{}'", p.lock)};
  simulator::world w{m, seed};
  const experiments::locks::contention_result seen = row->contend(task);
  double acquired = 0;
  for (const double a : seen.acquisitions) acquired += a;
  return acquired / (seen.elapsed_ns * 1e-9);
}

}  // namespace

const std::vector<lock_point>& published_curves() { return curve_points; }

std::vector<lock_point> predicted_curves(std::uint64_t seed, const change& changed) {
  std::vector<lock_point> all = curve_points;
  std::map<std::string, model_ptr> models;
  for (lock_point& p : all) {
    model_ptr& m = models[p.machine];
    if (!m) m = built_in(p.machine, changed);
    std::vector<double> each;
    for (unsigned i = 0; i < curve_seeds; ++i) each.push_back(curve_throughput(*m, p, seed + i));
    p.predicted = results::median(each);
  }
  return all;
}

std::vector<lock_ratio> between_locks(const std::vector<lock_point>& all) {
  std::vector<lock_ratio> found;
  for (const lock_point& a : all)
    for (const lock_point& b : all)
      if (a.machine == b.machine && a.threads == b.threads && &a < &b)
        found.push_back({fmt::format("{} over {}, {} threads on {}", a.lock, b.lock, a.threads, a.machine),
                         a.measured / b.measured, a.predicted / b.predicted});
  return found;
}

std::vector<lock_ratio> between_threads(const std::vector<lock_point>& all) {
  std::vector<lock_ratio> found;
  std::map<std::string, const lock_point*> fewest;
  for (const lock_point& p : all) {
    const lock_point*& first = fewest[fmt::format("{} {}", p.machine, p.lock)];
    if (first == nullptr)
      first = &p;
    else
      found.push_back({fmt::format("{}, {} threads over {} on {}", p.lock, p.threads, first->threads, p.machine),
                       p.measured / first->measured, p.predicted / first->predicted});
  }
  return found;
}

rank_score ranked(const std::vector<lock_ratio>& ratios) {
  rank_score s;
  for (const lock_ratio& r : ratios) {
    if (r.measured < differs && r.measured > 1 / differs) continue;
    ++s.all;
    s.right += (r.measured > 1) == (r.predicted > 1) ? 1 : 0;
  }
  return s;
}

double median_error_of(const std::vector<lock_ratio>& ratios) {
  std::vector<double> errors;
  for (const lock_ratio& r : ratios) errors.push_back(std::abs(r.predicted / r.measured - 1));
  return results::median(errors);
}

std::vector<double> levels_of(const std::vector<lock_point>& all) {
  std::vector<double> levels;
  for (const lock_point& p : all) levels.push_back(p.predicted / p.measured);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::string lock_curves_in_words(const std::vector<lock_point>& all) {
  std::string text = "| machine | lock | threads | measured, k/s | predicted, k/s |\n|---|---|--:|--:|--:|\n";
  for (const lock_point& p : all)
    text += fmt::format("| {} | `{}` | {} | {:.0f} | {:.0f} |\n", p.machine, p.lock, p.threads, p.measured * 1e-3,
                        p.predicted * 1e-3);
  const std::vector<lock_ratio> locks = between_locks(all), threads = between_threads(all);
  const rank_score s = ranked(locks);
  const std::vector<double> levels = levels_of(all);
  return text + fmt::format(
                    "\nOf {} pairs of locks that differ by more than 20 % the models rank {} as measured. The "
                    "median error of ratios between locks is {:.0f} %, of those between numbers of threads "
                    "{:.0f} %. The level is {} to {} times the measured one, in the median {} times.\n",
                    s.all, s.right, 100 * median_error_of(locks), 100 * median_error_of(threads),
                    results::significant(levels.front(), 2), results::significant(levels.back(), 2),
                    results::significant(results::median(levels), 2));
}

}  // namespace synchro::simulations
