// Simulated values for claims, each computed once.

#ifndef SYNCHRO_SIMULATIONS_PROVER_HPP
#define SYNCHRO_SIMULATIONS_PROVER_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/document.hpp"
#include "simulations/growing_cells.hpp"
#include "simulations/simulations.hpp"

namespace synchro::simulations {

/// Cells to simulate: an experiment, and the values of some of its axes.
struct request {
  std::string experiment;
  std::map<std::string, std::vector<experiments::coordinate>> axes;
};

class prover {
 public:
  /// With the models as they are, or changed.
  explicit prover(std::uint64_t seed, change changed = {}) : seed_{seed}, changed_{std::move(changed)} {}

  /// From now on cells are simulated by so many seeds, of which the first are the same as before. Six until then.
  void take(unsigned seeds) { seeds_ = seeds; }
  /// From now on a value is the median over as many seeds, drawn with replacement by this number from those that are
  /// taken; over each of these once without it.
  void draw(std::optional<std::uint64_t> number);

  /// The median over seeds. Throws std::runtime_error if there is no such cell or it has no value.
  double value(const std::string& machine, const std::string& experiment,
               const std::vector<std::pair<std::string, experiments::coordinate>>& at, const std::string& metric);

  /// A document of these cells, as the judges take it.
  results::document simulated(const std::string& machine, const std::vector<request>& needs);

  // In the words of the claims.
  double cycles(const std::string& machine, const std::string& operation, const std::string& state,
                const std::string& distance, const std::string& home = "holder");
  double level(const std::string& machine, const std::string& level);
  double atomic(const std::string& machine, const std::string& operation, std::int64_t threads);
  double ticket(const std::string& machine, const std::string& variant, std::int64_t threads);
  /// Reading a line that a core of the same die has written, then writing it, on the Opteron.
  double read_then_write(bool prefetching);
  double acquire(const std::string& machine, const std::string& lock, const std::string& distance);
  double lock(const std::string& machine, const std::string& lock, std::int64_t locks, std::int64_t threads);
  /// The lock with the highest throughput, and that.
  std::pair<std::string, double> best_lock(const std::string& machine, std::int64_t locks, std::int64_t threads);
  /// The lock that is acquired the soonest when a core so far away had it last.
  std::string best_uncontended(const std::string& machine, const std::string& distance);
  /// The locks that the paper compares, under our names; hierarchical ones on the multi-sockets.
  [[nodiscard]] static std::vector<std::string> locks_of(const std::string& machine);

  /// Whether anything of it was asked for so far.
  [[nodiscard]] bool has_asked(const std::string& name) const { return machines_.contains(name); }
  const simulator::model& machine(const std::string& name) { return *machine_of(name).model; }

  /// Whether since the last call nothing but prices was asked for, which a model does not predict but is given.
  [[nodiscard]] bool only_read_prices() { return !std::exchange(predicted_, false); }

 private:
  struct known_machine {
    model_ptr model;
    std::vector<experiments::experiment> experiments;
  };
  known_machine& machine_of(const std::string& name);
  /// Simulated once; with a pause unless the request names the protocol.
  const std::vector<results::cell>& cells(const std::string& machine, const request& r);
  std::unique_ptr<growing_cells> planned(const std::string& machine, const request& r);
  [[nodiscard]] double value_of(const results::cell& c) const;

  struct known_cells {
    std::unique_ptr<growing_cells> all;
    std::map<unsigned, std::vector<results::cell>> by_seeds;
  };

  std::uint64_t seed_;
  change changed_;
  unsigned seeds_ = seeds_at(experiments::level::quick);
  std::vector<std::size_t> drawn_;
  bool predicted_ = false;
  std::map<std::string, known_machine> machines_;
  std::map<std::string, known_cells> known_;
};

}  // namespace synchro::simulations

#endif
