// forkjoin.timeline

#include <algorithm>
#include <utility>

#include "experiments/forkjoin/forkjoin.hpp"
#include "experiments/forkjoin/stage.hpp"
#include "experiments/framework/axes.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using forkjoin::part_played;
using forkjoin::performance;

/// The rounds are odd in number, so that the median one was a real one.
unsigned timeline_rounds_at(level l) { return l == level::quick ? 15 : l == level::standard ? 31 : 201; }

axis timeline_work_axis() {
  return {"work", "time that all the work takes one thread, ns", [](const setting& s) {
            std::vector<coordinate> works{std::int64_t{100'000}};
            if (s.thoroughness == level::full)
              works = {std::int64_t{20'000}, std::int64_t{100'000}, std::int64_t{1'000'000}};
            return works;
          }};
}

void record_parts(repetition& out, const performance& seen) {
  for (std::size_t i = 0; i != seen.parts.size(); ++i) {
    const coordinates thread{{"thread", static_cast<std::int64_t>(i)}};
    const part_played& p = seen.parts[i];
    out.observations.push_back({"trigger", 0, {}, false, thread});
    out.observations.push_back({"wake", p.started, {}, false, thread});
    out.observations.push_back({"done", p.done, {}, false, thread});
  }
}

/// Of the round with the median delay.
repetition timeline_to_repetition(std::vector<performance> rounds) {
  const auto middle = rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2);
  std::nth_element(rounds.begin(), middle, rounds.end(), [](const performance& a, const performance& b) {
    return a.invocation_delay() < b.invocation_delay();
  });
  repetition out;
  out.observations = {{"invocation_delay", middle->invocation_delay()},
                      {"elapsed", middle->ended},
                      {"parallel", middle->parallel()},
                      {"parallel_share", middle->parallel() / middle->ended}};
  if (const auto gap = middle->smallest_gap())
    out.observations.push_back({"gap", *gap});
  else
    out.unavailable["gap"] = "there is only one worker";
  if (const auto together = middle->together()) {
    out.observations.push_back({"parallel_begin", together->from});
    out.observations.push_back({"parallel_end", together->to});
  } else {
    out.unavailable["parallel_begin"] = out.unavailable["parallel_end"] = "no two threads ran at the same moment";
  }
  record_parts(out, *middle);
  return out;
}

repetition timeline_measure(const setting& s, const coordinates& at, std::uint64_t) {
  const auto threads = static_cast<std::size_t>(at.number("threads"));
  const std::vector<double> shares(threads, static_cast<double>(at.number("work")) / static_cast<double>(threads));
  return forkjoin::on_stage(s, at, [shares, n = timeline_rounds_at(s.thoroughness)](forkjoin::stage& here) {
    std::vector<performance> rounds;
    static_cast<void>(here.perform(shares, true));  // the first one is cold
    for (unsigned r = 0; r != n; ++r) rounds.push_back(here.perform(shares, true));
    return timeline_to_repetition(std::move(rounds));
  });
}

std::vector<metric> timeline_metrics() {
  return {{"invocation_delay", "ns", better::lower,
           "From the beginning of the first trigger to the start of the last worker, in the repetition's median round; "
           "all other metrics are of the same round."},
          {"elapsed", "ns", better::lower,
           "From the beginning of the first trigger until the first thread knows that all is done."},
          {"parallel", "ns", better::higher,
           "Time in which two threads or more ran at the same moment, by the clock as each thread read it while it "
           "worked."},
          {"parallel_begin", "ns", better::neither, "The first moment at which two threads or more ran."},
          {"parallel_end", "ns", better::neither, "The last moment at which two threads or more ran."},
          {"parallel_share", "1", better::higher, "`parallel` as a share of `elapsed`."},
          {"gap", "ns", better::neither, "The smallest time between the starts of two workers that follow each other."},
          {"trigger", "ns", better::neither, "The beginning of the first trigger, from which the others count: 0."},
          {"wake", "ns", better::lower,
           "When each thread began its share; `thread` 0 is the one who starts the others: when its call returned."},
          {"done", "ns", better::lower, "When each thread had done its share."}};
}

}  // namespace

experiment forkjoin_timeline() {
  experiment e;
  e.name = "forkjoin.timeline";
  e.line = "one thread starts others and all do equal shares of some work: which thread ran when";
  e.source = "Multi-Threading for Experts: Synchronization, Figures 1 to 5";
  e.axes = {forkjoin::ways_axis(), forkjoin::team_axis(), timeline_work_axis()};
  e.metrics = timeline_metrics();
  e.unavailable = forkjoin::unavailable;
  e.seconds = [](const setting& s, const coordinates& at) {
    return 0.002 + timeline_rounds_at(s.thoroughness) * (1e-4 * static_cast<double>(at.number("threads")) +
                                                         1e-9 * static_cast<double>(at.number("work")));
  };
  e.processors = forkjoin::cpus_of;
  e.measure = timeline_measure;
  present_forkjoin_timeline(e);
  return e;
}

}  // namespace synchro::experiments
