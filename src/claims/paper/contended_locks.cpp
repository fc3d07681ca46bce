// Sections 1, 5.3, 6.1.2 and 6.1.3: locks under contention. By the paper's own protocol: with one lock a pause after each
// release, with several none (6.1.2).

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "claims/paper/paper.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

using results::experiment_names::locks_throughput;

constexpr const char* throughput_command = "synchroscope run locks.throughput --protocol saturated,paused";
constexpr const char* ticket_command = "synchroscope run locks.ticket";
const std::vector<std::string> spinning{"tas", "ttas", "ticket"}, queueing{"mcs", "clh"},
    complex_ones{"mcs", "clh", "array", "hclh", "hticket"};
const std::string not_paused = "locks were not measured by the paper's protocol";

/// Acquisitions a second by the paper's protocol, for so many locks.
cells rates(const evidence& e, std::int64_t locks) {
  return e.find(locks_throughput, "throughput",
                {is("protocol", locks == 1 ? "paused" : "saturated"), is("placement", "compact"), is("locks", locks),
                 absent_or(is("hold", 0)), absent_or(is("readers", 0))});
}

/// The same for any number of locks.
cells by_the_paper(const evidence& e) {
  cells all;
  for (const std::int64_t locks : numbers_of(e.find(locks_throughput, "throughput"), "locks"))
    for (const cell* c : rates(e, locks)) all.push_back(c);
  return all;
}

const cell* best_with(const cells& all, std::int64_t threads) { return best(those(all, {is("threads", threads)})); }

/// The ticket lock: the paper's own where the machine is simulated, else the library's.
finding ticket(const evidence& e, const std::string& slower, const std::string& faster, const range& r) {
  const cells all = e.find(results::experiment_names::locks_ticket, "latency",
                           {absent_or(is("placement", "compact")), absent_or(is("protocol", "paused"))});
  const auto names = words_of(all, "lock");
  const bool simulated = std::find(names.begin(), names.end(), "ticket_paper") != names.end();
  const std::int64_t threads = full_team(e, all, fewest_that_contend);
  const auto at = [&](std::string name) -> const cell* {
    if (simulated) name.insert(std::string_view{"ticket"}.size(), "_paper");
    const cells found = those(all, {is("lock", name), is("threads", threads)});
    return found.empty() ? nullptr : found.front();
  };
  return compared(at(slower), at(faster), r, {"lock", "threads"},
                  "the ticket locks were not measured with three threads or more that fit the processors");
}

constexpr claim of_contended_locks[] = {
    proved(
        "S3", "1, 6.1.3",
        "Under high contention the Niagara scales approximately (section 1), up to (6.1.3) 1.7 times better than the "
        "Tilera.",
        "1.7 times", models),
    {.id = "S5",
     .section = "1, 6.1.2, 8",
     .says = "No lock is the best everywhere on a machine.",
     .rule = "At each place measured by the paper's protocol (paused with one lock, saturated with several), the locks "
             "that none is resolved to beat by 3 %: it holds if no lock is among them everywhere.",
     .command = throughput_command,
     .judge = [](const evidence& e) -> finding {
       std::map<std::string, cells> places;
       for (const cell* c : by_the_paper(e)) {
         results::coordinates rest;
         for (const auto& [axis, value] : c->at.entries())
           if (axis != "lock") rest.set(axis, value);
         places[rest.to_string()].push_back(c);
       }
       std::erase_if(places, [](const auto& p) { return p.second.size() < 2; });
       const std::string nothing = "fewer than two places where several locks compete by the paper's protocol";
       if (places.size() < 2) return missing(nothing);
       // Locks that are not resolved to be behind anywhere, and whether one leads everywhere.
       std::set<std::string> unbeaten;
       std::size_t comparisons = 0;
       for (const auto& [at, all] : places) {
         for (const cell* c : all) unbeaten.insert(word_at(*c, "lock"));
         comparisons += all.size() - 1;
       }
       std::set<std::string> leading = unbeaten;
       for (const auto& [at, all] : places) {
         const cell* const first = best(all);
         for (const cell* c : all)
           if (c != first && compared(c, first, from(1 - of_the_paper), {}, "", comparisons).is == verdict::fails)
             unbeaten.erase(word_at(*c, "lock"));
           else if (c != first)
             leading.clear();
         std::erase_if(leading, [&](const std::string& name) { return name != word_at(*first, "lock"); });
       }
       const std::string where = "of " + std::to_string(places.size()) + " places measured ";
       if (unbeaten.empty()) return {verdict::holds, where + "no lock is unbeaten in all"};
       if (!leading.empty()) return {verdict::fails, where + *leading.begin() + " leads in all"};
       return {verdict::unresolved, where + "nothing is resolved to beat " + *unbeaten.begin() + " in any"};
     }},
    proved("S5b", "1, 8", "Each of nine locks is the best somewhere.", "nine locks", models),
    proved("S23", "5.3", "A plain ticket lock takes 720K cycles with 48 cores of the Opteron.", "720K cycles", opteron),
    {.id = "S24",
     .section = "5.3",
     .says =
         "Under contention, back-off in proportion to the place in the queue makes the ticket lock scale far better.",
     .rule = "The plain ticket lock against the one with back-off, the paper's on simulated machines, with the most "
             "threads that fit: beyond 1.67 times, which is no longer alike.",
     .command = ticket_command,
     .judge = [](const evidence& e) { return ticket(e, "ticket_plain", "ticket", from(1 / stable.least)); }},
    {.id = "S25",
     .section = "5.3",
     .says = "Fetching the line for writing in advance speeds the ticket lock with back-off up, to twice the speed on "
             "the Opteron.",
     .figure = "up to 2 times",
     .rule = "The ticket lock with back-off without and with prefetching, the paper's on simulated machines: more than "
             "once, and no more than what rounds to 2 times.",
     .command = ticket_command,
     .judge =
         [](const evidence& e) {
           return ticket(e, "ticket", "ticket_prefetch", {1, 2.5});
         }},
    {.id = "S37",
     .section = "6.1.2",
     .says = "With one lock and several sockets, two threads get an order of magnitude less done than one; inside the "
             "socket it stays level, and with a second one it falls again.",
     .figure = "an order of magnitude",
     .rule = "The best lock by the paper's protocol: two threads against one (3.2 to 32 times less, which rounds to "
             "10), every larger team inside the first socket against two (0.6 to 1.67 times), the first beyond against "
             "the last inside (below once).",
     .command = throughput_command,
     .judge =
         [](const evidence& e) {
           if (e.sockets() == 1) return of_other_machines(not_several_sockets);
           const std::string nothing = not_paused + " with one, two and more threads inside a socket, and beyond";
           const naming names{"lock", "threads"};
           const cells all = rates(e, 1);
           const double magnitude = std::sqrt(10);  // what rounds to an order of magnitude: 3.2 to 32 times
           std::vector<finding> parts{compared_below_ceiling(e, best_with(all, 2), best_with(all, 1),
                                                             {1 / (10 * magnitude), 1 / magnitude}, names, nothing)};
           std::int64_t inside = 0, beyond = 0;
           for (const std::int64_t n : numbers_of(all, "threads")) {
             if (n > 2 && n <= e.socket())
               parts.push_back(compared(best_with(all, inside = n), best_with(all, 2), stable, names, nothing));
             if (n > e.socket() && n <= e.processors() && beyond == 0) beyond = n;
           }
           if (inside == 0) parts.push_back(missing(nothing));
           parts.push_back(compared(best_with(all, beyond), best_with(all, inside), up_to(1), names, nothing));
           return all_of(parts, nothing);
         }},
    proved("S38", "6.1.2",
           "One lock: an order of magnitude below one core on Opteron and Xeon; comparable on Niagara and Tilera.",
           "10 times", models),
    {.id = "S39",
     .section = "6.1.2",
     .says = "Under contention on one lock, queue locks (MCS, CLH) hold out better than simple ones, and the ticket "
             "lock is the best of these.",
     .rule = "With the paper's protocol and the most threads measured that fit (36 on the models, which all four have; "
             "Fig. 5 goes to all of a machine's): the better of MCS and CLH against TAS, TTAS and ticket; ticket "
             "against TAS and TTAS.",
     .command = throughput_command,
     .judge =
         [](const evidence& e) {
           const cells all = rates(e, 1);
           const cells team = those(all, {is("threads", full_team(e, all, fewest_that_contend))});
           const std::string nothing = not_paused + " with three threads or more that fit the processors";
           const auto of = [&](const std::vector<std::string>& locks) { return those(team, {one_of("lock", locks)}); };
           return all_of({contest(of(queueing), of(spinning), 1, {"lock", "threads"}, nothing),
                          contest(of({"ticket"}), of({"tas", "ttas"}), 1, {"lock", "threads"}, nothing)},
                         nothing);
         }},
    proved("S39b", "6.1.2", "One lock: hierarchical locks are the best on the Xeon, queue locks elsewhere.", "",
           models),
    {.id = "S40",
     .section = "6.1.2",
     .says = "With 512 locks, simple locks match or beat complex ones.",
     .rule = "With the paper's protocol and the most threads measured that fit (36 on the models, which all four have; "
             "Fig. 7 goes to all of a machine's): the best of TAS, TTAS and ticket against MCS, CLH, array and "
             "hierarchical locks: at least as good, give or take 3 %.",
     .command = "synchroscope run locks.throughput --protocol saturated --locks 512",
     .judge =
         [](const evidence& e) {
           const cells all = rates(e, 512);
           const cells team = those(all, {is("threads", full_team(e, all, 2))});
           return contest(those(team, {one_of("lock", spinning)}), those(team, {one_of("lock", complex_ones)}),
                          1 - of_the_paper, {"lock", "threads"}, not_paused + " with 512 locks");
         }},
    proved("S40b", "6.1.2", "512 locks: ticket is the best but on the Xeon, where all become alike.", "", models),
    proved("S41", "6.1.2", "The Xeon is best with all threads on one socket, whatever the contention.", "", xeon),
    {.id = "S42",
     .section = "6.1.2",
     .says = "With a processor for every thread the Pthread mutex is never the best; it is better than spinning where "
             "threads share processors.",
     .rule = "With the paper's protocol: the best other lock against pthread/mutex wherever the threads fit, and "
             "pthread/mutex against TAS, TTAS and ticket with the most threads beyond (on simulated machines the "
             "library's mutex).",
     .command = throughput_command,
     .judge =
         [](const evidence& e) {
           const cells all = by_the_paper(e);
           // The library's own mutex stands for it where there is no system.
           const auto known = words_of(all, "lock");
           const std::string mutex =
               std::find(known.begin(), known.end(), "pthread/mutex") != known.end() ? "pthread/mutex" : "mutex";
           const std::string nothing = not_paused + " with pthread/mutex, below and beyond the number of processors";
           const std::int64_t beyond = all.empty() ? 0 : numbers_of(all, "threads").back();
           std::vector<finding> parts;
           for (const cell* m : those(all, {is("lock", mutex), between("threads", 1, e.processors())})) {
             cells rivals;
             for (const auto& [own_cell, rival] : matched({m}, those(all, {none_of("lock", {mutex})}), {"lock"}))
               rivals.push_back(rival);
             // Its best rival has to be ahead; the mutex is the best only if it is ahead of all.
             finding f = contest({m}, rivals, 1, {"lock", "locks", "threads"}, nothing);
             if (f.is == verdict::holds || f.is == verdict::fails)
               f.is = f.is == verdict::holds ? verdict::fails : verdict::holds;
             if (f.measured) f.off = off_range(f.measured->value, up_to(1));
             parts.push_back(std::move(f));
           }
           const finding never = all_of(parts, nothing);
           if (beyond <= e.processors()) return all_of({never, missing(nothing)}, nothing);
           const cells crowd = those(all, {is("threads", beyond), is("locks", 1)});
           return all_of({never, contest(those(crowd, {is("lock", mutex)}), those(crowd, {one_of("lock", spinning)}), 1,
                                         {"lock", "threads"}, nothing)},
                         nothing);
         }},
    proved("S43", "6.1.3", "Niagara and Tilera: no collapse with 4 locks, good scaling with 128.", "", models),
    {.id = "S44",
     .section = "6.1.3",
     .says = "With 4 locks, machines with several sockets do significantly less with many threads than with one.",
     .rule = "With the paper's protocol, the best lock of the most threads that fit against the best of one: below 0.6 "
             "times, which is no longer alike.",
     .command = "synchroscope run locks.throughput --protocol saturated --locks 4",
     .judge =
         [](const evidence& e) {
           if (e.sockets() == 1) return of_other_machines(not_several_sockets);
           const cells all = rates(e, 4);
           // "Significantly lower": more than what still counts as stable.
           return compared(best_with(all, std::max<std::int64_t>(full_team(e, all, 2), 2)), best_with(all, 1),
                           up_to(stable.least), {"lock", "threads"}, not_paused + " with 4 locks, one thread and many");
         }},
    proved("S44b", "6.1.3",
           "Opteron and Xeon scale little even with 128 locks, and the Xeon loses severely by one remote thread.", "",
           models),
};

}  // namespace

std::span<const claim> on_contended_locks() { return of_contended_locks; }

}  // namespace synchro::claims
