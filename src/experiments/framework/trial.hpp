// A trial: one repetition as it was measured, with the evidence around it, and its entry in the journal.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_TRIAL_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_TRIAL_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/framework/runner.hpp"

namespace synchro::experiments {

struct trial {
  unsigned index = 0;  ///< The number of the repetition, from 0.
  repetition result = {};
  std::optional<double> before = {}, after = {};  ///< Hand-off time between the probed processors, ns.
  double seconds = 0;                             ///< How long it took, threads and memory included.
  std::optional<std::uint64_t> steal_ns = {};
  std::optional<double> core_hz = {};  ///< How fast a fixed loop ran about then.
  std::optional<double> joules = {};
};

/// The processors whose distance is probed, and how far apart the topology says they are.
struct probed_pair {
  unsigned first, second;
  platform::distance apart;
};

/// All that is known of a planned cell.
struct record {
  const planned_cell* cell;
  std::vector<unsigned> processors = {};
  std::optional<probed_pair> probed = {};
  std::vector<trial> trials = {};
  std::optional<std::string> failed = {};  ///< The sentence with which a repetition ended without a result.
  double took = 0;                         ///< Seconds, of the repetitions that this run has made,
  unsigned made = 0;                       ///< and how many they are.

  [[nodiscard]] bool broken() const {
    for (const trial& t : trials)
      if (t.result.broken) return true;
    return false;
  }
  [[nodiscard]] bool has(unsigned index) const {
    for (const trial& t : trials)
      if (t.index == index) return true;
    return false;
  }
};

/// What is said of a cell whose repetitions came to an end early: "ended after 3 of 7 repetitions: no memory".
[[nodiscard]] std::string ended_early(std::size_t made, std::size_t planned, const std::string& why);
/// A remark without that: whether a cell has ended early is found anew by each run. Nothing if there is no more in it.
[[nodiscard]] std::optional<std::string> without_ended_early(const std::string& remark);

/// Names a cell in the journal: its experiment and coordinates.
[[nodiscard]] std::string key_of(const std::string& experiment, const coordinates& at);

[[nodiscard]] nlohmann::ordered_json entry_of(const planned_cell& cell, const trial& t);

/// An entry of the journal, taken apart; nothing if it is no repetition.
struct journaled {
  std::string key;
  trial what;
};
[[nodiscard]] std::optional<journaled> journaled_from(const nlohmann::ordered_json& entry);

}  // namespace synchro::experiments

#endif
