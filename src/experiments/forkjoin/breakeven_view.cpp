// How forkjoin.breakeven is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/forkjoin/forkjoin.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

namespace {

using views::cell;
using views::cells;
using views::own_cells;
using views::with_interval;
using sentences = std::vector<std::string>;

/// With the fewest threads.
sentences findings(const own_cells& own) {
  cells all = own.of_any_mode("breakeven");
  if (all.empty()) return {};
  const auto threads = [](const cell* c) { return views::number_at(*c, "threads").value_or(0); };
  const cell& found =
      **std::min_element(all.begin(), all.end(), [&](const cell* a, const cell* b) { return threads(a) < threads(b); });
  std::string text = fmt::format("Splitting work among {} threads with {} pays off above a sequential time of {}",
                                 threads(&found), views::name_at(found, "primitive"), with_interval(found));
  if (const cell* const delay = own.beside(found, "invocation_delay"); delay != nullptr)
    text += fmt::format(": the last thread starts after {}", with_interval(*delay));
  return {text + views::far_note(found) + "."};
}

std::vector<views::laid_out> tables(const cells& all, const views::style& s) {
  return views::grouped_tables(all, {{"breakeven", "not_up_to", "pays_from", "per_thread", "invocation_delay"}}, s);
}

}  // namespace

void present_forkjoin_breakeven(experiment& e) {
  e.tour = [](const setting&) { return tour_stop{{{"primitive", {"event"}}, {"threads", {std::int64_t{2}}}}}; };
  e.view = {tables,
            findings,
            {},
            {{"starts", "Above what size splitting work pays off",
              "The smallest sequential time for which starting the workers is worth it.",
              views::bars("primitive", {"threads"})}}};
}

}  // namespace synchro::experiments
