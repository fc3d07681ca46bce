// How forkjoin.balance is shown.

#include <fmt/format.h>

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

sentences findings(const own_cells& own) {
  const cells all = own.of_any_mode("gain");
  if (all.empty()) return {};
  const cell& gain = *all.front();
  if (gain.ci->first > 1)
    return {
        fmt::format("Giving less work to threads that start late makes split work {:.0f} % faster ({:.0f} % to "
                    "{:.0f} %).",
                    100 * (*gain.value - 1), 100 * (gain.ci->first - 1), 100 * (gain.ci->second - 1))};
  if (gain.ci->second < 1) return {"Giving less work to threads that start late makes split work slower here."};
  return {"Giving less work to threads that start late made no measurable difference."};
}

std::vector<views::laid_out> tables(const cells& all, const views::style& s) {
  return views::grouped_tables(all, {{"gain", "equal", "cut", "lag"}}, s);
}

}  // namespace

void present_forkjoin_balance(experiment& e) {
  e.tour = [](const setting&) { return tour_stop{{{"primitive", {"event"}}, {"threads", {std::int64_t{2}}}}}; };
  e.view = {tables,
            findings,
            {},
            {{"starts", "Less work for threads that start late",
              "The same work in equal shares, and in shares cut to each thread’s lag.",
              views::bars("primitive", {"threads"})}}};
}

}  // namespace synchro::experiments
