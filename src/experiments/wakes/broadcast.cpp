// wake.broadcast

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "experiments/framework/axes.hpp"
#include "experiments/wakes/calls.hpp"
#include "experiments/wakes/host_run.hpp"
#include "experiments/wakes/wake_cells.hpp"
#include "experiments/wakes/wakes.hpp"
#include "measure/timing.hpp"
#include "platform/scheduling.hpp"
#include "platform/timer.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using wakes::wake_result;
using wakes::wake_round;
using wakes::wake_task;

constexpr std::int64_t sleepers_of_the_article = 11;

/// Quick runs leave out the spinning variants of our own, but for one.
bool broadcast_takes(const wake_row& row, level l) {
  return l != level::quick || row.kind == primitive_kind::peer || row.name == row.family || row.name == "event/spin";
}

std::vector<coordinate> broadcast_sleeper_counts(const setting& s) {
  const auto cpus = static_cast<std::int64_t>(std::max<std::size_t>(1, s.machine.processors.size()));
  std::set<std::int64_t> counts{1, 2, 4 * cpus};
  if (s.thoroughness != level::quick) counts.insert({cpus, 2 * cpus, sleepers_of_the_article});
  if (s.thoroughness == level::full)
    for (std::int64_t n = 1; n <= 32 * cpus; n *= 2) counts.insert(n);
  return {counts.begin(), counts.end()};
}

axis levels_axis(std::string name, std::string line, std::vector<coordinate> quick, std::vector<coordinate> standard,
                 std::vector<coordinate> full) {
  return {std::move(name), std::move(line), [=](const setting& s) {
            return s.thoroughness == level::quick ? quick : s.thoroughness == level::standard ? standard : full;
          }};
}

/// Only where the system can be asked: elsewhere cells have no such coordinate.
axis timer_axis() {
  axis a = levels_axis("timer", "the period that the system's timer is asked for, ms; 0: as it is", {std::int64_t{0}},
                       {std::int64_t{0}, std::int64_t{1}}, {std::int64_t{0}, std::int64_t{1}});
  a.refuses = [](const setting&, const coordinate& value) -> std::optional<std::string> {
    const auto* const ms = std::get_if<std::int64_t>(&value);
    if (ms != nullptr && *ms >= 0 && *ms <= 1'000'000) return std::nullopt;
    return "timer takes milliseconds up to 1000000, not '" + results::to_string(value) + "'";
  };
  return a;
}

unsigned timer_of(const coordinates& at) {
  return at.find("timer") == nullptr ? 0 : static_cast<unsigned>(at.number("timer"));
}

std::vector<axis> axes() {
  std::vector<axis> all{
      primitive_axis(broadcast_takes),
      {"threads", "number of sleepers; the waker comes on top", broadcast_sleeper_counts},
      word_axis("calls", "one call that releases all, or a call for each sleeper", {"one", "each"}),
      levels_axis("placement", "where the threads run: close together, far apart, or as the scheduler likes",
                  {"compact"}, {"compact", "unpinned"}, {"compact", "spread", "unpinned"}),
      levels_axis("priority",
                  "priority of all threads: as the program was started; raised by two steps, which keeps no other "
                  "program from running; "
                  "real-time, as high as it may be",
                  {"default"}, {"default", "raised", "realtime"}, {"default", "raised", "realtime"}),
      levels_axis("sample", "how many triggers: usual, as the level has it, or the 32,000 of the article", {"usual"},
                  {"usual", "article"}, {"usual", "article"})};
  if (platform::takes_timer_periods()) all.push_back(timer_axis());
  return all;
}

std::vector<metric> broadcast_metrics() {
  return {
      {"wake_mean", "ns", better::lower,
       "From before the trigger call to a sleeper's first instruction after its wait, the mean over the sleepers; the "
       "median over the triggers. Quantiles are those of all single wake-ups."},
      {"wake_first", "ns", better::lower, "The same for the first sleeper to wake."},
      {"wake_last", "ns", better::lower, "The same for the last: the delay after which all have started."},
      {"spread", "ns", better::lower, "From the start of the first sleeper to that of the last."},
      {"gap", "ns", better::neither, "The smallest time between the starts of two sleepers that follow each other."},
      {"trigger", "ns", better::lower, "What the trigger call takes, or all of its calls together."},
      {"wake_of_thread", "ns", better::lower, "The wake time of each sleeper; `thread` is its number, from 0."},
      {"wake_of_order", "ns", better::lower, "The wake time of the first to wake, the second, ...: `order`, from 1."},
      {"triggers", "1", better::neither, "Triggers in one repetition."},
      {"cpu_time", "ns", better::lower, "Processor time that a sleeper takes from the begin of its wait to its end."},
      {"cpu_share", "1", better::lower, "That time as a share of the wait: 1 is a processor burnt, 0 is sleep."},
      {"switches", "1", better::lower, "Context switches of a sleeper in one wait."},
      {"calls_per_trigger", "1", better::lower,
       "System calls in one trigger, by the name of the `call`; counted in a traced process of its own."},
      {"calls_per_wake", "1", better::lower, "System calls of a sleeper in one wait, counted likewise."}};
}

/// "each" is measured where it is another thing than "one", and with several sleepers.
bool skip_calls(const setting& s, const coordinates& at, const wake_row& row) {
  if (at.word("calls") == "one") return !row.words.one_call;
  if (!row.words.one_call) return false;
  return !row.has_each || (at.number("threads") == 1 && !s.chosen.contains("calls"));
}

bool is_article(const coordinates& at) { return at.find("sample") != nullptr && at.word("sample") == "article"; }

/// The article's cells: its sleepers, not pinned, at the priority they were started with. A minute for each primitive is
/// too much for more.
bool skip_sample(const setting& s, const coordinates& at) {
  if (!is_article(at) || s.chosen.contains("sample")) return false;
  return at.number("threads") != sleepers_of_the_article || at.word("placement") != "unpinned" ||
         at.word("priority") != "default";
}

/// Another timer is tried on the article's threads alone.
bool skip_timer(const setting& s, const coordinates& at) {
  if (timer_of(at) == 0 || s.chosen.contains("timer")) return false;
  return is_article(at) || at.word("placement") != "unpinned" || at.word("priority") != "default";
}

bool skip(const setting& s, const coordinates& at) {
  if (skip_calls(s, at, find_wake(at.word("primitive"))) || skip_sample(s, at) || skip_timer(s, at)) return true;
  if (s.chosen.contains("placement") || s.chosen.contains("priority")) return false;
  if (at.word("placement") == "spread" && s.machine.processors.size() <= 2) return true;  // the same as compact
  return s.thoroughness != level::full && at.word("priority") != "default" && at.word("placement") != "compact";
}

wakes::urgency priority_of(const coordinates& at) {
  const std::string& word = at.word("priority");
  return word == "realtime" ? wakes::urgency::highest
         : word == "raised" ? wakes::urgency::raised
                            : wakes::urgency::usual;
}

/// What raising the priority comes to.
const platform::priority_outcome& tried(wakes::urgency how) {
  static std::map<wakes::urgency, platform::priority_outcome> known;
  const auto [place, is_new] = known.try_emplace(how);
  if (is_new) place->second = platform::raised_priority{how}.outcome();
  return place->second;
}

std::optional<std::string> broadcast_unavailable(const setting& s, const coordinates& at) {
  if (auto why = wakes::unavailable_of(s, at)) return why;
  if (const unsigned ms = timer_of(at); ms != 0 && !s.untried)
    if (const platform::timer_period tried{ms}; tried.refusal()) return "not available here: " + *tried.refusal();
  const wakes::urgency how = priority_of(at);
  if (how == wakes::urgency::usual || s.untried) return std::nullopt;
  if (tried(how).granted == "default") {
    std::string why = tried(how).warning.value_or("the system grants no higher priority");
    why.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(why.front())));
    return "not available here: " + why;
  }
  if (how == wakes::urgency::highest && !find_wake(at.word("primitive")).sleeps && wakes::crowded(s, at))
    return "threads that spin at real-time priority would keep each other from running";
  return std::nullopt;
}

wake_task broadcast_task_of(const setting& s, const coordinates& at) {
  wake_task task;
  task.sleepers = static_cast<unsigned>(at.number("threads"));
  task.cpus = wakes::cpus_of(s, at);
  task.each = at.word("calls") == "each";
  task.priority = priority_of(at);
  task.triggers = s.thoroughness == level::quick ? 20 : s.thoroughness == level::standard ? 50 : 200;
  task.budget_ns = s.thoroughness == level::quick ? 20e6 : s.thoroughness == level::standard ? 100e6 : 1e9;
  if (is_article(at)) {
    constexpr unsigned all = 32'000;
    const unsigned parts = wakes::repetitions(s.thoroughness);
    task.triggers = (all + parts - 1) / parts;
    task.budget_ns = 30e9;
  }
  return task;
}

double broadcast_seconds(const setting& s, const coordinates& at) {
  const wake_task task = broadcast_task_of(s, at);
  const double n = task.sleepers;
  double round_ns = 60e3 + 30e3 * n;
  if (!find_wake(at.word("primitive")).sleeps && wakes::crowded(s, at))
    round_ns = 3e6 * n / static_cast<double>(s.machine.processors.size());  // slices of those that spin
  return (1e6 + 1e5 * n + std::min(task.triggers * round_ns, task.budget_ns + round_ns)) * 1e-9;
}

double smallest_gap(const wake_round& r) {
  std::vector<double> in_order = r.wake_ns;
  std::sort(in_order.begin(), in_order.end());
  double least = in_order.back() - in_order.front();
  for (std::size_t i = 1; i < in_order.size(); ++i) least = std::min(least, in_order[i] - in_order[i - 1]);
  return least;
}

void record_sleepers(repetition& out, const wake_result& seen) {
  const std::size_t n = seen.rounds.front().wake_ns.size();
  std::vector<std::vector<double>> by_thread(n);
  std::vector<std::vector<double>> by_order(n);
  for (const wake_round& r : seen.rounds) {
    std::vector<double> in_order = r.wake_ns;
    std::sort(in_order.begin(), in_order.end());
    for (std::size_t i = 0; i != n; ++i) {
      by_thread[i].push_back(r.wake_ns[i]);
      by_order[i].push_back(in_order[i]);
    }
  }
  for (std::size_t i = 0; i != n; ++i) {
    const auto number = static_cast<std::int64_t>(i);
    out.observations.push_back(
        {"wake_of_thread", results::median(by_thread[i]), {}, false, coordinates{{"thread", number}}});
    out.observations.push_back(
        {"wake_of_order", results::median(by_order[i]), {}, false, coordinates{{"order", number + 1}}});
  }
}

void record_team(repetition& out, const wake_result& seen) {
  if (seen.rounds.front().wake_ns.size() == 1) {
    out.unavailable["spread"] = out.unavailable["gap"] = "there is only one sleeper";
  } else {
    out.observations.push_back(
        {"spread", wakes::median_of(seen, [](const wake_round& r) { return wakes::last(r) - wakes::first(r); })});
    out.observations.push_back({"gap", wakes::median_of(seen, smallest_gap)});
  }
  record_sleepers(out, seen);
}

void record_calls(repetition& out, const wakes::call_counts& counted) {
  for (const auto& [metric, calls] :
       {std::pair{"calls_per_trigger", &counted.per_trigger}, std::pair{"calls_per_wake", &counted.per_wake}}) {
    for (const auto& [call, n] : *calls)
      out.observations.push_back({metric, n, {}, false, coordinates{{"call", call}}});
    if (calls->empty()) out.unavailable[metric] = counted.unknown.value_or("none was made");
  }
}

/// Of what the system does not count there is no number, nor of what is shorter than its count tells.
void record_usage(repetition& out, const wake_result& seen) {
  constexpr double enough_steps = 50;
  if (seen.waits == 0) return;
  const auto add = [&](const char* metric, double value) {
    if (std::isnan(value))
      out.unavailable[metric] = "the system does not count it for a thread";
    else
      out.observations.push_back({metric, value});
  };
  if (seen.wall_ns < enough_steps * seen.cpu_step_ns) {
    out.unavailable["cpu_time"] = out.unavailable["cpu_share"] =
        fmt::format("the system counts processor time in steps of {:.3g} ms, and all waits together took {:.3g} ms",
                    seen.cpu_step_ns * 1e-6, seen.wall_ns * 1e-6);
  } else {
    add("cpu_time", seen.cpu_ns / seen.waits);
    add("cpu_share", seen.cpu_ns / seen.wall_ns);
  }
  add("switches", seen.switches / seen.waits);
}

repetition broadcast_measure(const setting& s, const coordinates& at, std::uint64_t) {
  const wake_row& row = find_wake(at.word("primitive"));
  const wake_task task = broadcast_task_of(s, at);
  const platform::timer_period timer{timer_of(at)};
  const wake_result seen = wakes::run_on_host(row, task);
  repetition out;
  wakes::add_to(out, seen);
  if (out.broken || seen.rounds.empty()) return out;
  wakes::record_broadcast(out, seen, measure::too_short_for_the_clock);
  record_calls(out, wakes::calls_of(row, task.sleepers, task.each));
  if (seen.rounds.size() < task.triggers)
    out.bounded = "bounded by time: at least one repetition made only " + std::to_string(seen.rounds.size()) + " of " +
                  std::to_string(task.triggers) + " triggers";
  return out;
}

}  // namespace

void wakes::record_broadcast(repetition& out, const wake_result& seen, bool (*too_short)(double)) {
  std::vector<double> all;
  for (const wake_round& r : seen.rounds) all.insert(all.end(), r.wake_ns.begin(), r.wake_ns.end());
  out.observations.push_back({"wake_mean",
                              wakes::median_of(seen, [](const wake_round& r) { return wakes::mean(r.wake_ns); }),
                              measure::tail_quantiles(all)});
  out.observations.push_back({"wake_first", wakes::median_of(seen, wakes::first)});
  out.observations.push_back({"wake_last", wakes::median_of(seen, wakes::last)});
  const double trigger = wakes::median_of(seen, [](const wake_round& r) { return r.trigger_ns; });
  out.observations.push_back({"trigger", trigger, {}, too_short(trigger)});
  out.observations.push_back({"triggers", static_cast<double>(seen.rounds.size())});
  record_team(out, seen);
  record_usage(out, seen);
}

experiment wake_broadcast() {
  experiment e;
  e.name = "wake.broadcast";
  e.line = "one thread wakes n sleepers: the trigger's own time, when each of them starts, and what their waiting cost";
  e.source = "Comparing synchronization methods on Windows; Multi-Threading for Experts";
  e.axes = axes();
  e.metrics = broadcast_metrics();
  e.unavailable = broadcast_unavailable;
  e.skip = skip;
  e.seconds = broadcast_seconds;
  e.processors = wakes::distinct_cpus_of;
  e.once = [](const setting& s, const coordinates& at) {
    const wake_task task = broadcast_task_of(s, at);
    (void)wakes::calls_of(find_wake(at.word("primitive")), task.sleepers, task.each);
  };
  e.measure = broadcast_measure;
  e.repetitions = wakes::repetitions;
  present_wake_broadcast(e);
  return e;
}

}  // namespace synchro::experiments
