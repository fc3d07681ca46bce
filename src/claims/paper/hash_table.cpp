// Section 6.3: the hash table.

#include "claims/paper/paper.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

using results::experiment_names::hashtable_throughput;

const std::vector<std::string> locks_of_the_paper{"tas", "ttas", "ticket", "array",  "mutex",
                                                  "mcs", "clh",  "hclh",   "hticket"};
const std::string few_sizes = "the table was not measured with these threads, buckets and elements";

/// Operations a second of tables that are locked as the paper's are.
cells locked_tables(const evidence& e, std::int64_t buckets, const std::string& placement = "compact") {
  return e.find(
      hashtable_throughput, "throughput",
      {one_of("lock", locks_of_the_paper), is("keys", "uniform"), is("placement", placement), is("buckets", buckets)});
}

const cell* best_of(const cells& all, std::int64_t threads, std::int64_t load) {
  return best(those(all, {is("threads", threads), is("load", load)}));
}

constexpr claim of_the_hash_table[] = {
    {.id = "S51",
     .section = "6.3",
     .says = "The hash table's set-up.",
     .rule = "It describes a workload.",
     .what = kind::background},
    {.id = "S52",
     .section = "6.3",
     .says = "10 times with 36 threads on 12 buckets of the Niagara.",
     .figure = "10 times",
     .rule = "With one socket of at least 36 processors: 12 buckets of 12 elements, the best lock with 36 threads "
             "against the best with one: what rounds to 10 times.",
     .command = "synchroscope run hashtable.throughput --placement compact --threads 1,36",
     .judge =
         [](const evidence& e) {
           if (e.sockets() > 1)
             return of_other_machines("the claim is of a machine with one socket, and this one has several");
           if (e.processors() < 36) return of_other_machines("the claim is of 36 threads that have a processor each");
           const cells all = locked_tables(e, 12);
           return compared(best_of(all, 36, 12), best_of(all, 1, 12), {9.5, 10.5}, {"lock", "threads"}, few_sizes);
         }},
    {.id = "S53",
     .section = "6.3",
     .says =
         "Under high contention message passing beats locks on a hash table, but not where servers share cores with "
         "other threads (Niagara); under low contention it is slower.",
     .rule =
         "With the most threads that have a processor each (4 at least): 12 buckets, messages against each lock, or, "
         "with more threads than cores, the best lock against messages; 512 buckets, the best lock against "
         "messages; of 12 and of 48 elements. On simulated machines without a network messages are sent and served by "
         "libssmp's way.",
     .command = "synchroscope run hashtable.throughput --placement compact",
     .judge =
         [](const evidence& e) {
           constexpr std::int64_t many = 4;
           const std::string nothing = "message passing and locks were not measured with many threads";
           const cells all =
               e.find(hashtable_throughput, "throughput", {is("keys", "uniform"), is("placement", "compact")});
           const cells by_libssmp = those(all, {is("lock", "messages/paper")}),
                       served = by_libssmp.empty() ? those(all, {one_of("lock", {"messages", "messages/network"})})
                                                   : by_libssmp,
                       locked = those(all, {one_of("lock", locks_of_the_paper)});
           const std::vector<std::int64_t> threads = numbers_of(served, "threads");
           if (threads.empty() || threads.back() < many) return missing(nothing);
           std::vector<finding> parts;
           for (const std::int64_t load : {12, 48}) {
             const auto of = [&](const cells& some, std::int64_t buckets) {
               return those(some, {is("buckets", buckets), is("load", load), is("threads", threads.back())});
             };
             const bool delayed = e.shares_cores(threads.back());
             const cells by_messages = of(served, 12), by_locks = of(locked, 12);
             parts.push_back(contest(delayed ? by_locks : by_messages, delayed ? by_messages : by_locks, 1,
                                     {"lock", "buckets", "load"}, nothing));
             parts.push_back(contest(of(locked, 512), of(served, 512), 1, {"lock", "buckets", "load"}, nothing));
           }
           return all_of(parts, nothing);
         }},
    {.id = "S54",
     .section = "6.3",
     .says = "Threads that are not pinned reach 4 to 6 times less on a contended hash table.",
     .figure = "4 to 6 times",
     .rule = "With several sockets and the most threads that have a processor each (4 at least): 12 buckets of each "
             "size, the best lock pinned against the best not pinned: from 4 to 6 times.",
     .command = "synchroscope run hashtable.throughput --placement compact,unpinned",
     .not_modelled = "The threads of a model are pinned.",
     .judge =
         [](const evidence& e) {
           if (e.sockets() == 1) return of_other_machines(not_several_sockets);
           const cells pinned = locked_tables(e, 12), loose = locked_tables(e, 12, "unpinned");
           const std::int64_t threads = full_team(e, loose, 4);
           std::vector<finding> parts;
           for (const std::int64_t load : numbers_of(loose, "load"))
             parts.push_back(compared(best_of(pinned, threads, load), best_of(loose, threads, load), {4, 6},
                                      {"lock", "placement", "threads", "load"}, few_sizes));
           return all_of(parts, few_sizes);
         }},
    {.id = "S55",
     .section = "6.3",
     .says = "Under low contention longer critical sections of a hash table scale better, but worse on the Tilera.",
     .rule = "512 buckets: the best lock with the most threads that have a processor each (4 at least) over the best "
             "with one: more with 48 elements in a bucket than with 12; less on the model of the Tilera.",
     .command = "synchroscope run hashtable.throughput --placement compact",
     .judge =
         [](const evidence& e) {
           const cells all = locked_tables(e, 512);
           const std::int64_t threads = full_team(e, all, 4);
           const auto growth = [&](std::int64_t load) -> std::optional<estimate> {
             const cell *const many = best_of(all, threads, load), *const one = best_of(all, 1, load);
             return many == nullptr || one == nullptr ? std::nullopt : ratio_of(*many, *one);
           };
           const auto longer = growth(48), shorter = growth(12);
           const auto gain = longer && shorter ? std::optional{quotient(*longer, *shorter)} : std::nullopt;
           return judged(
               gain, e.model() == "tilera" ? up_to(1) : from(1),
               "512 buckets, " + std::to_string(threads) + " threads over one, with 48 elements against 12: ratio ",
               few_sizes);
         }},
    {.id = "S56",
     .section = "6.3",
     .says = "The hash table scales slightly beyond 10 cores of the Xeon.",
     .rule =
         "With several sockets, 512 buckets of each size: the best lock with the most threads that have a processor "
         "each against the best inside a socket: more than once, and at most 1.67 times, which is still alike.",
     .command = "synchroscope run hashtable.throughput --placement compact",
     .judge =
         [](const evidence& e) {
           if (e.sockets() == 1) return of_other_machines(not_several_sockets);
           const cells all = locked_tables(e, 512);
           std::int64_t inside = 0;
           for (const std::int64_t n : numbers_of(all, "threads"))
             if (n <= e.socket()) inside = n;
           const std::int64_t beyond = full_team(e, all, e.socket() + 1);
           std::vector<finding> parts;
           for (const std::int64_t load : numbers_of(all, "load"))
             parts.push_back(compared(best_of(all, beyond, load), best_of(all, inside, load), {1, 1 / stable.least},
                                      {"lock", "threads", "load"}, few_sizes));
           return all_of(parts, few_sizes);
         }},
};

}  // namespace

std::span<const claim> on_the_hash_table() { return of_the_hash_table; }

}  // namespace synchro::claims
