// Section 6.1.1: what taking a lock costs that nobody holds.

#include "claims/paper/paper.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

constexpr const char* free_locks_command = "synchroscope run locks.uncontested coherence.states";

cells acquired(const evidence& e, const std::string& lock, const place& where = {}) {
  return e.find(results::experiment_names::locks_uncontested, "acquire_cycles", place{is("lock", lock)} + where);
}

/// The farthest that was measured, by what it costs.
const cell* farthest(const evidence& e, const std::string& lock) {
  cells all = acquired(e, lock, {none_of("distance", {own_processor})});
  if (e.sockets() > 1) std::erase_if(all, [&](const cell* c) { return !e.crosses_sockets(word_at(*c, "distance")); });
  return worst(all);
}

/// How many times as much a lock costs that was last held far away, by the machine; of others, what lies between these two.
range far_over_own(const evidence& e) {
  constexpr double of_the_opteron = 12.5, of_the_xeon = 11;
  return {(e.model() == "opteron" ? of_the_opteron : of_the_xeon) * (1 - of_the_paper),
          (e.model() == "xeon" ? of_the_xeon : of_the_opteron) * (1 + of_the_paper)};
}

constexpr claim of_free_locks[] = {
    {.id = "S32",
     .section = "6.1.1",
     .says = "Taking a free lock that was last held on another socket costs up to 12.5 (Opteron) and 11 (Xeon) times "
             "what it costs if one held it oneself.",
     .figure = "12.5, 11 times",
     .rule = "Ticket lock, the farthest distance across sockets against the same processor: 12.5 times on the model of "
             "the Opteron, 11 times on that of the Xeon, from 11 to 12.5 times elsewhere, give or take 3 %.",
     .command = free_locks_command,
     .judge =
         [](const evidence& e) {
           if (e.sockets() == 1) return of_other_machines(not_several_sockets);
           const cells near = acquired(e, "ticket", {is("distance", own_processor)});
           return compared(farthest(e, "ticket"), near.empty() ? nullptr : near.front(), far_over_own(e), {"distance"},
                           "the ticket lock was not measured on the own processor and across sockets");
         }},
    proved("S33", "6.1.1", "No (Niagara) or slight (Tilera) dependence of a free lock on the place.", "", models),
    {.id = "S34",
     .section = "6.1.1",
     .says = "Taking a free lock held far away costs 350 to 450 cycles with several sockets, roughly 200 with one.",
     .figure = "350 to 450, 200 cycles",
     .rule = "Ticket lock at the farthest distance: 350 to 450 cycles with several sockets, else what rounds to 200.",
     .command = free_locks_command,
     .judge =
         [](const evidence& e) {
           const cell* const far = farthest(e, "ticket");
           const std::string nothing = "the ticket lock was not measured at a distance";
           if (far == nullptr || e.sockets() == 0) return missing(nothing);
           // "The 350 to 450 cycles on a multi-socket, and the roughly 200 cycles on a single-socket".
           return judged(estimate_of(*far), e.sockets() > 1 ? range{350, 450} : range{150, 250},
                         "ticket, " + word_at(*far, "distance") + ": ", nothing);
         }},
    proved("S35", "6.1.1", "A free lock costs up to an order of magnitude more between sockets.", "10 times", models),
    {.id = "S36",
     .section = "6.1.1",
     .says = "A free spin lock follows the cost of the line's transfer over distance, and queue locks cost more.",
     .rule = "MCS and CLH against ticket at every distance: more than once; and ticket at each distance against the "
             "own processor, over the same ratio of fetch-and-add: within 0.6 to 1.67.",
     .command = free_locks_command,
     .judge =
         [](const evidence& e) {
           const std::string nothing =
               "ticket, MCS and CLH, and the line's own transfer, were not measured at two distances";
           std::vector<finding> dearer, followed;
           for (const std::string queue : {"mcs", "clh"})
             for (const auto& [a, b] : matched(acquired(e, queue), acquired(e, "ticket"), {"lock"}))
               dearer.push_back(compared(a, b, from(1), {"lock", "distance"}, nothing));
           const auto line = [&](const cell* c) {
             return e.one(results::experiment_names::coherence_states, "latency_cycles",
                          {is("operation", "fai"), is("state", "modified"), is("distance", word_at(*c, "distance")),
                           absent_or(one_of("home", {"holder", "requester"}))});
           };
           const cells all = acquired(e, "ticket");
           const cell* const near = best(those(all, {is("distance", own_processor)}));
           for (const cell* c : all) {
             if (near == nullptr || c == near || line(c) == nullptr || line(near) == nullptr) continue;
             const auto lock = ratio_of(*c, *near), transfer = ratio_of(*line(c), *line(near));
             followed.push_back(judged(
                 lock && transfer ? std::optional{quotient(*lock, *transfer)} : std::nullopt, stable,
                 word_at(*c, "distance") + " against the own processor, the lock's ratio over the line's: ", nothing));
           }
           return all_of({all_of(dearer, nothing), all_of(followed, nothing)}, nothing);
         }},
};

}  // namespace

std::span<const claim> on_free_locks() { return of_free_locks; }

}  // namespace synchro::claims
