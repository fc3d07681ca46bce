// What the coherence experiments share: metrics, repetitions, and how batches become a repetition.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_LATENCY_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_LATENCY_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/coherence/lines.hpp"
#include "experiments/framework/experiment.hpp"
#include "measure/timing.hpp"
#include "platform/placement.hpp"

namespace synchro::experiments::coherence {

using measure::batches;

[[nodiscard]] unsigned usual_repetitions(level l);

/// "latency" in ns, of which this is the definition, and "latency_cycles".
[[nodiscard]] std::vector<metric> latency_metrics(std::string definition);

[[nodiscard]] repetition to_repetition(const batches& b);

/// The NUMA node to ask for; nothing where the machine has one only, for then there is nothing to ask.
[[nodiscard]] std::optional<unsigned> node_of(const platform::topology& machine, unsigned cpu);

/// Lines on fresh pages of a node, and what is to be said if the system put them elsewhere.
class homed_lines {
 public:
  homed_lines(std::size_t bytes, std::optional<unsigned> node, platform::pages size = platform::pages::usual)
      : memory_{bytes, node, size}, asked_{node}, lines_{begin(), bytes / sizeof(line<hardware>)} {
    std::uninitialized_default_construct(lines_.begin(), lines_.end());
  }

  [[nodiscard]] std::span<line<hardware>> lines() const { return lines_; }
  [[nodiscard]] field_lines<hardware> field() const { return field_lines<hardware>{lines_}; }
  void warn(repetition& r) const;

 private:
  line<hardware>* begin() const { return static_cast<line<hardware>*>(memory_.data()); }

  platform::fresh_memory memory_;
  std::optional<unsigned> asked_;
  std::span<line<hardware>> lines_;
};

}  // namespace synchro::experiments::coherence

#endif
