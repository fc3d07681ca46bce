// The rows of overhead.calls: each of the paper's calls, by each thing of this system that does the same.

#ifndef SYNCHRO_EXPERIMENTS_OVERHEAD_CALL_ROWS_HPP
#define SYNCHRO_EXPERIMENTS_OVERHEAD_CALL_ROWS_HPP

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/finish.hpp"
#include "measure/laboratory.hpp"

namespace synchro::experiments::overhead {

struct call_task {
  unsigned cpu = 0;  ///< All threads of a flow share it.
  unsigned rounds = 1;
  bool raised = true;   ///< At the highest priority allowed.
  bool marked = false;  ///< The operations tell a tracer when they begin and end (call_marks.hpp); no time counts then.
  pulse* heart = nullptr;  ///< Is told of every round, if there is one.

  /// Never while something is timed.
  void went_on() const noexcept {
    if (heart != nullptr) heart->beat();
  }
};

/// Of free operations so many are timed together, and twice as many (flows.hpp).
inline constexpr unsigned batch = 128;

struct call_result {
  std::vector<double> ns;  ///< One for each time that the call was made, or for each batch of them.
  unsigned at_once = 1;    ///< So many calls make one of them.
  measure::team_report team;
  std::optional<std::string> broken;  ///< The flow did not do what it should: the sentence.
};

struct call_row {
  std::string call;       ///< As the paper names it: "ReleaseMutex".
  std::string primitive;  ///< What does it here: "pthread/mutex".
  std::string by;         ///< The functions called.
  unsigned rounds;        ///< In a repetition.
  double seconds;         ///< Of a round, roughly.
  std::function<call_result(const call_task&)> measure;
  std::function<std::optional<std::string>()> unavailable = [] { return std::nullopt; };
};

/// The system calls that were seen in the row's operations, in words: in a traced process, when first asked for.
[[nodiscard]] const std::string& calls_seen(const call_row& row, unsigned cpu);

/// In the paper's order; what is nearest to the paper's own is first of its call.
[[nodiscard]] const std::vector<call_row>& call_rows();

}  // namespace synchro::experiments::overhead

#endif
