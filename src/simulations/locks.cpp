// The lock experiments on a model.

#include "experiments/locks/locks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "catalog/rows.hpp"
#include "experiments/framework/axes.hpp"
#include "experiments/framework/protocol.hpp"
#include "experiments/locks/lock_cells.hpp"
#include "measure/timing.hpp"
#include "simulations/bounds.hpp"
#include "simulations/paper_locks.hpp"
#include "simulations/simulated_locks.hpp"
#include "simulations/simulations.hpp"
#include "simulator/laboratory.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulations {

using namespace experiments;
using simulator::model;

namespace {

std::vector<lock_bodies>& known_locks() {
  static std::vector<lock_bodies> all = catalog::rows_of(add_simulated_locks);
  return all;
}

}  // namespace

const std::vector<lock_bodies>& simulated_locks() { return known_locks(); }

void take_locks(const std::vector<lock_bodies>& more) {
  experiments::take_locks(more);
  append_locks(known_locks(), more);
}

namespace {

const std::string own_processor = "same_cpu";

const lock_bodies& find_lock(const std::string& name) {
  for (const auto* rows : {&simulated_locks(), &paper_locks()})
    for (const lock_bodies& row : *rows)
      if (row.name == name) return row;
  throw std::out_of_range{"no lock is called '" + name + "'"};
}

/// Every lock that `takes` accepts may be asked for; unless in full, the first waiting of each is simulated.
axis simulated_lock_axis(const axis& original) {
  axis a = original;
  a.values = [known = original.values](const setting& s) {
    std::vector<coordinate> mine;
    for (const coordinate& c : known(s))
      for (const lock_bodies& row : simulated_locks())
        if (row.name == results::to_string(c) && (row.first || s.thoroughness == level::full)) mine.push_back(c);
    return mine;
  };
  return a;
}

/// The paper's locks as well, in full.
void add_paper_locks(axis& a) {
  a.values = [own = a.values](const setting& s) {
    std::vector<coordinate> all = own(s);
    if (s.thoroughness == level::full)
      for (const lock_bodies& row : paper_locks()) all.emplace_back(row.name);
    return all;
  };
}

experiment of_locks(experiment original, const model_ptr& m, double seconds, measured_on_model how) {
  experiment e = on_model(std::move(original), m, seconds, std::move(how));
  for (axis& a : e.axes)
    if (a.name == "lock") a = simulated_lock_axis(a);
  return e;
}

/// Long enough that each thread has the lock a few times: many locks serve many threads at once.
double window_cycles(const model& m, level l, unsigned threads, unsigned locks, double usual) {
  double cycles = l == level::quick ? usual / 2 : l == level::standard ? usual : 4 * usual;
  if (locks > 1) cycles *= 0.4;
  return or_some_slices(m, threads, cycles);
}

constexpr double exact = 0;  // the step of a clock that is simulated

double in_ns(const model& m, std::uint64_t cycles) { return static_cast<double>(cycles) / m.ghz(); }

// ---- contended locks

experiment contended(experiment original, const model_ptr& m, measured_on_model how) {
  experiment e = of_locks(std::move(original), m, 0.05, std::move(how));
  e.processors = [m](const setting& s, const coordinates& at) { return team_of(*m, s, at); };
  return e;
}

std::vector<unsigned> part_of(const std::vector<unsigned>& cpus, unsigned threads) {
  return {cpus.begin(), cpus.begin() + std::min<std::ptrdiff_t>(threads, std::ssize(cpus))};
}

/// Lock and data are on lines of their own, and each has to come over from the last holder, who works meanwhile.
double hand_off_cycles(const model& m, const locks::contention_task& task, bool guards = true) {
  const double transfer = mean_transfer(m, simulator::operation::load, part_of(task.cpus, task.threads));
  const double lock = task.threads > 1 ? transfer : mean_transfer(m, simulator::operation::cas, part_of(task.cpus, 1));
  return lock + (guards ? transfer : 0) + static_cast<double>(task.hold);
}

/// Of n threads that work for the gap and then want the lock, each waits and holds for so many cycles in the mean: all
/// others come first, less what passes in the gap. `guards`: the lock protects a line.
double waiting_bound(const model& m, const locks::contention_task& task, bool guards) {
  const double one = hand_off_cycles(m, task, guards);
  return std::max(one, task.threads * one - static_cast<double>(task.gap));
}

repetition measure_throughput(const model& m, const setting& s, const coordinates& at, std::uint64_t seed) {
  locks::contention_task task = throughput_task(s, at, seed);
  task.cpus = team_of(m, s, at);
  task.window_ns = window_cycles(m, s.thoroughness, task.threads, task.locks, 1e6) / m.ghz();
  const std::uint64_t pause = is_paused(at) ? pause_of(m, part_of(task.cpus, task.threads)) : 0;
  task.gap += pause;
  simulator::world w{m, seed};
  repetition r = record_throughput(find_lock(at.word("lock")).contend(task), exact);
  record_pause(r, in_ns(m, pause), task.threads, m.processors());
  const double busy = results::busy_locks(task.locks, task.threads);
  r.observations.push_back({"bound", m.ghz() * 1e9 * busy / hand_off_cycles(m, task)});
  r.observations.push_back({"busy_locks", busy});
  return r;
}

// ---- ticket locks

locks::contention_result ticket_contention(const std::string& lock, const locks::contention_task& task) {
  return is_paper_ticket(lock) ? paper_ticket(lock, task) : find_lock(lock).contend(task);
}

/// The median, or, as the paper's program prints it, the mean.
measure::timed_singly latency_of(const std::string& lock, const std::vector<double>& waits_ns) {
  measure::timed_singly latency = measure::time_singly(waits_ns, exact);
  if (is_paper_ticket(lock))
    latency.median = std::accumulate(waits_ns.begin(), waits_ns.end(), 0.0) / static_cast<double>(waits_ns.size());
  return latency;
}

/// The library's ticket locks, and the paper's.
void add_paper_tickets(axis& a) {
  a.values = [own = a.values](const setting& s) {
    std::vector<coordinate> all = own(s);
    for (const char* const name : {paper_ticket_plain_name, paper_ticket_name, paper_ticket_prefetch_name})
      all.emplace_back(name);
    return all;
  };
}

repetition measure_ticket(const model& m, const setting& s, const coordinates& at, std::uint64_t seed) {
  locks::contention_task task = locks::task_of(s, at, seed);
  task.cpus = team_of(m, s, at);
  const std::string lock = at.word("lock");
  std::uint64_t pause = 0;
  if (is_paused(at)) pause = is_paper_ticket(lock) ? paper_ticket_rest : pause_of(m, part_of(task.cpus, task.threads));
  task.gap = pause;
  task.pairs = task.threads == 1 ? 64 : 1;
  const double one_of = is_paper_ticket(lock) ? paper_ticket_timed_one_of : 1;
  task.window_ns = window_cycles(m, s.thoroughness, task.threads, 1, 8e6 * one_of) / m.ghz();
  simulator::world w{m, seed};
  const locks::contention_result seen = ticket_contention(lock, task);
  repetition r;
  r.broken = seen.broken;
  if (pause != 0) r.conditions["pause_ns"] = in_ns(m, pause);
  if (seen.waits_ns.empty()) {
    r.unavailable["latency"] = r.unavailable["latency_cycles"] =
        "no thread acquired the lock twice while it was watched";
    return r;
  }
  const measure::timed_singly pair = latency_of(lock, seen.waits_ns);
  r.observations = {{"latency", pair.median, pair.quantiles},
                    {"latency_cycles", in_cycles(m, pair.median)},
                    {"bound", waiting_bound(m, task, !is_paper_ticket(lock)) / m.ghz()}};
  return r;
}

// ---- free locks

/// The taker's processor, then the previous holder's: the nearest pair by number.
std::vector<unsigned> taker_and_predecessor(const model& m, const std::string& distance) {
  if (distance == own_processor) return {0};
  for (unsigned b = 1; b < m.processors(); ++b)
    if (m.between(m.core_of(0), m.core_of(b)) == m.distance_number(distance)) return {0, b};
  return {};
}

/// Cycles of the cheapest read-modify-write of a line that the other one of these processors has modified, or of an own
/// line.
double cheapest_atomic(const model& m, std::vector<unsigned> processors) {
  if (m.distance_to_home()) processors.resize(1);  // which may be the requester's own tile
  double least = std::numeric_limits<double>::max();
  for (const auto o :
       {simulator::operation::cas, simulator::operation::fai, simulator::operation::tas, simulator::operation::swap})
    least = std::min(least, mean_transfer(m, o, processors));
  return least;
}

repetition measure_uncontested(const model& m, const setting&, const coordinates& at, std::uint64_t seed) {
  locks::previous_holder_task task;
  task.cpus = taker_and_predecessor(m, at.word("distance"));
  task.other_thread = task.cpus.size() > 1;
  task.batch = 32;
  task.rounds = 10;
  task.seed = seed;
  simulator::world w{m, seed};
  const locks::previous_holder_result seen = find_lock(at.word("lock")).succeed(task);
  repetition r;
  r.broken = seen.broken;
  const auto record = [&](const std::string& name, const std::vector<double>& rounds_ns) {
    const double cycles = in_cycles(m, results::median(rounds_ns));
    r.observations.push_back({name, cycles / m.ghz()});
    r.observations.push_back({name + "_cycles", cycles});
  };
  record("acquire", seen.acquire_ns);
  record("release", seen.release_ns);
  if (seen.pair_ns.empty())
    r.unavailable["pair"] = r.unavailable["pair_cycles"] = "libslock's program times acquisition and release apart";
  else
    record("pair", seen.pair_ns);
  r.observations.push_back({"bound", cheapest_atomic(m, task.cpus) / m.ghz()});
  return r;
}

axis distance_axis(const model_ptr& m, axis a) {
  a.values = [m](const setting&) {
    std::vector<coordinate> all{own_processor};
    for (const std::string& d : m->distances()) all.emplace_back(d);
    return all;
  };
  a.refuses = {};
  return a;
}

}  // namespace

experiment locks_throughput(const model_ptr& m) {
  experiment e = contended(experiments::locks_throughput(), m, measure_throughput);
  for (axis& a : e.axes)
    if (a.name == "lock")
      add_paper_locks(a);
    else if (a.name == "locks")
      a.values = [](const setting& s) {
        return s.thoroughness == level::quick ? std::vector<coordinate>{1, 512}
                                              : std::vector<coordinate>{1, 4, 16, 32, 128, 512};
      };
    else if (a.name == "readers" || a.name == "hold")
      a.values = [](const setting&) { return std::vector<coordinate>{0}; };
  e.metrics.push_back({"bound", "op/s", better::neither,
                       "As many locks as the machine-repairman's bound says are busy, each handed over in the time of "
                       "two mean transfers (its own line and the line it protects) and of the holder's work."});
  e.metrics.push_back({"busy_locks", "1", better::neither,
                       "Locks that are held at a time if all threads always want one: KN/(N+K-1) for N threads and K "
                       "locks."});
  return e;
}

experiment locks_ticket(const model_ptr& m) {
  experiment e = contended(experiments::locks_ticket(), m, measure_ticket);
  for (axis& a : e.axes)
    if (a.name == "lock") add_paper_tickets(a);
  e.metrics.push_back({"bound", "ns", better::neither,
                       "The least mean time of threads that are served one after the other, each hand-off two mean "
                       "transfers (the lock's line and the line it protects): that of all threads, less their work "
                       "between."});
  return e;
}

experiment locks_uncontested(const model_ptr& m) {
  experiment e = of_locks(experiments::locks_uncontested(), m, 0.005, measure_uncontested);
  e.metrics.push_back({"bound", "ns", better::neither,
                       "No acquisition can be shorter than the cheapest read-modify-write of a line that the previous "
                       "holder has modified."});
  for (axis& a : e.axes)
    if (a.name == "distance")
      a = distance_axis(m, a);
    else if (a.name == "lock")
      add_paper_locks(a);
  e.unavailable = [m](const setting&, const coordinates& at) -> std::optional<std::string> {
    if (!taker_and_predecessor(*m, at.word("distance")).empty()) return std::nullopt;
    return "no two processors of the model are " + at.word("distance") + " apart";
  };
  e.processors = [m](const setting&, const coordinates& at) { return taker_and_predecessor(*m, at.word("distance")); };
  return e;
}

}  // namespace synchro::simulations
