// wake.groups: how many sleepers should share an object?
//
// One repetition sweeps the sizes of a group in random order. From the time of the trigger calls, T(k) = s n/k + t n, it
// takes the cost s of one call and the cost t of each thread woken by it, and from the first wake-up the latency w. What
// theory predicts depends on what a call does, which shows in the starts after one call for all. If they come together,
// a call readies its group before anybody runs: the mean wake time is (s + k t)(n/k + 1)/2 + w, least at
// k = sqrt(n s / t). If they come one every t or slower, the woken start while the call goes on; then a further object
// only costs another s, unless those who share one delay each other by a each: least at k = sqrt(n s / a), or at n. What
// is gained is told without the bias of choosing: the size is chosen by every other trigger, and judged by those between.

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "experiments/framework/axes.hpp"
#include "experiments/wakes/host_run.hpp"
#include "experiments/wakes/wake_cells.hpp"
#include "experiments/wakes/wakes.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using wakes::wake_result;
using wakes::wake_round;
using wakes::wake_task;

bool groups_takes(const wake_row& row, level l) {
  return row.make_groups != nullptr &&
         (l != level::quick || row.kind == primitive_kind::peer || row.name == row.family);
}

std::vector<coordinate> groups_sleeper_counts(const setting& s) {
  const auto cpus = static_cast<std::int64_t>(std::max<std::size_t>(1, s.machine.processors.size()));
  constexpr std::int64_t of_the_article = 11;
  std::set<std::int64_t> counts{of_the_article};
  if (s.thoroughness != level::quick) counts.insert({4 * cpus, 4 * of_the_article});
  if (s.thoroughness == level::full) counts.insert({5, 17, 16 * cpus});
  return {counts.begin(), counts.end()};
}

/// One size of a group in one repetition.
struct size_seen {
  unsigned size;
  double mean, last, first, trigger;
  double mean_of_even, mean_of_odd;  // triggers
};

double median_mean(const wake_result& r, std::size_t from) {
  std::vector<double> values;
  for (std::size_t i = from; i < r.rounds.size(); i += 2) values.push_back(wakes::mean(r.rounds[i].wake_ns));
  return values.empty() ? wakes::mean(r.rounds.front().wake_ns) : results::median(values);
}

size_seen seen_of(unsigned size, const wake_result& r) {
  return {size,
          wakes::median_of(r, [](const wake_round& round) { return wakes::mean(round.wake_ns); }),
          wakes::median_of(r, wakes::last),
          wakes::median_of(r, wakes::first),
          wakes::median_of(r, [](const wake_round& round) { return round.trigger_ns; }),
          median_mean(r, 0),
          median_mean(r, 1)};
}

template <class Get>
const size_seen& least(const std::vector<size_seen>& all, Get get) {
  return *std::min_element(all.begin(), all.end(),
                           [&](const size_seen& a, const size_seen& b) { return get(a) < get(b); });
}

struct costs {
  double call, thread;
};

/// The straight line through the trigger's time by the number of objects, by least squares.
costs costs_of(const std::vector<size_seen>& all, unsigned sleepers) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const size_seen& one : all) {
    const double objects = std::ceil(static_cast<double>(sleepers) / one.size);
    n += 1, x += objects, y += one.trigger, xx += objects * objects, xy += objects * one.trigger;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return {slope, (y - slope * x) / n / sleepers};
}

void record_sizes(repetition& out, const std::vector<size_seen>& all) {
  for (const size_seen& one : all) {
    const coordinates within{{"group", static_cast<std::int64_t>(one.size)}};
    out.observations.push_back({"wake_mean", one.mean, {}, false, within});
    out.observations.push_back({"wake_last", one.last, {}, false, within});
    out.observations.push_back({"trigger", one.trigger, {}, false, within});
  }
}

void record_best(repetition& out, const std::vector<size_seen>& all) {
  const size_seen& best = least(all, [](const size_seen& one) { return one.mean; });
  const size_seen& chosen = least(all, [](const size_seen& one) { return one.mean_of_even; });
  out.observations.push_back({"wake_best", best.mean});
  out.observations.push_back({"best_group", static_cast<double>(best.size)});
  out.observations.push_back(
      {"best_group_last", static_cast<double>(least(all, [](const size_seen& one) { return one.last; }).size)});
  out.observations.push_back({"gain", std::min(all.front().mean_of_odd, all.back().mean_of_odd) / chosen.mean_of_odd});
}

void record_theory(repetition& out, const std::vector<size_seen>& all, unsigned sleepers, bool helped) {
  const std::vector<const char*> names{"call_cost", "thread_cost", "latency", "predicted_group", "flat_limit"};
  const auto leave = [&](const std::string& why) {
    for (const char* name : names) out.unavailable.emplace(name, why);
  };
  if (helped) return leave("woken threads wake others, so the time of the trigger does not show what a thread costs");
  if (all.size() < 2)
    return leave("the sleepers are not in groups, so the cost of a call cannot be separated from that of a thread");
  const costs c = costs_of(all, sleepers);
  if (c.call <= 0 || c.thread <= 0)
    return leave("the trigger's time does not grow with the calls and the threads: too noisy, or not so here");
  const size_seen& one_call = all.back();
  const double each_start = (one_call.last - one_call.first) / std::max(1U, sleepers - 1);  // after the one before it
  const double delay = each_start < c.thread / 2 ? c.thread : each_start - c.thread;
  const double most = sleepers;
  const double latency = std::max(0.0, all.front().first - c.call - c.thread);
  const double predicted = delay <= 0 ? most : std::clamp(std::sqrt(most * c.call / delay), 1.0, most);
  out.observations.push_back({"call_cost", c.call});
  out.observations.push_back({"thread_cost", c.thread});
  out.observations.push_back({"latency", latency});
  out.observations.push_back({"predicted_group", predicted});
  out.observations.push_back({"flat_limit", 1 + latency / c.thread});
}

wake_task groups_task_of(const setting& s, const coordinates& at) {
  wake_task task;
  task.sleepers = static_cast<unsigned>(at.number("threads"));
  task.cpus = wakes::cpus_of(s, at);
  task.triggers = s.thoroughness == level::quick ? 12 : s.thoroughness == level::standard ? 30 : 200;
  task.budget_ns = s.thoroughness == level::quick ? 15e6 : s.thoroughness == level::standard ? 100e6 : 1e9;
  return task;
}

repetition groups_measure(const setting& s, const coordinates& at, std::uint64_t seed) {
  const wake_row& row = find_wake(at.word("primitive"));
  const wake_task task = groups_task_of(s, at);
  std::vector<unsigned> order = wakes::group_sizes(task.sleepers);
  std::shuffle(order.begin(), order.end(), std::mt19937_64{seed});
  return wakes::sweep_groups(task, order, row.family == "cascade",
                             [&row](const wake_task& one) { return wakes::run_on_host(row, one); });
}

double groups_seconds(const setting& s, const coordinates& at) {
  const wake_task task = groups_task_of(s, at);
  const double n = task.sleepers;
  double round_ns = 60e3 + 30e3 * n;
  if (!find_wake(at.word("primitive")).sleeps && wakes::crowded(s, at))
    round_ns = 3e6 * n / static_cast<double>(s.machine.processors.size());
  const double one = 1e6 + 1e5 * n + std::min(task.triggers * round_ns, task.budget_ns + round_ns);
  return one * static_cast<double>(wakes::group_sizes(task.sleepers).size()) * 1e-9;
}

std::vector<metric> groups_metrics() {
  return {
      {"wake_best", "ns", better::lower, "Mean wake time with the best size of a group, of this repetition."},
      {"best_group", "1", better::neither,
       "The size with the least mean wake time; of the cascade: how many others each woken thread wakes at most."},
      {"predicted_group", "1", better::neither,
       "What theory says the best size is, from s, t and the starts after one call for all: the square root of n s/t "
       "if "
       "they come together, else of n s/a, a being what those who share an object delay each other by; n at most."},
      {"best_group_last", "1", better::neither, "The size with which the last sleeper wakes earliest."},
      {"gain", "1", better::higher,
       "Mean wake time with one object for all or one for each, whichever is less, divided by that with the best size, "
       "which was chosen by every other trigger and is judged by those between."},
      {"call_cost", "ns", better::lower, "s: what one more call adds to the trigger."},
      {"thread_cost", "ns", better::lower, "t: what one more sleeper adds to the trigger."},
      {"latency", "ns", better::lower, "w: the first wake-up, with an object for each, less s and t."},
      {"flat_limit", "1", better::neither,
       "1 + w/t: up to so many sleepers nothing beats waking them one after another, with processors for all."},
      {"wake_mean", "ns", better::lower, "Mean wake time by the size of a `group`."},
      {"wake_last", "ns", better::lower, "Wake time of the last sleeper by the size of a `group`."},
      {"trigger", "ns", better::lower, "The trigger's own time by the size of a `group`."}};
}

}  // namespace

std::vector<unsigned> wakes::group_sizes(unsigned sleepers) {
  std::set<unsigned> all{sleepers};
  for (unsigned k = 1; k < sleepers; k += k < 6 ? 1 : k / 2) all.insert(k);
  return {all.begin(), all.end()};
}

repetition wakes::sweep_groups(wake_task task, const std::vector<unsigned>& order, bool helped,
                               const std::function<wake_result(const wake_task&)>& run) {
  repetition out;
  std::vector<size_seen> all;
  for (const unsigned size : order) {
    task.group = size;
    const wake_result seen = run(task);
    add_to(out, seen);
    if (out.broken) return out;
    if (!seen.rounds.empty()) all.push_back(seen_of(size, seen));
  }
  std::sort(all.begin(), all.end(), [](const size_seen& a, const size_seen& b) { return a.size < b.size; });
  record_best(out, all);
  record_sizes(out, all);
  record_theory(out, all, task.sleepers, helped);
  return out;
}

experiment wake_groups() {
  experiment e;
  e.name = "wake.groups";
  e.line = "how many sleepers should share an object: the best size of a group, beside what theory predicts";
  e.source = "Comparing synchronization methods on Windows, its open questions";
  e.axes = {primitive_axis(groups_takes),
            {"threads", "number of sleepers; the waker comes on top", groups_sleeper_counts},
            {"placement", "where the threads run: close together, far apart, or as the scheduler likes",
             [](const setting& s) {
               return s.thoroughness == level::full ? std::vector<coordinate>{"compact", "spread", "unpinned"}
                                                    : std::vector<coordinate>{"compact"};
             }}};
  e.metrics = groups_metrics();
  e.unavailable = wakes::unavailable_of;
  e.skip = [](const setting& s, const coordinates& at) {
    // Spinning in a crowd is a matter of time slices, whatever the groups.
    return !s.chosen.contains("primitive") && !find_wake(at.word("primitive")).sleeps && wakes::crowded(s, at);
  };
  e.seconds = groups_seconds;
  e.processors = wakes::distinct_cpus_of;
  e.measure = groups_measure;
  e.repetitions = wakes::repetitions;
  present_wake_groups(e);
  return e;
}

}  // namespace synchro::experiments
