// Two results files side by side: cell by cell, the ratio of their medians with an interval, and what it resolves.

#ifndef SYNCHRO_RESULTS_COMPARISON_HPP
#define SYNCHRO_RESULTS_COMPARISON_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/document.hpp"

namespace synchro::results {

enum class verdict : std::uint8_t {
  unresolved,  ///< The interval holds 1, or there is none: no difference resolved. It does not say "equal".
  better,
  worse,
  different  ///< For a metric of which neither direction is better.
};
[[nodiscard]] std::string to_string(verdict v);

/// What a value of the test is.
enum class sample : std::uint8_t {
  repetitions,  ///< One run of each side; runs differ by more than their repetitions.
  simulated,    ///< The same on models of machines, whose runs differ by no more than their seeds.
  runs          ///< Several runs of each side; each has one value.
};

/// One cell of both files. They outlive it.
struct compared {
  const cell* a;
  const cell* b;
  std::optional<double> ratio;                        ///< b / a; nothing where a value may be zero or below.
  std::optional<std::pair<double, double>> ratio_ci;  ///< At the level of the comparison.
  std::optional<double> p;                            ///< The difference's; nothing without a test.
  /// How much single runs are allowed to differ without a cause; by how much several runs do. In parts of the
  /// value; nothing without a test.
  std::optional<double> between_runs;
  verdict what = verdict::unresolved;
  bool as_runs_differ = false;  ///< Unresolved only because single runs of one program may differ as much.
  bool too_short = false;       ///< The clock does not resolve it in one of the files, so there is no test.
  bool disturbed = false;       ///< The threads of one file waited for a processor more than those of the other.
  double worse_by = 0;          ///< 0.1: b costs 10 % more than a, or a yields 10 % more than b. Below 0: it is better.

  /// Why a difference between the two is not to be relied on: "disturbed", "unreliable". Nothing if it is.
  [[nodiscard]] std::optional<std::string> doubt() const;
  /// Resolved, and the medians are apart by more than the limit.
  [[nodiscard]] bool worse_than(double limit) const { return what == verdict::worse && worse_by > limit; }
};

/// Cells of one place that were measured under conditions that differ too much to be compared.
struct not_compared {
  const cell* a;
  const cell* b;
  std::string why;  ///< "probes 45 ns and 190 ns"
};

struct comparison {
  sample of = sample::repetitions;
  std::vector<compared> cells;  ///< In the order of the first file.
  double confidence = 0.95;     ///< Each interval's, so chosen that of those without 1, 2 of 100 are wrong on average.
  std::vector<not_compared> not_comparable;
  std::vector<const cell*> only_a, only_b;
  std::vector<const cell*> without_value_a, without_value_b;  ///< In both files, but only the other one has a value.
  std::vector<const cell*> without_value_both;                ///< Cells of the first file.
  std::vector<std::string> warnings;                          ///< Sentences: what else differs between the files.
};

/// One run of each side. The two documents must outlive the result.
[[nodiscard]] comparison compare(const document& a, const document& b);
/// Several runs of each side, as joined_runs() (comparison_runs.hpp) makes them: the samples of their cells are runs.
[[nodiscard]] comparison compare_runs(const document& a, const document& b);

/// One sentence: how many of the differences may be due to disturbance. Nothing if none.
[[nodiscard]] std::optional<std::string> disturbance(const comparison& c);

/// The same measurement, however its coordinates are ordered and in whichever mode it was made.
[[nodiscard]] std::string place_of(const cell& c);

/// What stands for the files in words.
struct file_names {
  std::string a, b;
};

/// "experiment metric lock=mcs threads=2"
[[nodiscard]] std::string name_of(const cell& c);

[[nodiscard]] nlohmann::ordered_json to_json(const comparison& c, const file_names& names,
                                             const std::optional<double>& limit);

}  // namespace synchro::results

#endif
