// forkjoin.balance

#include <algorithm>
#include <utility>

#include "experiments/forkjoin/forkjoin.hpp"
#include "experiments/forkjoin/stage.hpp"
#include "experiments/framework/axes.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

unsigned balance_rounds_at(level l) { return l == level::quick ? 15 : l == level::standard ? 31 : 201; }

axis balance_work_axis() {
  return {"work", "time that all the work takes one thread, ns", [](const setting& s) {
            if (s.thoroughness == level::quick) return std::vector<coordinate>{std::int64_t{100'000}};
            return std::vector<coordinate>{std::int64_t{50'000}, std::int64_t{200'000}, std::int64_t{1'000'000}};
          }};
}

/// How late each thread is with equal shares: medians. Of the one who starts the others: what the starting takes him.
std::vector<double> lags_of(forkjoin::stage& here, const std::vector<double>& equal, unsigned rounds) {
  std::vector<std::vector<double>> starts(equal.size());
  for (unsigned r = 0; r != rounds; ++r) {
    const forkjoin::performance seen = here.perform(equal);
    for (std::size_t i = 0; i != equal.size(); ++i) starts[i].push_back(seen.parts[i].started);
  }
  std::vector<double> lags;
  for (const std::vector<double>& s : starts) lags.push_back(results::median(s));
  return lags;
}

/// Rounds with equal and with cut shares take turns.
repetition compare(forkjoin::stage& here, double work, std::size_t threads, unsigned rounds) {
  const std::vector<double> equal(threads, work / static_cast<double>(threads));
  const std::vector<double> lags = lags_of(here, equal, rounds);
  const std::vector<double> cut = forkjoin::cut_shares(work, lags);
  std::vector<double> gains;
  std::vector<double> with_equal;
  std::vector<double> with_cut;
  for (unsigned r = 0; r != rounds; ++r) {
    with_equal.push_back(here.perform(equal).ended);
    with_cut.push_back(here.perform(cut).ended);
    gains.push_back(with_equal.back() / with_cut.back());
  }
  repetition out;
  out.observations = {{"gain", results::median(gains)},
                      {"equal", results::median(with_equal)},
                      {"cut", results::median(with_cut)},
                      {"lag", *std::max_element(lags.begin(), lags.end())}};
  return out;
}

repetition balance_measure(const setting& s, const coordinates& at, std::uint64_t) {
  const auto threads = static_cast<std::size_t>(at.number("threads"));
  const auto work = static_cast<double>(at.number("work"));
  return forkjoin::on_stage(s, at, [=, rounds = balance_rounds_at(s.thoroughness)](forkjoin::stage& here) {
    return compare(here, work, threads, rounds);
  });
}

std::vector<metric> balance_metrics() {
  return {
      {"gain", "1", better::higher,
       "Time with equal shares over time with shares cut to each thread's lag, of rounds that take turns: median of "
       "the ratios of neighbours. 1 is no gain."},
      {"equal", "ns", better::lower, "From the first trigger until all is done, with equal shares."},
      {"cut", "ns", better::lower, "The same with shares cut so that all threads should end together."},
      {"lag", "ns", better::lower, "How late the last thread starts, as measured before with equal shares."}};
}

}  // namespace

experiment forkjoin_balance() {
  experiment e;
  e.name = "forkjoin.balance";
  e.line = "the same work with equal shares and with shares cut to each thread's measured lag";
  e.source = "Multi-Threading for Experts: Synchronization, its advice on lagging threads";
  e.axes = {forkjoin::ways_axis(), forkjoin::team_axis(), balance_work_axis()};
  e.metrics = balance_metrics();
  e.unavailable = forkjoin::unavailable;
  e.seconds = [](const setting& s, const coordinates& at) {
    return 0.002 +
           3 * balance_rounds_at(s.thoroughness) *
               (1e-4 * static_cast<double>(at.number("threads")) + 1e-9 * static_cast<double>(at.number("work")));
  };
  e.processors = forkjoin::cpus_of;
  e.measure = balance_measure;
  present_forkjoin_balance(e);
  return e;
}

}  // namespace synchro::experiments
