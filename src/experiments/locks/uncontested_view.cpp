// How locks.uncontested is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/locks.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

sentences uncontested_findings(const own_cells& own) {
  const cells all = only_precise(where(own.of("pair"), "distance", "same_cpu"));
  if (all.empty()) return {};
  const cell& best = *least(all);
  const cell* const usual = first_precise(all, "lock", usual_lock);
  const std::string lock = name_at(best, "lock"), also = rivals(tied_with(best, all), "lock");
  const std::string of_the = of_the_sure(own.left_out(best, {"lock"}), extreme::least, best);
  if (usual != nullptr && usual != &best)
    return {fmt::format(
        "Locking and unlocking a {} that no other thread wants costs {}; the cheapest lock{}, {}, costs {}{}.",
        usual_lock, with_interval(*usual), of_the, lock, with_interval(best), also)};
  if (!of_the.empty())
    return {fmt::format("Locking and unlocking a {} that no other thread wants costs {}{}.", lock, with_interval(best),
                        also)};
  return {fmt::format("Locking and unlocking a lock that no other thread wants costs least with {}: {}{}.", lock,
                      with_interval(best), also)};
}

std::optional<views::headline> uncontested_headline(const own_cells& own) {
  const cells all = only_precise(where(own.of_any_mode("pair"), "distance", "same_cpu"));
  if (all.empty()) return std::nullopt;
  const cell& best = *least(all);
  const cells tied = tied_with(best, all);
  const cell* const usual = first_precise(all, "lock", usual_lock);
  const bool behind = usual != nullptr && usual != &best && std::find(tied.begin(), tied.end(), usual) == tied.end();
  const std::string lock = name_at(best, "lock"), also = rivals(tied, "lock");
  const cell& shown = behind ? *usual : best;
  const std::string of_the = of_the_sure(own.left_out(best, {"lock"}), extreme::least, best);
  const std::string place = !also.empty() ? also : of_the.empty() ? ", the cheapest" : "";
  return views::headline{figure_of(shown),
                         behind ? fmt::format("to lock and unlock a free {}; the cheapest lock{}, {}{}, takes {}",
                                              usual_lock, of_the, lock, also, figure_of(best))
                                : fmt::format("to lock and unlock a free lock with {}{}", lock, place),
                         details({"the same thread had it last", interval_of(shown)}, shown), "distance"};
}

}  // namespace

void present_locks_uncontested(experiment& e) {
  e.tour = [](const setting&) { return tour_stop{{{"lock", tour_locks()}, {"distance", {"same_cpu"}}}}; };
  e.view = {
      {},
      uncontested_findings,
      uncontested_headline,
      {{"distance",
        "A lock that nobody else wants",
        "The time to lock and unlock a free lock, by how far away its last holder was. The lock’s memory must first "
        "be fetched from there.",
        bars("lock", {"distance"}),
        "",
        {"pair", "acquire", "release", "pair_cycles", "acquire_cycles", "release_cycles", "latency", "latency_cycles"}},
       {"acquire",
        "Acquiring a free lock, as the paper measured it",
        "The time to acquire a free lock alone, in cycles, by how far away its last holder was.",
        bars("lock", {"distance"}),
        "Fig. 6",
        {"acquire_cycles", "acquire"}}}};
  e.view.about = "lock";
}

}  // namespace synchro::experiments
