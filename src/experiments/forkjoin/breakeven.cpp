// forkjoin.breakeven

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "experiments/forkjoin/bisection.hpp"
#include "experiments/forkjoin/forkjoin.hpp"
#include "experiments/forkjoin/stage.hpp"
#include "experiments/framework/axes.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using forkjoin::bracket;

constexpr double shortest_ns = 500;
constexpr double longest_ns = 20e6;

unsigned breakeven_rounds_at(level l) { return l == level::quick ? 7 : l == level::standard ? 11 : 41; }

/// Whether work of that length is done sooner by all than by one: medians of rounds that take turns. Of long work a delay
/// is a small part, and luck would decide; so the gain must be clear at twice the length, where a delay that just pays
/// leaves 4/3 with two processors and more with more.
class trial_of_length {
 public:
  trial_of_length(forkjoin::stage& here, std::size_t threads, unsigned rounds)
      : here_{here}, threads_{threads}, rounds_{rounds} {}

  bool pays(double work_ns) {
    const outcome seen = try_out(work_ns);
    delay_ = seen.delay;
    return seen.gain > 1 && try_out(2 * work_ns).gain > clear_gain;
  }
  /// In the trial before.
  [[nodiscard]] double delay() const { return delay_; }

 private:
  static constexpr double clear_gain = 1.1;

  struct outcome {
    double gain, delay;
  };

  outcome try_out(double work_ns) {
    const std::vector<double> shares(threads_, work_ns / static_cast<double>(threads_));
    std::vector<double> one;
    std::vector<double> all;
    std::vector<double> delays;
    for (unsigned r = 0; r != rounds_; ++r) {
      const forkjoin::performance seen = here_.perform(shares);
      all.push_back(seen.ended);
      delays.push_back(seen.invocation_delay());
      one.push_back(forkjoin::alone(work_ns));
    }
    return {results::median(one) / results::median(all), results::median(delays)};
  }

  forkjoin::stage& here_;
  std::size_t threads_;
  unsigned rounds_;
  double delay_ = 0;
};

/// Threads that share one processor do nothing sooner together.
std::optional<std::string> unavailable(const setting& s, const coordinates& at) {
  if (forkjoin::cpus_of(s, at).size() < 2) return "not available here: on one processor dividing work never pays";
  return forkjoin::unavailable(s, at);
}

repetition breakeven_to_repetition(const std::optional<bracket>& found, double delay, std::size_t threads) {
  repetition out;
  out.observations = {{"invocation_delay", delay}};
  if (!found) {
    for (const char* metric : {"breakeven", "not_up_to", "pays_from", "per_thread"})
      out.unavailable[metric] = "dividing the work did not pay up to 20 ms of it";
    return out;
  }
  const double middle = found->no == 0 ? found->yes : std::sqrt(found->no * found->yes);
  out.observations.push_back({"breakeven", middle});
  out.observations.push_back({"not_up_to", found->no});
  out.observations.push_back({"pays_from", found->yes});
  out.observations.push_back({"per_thread", middle / static_cast<double>(threads)});
  return out;
}

repetition breakeven_measure(const setting& s, const coordinates& at, std::uint64_t) {
  const auto threads = static_cast<std::size_t>(at.number("threads"));
  return forkjoin::on_stage(s, at, [threads, rounds = breakeven_rounds_at(s.thoroughness)](forkjoin::stage& here) {
    trial_of_length trial{here, threads, rounds};
    const auto found = forkjoin::bisect(shortest_ns, longest_ns, [&](double work) { return trial.pays(work); });
    return breakeven_to_repetition(found, trial.delay(), threads);
  });
}

std::vector<metric> breakeven_metrics() {
  return {
      {"breakeven", "ns", better::lower,
       "The sequential time, that is what all the work takes one thread, from which on dividing it equally is done "
       "sooner: the geometric middle of the bracket that bisection ends with."},
      {"not_up_to", "ns", better::lower, "The lower end of the bracket: so much did not pay."},
      {"pays_from", "ns", better::lower, "The upper end of the bracket: so much did."},
      {"per_thread", "ns", better::lower, "The break-even time divided by the threads, as the article's rule has it."},
      {"invocation_delay", "ns", better::lower,
       "From the beginning of the first trigger to the start of the last worker, median in the last step of the "
       "bisection."}};
}

}  // namespace

experiment forkjoin_breakeven() {
  experiment e;
  e.name = "forkjoin.breakeven";
  e.line = "the smallest sequential time that is worth dividing, by bisection, for each way of starting threads";
  e.source = "Multi-Threading for Experts: Synchronization, the rule of 50 us";
  e.axes = {forkjoin::ways_axis(), forkjoin::team_axis()};
  e.metrics = breakeven_metrics();
  e.unavailable = unavailable;
  e.seconds = [](const setting& s, const coordinates& at) {
    return 0.002 + breakeven_rounds_at(s.thoroughness) * (0.03 + 25 * 1e-4 * static_cast<double>(at.number("threads")));
  };
  e.processors = forkjoin::cpus_of;
  e.measure = breakeven_measure;
  present_forkjoin_breakeven(e);
  return e;
}

}  // namespace synchro::experiments
