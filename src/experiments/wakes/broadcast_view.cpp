// How wake.broadcast is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/wakes/wake_table.hpp"
#include "experiments/wakes/wakes.hpp"
#include "results/sleepers.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// Those whose waiting threads sleep, or keep looking.
cells of_those_asleep(const own_cells& own, cells all, bool asleep) {
  std::erase_if(all, [&](const cell* c) {
    return results::slept(results::to_string(at_or_blank(*c, "primitive")), own.beside(*c, "switches"),
                          own.beside(*c, "cpu_share")) != asleep;
  });
  return all;
}

cells with_one_sleeper(const own_cells& own, bool asleep) {
  return of_those_asleep(own, where(own.of_any_mode("wake_mean"), "threads", std::int64_t{1}), asleep);
}

sentences broadcast_findings(const own_cells& own) {
  const cells sleeping = only_telling(with_one_sleeper(own, true));
  const cells looking = only_telling(with_one_sleeper(own, false));
  const cell *const asleep = least(sleeping), *const spinning = least(looking);
  if (asleep == nullptr) return {};
  const auto by = [](const cell& best, const cells& all) {
    return name_at(best, "primitive") + rivals(tied_with(best, all), "primitive");
  };
  std::string text = fmt::format("A sleeping thread runs {} after another thread wakes it, with {}",
                                 with_doubt(*asleep), by(*asleep, sleeping));
  if (spinning != nullptr)
    text += fmt::format("; a thread that spins instead, and keeps a processor busy, after {} with {}",
                        with_doubt(*spinning), by(*spinning, looking));
  return {text + far_note(*asleep) + "."};
}

sentences broadcast_doubts(const own_cells& own) {
  return too_uncertain("after what time a sleeping thread runs", with_one_sleeper(own, true));
}

std::optional<views::headline> broadcast_headline(const own_cells& own) {
  const cells all = only_precise(with_one_sleeper(own, true));
  if (all.empty()) return std::nullopt;
  const cell& best = *least(all);
  const std::string also = rivals(tied_with(best, all), "primitive");
  const bool fastest = holds_for(of_those_asleep(own, own.left_out(best, {"primitive"}), true), extreme::least, best);
  return views::headline{
      figure_of(best),
      fmt::format("from the call until one sleeping thread runs again, with {}{}", name_at(best, "primitive"),
                  also.empty() && fastest ? ", the fastest that sleeps" : also),
      details({interval_of(best)}, best), "primitives"};
}

std::vector<chart> broadcast_charts() {
  const std::vector<std::string> metrics{"wake_mean", "wake_first", "wake_last", "spread",  "gap",
                                         "trigger",   "cpu_time",   "cpu_share", "switches"};
  return {
      {"primitives",
       "Waking sleepers",
       "One thread wakes many. The wake time runs from just before the call to the sleeper’s first instruction after "
       "its wait.",
       bars("primitive"),
       "",
       metrics,
       {},
       {},
       "",
       false,
       {"wake_mean", "wake_first", "wake_last", "spread", "gap"}},
      {"threads",
       "More sleepers, later waking",
       "The same by the number of threads to be woken.",
       lines("threads", {"primitive"}),
       "",
       metrics,
       {},
       {},
       "threads"},
      {"order",
       "From the first woken to the last",
       "Sleepers wake one after another. The slope is what each further one waits.",
       lines("order", {"primitive"}),
       "",
       {"wake_of_order"},
       {},
       {},
       "order"},
      {"thread",
       "Who is woken first",
       "Wake time by the number of the thread: a slope means that some threads are always served first.",
       lines("thread", {"primitive"}),
       "",
       {"wake_of_thread"},
       {},
       {},
       "thread"},
      {"underneath",
       "What happens underneath",
       "The system calls that a trigger makes, and those in which a sleeper waits, counted for each trigger and each "
       "wake.",
       bars("primitive", {"call"}, {.stacked = true}),
       "",
       {"calls_per_trigger", "calls_per_wake"}}};
}

/// Ours, what the system offers to park on, the language's, and one that spins.
std::vector<coordinate> tour_primitives() {
  std::vector<coordinate> here;
  for (const char* name :
       {"event", "linux/futex", "win32/wait_on_address", "win32/event", "std/condition_variable", "spin/pause"})
    if (std::any_of(all_wakes().begin(), all_wakes().end(), [&](const wake_row& row) { return row.name == name; }))
      here.emplace_back(std::string{name});
  return here;
}

}  // namespace

void present_wake_broadcast(experiment& e) {
  e.tour = [](const setting&) { return tour_stop{{{"primitive", tour_primitives()}, {"threads", {std::int64_t{1}}}}}; };
  e.view = {{}, broadcast_findings, broadcast_headline, broadcast_charts()};
  e.view.doubts = broadcast_doubts;
  e.view.about = "sleep";
}

}  // namespace synchro::experiments
