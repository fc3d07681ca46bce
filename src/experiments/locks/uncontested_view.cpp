// How locks.uncontested is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/locks.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// Of one thread, whose pairs follow each other as in any loop: how many fit into a time, and not how long one takes alone.
constexpr const char* repeated = "Locking and unlocking, in a loop of one thread, a";

sentences uncontested_findings(const own_cells& own) {
  const cells all = only_precise(where(own.of("pair"), "distance", "same_cpu"));
  if (all.empty()) return {};
  const cell& best = *least(all);
  const cell* const usual = first_precise(all, "lock", usual_lock);
  const std::string lock = name_at(best, "lock"), also = rivals(tied_with(best, all), "lock");
  const std::string of_the = of_the_sure(own.left_out(best, {"lock"}), extreme::least, best);
  if (usual != nullptr && usual != &best)
    return {
        fmt::format("{} {} that no other thread wants costs {}; {}.", repeated, usual_lock, with_interval(*usual),
                    differ(best, *usual, all.size())
                        ? fmt::format("the cheapest lock{}, {}, costs {}{}", of_the, lock, with_interval(best), also)
                        : fmt::format("none of {} other lock{}{} measurably costs less", all.size() - 1,
                                      all.size() == 2 ? "" : "s", of_the))};
  if (!of_the.empty())
    return {fmt::format("{} {} that no other thread wants costs {}{}.", repeated, lock, with_interval(best), also)};
  return {fmt::format("{} lock that no other thread wants costs least with {}: {}{}.", repeated, lock,
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
        "The time to lock and unlock a free lock, by how far away its last holder was. Where the same thread had it "
        "last (same_cpu), pairs follow each other in turn, as in any loop. Where another had it, the lock’s memory "
        "must first be fetched from there, and each pair begins when the lock() before it has ended: a chain.",
        bars("lock", {"distance"}),
        "",
        {"pair", "acquire", "release", "pair_cycles", "acquire_cycles", "release_cycles", "latency", "latency_cycles"}},
       {"acquire",
        "Acquiring a free lock, as the paper measured it",
        "The time to acquire a free lock alone, in cycles, by how far away its last holder was: a chain, in which each "
        "lock() begins when the one before it has ended.",
        bars("lock", {"distance"}),
        "Fig. 6",
        {"acquire_cycles", "acquire"}}}};
  e.view.about = "lock";
}

}  // namespace synchro::experiments
