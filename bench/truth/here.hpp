// This machine, and cells of experiments as truth asks for them.

#ifndef SYNCHRO_BENCH_TRUTH_HERE_HPP
#define SYNCHRO_BENCH_TRUTH_HERE_HPP

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "platform/clock.hpp"
#include "platform/placement.hpp"
#include "platform/topology.hpp"

namespace synchro::bench {

/// What a repetition has observed first of a metric; negative if nothing.
inline double named(const experiments::repetition& r, const std::string& metric) {
  for (const experiments::observation& o : r.observations)
    if (o.metric == metric && !r.broken) return o.value;
  return -1;
}

class here {
 public:
  using measured = std::function<double(std::uint64_t seed)>;

  here() {
    setting_.machine = platform::read_topology();
    setting_.thoroughness = experiments::level::quick;
    if (setting_.machine.processors.size() < 2) return;
    pair_ = setting_.machine.pair_at(setting_.machine.distances().front());
    platform::tick_clock::calibrate({pair_->first, pair_->second});
  }

  [[nodiscard]] bool has_two() const { return pair_.has_value(); }
  [[nodiscard]] const experiments::setting& setting() const { return setting_; }
  [[nodiscard]] int one() const { return static_cast<int>(setting_.machine.processors.front().cpu); }
  /// The nearest pair that is not one processor, and how far they are apart.
  [[nodiscard]] const std::optional<std::pair<unsigned, unsigned>>& pair() const { return pair_; }
  [[nodiscard]] std::string far() const { return platform::to_string(setting_.machine.distances().front()); }

  /// Processors for so many threads, close together.
  [[nodiscard]] std::vector<int> team(unsigned threads) const {
    std::vector<int> cpus;
    for (const unsigned cpu : platform::place(setting_.machine, platform::placement::compact, threads))
      cpus.push_back(static_cast<int>(cpu));
    return cpus;
  }

  [[nodiscard]] measured of(const experiments::experiment& e, const experiments::coordinates& at,
                            const std::string& metric) const {
    return [this, e, at, metric](std::uint64_t seed) { return named(e.measure(setting_, at, seed), metric); };
  }
  /// The same, but nothing of what is too short for the clock.
  [[nodiscard]] measured resolved(const experiments::experiment& e, const experiments::coordinates& at,
                                  const std::string& metric) const {
    return [this, e, at, metric](std::uint64_t seed) {
      const experiments::repetition r = e.measure(setting_, at, seed);
      const bool limited = std::any_of(r.observations.begin(), r.observations.end(),
                                       [&](const auto& o) { return o.metric == metric && o.clock_limited; });
      return limited ? -1 : named(r, metric);
    };
  }
  /// Nanoseconds for so much of what the experiment has a rate of.
  [[nodiscard]] measured time_of(const experiments::experiment& e, const experiments::coordinates& at,
                                 const std::string& rate, double much = 1) const {
    return [rate_of = of(e, at, rate), much](std::uint64_t seed) {
      const double value = rate_of(seed);
      return value > 0 ? 1e9 * much / value : -1;
    };
  }

 private:
  experiments::setting setting_;
  std::optional<std::pair<unsigned, unsigned>> pair_;
};

}  // namespace synchro::bench

#endif
