// How coherence.bandwidth is shown.

#include <fmt/format.h>

#include "experiments/coherence/coherence.hpp"
#include "results/units.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

sentences bandwidth_findings(const own_cells& own) {
  const cells sure = only_precise(own.of("read"));
  const cell* const alone = first_at(sure, "threads", std::int64_t{1});
  const cell* const best = most(sure);
  if (alone == nullptr) return {};
  std::string text =
      fmt::format("Reading memory, one cache line after another, one thread reaches {}", with_interval(*alone));
  const std::string also = rivals(tied_with(*best, sure), "threads");
  if (differ(*best, *alone, sure.size()))
    text += fmt::format("; {} threads together{} reach {}, {} times as much", best->at.number("threads"),
                        also + (also.empty() ? "" : ","), with_interval(*best),
                        results::digits(*best->value / *alone->value));
  else if (sure.size() > 1)
    text += "; that more threads together reach more is not resolved";
  return {text + "."};
}

}  // namespace

void present_coherence_bandwidth(experiment& e) {
  e.view = {{},
            bandwidth_findings,
            {},
            {{"threads", "How fast memory is read",
              "Each thread reads memory of its own from the beginning to the end. A few threads are enough to keep the "
              "memory busy; more do not read more.",
              lines("threads", {}, {.ideal = true})}}};
  e.view.about = "memory";
}

}  // namespace synchro::experiments
