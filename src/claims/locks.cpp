// Sections 5.3 and 6.1 of the paper: locks. Under contention by the paper's own protocol: with one lock a pause after each
// release, with several none (6.1.2).

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "claims/judges.hpp"
#include "results/measured.hpp"

namespace synchro::claims::judges {

namespace {

const std::string own = "same_cpu";
const std::vector<std::string> spinning{"tas", "ttas", "ticket"}, queueing{"mcs", "clh"},
    complex_ones{"mcs", "clh", "array", "hclh", "hticket"};
const std::string not_paused = "locks were not measured by the paper's protocol";
const std::string several_sockets = "the claim is of machines with several sockets, and this one has one";

std::string protocol_for(std::int64_t locks) { return locks == 1 ? "paused" : "saturated"; }

/// Acquisitions a second by the paper's protocol, for so many locks.
cells rates(const evidence& e, std::int64_t locks, const place& where = {}) {
  return e.find(results::measured::locks_throughput, "throughput",
                place{is("protocol", protocol_for(locks)), is("placement", "compact"), is("locks", locks),
                      absent_or(is("hold", 0)), absent_or(is("readers", 0))} +
                    where);
}

/// The same for any number of locks.
cells by_the_paper(const evidence& e) {
  cells all;
  for (const std::int64_t locks : numbers_of(e.find(results::measured::locks_throughput, "throughput"), "locks"))
    for (const cell* c : rates(e, locks)) all.push_back(c);
  return all;
}

/// The largest team that fits, of three threads or more: two are the least that contend.
std::int64_t full_team(const evidence& e, const cells& all, std::int64_t least) {
  std::int64_t found = 0;
  for (const std::int64_t n : numbers_of(all, "threads"))
    if (n >= least && (e.processors() == 0 || n <= e.processors())) found = n;
  return found;
}

const cell* best_with(const cells& all, std::int64_t threads) { return best(those(all, {is("threads", threads)})); }

}  // namespace

finding s5(const evidence& e) {
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
}

namespace {

/// Of the ticket lock: with the paper's own back-off where the machine is simulated, else with the library's.
finding ticket(const evidence& e, const std::string& slower, const std::string& faster, const range& r) {
  const cells all = e.find(results::measured::locks_ticket, "latency",
                           {absent_or(is("placement", "compact")), absent_or(is("protocol", "paused"))});
  const auto names = words_of(all, "lock");
  const bool simulated = std::find(names.begin(), names.end(), "ticket_paper") != names.end();
  const std::int64_t threads = full_team(e, all, 3);
  const auto at = [&](std::string name) -> const cell* {
    if (simulated && name == "ticket") name = "ticket_paper";
    if (simulated && name == "ticket_prefetch") name = "ticket_paper_prefetch";
    const cells found = those(all, {is("lock", name), is("threads", threads)});
    return found.empty() ? nullptr : found.front();
  };
  return compared(at(slower), at(faster), r, {"lock", "threads"},
                  "the ticket locks were not measured with three threads or more that fit the processors");
}

}  // namespace

finding s24(const evidence& e) { return ticket(e, "ticket_plain", "ticket", from(1 / stable.least)); }
finding s25(const evidence& e) { return ticket(e, "ticket", "ticket_prefetch", {1, 2.5}); }

namespace {

cells acquired(const evidence& e, const std::string& lock, const place& where = {}) {
  return e.find(results::measured::locks_uncontested, "acquire_cycles", place{is("lock", lock)} + where);
}

/// The farthest that was measured, by what it costs.
const cell* farthest(const evidence& e, const std::string& lock) {
  cells all = acquired(e, lock, {none_of("distance", {own})});
  if (e.sockets() > 1) std::erase_if(all, [&](const cell* c) { return !e.crosses_sockets(word_at(*c, "distance")); });
  return worst(all);
}

}  // namespace

finding s32(const evidence& e) {
  if (e.sockets() == 1) return missing(several_sockets);
  const cells near = acquired(e, "ticket", {is("distance", own)});
  return compared(farthest(e, "ticket"), near.empty() ? nullptr : near.front(),
                  {11 * (1 - of_the_paper), 12.5 * (1 + of_the_paper)}, {"distance"},
                  "the ticket lock was not measured on the own processor and across sockets");
}

finding s34(const evidence& e) {
  const cell* const far = farthest(e, "ticket");
  const std::string nothing = "the ticket lock was not measured at a distance";
  if (far == nullptr || e.sockets() == 0) return missing(nothing);
  // "The 350 to 450 cycles on a multi-socket, and the roughly 200 cycles on a single-socket".
  return judged(estimate_of(*far), e.sockets() > 1 ? range{350, 450} : range{150, 250},
                "ticket, " + word_at(*far, "distance") + ": ", nothing);
}

finding s36(const evidence& e) {
  const std::string nothing = "ticket, MCS and CLH, and the line's own transfer, were not measured at two distances";
  std::vector<finding> dearer, followed;
  for (const std::string& queue : queueing)
    for (const auto& [a, b] : matched(acquired(e, queue), acquired(e, "ticket"), {"lock"}))
      dearer.push_back(compared(a, b, from(1), {"lock", "distance"}, nothing));
  const auto line = [&](const cell* c) {
    return e.one(results::measured::coherence_states, "latency_cycles",
                 {is("operation", "fai"), is("state", "modified"), is("distance", word_at(*c, "distance")),
                  absent_or(one_of("home", {"holder", "requester"}))});
  };
  const cells all = acquired(e, "ticket");
  const cell* const near = best(those(all, {is("distance", own)}));
  for (const cell* c : all) {
    if (near == nullptr || c == near || line(c) == nullptr || line(near) == nullptr) continue;
    const auto lock = ratio_of(*c, *near), transfer = ratio_of(*line(c), *line(near));
    followed.push_back(
        judged(lock && transfer ? std::optional{quotient(*lock, *transfer)} : std::nullopt, stable,
               word_at(*c, "distance") + " against the own processor, the lock's ratio over the line's: ", nothing));
  }
  return all_of({all_of(dearer, nothing), all_of(followed, nothing)}, nothing);
}

finding s37(const evidence& e) {
  if (e.sockets() == 1) return missing(several_sockets);
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
}

finding s39(const evidence& e) {
  const cells all = rates(e, 1);
  const cells team = those(all, {is("threads", full_team(e, all, 3))});
  const std::string nothing = not_paused + " with three threads or more that fit the processors";
  const auto of = [&](const std::vector<std::string>& locks) { return those(team, {one_of("lock", locks)}); };
  return all_of({contest(of(queueing), of(spinning), 1, {"lock", "threads"}, nothing),
                 contest(of({"ticket"}), of({"tas", "ttas"}), 1, {"lock", "threads"}, nothing)},
                nothing);
}

finding s40(const evidence& e) {
  const cells all = rates(e, 512);
  const cells team = those(all, {is("threads", full_team(e, all, 2))});
  return contest(those(team, {one_of("lock", spinning)}), those(team, {one_of("lock", complex_ones)}), 1 - of_the_paper,
                 {"lock", "threads"}, not_paused + " with 512 locks");
}

finding s42(const evidence& e) {
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
    parts.push_back(std::move(f));
  }
  const finding never = all_of(parts, nothing);
  if (beyond <= e.processors()) return all_of({never, missing(nothing)}, nothing);
  const cells crowd = those(all, {is("threads", beyond), is("locks", 1)});
  return all_of({never, contest(those(crowd, {is("lock", mutex)}), those(crowd, {one_of("lock", spinning)}), 1,
                                {"lock", "threads"}, nothing)},
                nothing);
}

finding s44(const evidence& e) {
  if (e.sockets() == 1) return missing(several_sockets);
  const cells all = rates(e, 4);
  // "Significantly lower": more than what still counts as stable.
  return compared(best_with(all, std::max<std::int64_t>(full_team(e, all, 2), 2)), best_with(all, 1),
                  up_to(stable.least), {"lock", "threads"}, not_paused + " with 4 locks, one thread and many");
}

}  // namespace synchro::claims::judges
