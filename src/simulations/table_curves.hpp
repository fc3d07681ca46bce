// The paper's hash table under each of its locks and by messages, as its authors measured it on the four machines, beside what the
// models say (table_curves.csv, which names its source). No constant of a model was set from it; but ssht.hpp was written by who
// had seen it.

#ifndef SYNCHRO_SIMULATIONS_TABLE_CURVES_HPP
#define SYNCHRO_SIMULATIONS_TABLE_CURVES_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "simulations/lock_curves.hpp"

namespace synchro::simulations {

/// Operations a second of one table of one machine.
struct table_curves {
  std::string machine;
  unsigned buckets, load;
  std::vector<lock_point> points;  ///< Their machine is this one.
};

/// In the order of the file; nothing is predicted.
[[nodiscard]] std::vector<table_curves> published_table_curves();

/// The same, by the models as they are.
[[nodiscard]] std::vector<table_curves> predicted_table_curves(std::uint64_t seed);

/// What the points score: a row for each machine and table, and one for all.
[[nodiscard]] std::string table_curves_in_words(const std::vector<table_curves>& all);

}  // namespace synchro::simulations

#endif
