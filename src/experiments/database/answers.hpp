// Who answers the queries: a process of its own, in front of whose locks the interposer may stand. It is this program with
// other words.

#ifndef SYNCHRO_EXPERIMENTS_DATABASE_ANSWERS_HPP
#define SYNCHRO_EXPERIMENTS_DATABASE_ANSWERS_HPP

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/database/tpch.hpp"
#include "experiments/framework/experiment.hpp"

namespace synchro::experiments::database {

struct answer {
  double ns = 0;             ///< The median of the timed runs.
  std::uint64_t digest = 0;  ///< Of its rows, in whatever order.
  std::uint64_t rows = 0;
};
using answers = std::array<answer, tpch::query_count>;

/// A repetition: the time of each query, and of all. Broken if an answer is not what it is to be.
[[nodiscard]] repetition recorded(const answers& seen, const answers& right);

/// Data of one scale factor, in a database in a folder of its own. All goes with this object, and soon after this process if
/// that is killed.
class store {
 public:
  /// Makes the data and the database, and answers all queries once with the program's own locks. Throws std::runtime_error
  /// with one sentence, as all here.
  explicit store(const std::string& scale_factor);
  ~store();
  store(const store&) = delete;
  store& operator=(const store&) = delete;

  /// All queries, each once for its answer and then so many times for its time, by so many threads. `variables` are of the
  /// environment of the process.
  [[nodiscard]] answers ask(unsigned threads, unsigned rounds,
                            const std::vector<std::pair<std::string, std::string>>& variables) const;
  /// What they are to be.
  [[nodiscard]] const answers& right() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Why nothing can be answered here, as a sentence that says which command helps; nothing if it can.
[[nodiscard]] std::optional<std::string> unavailable();

}  // namespace synchro::experiments::database

#endif
