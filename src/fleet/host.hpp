// What a fleet keeps of a results file: of a thousand documents with all their repetitions no more than is compared.

#ifndef SYNCHRO_FLEET_HOST_HPP
#define SYNCHRO_FLEET_HOST_HPP

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "results/document.hpp"

namespace synchro::fleet {

/// A measurement that hosts have in common: what a cell is without its value.
struct cell_key {
  std::string experiment, metric, unit;
  results::coordinates at;  ///< Without the mode, whose names hold inside one run.
  results::better direction = results::better::neither;
  std::map<std::string, double> conditions;  ///< Cells whose protocol set something else are of another place.
};

/// All places, each with a number. Threads may ask at the same time.
class places {
 public:
  /// The numbers of the cells' places.
  std::vector<std::uint32_t> of(const std::vector<results::cell>& cells);
  [[nodiscard]] const cell_key& operator[](std::uint32_t number) const { return all_[number]; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }

 private:
  std::uint32_t number_of(const results::cell& c);

  std::mutex busy_;
  std::map<std::string, std::multimap<double, std::uint32_t>>
      known_;  // of each set of conditions, by the first of them
  std::vector<cell_key> all_;
};

/// One value, as a logarithm: hosts differ by factors.
struct measured {
  std::uint32_t place;
  double value;
  double half_width;  ///< Its interval's, as a logarithm; not a number where there is none, or one of no width.
  double probe;       ///< How far apart its processors were, in ns; not a number if they were not probed.
};

using fact = std::pair<std::string, std::string>;  ///< "governor", "powersave"

/// What a host says of itself in one file.
struct answer {
  std::string file;
  std::string id;       ///< The run's.
  std::string host;     ///< Its name, if it was recorded; else that of the file.
  std::string started;  ///< "2026-11-26T01:05:27Z"; times in this form are ordered as texts are.
  double took = 0;      ///< Seconds from there to its end; 0 if unknown.
  std::string model;    ///< The processor's.
  std::size_t processors = 0;
  double memory = 0;  ///< Bytes; 0 if unknown.
  bool complete = true;
  std::vector<fact> facts;
  std::vector<measured> cells;
};

/// The answer in a document that was read from this file. Throws std::runtime_error with a sentence if it has nothing to compare: it was
/// simulated or emulated, or nothing in it has a value above zero.
[[nodiscard]] answer answer_of(const results::document& d, const std::string& file, places& known);

/// Answers of one name and one kind of processor, the oldest first.
struct host {
  std::string name;
  std::vector<answer> answers;

  [[nodiscard]] const answer& now() const { return answers.back(); }
};

}  // namespace synchro::fleet

#endif
