// How throttle.sum is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/framework/tour.hpp"
#include "experiments/throttle/best_throttle.hpp"
#include "experiments/throttle/throttle.hpp"
#include "results/experiment_names.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

sentences sum_findings(const own_cells& own) {
  const auto best = throttle::best_throttle(where(own.of("time"), "variant", "integer"));
  if (!best) return {};
  const cells slices = where(own.of("slices"), "variant", "integer");
  const bool short_parts = std::any_of(slices.begin(), slices.end(), [](const results::cell* c) {
    return c->value && *c->value < results::experiment_names::throttle_fewest_slices;
  });
  return {throttle::in_words(*best) +
          (short_parts
               ? " But its threads take too few time slices to be interrupted many times, as the article's were: "
                 "--full makes their work longer."
               : "")};
}

std::vector<laid_out> sum_tables(const cells& all, const style& s) {
  if (!all_have(all, {"permits", "variant"})) return generic_tables(all, s);
  return throttle::throttle_tables(all, s);
}

}  // namespace

void present_throttle_sum(experiment& e) {
  e.tour = [](const setting& s) {
    return tour_stop{{{"variant", {"integer"}},
                      {"threads", {tour_crowds(s).back()}},
                      {"permits", {static_cast<std::int64_t>(s.machine.processors.size()), std::int64_t{0}}}}};
  };
  e.view = {
      sum_tables,
      sum_findings,
      {},
      {{"permits",
        "Letting fewer threads in at a time",
        "Many threads do the same work, and a semaphore admits only some of them at once. The lowest point is the "
        "best number.",
        lines("permits", {"variant"}, {.ordinal = true}),
        "",
        {"time"},
        {},
        {},
        "",
        true},
       {"paper",
        "Beside the logs of the article",
        "The same here and on the four machines of the article. It is other work, so compare the shapes and not the "
        "times.",
        beside_published({"permits"}, "",
                         "The article: “Semaphore throttle”, with the logs of its author and of three readers."),
        "",
        {"time"}}}};
  e.view.about = "concurrency";
}

}  // namespace synchro::experiments
