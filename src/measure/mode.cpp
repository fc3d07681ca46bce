#include "measure/mode.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>

#include "measure/host.hpp"
#include "statistics/statistics.hpp"

namespace synchro::measure {

namespace {

/// A ping-pong on one line. The word counts the strokes: the server makes the odd ones, the other the even ones.
class table {
 public:
  explicit table(double budget_us) : budget_us_{budget_us} { one_way_ns_.reserve(1024); }

  /// Rounds of strokes until the budget is used up, and longer if they are slow, or the other does not answer.
  void serve() {
    const std::uint64_t start = host::now();
    std::uint32_t stroke = 0;
    for (double spent_us = 0; spent_us < budget_us_ || (one_way_ns_.size() < enough && spent_us < 20 * budget_us_);
         spent_us = host::to_ns(host::now() - start) / 1000) {
      const std::uint64_t round_start = host::now();
      for (unsigned i = 0; i < exchanges; ++i) {
        word_.store(++stroke, memory_order::release);
        if (!arrives(++stroke)) return stop();
      }
      one_way_ns_.push_back(host::to_ns(host::now() - round_start) / (2.0 * exchanges));
    }
    stop();
  }

  void play_back() {
    for (std::uint32_t stroke = 1; arrives(stroke); stroke += 2) word_.store(stroke + 1, memory_order::release);
  }

  /// The median round, if there were enough.
  [[nodiscard]] std::optional<double> one_way_ns() const {
    if (one_way_ns_.size() < enough) return std::nullopt;
    return results::median(one_way_ns_);
  }

 private:
  static constexpr unsigned exchanges = 25;
  static constexpr std::size_t enough = 5;
  static constexpr std::uint32_t stopped = 0xffff'ffff;
  static constexpr std::chrono::milliseconds patience{10};

  /// False if the game is over, or the other did not move for long. A clock in the loop would be part of what is
  /// measured, so it is asked only after many looks.
  bool arrives(std::uint32_t stroke) {
    const auto content = [=](std::uint32_t seen) {
      return seen == stroke || seen == stopped ? look::done() : look::retry(0);
    };
    std::optional<hardware::deadline> give_up;
    for (;;) {
      const auto seen = hardware::await_until(word_, memory_order::acquire, content, looks{20'000});
      if (seen) return *seen == stroke;
      if (!give_up) give_up = hardware::clock::now() + patience;
      if (hardware::expired(*give_up)) return false;
    }
  }

  void stop() { word_.store(stopped, memory_order::release); }

  alignas(2 * cpu::cache_line) std::atomic<std::uint32_t> word_{0};
  alignas(2 * cpu::cache_line) double budget_us_;  // the server's own from here on
  std::vector<double> one_way_ns_;
};

using results::modes_apart;
constexpr double together = 1.15;  // probes of one mode that are a crowd
const double margin = std::sqrt(modes_apart);

/// The values that have company: those with at least 3 % of all values, and two, within a factor of `together`. All of
/// them if none has.
std::vector<double> crowds(const std::vector<double>& sorted) {
  const std::size_t enough = std::max<std::size_t>(2, (3 * sorted.size() + 99) / 100);
  std::vector<double> kept;
  for (const double v : sorted) {
    const auto first = std::lower_bound(sorted.begin(), sorted.end(), v / together);
    const auto last = std::upper_bound(first, sorted.end(), v * together);
    if (static_cast<std::size_t>(last - first) >= enough) kept.push_back(v);
  }
  return kept.empty() ? sorted : kept;
}

std::string mode_name(std::size_t index) {
  if (index == 0) return "near";
  return index == 1 ? "far" : "far" + std::to_string(index);
}

}  // namespace

std::optional<double> probe_pair(unsigned a, unsigned b, double budget_us) {
  if (a == b) return std::nullopt;
  table game{budget_us};
  try {
    const team_report report = host::team({a, b}, 2, [&](unsigned i) { i == 0 ? game.serve() : game.play_back(); });
    if (!report.unpinned.empty()) return std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;  // no threads to be had: then there is no probe
  }
  return game.one_way_ns();
}

mode_map::mode_map(std::span<const double> probes) {
  std::vector<double> sorted;
  std::copy_if(probes.begin(), probes.end(), std::back_inserter(sorted),
               [](double p) { return std::isfinite(p) && p > 0; });
  std::sort(sorted.begin(), sorted.end());
  for (const double v : crowds(sorted)) {
    if (ranges_.empty() || v >= ranges_.back().high * modes_apart)
      ranges_.push_back({v, v});
    else
      ranges_.back().high = v;
  }
  std::vector<std::vector<double>> members(ranges_.size());
  for (const double v : sorted)
    if (const auto m = of(v)) members[*m].push_back(v);
  for (const std::vector<double>& own : members)
    modes_.push_back({mode_name(modes_.size()), results::median(own), own.size()});
}

std::optional<std::size_t> mode_map::of(double probe) const {
  for (std::size_t m = 0; m < ranges_.size(); ++m)
    if (probe >= ranges_[m].low / margin && probe <= ranges_[m].high * margin) return m;
  return std::nullopt;
}

std::optional<std::size_t> mode_map::of(double before, double after) const {
  const auto first = of(before);
  return first == of(after) ? first : std::nullopt;
}

}  // namespace synchro::measure
