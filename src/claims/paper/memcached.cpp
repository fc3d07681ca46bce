// Section 6.4: memcached. The clients are on this machine, too, but the sentences are about as many threads of the server as
// have a processor each.

#include "claims/paper/paper.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

const naming by_lock{"lock", "threads"};

constexpr std::string_view its_recording =
    "Memcached is not simulated: what a recording of it would be replayed from is refused (docs/predict.md).";

/// Answers a second to such requests, by as many threads as contend and have a processor each.
cells answers(const evidence& e, const char* requests, const place& where) {
  if (e.processors() < fewest_that_contend) return {};
  return e.find(requests, "throughput", place{between("threads", fewest_that_contend, e.processors())} + where);
}

cells sets(const evidence& e, const place& where) {
  return answers(e, results::experiment_names::memcached_set, where);
}

constexpr claim of_memcached[] = {
    {.id = "S63",
     .section = "6.4",
     .says = "With get requests alone the lock has little effect on memcached.",
     .rule = "The largest team from 3 threads up to the processors: the best lock against each other one, at most 1.1 "
             "times, which is a third of the least that the paper calls a gain with set requests.",
     .command = "synchroscope run memcached.get",
     .not_modelled = its_recording,
     .judge =
         [](const evidence& e) {
           constexpr double little = 1.1;
           const std::string nothing = "memcached was not measured with three threads or more that fit the processors";
           const cells all = answers(e, results::experiment_names::memcached_get, {is("placement", "compact")});
           const cells team = those(all, {is("threads", full_team(e, all, fewest_that_contend))});
           if (team.size() < 2) return missing(nothing);
           return compared(best(team), worst(team), {1 / little, little}, by_lock, nothing,
                           team.size() * (team.size() - 1) / 2);
         }},
    {.id = "S57",
     .section = "6.4",
     .says =
         "With ticket, MCS or TAS locks memcached sets 29 to 50 % more values than with mutexes, on three of the four "
         "platforms (on the Niagara network and operating system are the limit).",
     .figure = "29 to 50 %",
     .rule = "The best of these locks, however it waits, against pthread/mutex, each at its best number of threads "
             "from 3 up to the processors: from 1.29 to 1.5 times.",
     .command = "synchroscope run memcached.set",
     .not_modelled = its_recording,
     .judge =
         [](const evidence& e) {
           const std::vector<std::string> named{"tas",          "ttas", "ticket",    "tas/yield", "ttas/yield",
                                                "ticket/yield", "mcs",  "mcs/yield", "mcs/park"};
           const cells ours = sets(e, {is("placement", "compact"), one_of("lock", named)});
           const cells theirs = sets(e, {is("placement", "compact"), is("lock", "pthread/mutex")});
           return compared(best(ours), best(theirs), {1.29, 1.5}, by_lock,
                           "memcached was not measured with three threads or more that fit the processors");
         }},
    beyond(
        "S58", "6.4", "Memcached: at most 3.9 times on the Opteron.", "3.9 times",
        "The model opteron is that machine, but memcached is not simulated: what a recording of it would be replayed "
        "from is refused (docs/predict.md)."),
    {.id = "S59",
     .section = "6.4",
     .says = "Memcached whose threads are not placed well loses 20 % on machines with several sockets.",
     .figure = "20 %",
     .rule = "The worst other placement against compact, with the lock and the threads that are best there: what "
             "rounds to 20 % less.",
     .command = "synchroscope run memcached.set --full",
     .not_modelled = its_recording,
     .judge =
         [](const evidence& e) {
           if (e.sockets() < 2) return of_other_machines(not_several_sockets);
           const cell* const placed = best(sets(e, {is("placement", "compact")}));
           const std::string nothing = "memcached was not measured with its threads placed and not placed";
           if (placed == nullptr) return missing(nothing);
           const cells others = sets(e, {none_of("placement", {"compact"}), is("lock", word_at(*placed, "lock")),
                                         is("threads", number_at(*placed, "threads"))});
           constexpr double least = 0.15, most = 0.25;  // what rounds to 20 %
           return compared(worst(others), placed, {1 - most, 1 - least}, {"lock", "threads", "placement"}, nothing);
         }},
    {.id = "S60",
     .section = "6.4",
     .says = "Memcached does not scale beyond 18 cores.",
     .figure = "18 cores",
     .rule = "The most answers with more than 18 threads that have a processor each against the most with 3 to 18: up "
             "to the 3 % of the paper's tables more.",
     .command = "synchroscope run memcached.set --threads 10,18,24,36",
     .not_modelled = its_recording,
     .judge =
         [](const evidence& e) {
           constexpr std::int64_t cores = 18;
           const cells all = sets(e, {is("placement", "compact")});
           return compared(
               best(those(all, {between("threads", cores + 1, e.processors())})),
               best(those(all, {between("threads", fewest_that_contend, cores)})), up_to(1 + of_the_paper), by_lock,
               "memcached was not measured with more than 18 threads that fit the processors, and with fewer");
         }},
};

}  // namespace

std::span<const claim> on_memcached() { return of_memcached; }

}  // namespace synchro::claims
