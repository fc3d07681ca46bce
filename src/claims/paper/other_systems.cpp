// Section 8: what the paper measured and tells in a sentence each.

#include "claims/paper/paper.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

const std::vector<std::string> by_locks{"stm", "stm/tas", "stm/ticket", "stm/mcs", "stm/mutex"};

/// Transfers a second between so many accounts.
cells transfers(const evidence& e, std::int64_t accounts) {
  return e.find(results::experiment_names::stm_bank, "throughput",
                {is("elements", accounts), is("updates", 100), is("placement", "compact")});
}

cells queries(const evidence& e) {
  return e.find(results::experiment_names::database_tpch, "time", {between("threads", 2, e.processors())});
}

constexpr claim of_other_systems[] = {
    {.id = "S64",
     .section = "8",
     .says = "A transactional memory behaves as the hash table does, by locks and by messages.",
     .rule = "As S53, of transfers with the most threads that have a processor each (4 at least): between 16 accounts "
             "messages against each kind of lock, or, with more threads than cores, the best kind of lock against "
             "messages; between 1024 the best kind of lock against messages: more than once. On simulated machines "
             "messages are those of the published TM2C.",
     .command = "synchroscope run stm.bank --elements 16,1024 --updates 100 --placement compact",
     .judge =
         [](const evidence& e) {
           constexpr std::int64_t many = 4;
           const std::string nothing = "transfers were not measured by messages and locks with many threads";
           std::vector<finding> parts;
           for (const bool few : {true, false}) {
             const cells all = transfers(e, few ? 16 : 1024);
             const std::int64_t threads = full_team(e, all, many);
             const bool by_messages = few && !e.shares_cores(threads);  // else servers are delayed
             const place team{is("threads", threads)};
             const cells by_tm2c = those(all, team + place{is("means", "messages/paper")}),
                         served = by_tm2c.empty() ? those(all, team + place{is("means", "messages")}) : by_tm2c,
                         locked = those(all, team + place{one_of("means", by_locks)});
             parts.push_back(contest(by_messages ? served : locked, by_messages ? locked : served, 1,
                                     {"means", "elements"}, nothing));
           }
           return all_of(parts, nothing);
         }},
    {.id = "S65",
     .section = "8",
     .says = "MonetDB under TPC-H behaves as memcached does with get requests: synchronization is no bottleneck.",
     .rule =
         "Each lock in the place of MonetDB's own against these, query by query, with two threads or more that have a "
         "processor each: from 0.9 to 1.1 times the time. The text gives no figure; a tenth is this project's.",
     .command = "synchroscope run database.tpch",
     .not_modelled = "MonetDB is not simulated.",
     .judge =
         [](const evidence& e) {
           constexpr double tenth = 0.1;
           const cells all = queries(e);
           const place own{is("lock", "pthread/mutex")}, other{none_of("lock", {"pthread/mutex"})};
           return compared(
               matched(those(all, other), those(all, own), {"lock"}), {1 - tenth, 1 + tenth},
               {"lock", "threads", "query"},
               "MonetDB was not measured with its own locks and others, and threads that fit the processors");
         }},
};

}  // namespace

std::span<const claim> on_other_systems() { return of_other_systems; }

}  // namespace synchro::claims
