// How wide the intervals of a prediction are told, by how far off measured programs were, and what is said of that.

#ifndef SYNCHRO_SIMULATE_INTERVALS_HPP
#define SYNCHRO_SIMULATE_INTERVALS_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "results/cell.hpp"
#include "simulations/program_errors.hpp"
#include "simulator/model.hpp"

namespace synchro::simulate {

class intervals {
 public:
  /// `base`: the lock that stands for the program's own.
  intervals(const simulations::program_errors& errors, const simulator::model& m, std::string base,
            std::int64_t recorded_threads);

  /// Of a cell of program.throughput.
  [[nodiscard]] simulations::widening of(const results::coordinates& at) const;
  [[nodiscard]] simulations::widening of_comparison(std::int64_t threads) const;
  /// The throughput; how long is waited for locks was not measured.
  void widen(results::cell& c) const;

  /// Of all these cells and comparisons: what a reader has to know, in sentences and as numbers.
  struct summary {
    std::string sentences;
    nlohmann::ordered_json evidence;
  };
  [[nodiscard]] summary of_all(const std::vector<results::coordinates>& cells) const;

 private:
  [[nodiscard]] simulations::error_kind kind_of(std::int64_t threads, simulations::told_of what) const;
  [[nodiscard]] std::string holds(const simulations::widening& fewest, double least, double most) const;

  const simulations::program_errors& errors_;
  std::string model_, base_;
  std::int64_t recorded_threads_, processors_;
  bool measured_there_;
};

}  // namespace synchro::simulate

#endif
