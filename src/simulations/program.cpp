#include "simulations/program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "experiments/framework/axes.hpp"
#include "simulations/replay.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulations {

using namespace experiments;
using simulator::model;

namespace {

constexpr unsigned repetitions = 7;

const replayed_lock& lock_called(const std::string& name) {
  for (const replayed_lock& row : replayed_locks())
    if (row.name == name) return row;
  throw std::out_of_range{"no lock is called '" + name + "'"};
}

/// How many rounds a repetition watches: of each thread some. More where threads seldom think.
double rounds_at(const profile::closed_system& system, level l, unsigned threads) {
  constexpr double most_more = 10;
  const double all = l == level::quick ? 1500 : l == level::standard ? 4000 : 16000;
  const double enough = std::max(all, 8.0 * threads), thinks = system.thinks();
  return thinks > 0 ? std::clamp(thinks_wanted(threads) / thinks, enough, most_more * enough) : enough;
}

double window_ns(const model& m, const profile::closed_system& system, level l, unsigned threads) {
  constexpr double longest_gaps = 10;  // of one thread
  constexpr double least = 1e4;        // ns: rounds without work are as long as their locks
  const double enough = std::max({least_ns(system, threads, m.processors(), rounds_at(system, l, threads)),
                                  longest_gaps * system.round_ns(), least});
  if (threads <= m.processors()) return enough;
  constexpr double slices = 4;
  return std::max(enough, slices * m.ns_of(m.wake().slice) * threads / m.processors());
}

/// Which repetition has this seed.
unsigned number_of(std::uint64_t seed, const setting& s) {
  for (unsigned i = 0; i < repetitions; ++i)
    if (seed_of(s, i) == seed) return i;
  return repetitions / 2;
}

/// Where the threads of a program run that nobody has pinned: on cores of their own as long as there are some.
std::vector<unsigned> processors_of_a_program(const model& m, std::int64_t threads) {
  std::vector<unsigned> all(m.processors());
  std::iota(all.begin(), all.end(), 0U);
  std::stable_sort(all.begin(), all.end(),
                   [&](unsigned a, unsigned b) { return a % m.threads_per_core() < b % m.threads_per_core(); });
  all.resize(std::min<std::size_t>(all.size(), static_cast<std::size_t>(threads)));
  return all;
}

repetition measure_program(const model& m, const profile::closed_system& system, const setting& s,
                           const coordinates& at, double error, std::uint64_t seed) {
  replay_task task;
  task.system = &system;
  task.lock = &lock_called(at.word("lock"));
  task.threads = static_cast<unsigned>(at.number("threads"));
  task.cpus = processors_of_a_program(m, at.number("threads"));
  const unsigned number = number_of(seed, s);
  task.costs = costs_in(number, repetitions, error);
  task.work = std::max(1.0, costs_in(number, repetitions, 1 / system.on));
  task.window_ns = window_ns(m, system, s.thoroughness, task.threads);
  task.seed = seed;
  const replay_result seen = replay(m, task);
  repetition r;
  r.broken = seen.broken;
  double all = 0;
  r.observations.push_back({program::rate, seen.rounds});
  for (std::size_t k = 0; k < seen.waiting.size(); ++k) {
    all += seen.waiting[k];
    r.observations.push_back({program::waiting_for, seen.waiting[k], {}, false, {{program::of, system.kinds[k].name}}});
  }
  r.observations.push_back({program::waiting, all});
  return r;
}

axis lock_axis_of_replays() {
  axis a;
  a.name = "lock";
  a.line = "The lock that replaces each of the program's.";
  a.values = [](const setting& s) {
    std::vector<coordinate> names;
    for (const replayed_lock& row : replayed_locks())
      if (row.first || s.thoroughness == level::full) names.emplace_back(row.name);
    return names;
  };
  return a;
}

}  // namespace

double costs_in(unsigned repetition, unsigned repetitions, double error) {
  const double exponent = repetitions < 2 ? 0 : 2.0 * repetition / (repetitions - 1) - 1;
  return std::pow(error, exponent);
}

spread spread_of(const std::vector<double>& repetitions) {
  const auto [least, most] = std::minmax_element(repetitions.begin(), repetitions.end());
  return {*least, results::median(repetitions), *most};
}

spread spread_between(const std::vector<double>& its, const std::vector<double>& own) {
  const std::size_t apart = 2 * (its.size() - 1) / 3;
  std::vector<double> paired;
  spread s{INFINITY, 0, 0};
  for (std::size_t i = 0; i < its.size(); ++i) {
    paired.push_back(its[i] / own[i]);
    for (std::size_t j = i - std::min(i, apart); j <= std::min(i + apart, own.size() - 1); ++j)
      s.least = std::min(s.least, its[i] / own[j]), s.most = std::max(s.most, its[i] / own[j]);
  }
  s.middle = results::median(paired);
  return s;
}

experiment program_throughput(const model_ptr& m, std::shared_ptr<const profile::closed_system> system, double error) {
  experiment e;
  e.name = program::name;
  e.line = "A recorded program, replayed: rounds a second, each with one lock taken while nothing else is held.";
  e.source = "docs/predict.md";
  e.axes = {lock_axis_of_replays(), threads_axis(m)};
  e.metrics = {
      {program::rate, "op/s", better::higher,
       "Acquisitions a second of locks that are taken while nothing else is held, of all threads together. The "
       "interval has the model's own error in it, the time off the processors that was left out, and how far off "
       "measured programs were."},
      {program::waiting, "1", better::lower, "The share of the threads' time in which they take locks."},
      {program::waiting_for, "1", better::lower, "The same for the locks of one name."}};
  e.unavailable = [](const setting&, const coordinates&) -> std::optional<std::string> { return std::nullopt; };
  e.seconds = [](const setting&, const coordinates&) { return 0.05; };
  e.processors = [m](const setting&, const coordinates& at) {
    return processors_of_a_program(*m, at.number("threads"));
  };
  e.measure = [m, error, system = std::move(system)](const setting& s, const coordinates& at, std::uint64_t seed) {
    return measure_program(*m, *system, s, at, error, seed);
  };
  e.repetitions = [](level) { return repetitions; };
  return e;
}

}  // namespace synchro::simulations
