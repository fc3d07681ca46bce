#include "experiments/framework/protocol.hpp"

#include <algorithm>

#include "experiments/framework/axes.hpp"
#include "measure/pause.hpp"

namespace synchro::experiments {

axis protocol_axis() {
  return {"protocol",
          "saturated: without a pause; paused: after each operation longer than a transfer, as in the paper",
          [](const setting&) {
            return std::vector<coordinate>{"saturated", "paused"};
          },
          [](const setting&, const coordinate& value) -> std::optional<std::string> {
            const std::string said = results::to_string(value);
            if (said == "saturated" || said == "paused") return std::nullopt;
            return "protocol cannot be '" + said + "'; it can be saturated or paused";
          }};
}

metric ceiling_metric() {
  return {
      "ceiling", "op/s", better::neither,
      "What the pause allows: one operation in each pause for every thread that has a processor, as if the operation "
      "itself took no time."};
}

bool is_paused(const coordinates& at) { return at.find("protocol") != nullptr && at.word("protocol") == "paused"; }

double pause_of(const setting& s, const coordinates& at) {
  return is_paused(at) ? measure::find_pause(s.machine, processors_of(s, at)) : 0;
}

void record_pause(repetition& r, double pause_ns, std::size_t threads, std::size_t processors) {
  if (pause_ns == 0) {
    r.unavailable["ceiling"] = "no thread pauses";
    return;
  }
  r.conditions["pause_ns"] = pause_ns;
  const std::size_t at_a_time = std::min(threads, std::max<std::size_t>(1, processors));
  r.observations.push_back({"ceiling", static_cast<double>(at_a_time) * 1e9 / pause_ns});
}

}  // namespace synchro::experiments
