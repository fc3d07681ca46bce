// throttle.sum

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "experiments/framework/axes.hpp"
#include "experiments/framework/finish.hpp"
#include "experiments/throttle/crowd.hpp"
#include "experiments/throttle/slices.hpp"
#include "experiments/throttle/throttle.hpp"
#include "results/experiment_names.hpp"

namespace synchro::experiments {

namespace {

constexpr std::int64_t threads_of_the_article = 64;

std::int64_t cores_of(const setting& s) {
  std::set<unsigned> cores;
  for (const platform::processor& p : s.machine.processors) cores.insert(p.core);
  return static_cast<std::int64_t>(std::max<std::size_t>(1, cores.size()));
}

/// The article's, and the cores, the processors and what lies between the cores and twice as many: nine at most.
std::vector<coordinate> permit_counts(const setting& s) {
  const std::int64_t cores = cores_of(s);
  const auto processors = static_cast<std::int64_t>(std::max<std::size_t>(1, s.machine.processors.size()));
  std::set<std::int64_t> counts{cores, processors, 2 * cores, threads_of_the_article};
  if (s.thoroughness != level::quick) {
    counts.insert({1, 2, 3, 4, 5, 6, 8, 16, 32});
    for (std::int64_t i = 1; i < 8; ++i) counts.insert(cores + cores * i / 8);
  }
  std::vector<coordinate> all{counts.begin(), counts.end()};
  all.emplace_back(std::int64_t{0});
  return all;
}

bool is_pool(const coordinates& at) { return at.word("variant") == "pool"; }

throttle::work work_of(const coordinates& at) {
  const std::string& variant = at.word("variant");
  return variant == "floating" ? throttle::work::floating
         : variant == "memory" ? throttle::work::memory
                               : throttle::work::integer;
}

/// More permits than threads is the same as none; a pool without a size is none. But in full runs, the other kinds of
/// work are measured only where the first one is said to gain and to lose.
bool skip(const setting& s, const coordinates& at) {
  const std::int64_t permits = at.number("permits");
  if (permits > at.number("threads") || (permits == 0 && is_pool(at))) return true;
  if (at.word("variant") == "integer" || s.thoroughness == level::full || s.chosen.contains("permits")) return false;
  std::set<std::int64_t> decisive{cores_of(s), 0};
  if (s.thoroughness == level::standard) decisive.insert(2 * cores_of(s));
  return !decisive.contains(permits);
}

/// How long a slice is here: found out once, on the first processor.
std::optional<double> slice_ns(const setting& s) {
  static const std::optional<double> slice = throttle::watch_slice(s.machine.processors.front().cpu);
  return slice;
}

/// How many slices a thread should run for at least, and about how long at most: a shorter run has fewer.
struct extent {
  double slices, most_ns;
};

extent extent_at(level l) {
  switch (l) {
    case level::quick:
      return {6, 24e6};
    case level::standard:
      return {16, 80e6};
    case level::full:
      break;
  }
  return {60, 1e9};
}

/// What one thread does: so many slices, in whole passes.
struct share {
  std::uint64_t terms, passes;
  double ns;  ///< Alone.
};

share share_of(const setting& s, const coordinates& at) {
  static std::map<throttle::work, double> known;
  const throttle::work kind = work_of(at);
  const std::uint64_t terms = throttle::terms_of(kind, s.machine);
  if (!known.contains(kind)) known[kind] = throttle::time_pass(*throttle::make_part(kind, 0, terms));
  const extent wanted = extent_at(s.thoroughness);
  const double pass_ns = known[kind];
  const auto slice = slice_ns(s);
  const double ns = slice ? std::min(wanted.slices * *slice, wanted.most_ns) : wanted.most_ns;
  const std::uint64_t passes = throttle::round_number(ns / pass_ns);
  return {terms, passes, static_cast<double>(passes) * pass_ns};
}

double seconds(const setting& s, const coordinates& at) {
  const auto threads = static_cast<double>(at.number("threads"));
  double abreast = std::min(threads, static_cast<double>(s.machine.processors.size()));
  if (const std::int64_t permits = at.number("permits"); permits != 0)
    abreast = std::min(abreast, static_cast<double>(permits));
  return 0.005 + threads * share_of(s, at).ns * 1e-9 / abreast;
}

std::optional<std::string> unavailable(const setting& s, const coordinates& at) {
  const std::uint64_t bytes =
      8 * throttle::terms_of(work_of(at), s.machine) * static_cast<std::uint64_t>(at.number("threads"));
  if (work_of(at) == throttle::work::memory && s.machine.usable_memory() != 0 && bytes > s.machine.usable_memory() / 4)
    return "the terms would take more than a quarter of the memory that this process may take";
  return std::nullopt;
}

repetition measure(const setting& s, const coordinates& at, std::uint64_t) {
  const share each = share_of(s, at);
  throttle::crowd_task task;
  task.kind = work_of(at);
  task.parts = static_cast<unsigned>(at.number("threads"));
  task.permits = static_cast<unsigned>(at.number("permits"));
  task.pool = is_pool(at);
  task.terms = each.terms;
  task.passes = each.passes;
  for (const platform::processor& p : s.machine.processors) task.cpus.push_back(p.cpu);
  const auto patience = std::chrono::duration<double>{60 + 20 * seconds(s, at)};
  const auto seen =
      finish_unless_stuck<throttle::crowd_result>(std::chrono::duration_cast<std::chrono::nanoseconds>(patience),
                                                  [task](pulse&) { return throttle::add_up(task); });
  repetition r;
  if (!seen) {
    r.broken = fmt::format("the semaphore lost a wake-up: not all had added up within {:.3g} s", patience.count());
    return r;
  }
  r.broken = seen->broken;
  r.involuntary_switches = static_cast<std::uint64_t>(seen->preemptions.value_or(0));
  r.run_delay_ns = static_cast<std::uint64_t>(seen->run_delay_ns);
  throttle::record(r, *seen, each.ns, slice_ns(s));
  return r;
}

}  // namespace

void throttle::record(repetition& r, const crowd_result& seen, double share_ns, std::optional<double> slice_ns) {
  const auto add = [&](const char* metric, std::optional<double> value, const char* otherwise) {
    if (value)
      r.observations.push_back({metric, *value});
    else
      r.unavailable[metric] = otherwise;
  };
  constexpr const char* not_counted = "the system does not count a thread's context switches";
  const auto slices = slice_ns ? std::optional{share_ns / *slice_ns} : std::nullopt;
  r.observations.push_back({"time", seen.elapsed_ns});
  r.observations.push_back({"share", share_ns});
  add("switches", seen.switches, not_counted);
  add("preemptions", seen.preemptions, not_counted);
  add("slices", slices, "the length of the time slice is unknown");
  if (!slices)
    r.bounded = "whether a part of the sum is long enough to be interrupted is not known";
  else if (*slices < results::experiment_names::throttle_fewest_slices)
    r.bounded = fmt::format(
        "a part of the sum takes {:.2g} time slices of {:.3g} ms: hardly any thread is interrupted, as many are in the "
        "article",
        *slices, *slice_ns * 1e-6);
}

namespace {

std::vector<metric> metrics() {
  return {
      {"time", "ns", better::lower,
       "From before the first thread is created until all have ended and the sum is there. The same work in all "
       "cells of a variant and of a run."},
      {"switches", "1", better::lower, "Context switches of all threads."},
      {"preemptions", "1", better::lower, "Context switches that the scheduler forced on a running thread."},
      {"share", "ns", better::neither, "The time that a part of the sum takes a thread alone, as it was calibrated."},
      {"slices", "1", better::neither,
       "The time of `share` in time slices of the scheduler: how often a thread must be preempted if others want its "
       "processor."}};
}

}  // namespace

experiment throttle_sum() {
  experiment e;
  e.name = "throttle.sum";
  e.line = "64 threads add up a long sum, a semaphore admits n of them at a time: the time for all";
  e.source = "Semaphore throttle";
  e.axes = {word_axis("variant",
                      "integer additions; floating point; terms in memory, beyond the private caches; integers in a "
                      "pool of n threads in place of the semaphore",
                      {"integer", "floating", "memory", "pool"}),
            {"threads", "how many threads, each with a part of the sum",
             [](const setting&) { return std::vector<coordinate>{threads_of_the_article}; }},
            {"permits", "how many threads may add up at a time; 0: all, without a semaphore", permit_counts}};
  e.metrics = metrics();
  e.unavailable = unavailable;
  e.skip = skip;
  e.seconds = seconds;
  // One stands for all: threads hardly meet, so how far apart the processors are does not matter; and repetitions of
  // seconds, sorted by a mode that changes meanwhile, would belong to none.
  e.processors = [](const setting& s, const coordinates&) {
    return std::vector<unsigned>{s.machine.processors.front().cpu};
  };
  e.measure = measure;
  e.repetitions = [](level l) { return l == level::full ? 11U : 6U; };
  present_throttle_sum(e);
  return e;
}

}  // namespace synchro::experiments
