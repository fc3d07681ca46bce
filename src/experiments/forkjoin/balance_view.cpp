// How forkjoin.balance is shown.

#include <fmt/format.h>

#include "experiments/forkjoin/forkjoin.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

sentences balance_findings(const own_cells& own) {
  const cells all = only_precise(own.of_any_mode("gain"));
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

sentences balance_doubts(const own_cells& own) {
  return too_uncertain("how many times as fast split work is if threads that start late get less",
                       own.of_any_mode("gain"), results::is_precise);
}

}  // namespace

void present_forkjoin_balance(experiment& e) {
  e.tour = two_threads;
  e.view = {
      grouped_tables({{"gain", "equal", "cut", "lag"}}),
      balance_findings,
      {},
      {{"starts", "Less work for threads that start late",
        "The same work in equal shares, and in shares cut to each thread’s lag.", bars("primitive", {"threads"})}}};
  e.view.doubts = balance_doubts;
  e.view.about = "work";
}

}  // namespace synchro::experiments
