// Sections 1, 5.1 to 5.3 and 8: what a transfer of a line and an atomic operation on it cost.

#include "claims/paper/paper.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

constexpr const char* states_command = "synchroscope run coherence.states";

/// Cycles of an access, in the best case of the paper: the line's memory is at one of the two.
cells accesses(const evidence& e, const std::vector<std::string>& operations, const std::string& state,
               const place& where = {}) {
  return e.find(
      results::experiment_names::coherence_states, "latency_cycles",
      place{one_of("operation", operations), is("state", state), absent_or(one_of("home", {"holder", "requester"}))} +
          where);
}

/// The other core that is nearest, by what a load of its modified line costs; threads of one core share its caches.
std::string nearest_core(const evidence& e) {
  cells remote = accesses(e, {"load", "fai"}, "modified", {none_of("distance", {own_processor, "same_core"})});
  std::erase_if(remote, [&](const cell* c) { return e.crosses_sockets(word_at(*c, "distance")); });
  const cell* const nearest = best(remote);
  return nearest == nullptr ? "" : word_at(*nearest, "distance");
}

/// A quotient of means over whatever pairs there are.
std::optional<estimate> mean_ratio(const std::vector<std::pair<const cell*, const cell*>>& pairs) {
  estimate mean{0, std::pair{0.0, 0.0}};
  for (const auto& [a, b] : pairs) {
    const auto r = ratio_of(*a, *b);
    if (!r) return std::nullopt;
    mean.value += r->value / static_cast<double>(pairs.size());
    if (!r->ci) mean.ci = std::nullopt;
    if (!mean.ci) continue;
    mean.ci->first += r->ci->first / static_cast<double>(pairs.size());
    mean.ci->second += r->ci->second / static_cast<double>(pairs.size());
  }
  return pairs.empty() ? std::nullopt : std::optional{mean};
}

constexpr claim of_coherence[] = {
    {.id = "S1",
     .section = "1, 5.2",
     .says = "An access that crosses sockets costs 2 to 7.5 times as much as one inside.",
     .figure = "2 to 7.5 times",
     .rule = "Loads of a modified and of a shared line, every distance across sockets against the nearest core: from 2 "
             "to 7.5 times, give or take the 3 % of the paper's tables.",
     .command = states_command,
     .judge =
         [](const evidence& e) {
           const std::string nothing = "loads were not measured at distances inside and across sockets";
           std::vector<std::pair<const cell*, const cell*>> pairs;
           const std::string near = nearest_core(e);
           for (const std::string state : {"modified", "shared"})
             for (const auto& [far, close] :
                  matched(accesses(e, {"load"}, state, {none_of("distance", {own_processor, near})}),
                          accesses(e, {"load"}, state, {is("distance", near)}), {"distance"}))
               if (e.crosses_sockets(word_at(*far, "distance"))) pairs.emplace_back(far, close);
           return compared(pairs, {2 * (1 - of_the_paper), 7.5 * (1 + of_the_paper)}, {"state", "distance"}, nothing);
         }},
    {.id = "S2",
     .section = "1, 5.2, 5.3",
     .says = "A store to a line that others of the same socket share costs three times as much as one to a line with a "
             "single holder (seen on the Opteron only).",
     .figure = "3 times",
     .rule = "Store on shared against store on modified at the nearest core: what rounds to 3 times.",
     .command = states_command,
     .judge =
         [](const evidence& e) {
           const place inside{is("distance", nearest_core(e))};
           return compared(
               matched(accesses(e, {"store"}, "shared", inside), accesses(e, {"store"}, "modified", inside), {"state"}),
               rounds_to(3), {"operation", "state", "distance"},
               "stores to a line that others share were not measured inside a socket");
         }},
    {.id = "S4",
     .section = "1",
     .says = "On a line held elsewhere, compare-and-swap costs 1.15 to 1.35 times as much as a load.",
     .figure = "1.35 (Opteron), 1.15 (Xeon)",
     .rule = "Compare-and-swap against load, the mean over modified and exclusive lines at all distances: from 1.15 to "
             "1.35 times, give or take 3 %.",
     .command = states_command,
     .judge =
         [](const evidence& e) {
           std::vector<std::pair<const cell*, const cell*>> pairs;
           for (const std::string state : {"modified", "exclusive"})
             for (const auto& pair :
                  matched(accesses(e, {"cas"}, state, {none_of("distance", {own_processor})}),
                          accesses(e, {"load"}, state, {none_of("distance", {own_processor})}), {"operation"}))
               pairs.push_back(pair);
           return judged(mean_ratio(pairs), {1.15 * (1 - of_the_paper), 1.35 * (1 + of_the_paper)},
                         "compare-and-swap against load, mean over states and distances: ratio ",
                         "compare-and-swap and load were not both measured on a line held elsewhere");
         }},
    proved("S6", "5.1", "44 cycles of the Xeon's last level are the fastest way between cores.", "44 cycles", xeon),
    proved("S7", "5.2", "The dies of a module are 12 cycles nearer than linked ones on the Opteron.", "12 cycles",
           opteron),
    proved("S8", "5.2", "One more hop costs 80 cycles on the Opteron.", "80 cycles", opteron),
    proved("S9", "5.2", "Two hops cost about 3 times as much as within a die on the Opteron.", "3 times", opteron),
    proved("S10", "5.2",
           "312 cycles when both are two hops from the directory of the Opteron (the model is fitted on it).",
           "312 cycles", opteron),
    proved("S11", "5.2", "Cores of one node of the Opteron lose their locality to a remote directory.", "", opteron),
    proved("S12", "5.2", "A load of a shared line costs 7.5 times as much over two hops on the Xeon.", "7.5 times",
           xeon),
    proved("S13", "5.2", "A load costs an L1 or an L2 access on the Niagara.", "3 or 24 cycles", niagara),
    proved("S14", "5.2", "45 cycles to a neighbour on the Tilera, 20 more to the farthest.", "45, 65 cycles", tilera),
    proved("S15", "5.2",
           "A store to a line that other cores of the die share goes from 83 to 244 cycles on the Opteron.",
           "83, 244 cycles", opteron),
    proved("S16", "5.2", "A store to a line shared by all costs 296 cycles on the Opteron.", "296 cycles", opteron),
    proved("S17", "5.2", "A store to a line shared by all 80 costs 445 cycles on the Xeon (the model holds it).",
           "445 cycles", xeon),
    proved("S18", "5.2", "A store costs an L2 access whatever the state on the Niagara.", "24 cycles", niagara),
    proved("S19", "5.2",
           "A store to a line shared by all 36 costs up to 200 cycles on the Tilera (the model holds it).",
           "200 cycles", tilera),
    {.id = "S20",
     .section = "5.2",
     .says =
         "All atomic operations cost the same on machines with several sockets; on those with one some are cheaper.",
     .rule = "The most expensive against the cheapest of CAS, FAI, TAS and SWAP on a modified line at each distance: "
             "within 3 % with several sockets, beyond with one.",
     .command = states_command,
     .judge =
         [](const evidence& e) {
           const range alike{1 / (1 + of_the_paper), 1 + of_the_paper};
           std::vector<finding> all;
           const cells held =
               accesses(e, {"cas", "fai", "tas", "swap"}, "modified", {none_of("distance", {own_processor})});
           const std::vector<std::string> distances = words_of(held, "distance");
           constexpr std::size_t pairs_of_four = 6;  // worst and best are one of them
           for (const std::string& distance : distances) {
             const cells here = those(held, {is("distance", distance)});
             if (words_of(here, "operation").size() < 4) continue;
             all.push_back(compared(worst(here), best(here), e.sockets() > 1 ? alike : from(alike.most),
                                    {"operation", "distance"}, "", pairs_of_four * distances.size()));
           }
           return all_of(all, "the four atomic operations on a line held elsewhere were not all measured");
         }},
    proved("S21", "5.2", "On lines that all share, atomic operations follow the store.", "", models),
    proved("S22", "5.3", "Prefetching for writing avoids the expensive store on the Opteron.", "", opteron),
    {.id = "S27",
     .section = "5.4",
     .says = "As soon as two cores share a line, an atomic operation on it goes from about 20 to about 120 cycles.",
     .figure = "6 times",
     .rule = "Fetch-and-add on a modified line, from the nearest other core against the own one, with several sockets: "
             "4.6 to 8.3 times, as far as 20 and 120 may be rounded.",
     .command = states_command,
     .judge =
         [](const evidence& e) {
           if (e.sockets() == 1) return of_other_machines(not_several_sockets);
           const auto at = [&](const std::string& distance) {
             return accesses(e, {"fai"}, "modified", {is("distance", distance)});
           };
           // "Approximately 20 to 120 cycles": 15 to 25, and 115 to 125.
           return compared(matched(at(nearest_core(e)), at(own_processor), {"distance", "home"}),
                           {115.0 / 25, 125.0 / 15}, {"distance"},
                           "fetch-and-add was not measured on the own and on another core's line");
         }},
    proved("S61", "8", "Across against within sockets of smaller machines (the models are made of it).",
           "1.6 (Opteron 2384), 2.7 (Xeon X5660)", models),
    {.id = "S62",
     .section = "Table 2",
     .says = "10000 repetitions, below 3 % deviation.",
     .figure = "3 %",
     .rule = "It says how the tables were measured.",
     .what = kind::background},
};

}  // namespace

std::span<const claim> on_coherence() { return of_coherence; }

}  // namespace synchro::claims
