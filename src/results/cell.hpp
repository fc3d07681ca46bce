// A cell: one metric of one experiment at one place of its axes. All that reports, exports and advice read.

#ifndef SYNCHRO_RESULTS_CELL_HPP
#define SYNCHRO_RESULTS_CELL_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace synchro::results {

/// A coordinate is a number or a word: threads 4, lock "mcs/park".
using coordinate = std::variant<std::int64_t, std::string>;

/// Coordinates in the order in which the experiment declares its axes.
class coordinates {
 public:
  coordinates() = default;
  coordinates(std::initializer_list<std::pair<std::string, coordinate>> list) : entries_{list} {}

  void set(const std::string& axis, coordinate value);
  [[nodiscard]] const coordinate* find(const std::string& axis) const;
  /// Throw std::out_of_range if the axis is absent, std::bad_variant_access if it is of the other kind.
  [[nodiscard]] std::int64_t number(const std::string& axis) const;
  [[nodiscard]] const std::string& word(const std::string& axis) const;

  [[nodiscard]] const std::vector<std::pair<std::string, coordinate>>& entries() const { return entries_; }
  /// "lock=mcs threads=2", for messages and as a key.
  [[nodiscard]] std::string to_string() const;
  bool operator==(const coordinates& other) const = default;

 private:
  std::vector<std::pair<std::string, coordinate>> entries_;
};

[[nodiscard]] std::string to_string(const coordinate& c);

/// `emulated`: measured under an emulator, so that it is no evidence, however narrow its interval.
enum class flag : std::uint8_t { ok, noisy, unreliable, clock_limited, emulated };
[[nodiscard]] std::string to_string(flag f);

/// Which way a metric improves.
enum class better : std::uint8_t { higher, lower, neither };
[[nodiscard]] std::string to_string(better b);

/// One value for each repetition, and what they come to.
struct cell {
  std::string experiment;
  coordinates at;
  std::string metric;
  std::string unit;  ///< "ns", "cycle", "op/s", "B/s", "J", "1".
  better direction = better::neither;

  std::optional<double> value;                  ///< Median of the repetitions; nothing if it could not be measured.
  std::optional<std::pair<double, double>> ci;  ///< Exact order-statistic interval; nothing below 6 repetitions.
  std::size_t n = 0;
  flag quality = flag::ok;
  std::optional<std::string> reason;  ///< Why there is no value, or what bounds it. One plain sentence.
  bool valid = true;                  ///< False: a self-check failed; then there is no value.

  /// How far apart its processors were: the one-way hand-off time that probes found, the median of those around its
  /// repetitions. Nothing if no pair of processors was probed.
  std::optional<double> probe_ns;
  std::map<std::string, double> conditions;  ///< What the protocol set by itself: {"pause_ns", 200}.

  std::vector<double> samples;              ///< One per repetition, in order.
  std::map<std::string, double> quantiles;  ///< "p50", "p99", ...: pooled inside repetitions, where n(1-q) >= 10.
  nlohmann::ordered_json noise;             ///< Evidence: switches, run delay, steal, processors, core clock, mode.
};

/// Fills value, ci, n and quality from `samples`. `clock_limited` marks samples shorter than the clock resolves. The
/// interval has at least this confidence.
void summarize(cell& c, bool clock_limited = false, double confidence = 0.95);
/// The interval becomes so many times wider, down and up, to hold more than the repetitions show; the flag follows.
void widen(cell& c, double times);
/// Valid and not emulated, with a value and an interval. Waking and starting threads takes an uncertain time by its nature: the interval
/// says how uncertain.
[[nodiscard]] bool has_interval(const cell& c);
/// The same, and the interval is narrow (half its width is below 10 % of the value).
[[nodiscard]] bool is_precise(const cell& c);
/// Half the interval's width in parts of the value; nothing without an interval. Infinite for a value of 0 that is not
/// sure.
[[nodiscard]] std::optional<double> half_width(const cell& c);

/// The name that a metric has today: one of an older program's file may have been renamed since.
[[nodiscard]] std::string metric_of_today(const std::string& name);

[[nodiscard]] nlohmann::ordered_json to_json(const cell& c);
/// Throws std::runtime_error with one sentence that says what is wrong.
[[nodiscard]] cell cell_from_json(const nlohmann::ordered_json& j);

}  // namespace synchro::results

#endif
