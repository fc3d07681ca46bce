// How forkjoin.breakeven is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/forkjoin/forkjoin.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// With the fewest threads.
sentences breakeven_findings(const own_cells& own) {
  const cells all = only_telling(own.of_any_mode("breakeven"));
  if (all.empty()) return {};
  const auto threads = [](const cell* c) { return number_at(*c, "threads").value_or(0); };
  const cell& found =
      **std::min_element(all.begin(), all.end(), [&](const cell* a, const cell* b) { return threads(a) < threads(b); });
  std::string text = fmt::format("Splitting work among {} threads with {} pays off above a sequential time of {}",
                                 threads(&found), name_at(found, "primitive"), with_doubt(found));
  if (const cell* const delay = own.beside(found, "invocation_delay"); delay != nullptr && is_telling(*delay))
    text += fmt::format(": the last thread starts after {}", with_doubt(*delay));
  return {text + far_note(found) + "."};
}

sentences breakeven_doubts(const own_cells& own) {
  return too_uncertain("from which sequential time on splitting work pays off", own.of_any_mode("breakeven"));
}

}  // namespace

void present_forkjoin_breakeven(experiment& e) {
  e.tour = two_threads;
  e.view = {
      grouped_tables({{"breakeven", "not_up_to", "pays_from", "per_thread", "invocation_delay"}}),
      breakeven_findings,
      {},
      {{"starts", "Above what size splitting work pays off",
        "The smallest sequential time for which starting the workers is worth it.", bars("primitive", {"threads"})}}};
  e.view.doubts = breakeven_doubts;
  e.view.about = "work";
}

}  // namespace synchro::experiments
