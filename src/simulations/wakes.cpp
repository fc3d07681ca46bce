// The experiments on broadcasts and groups on a model: the same protocol as on this machine
// (experiments/wakes/wake_team.hpp), run by simulated threads.

#include "experiments/wakes/wakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "catalog/rows.hpp"
#include "experiments/framework/axes.hpp"
#include "experiments/wakes/wake_cells.hpp"
#include "experiments/wakes/wake_rows.hpp"
#include "experiments/wakes/wake_team.hpp"
#include "platform/placement.hpp"
#include "simulations/bounds.hpp"
#include "simulations/simulated_wakes.hpp"
#include "simulations/simulations.hpp"
#include "simulator/laboratory.hpp"

namespace synchro::simulations {

using namespace experiments;
using simulator::laboratory;
using simulator::model;
using simulator::simulated;
using simulator::world;
using wakes::wake_result;
using wakes::wake_task;

const std::vector<wake_row>& simulated_wakes() {
  static const std::vector<wake_row> all = [] {
    std::vector<wake_row> rows = catalog::rows_of(add_simulated_wakes);
    add_broadcast_interrupt(rows);
    return rows;
  }();
  return all;
}

namespace {

/// One word, whose sleepers are all woken by one interrupt.
class alignas(2 * cpu::cache_line) broadcast_interrupt {
 public:
  static constexpr wake_traits traits{.judgement = "what a system could offer and none does",
                                      .splittable = false,
                                      .citation = "the broadcast interrupt of \"Multi-Threading for Experts\""};

  explicit broadcast_interrupt(unsigned sleepers) : seen_(sleepers) {}

  void wait(unsigned i) {
    yield_then_park::wait<simulated>(word_, seen_[i]);
    ++seen_[i];
  }
  void trigger() {
    if ((word_.exchange(++triggers_, memory_order::release) & yield_then_park::asleep) != 0)
      world::current().unpark_by_interrupt(&word_);
  }

 private:
  simulated::atomic<std::uint32_t> word_{0};
  std::uint32_t triggers_ = 0;
  std::vector<std::uint32_t> seen_;
};

/// What the simulator tells about the threads of a wake experiment; the contract is in wake_team.hpp.
class simulated_watch {
 public:
  explicit simulated_watch(unsigned sleepers) : sleepers_{sleepers} {}

  void begin_sleeper(unsigned) {}

  struct usage {
    double cpu_ns, voluntary, switches;
  };
  [[nodiscard]] static usage used() {
    const world& w = world::current();
    const simulator::thread& t = world::current().running();
    return {w.machine().ns_of(w.ran()), static_cast<double>(t.sleeps), static_cast<double>(t.sleeps + t.displaced)};
  }
  [[nodiscard]] bool all_asleep() const { return world::current().asleep() == sleepers_; }
  [[nodiscard]] static std::map<std::string, unsigned> sleeps_in() { return {}; }

  static void rest(std::uint32_t) {
    constexpr double look_around_ns = 2000;
    world::current().yield();
    laboratory::work(static_cast<std::uint64_t>(look_around_ns * world::current().machine().ghz()));
  }
  template <class Left>
  static void idle(Left left) {
    while (left() > 0) rest(0);
  }

 private:
  unsigned sleepers_;
};

const wake_row& find(const std::string& name) {
  const auto& rows = simulated_wakes();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const wake_row& row) { return row.name == name; });
  if (found == rows.end()) throw std::out_of_range{"no wake primitive is called '" + name + "'"};
  return *found;
}

wake_result run(const model& m, const wake_row& row, const wake_task& task, std::uint64_t seed) {
  world w{m, seed};
  wakes::wake_team<laboratory, simulated_watch, any_wake> team{
      task, row.sleeps, [&] {
        return task.group == 0 || row.make_groups == nullptr ? row.make(task.sleepers)
                                                             : row.make_groups(task.sleepers, task.group);
      }};
  laboratory::team(task.cpus, task.sleepers + 1, [&](unsigned index) { team.run(index, [] {}); });
  wake_result result = std::move(team.result());
  if (const auto& why = result.refused ? result.refused : result.unseen) throw std::runtime_error{*why};
  if (result.lost) result.lost = fmt::format("{} lost a wake-up: {}", row.name, *result.lost);
  return result;
}

unsigned sleepers_of(const coordinates& at) { return static_cast<unsigned>(at.number("threads")); }

wake_task task_of(const setting& s, const coordinates& at) {
  wake_task task;
  task.sleepers = sleepers_of(at);
  task.cpus = wakes::cpus_of(s, at);
  task.triggers = s.thoroughness == level::full ? 11 : 5;
  return task;
}

/// With more sleepers, cells for every one of them would drown the rest.
constexpr unsigned most_shown_one_by_one = 256;

bool always_long_enough(double) { return false; }

void record_bound(repetition& r, const model& m, const wake_row& row, unsigned sleepers) {
  if (!row.sleeps)
    r.unavailable["bound"] = "no thread sleeps: no call is needed";
  else
    r.observations.push_back({"bound", m.ns_of(row.name == "broadcast_interrupt" ? last_by_interrupt(m.wake(), sleepers)
                                                                                 : last_by_calls(m.wake(), sleepers))});
}

repetition measure_broadcast(const model& m, const setting& s, const coordinates& at, std::uint64_t seed) {
  const wake_row& row = find(at.word("primitive"));
  const wake_task task = task_of(s, at);
  const wake_result seen = run(m, row, task, seed);
  repetition r;
  wakes::add_to(r, seen);
  if (r.broken || seen.rounds.empty()) return r;
  wakes::record_broadcast(r, seen, always_long_enough);
  if (task.sleepers > most_shown_one_by_one) {
    std::erase_if(r.observations, [](const observation& o) { return o.metric.rfind("wake_of_", 0) == 0; });
    r.unavailable["wake_of_thread"] = r.unavailable["wake_of_order"] =
        fmt::format("shown one by one up to {} sleepers", most_shown_one_by_one);
  }
  record_bound(r, m, row, task.sleepers);
  return r;
}

repetition measure_groups(const model& m, const setting& s, const coordinates& at, std::uint64_t seed) {
  const wake_row& row = find(at.word("primitive"));
  const wake_task task = task_of(s, at);
  const std::vector<unsigned> sizes =
      row.make_groups == nullptr ? std::vector<unsigned>{task.sleepers} : wakes::group_sizes(task.sleepers);
  repetition r = wakes::sweep_groups(task, sizes, row.family == "cascade",
                                     [&](const wake_task& one) { return run(m, row, one, seed); });
  if (!r.broken) record_bound(r, m, row, task.sleepers);
  return r;
}

/// Every primitive may be asked for; unless in full, the first waiting of each is simulated, and one that spins.
axis primitives() {
  return {"primitive", "the means of waking, of this library; broadcast_interrupt exists in the simulator only",
          [](const setting& s) {
            std::vector<coordinate> names;
            for (const wake_row& row : simulated_wakes())
              if (s.thoroughness == level::full || row.name == row.family || row.name == "event/spin")
                names.emplace_back(row.name);
            return names;
          }};
}

/// Doublings up to a processor for each and for the waker, and the article's 11.
std::vector<coordinate> sleeper_counts(const model& m, level l, bool sweep) {
  const std::int64_t most = std::max(2U, m.processors()) - 1;
  std::set<std::int64_t> counts{most};
  if (!sweep || l == level::full) {
    counts.insert({1, std::min<std::int64_t>(11, most)});
    for (std::int64_t n = 2; n < most; n *= l == level::quick ? 4 : 2) counts.insert(n);
  }
  return {counts.begin(), counts.end()};
}

experiment of_wakes(experiment original, const model_ptr& m, bool sweep, measured_on_model how) {
  experiment e = on_model(std::move(original), m, 0.05, std::move(how));
  for (axis& a : e.axes) {
    if (a.name == "primitive") a = primitives();
    if (a.name == "threads")
      a.values = [m, sweep](const setting& s) { return sleeper_counts(*m, s.thoroughness, sweep); };
    if (a.name == "priority") a = word_axis("priority", a.line, {"default"});
    if (a.name == "sample") a = word_axis("sample", a.line, {"usual"});
  }
  std::erase_if(e.metrics, [](const metric& one) { return one.name.rfind("calls_per_", 0) == 0; });
  e.metrics.push_back({"bound", "ns", better::neither,
                       "No scheme can have the last sleeper awake before this time: the best broadcast in the postal "
                       "model with the model's costs of a call, of each thread woken and of a wake-up; for the "
                       "broadcast interrupt, a call, an interrupt for each 16 sleepers and a wake-up."});
  e.unavailable = {};
  e.skip = [](const setting& s, const coordinates& at) {
    const wake_row& row = find(at.word("primitive"));
    if (at.find("calls") != nullptr && (at.word("calls") == "one") != row.words.one_call) return true;
    return !s.chosen.contains("primitive") && !row.sleeps && wakes::crowded(s, at);
  };
  e.processors = wakes::distinct_cpus_of;
  return e;
}

}  // namespace

void add_broadcast_interrupt(std::vector<wake_row>& rows) {
  wake_row row = wake_row_of<broadcast_interrupt>("broadcast_interrupt", true);
  row.runtime = "simulator";
  rows.push_back(std::move(row));
}

experiment wake_broadcast(const model_ptr& m) {
  return of_wakes(experiments::wake_broadcast(), m, false, measure_broadcast);
}
experiment wake_groups(const model_ptr& m) { return of_wakes(experiments::wake_groups(), m, true, measure_groups); }

}  // namespace synchro::simulations
