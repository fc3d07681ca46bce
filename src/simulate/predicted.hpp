// What a prediction comes to, in sentences.

#ifndef SYNCHRO_SIMULATE_PREDICTED_HPP
#define SYNCHRO_SIMULATE_PREDICTED_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::simulate {

/// Where the program stops scaling under a lock.
struct knee {
  std::int64_t threads = 0;  ///< The least number than which none that was asked for does a tenth more.
  bool beyond = false;       ///< There is none: it scales as far as was asked.
  bool alone = false;        ///< No other number was asked for, so nothing is known of scaling.
  std::string waits_for;     ///< The locks that threads spend most time on there; empty: none.
  double waiting = 0;        ///< The share of their time.
};

/// The knee in the cells of program.throughput in the document. Throws std::out_of_range if there is none of this lock.
[[nodiscard]] knee knee_of(const results::document& d, const std::string& lock);

/// Times what the first does, of one cell against another (spread_between in simulations/program.hpp).
struct gain {
  std::string lock;
  double least = 0, middle = 0, most = 0;
};
/// The lock that surely does most beside `base` at this number of threads. Ends are so many times wider.
[[nodiscard]] gain best_gain(const results::document& d, const std::string& base, std::int64_t threads,
                             double wider = 1);

/// The verdict. `base`: the lock that stands for the program's own. `wider`: comparisons with so many threads.
[[nodiscard]] std::vector<std::string> verdict_of(const results::document& d, const std::string& base,
                                                  const std::function<double(std::int64_t)>& wider);

}  // namespace synchro::simulate

#endif
