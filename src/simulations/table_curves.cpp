#include "simulations/table_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "results/experiment_names.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "simulations/paper_locks.hpp"
#include "simulations/prover.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulations {

extern const char* const table_curves_csv;  ///< Made by CMake.

namespace {

constexpr std::size_t keys_of_a_line = 4;  // machine, buckets, load, threads

unsigned count_of(const std::string& text) { return static_cast<unsigned>(std::stoul(text)); }

/// What a point's name is in the experiment.
std::string row_of(const lock_point& p) { return p.lock == "messages" ? paper_served_table : p.lock; }

struct sums {
  std::vector<lock_ratio> locks, threads;
  std::vector<double> levels;

  void add(const table_curves& c) {
    for (const lock_ratio& r : between_locks(c.points)) locks.push_back(r);
    for (const lock_ratio& r : between_threads(c.points)) threads.push_back(r);
    for (const double level : levels_of(c.points)) levels.push_back(level);
  }
  [[nodiscard]] std::string text() const {
    const rank_score s = ranked(locks);
    return fmt::format("{} of {} | {:.0f} % | {:.0f} % | {} |\n", s.right, s.all, 100 * median_error_of(locks),
                       100 * median_error_of(threads), results::significant(results::median(levels), 2));
  }
};

}  // namespace

std::vector<table_curves> published_table_curves() {
  std::vector<table_curves> all;
  std::vector<std::string> columns;
  for (const std::string& line : results::split(table_curves_csv, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> f = results::split(line);
    if (columns.empty()) {
      columns = f;
      continue;
    }
    if (f.size() != columns.size()) throw std::logic_error{"table_curves.csv: " + line};
    const unsigned buckets = count_of(f[1]), load = count_of(f[2]), threads = count_of(f[3]);
    if (all.empty() || all.back().machine != f[0] || all.back().buckets != buckets || all.back().load != load)
      all.push_back({f[0], buckets, load, {}});
    for (std::size_t i = keys_of_a_line; i != f.size(); ++i)
      if (!f[i].empty()) all.back().points.push_back({f[0], columns[i], threads, std::stod(f[i])});
  }
  return all;
}

std::vector<table_curves> predicted_table_curves(std::uint64_t seed) {
  std::vector<table_curves> all = published_table_curves();
  prover by_models{seed};
  by_models.take(3);
  for (table_curves& c : all)
    for (lock_point& p : c.points)
      p.predicted = by_models.value(c.machine, results::experiment_names::hashtable_throughput,
                                    {{"lock", row_of(p)},
                                     {"threads", std::int64_t{p.threads}},
                                     {"buckets", std::int64_t{c.buckets}},
                                     {"load", std::int64_t{c.load}}},
                                    "throughput");
  return all;
}

std::string table_curves_in_words(const std::vector<table_curves>& all) {
  std::string text =
      "| machine | buckets | elements in each | ranks of locks as measured | ratios of locks off by | ratios of "
      "threads off by | level, times |\n|---|--:|--:|--:|--:|--:|--:|\n";
  sums whole;
  for (const table_curves& c : all) {
    sums of_one;
    of_one.add(c);
    whole.add(c);
    text += fmt::format("| {} | {} | {} | ", c.machine, c.buckets, c.load) + of_one.text();
  }
  return text + "| all | | | " + whole.text();
}

}  // namespace synchro::simulations
