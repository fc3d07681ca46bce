// What `tune` compares runs by: the time they take, a number in what they write, or what a command makes of that.

#ifndef SYNCHRO_INTERPOSE_TUNE_METRIC_HPP
#define SYNCHRO_INTERPOSE_TUNE_METRIC_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "interpose/line_pattern.hpp"
#include "platform/started_program.hpp"

namespace synchro::interpose {

/// A number above zero, or why there is none.
struct reading {
  std::optional<double> value;
  std::string why_not = {};
};

class run_metric {
 public:
  /// "wall", "regex:PATTERN", "command:SHELL COMMAND". Which way is better must be said of the last two. Throws failure
  /// (usage).
  run_metric(const std::string& text, bool higher, bool lower);

  /// Reads the metric of a run that went well.
  [[nodiscard]] reading read(const platform::program_end& end, const std::string& out, const std::string& errors) const;
  /// Less is better, and a difference is a ratio.
  [[nodiscard]] double logarithm(double value) const;

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool higher_is_better() const { return higher_; }
  /// "2.10 s", "4711"
  [[nodiscard]] std::string in_words(double value) const;
  [[nodiscard]] bool is_time() const { return how_ == source::wall; }

 private:
  enum class source : std::uint8_t { wall, pattern, command };

  std::string text_, asked_;
  source how_ = source::wall;
  bool higher_;
  std::optional<line_pattern> pattern_;
};

}  // namespace synchro::interpose

#endif
