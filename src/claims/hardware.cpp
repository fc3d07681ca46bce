// Sections 1, 5.2, 5.4 and 6.2 of the paper: what a transfer of a line, an atomic operation and a message cost.

#include <algorithm>
#include <cmath>

#include "claims/judges.hpp"
#include "results/measured.hpp"

namespace synchro::claims {

finding compared_below_ceiling(const evidence& e, const cell* a, const cell* b, const range& r, const naming& axes,
                               const std::string& nothing) {
  constexpr double half = 0.5;  // of the ceiling: there a thread pauses as long as its operation takes
  finding f = compared(a, b, r, axes, nothing);
  for (const cell* c : {a, b}) {
    if (c == nullptr || f.is == verdict::unmeasured) continue;
    for (const cell* ceiling : e.find(c->experiment, "ceiling"))
      if (ceiling->at == c->at && *c->value > half * *ceiling->value)
        return {verdict::unresolved,
                f.sentence + " (but with " + std::to_string(number_at(*c, "threads")) +
                    (number_at(*c, "threads") == 1 ? " thread" : " threads") +
                    " the pause takes longer than the operation)",
                f.measured};
  }
  return f;
}

namespace judges {

namespace {

const std::string states = results::measured::coherence_states, atomics = results::measured::atomics_throughput,
                  own = "same_cpu";

/// Cycles of an access, in the best case of the paper: the line's memory is at one of the two.
cells accesses(const evidence& e, const std::vector<std::string>& operations, const std::string& state,
               const place& where = {}) {
  return e.find(
      states, "latency_cycles",
      place{one_of("operation", operations), is("state", state), absent_or(one_of("home", {"holder", "requester"}))} +
          where);
}

/// The other core that is nearest, by what a load of its modified line costs; threads of one core share its caches.
std::string nearest_core(const evidence& e) {
  cells remote = accesses(e, {"load", "fai"}, "modified", {none_of("distance", {own, "same_core"})});
  std::erase_if(remote, [&](const cell* c) { return e.crosses_sockets(word_at(*c, "distance")); });
  const cell* const nearest = best(remote);
  return nearest == nullptr ? "" : word_at(*nearest, "distance");
}

const std::string several_sockets = "the claim is of machines with several sockets, and this one has one";

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

}  // namespace

finding s1(const evidence& e) {
  const std::string nothing = "loads were not measured at distances inside and across sockets";
  std::vector<std::pair<const cell*, const cell*>> pairs;
  const std::string near = nearest_core(e);
  for (const std::string state : {"modified", "shared"})
    for (const auto& [far, close] : matched(accesses(e, {"load"}, state, {none_of("distance", {own, near})}),
                                            accesses(e, {"load"}, state, {is("distance", near)}), {"distance"}))
      if (e.crosses_sockets(word_at(*far, "distance"))) pairs.emplace_back(far, close);
  return compared(pairs, {2 * (1 - of_the_paper), 7.5 * (1 + of_the_paper)}, {"state", "distance"}, nothing);
}

finding s2(const evidence& e) {
  const place inside{is("distance", nearest_core(e))};
  return compared(
      matched(accesses(e, {"store"}, "shared", inside), accesses(e, {"store"}, "modified", inside), {"state"}),
      rounds_to(3), {"operation", "state", "distance"},
      "stores to a line that others share were not measured inside a socket");
}

finding s4(const evidence& e) {
  std::vector<std::pair<const cell*, const cell*>> pairs;
  for (const std::string state : {"modified", "exclusive"})
    for (const auto& pair : matched(accesses(e, {"cas"}, state, {none_of("distance", {own})}),
                                    accesses(e, {"load"}, state, {none_of("distance", {own})}), {"operation"}))
      pairs.push_back(pair);
  return judged(mean_ratio(pairs), {1.15 * (1 - of_the_paper), 1.35 * (1 + of_the_paper)},
                "compare-and-swap against load, mean over states and distances: ratio ",
                "compare-and-swap and load were not both measured on a line held elsewhere");
}

finding s20(const evidence& e) {
  const range alike{1 / (1 + of_the_paper), 1 + of_the_paper};
  std::vector<finding> all;
  const cells held = accesses(e, {"cas", "fai", "tas", "swap"}, "modified", {none_of("distance", {own})});
  const std::vector<std::string> distances = words_of(held, "distance");
  constexpr std::size_t pairs_of_four = 6;  // worst and best are one of them
  for (const std::string& distance : distances) {
    const cells here = those(held, {is("distance", distance)});
    if (words_of(here, "operation").size() < 4) continue;
    all.push_back(compared(worst(here), best(here), e.sockets() > 1 ? alike : from(alike.most),
                           {"operation", "distance"}, "", pairs_of_four * distances.size()));
  }
  return all_of(all, "the four atomic operations on a line held elsewhere were not all measured");
}

finding s27(const evidence& e) {
  if (e.sockets() == 1) return missing(several_sockets);
  const auto at = [&](const std::string& distance) {
    return accesses(e, {"fai"}, "modified", {is("distance", distance)});
  };
  // "Approximately 20 to 120 cycles": 15 to 25, and 115 to 125.
  return compared(matched(at(nearest_core(e)), at(own), {"distance", "home"}), {115.0 / 25, 125.0 / 15}, {"distance"},
                  "fetch-and-add was not measured on the own and on another core's line");
}

namespace {

/// One operation of the paper's protocol, by threads.
finding falls_and_stays(const evidence& e, const std::string& operation) {
  const cells all =
      e.find(atomics, "successes", {is("operation", operation), is("protocol", "paused"), is("placement", "compact")});
  const auto at = [&](std::int64_t n) {
    const cells found = those(all, {is("threads", n)});
    return found.empty() ? nullptr : found.front();
  };
  const naming names{"operation", "threads"};
  const std::string nothing = "not measured with one, two and more threads inside a socket, and beyond";
  std::vector<finding> parts{compared_below_ceiling(e, at(2), at(1), up_to(stable.least), names, nothing)};
  const auto counts = numbers_of(all, "threads");
  std::int64_t inside = 0, beyond = 0;
  for (const std::int64_t n : counts) {
    if (n > 2 && n <= e.socket())
      parts.push_back(compared_below_ceiling(e, at(inside = n), at(2), stable, names, nothing));
    if (n > e.socket() && n <= e.processors() && beyond == 0) beyond = n;
  }
  if (inside == 0) parts.push_back(missing(nothing));
  parts.push_back(compared_below_ceiling(e, at(beyond), at(inside), up_to(1), names, nothing));
  return all_of(parts, nothing);
}

}  // namespace

finding s29(const evidence& e) {
  if (e.sockets() == 1) return missing(several_sockets);
  const cells all = e.find(atomics, "successes", {is("protocol", "paused")});
  std::vector<finding> each;
  for (const std::string& operation : words_of(all, "operation"))
    if (operation == "fai" || operation == "swap") each.push_back(falls_and_stays(e, operation));
  return all_of(each, "atomic operations were not measured by the paper's protocol");
}

namespace {

/// At each distance the better of a channel whose ends look by plain loads and one whose ends fetch the line for writing:
/// the paper's library does the one or the other, by platform.
finding message(const evidence& e, const std::string& metric, double transfers) {
  const cells sent = e.find(results::measured::messages_pair, metric,
                            {one_of("means", {"channel", "channel/fetch"}), is("size", "line")});
  std::vector<finding> all;
  for (const std::string& distance : words_of(sent, "distance")) {
    const cell* const load =
        e.one(states, "latency", {is("operation", "load"), is("state", "modified"), is("distance", distance)});
    all.push_back(compared(best(those(sent, {is("distance", distance)})), load, rounds_to(transfers),
                           {"means", "distance"}, "loads were not measured at this distance"));
  }
  return all_of(all, "messages were not measured");
}

}  // namespace

finding s45(const evidence& e) { return message(e, "one_way", 2); }
finding s46(const evidence& e) { return message(e, "round_trip", 4); }

finding s50(const evidence& e) {
  constexpr std::int64_t many = 4;
  const auto served = [&](const std::string& protocol) {
    return e.find(results::measured::messages_server, "messages",
                  {is("means", "mailbox"), is("protocol", protocol), is("size", "line"), is("work", 0),
                   is("placement", "compact")});
  };
  const cells answered = served("round_trip"), taken = served("one_way");
  const std::vector<std::int64_t> clients = numbers_of(answered, "threads");
  if (clients.empty() || clients.back() < many)
    return missing("a server with many clients, a processor for each, was not measured");
  const auto at = [&](std::int64_t n, const range& r) {
    const place here{is("threads", n)};
    return compared(matched(those(answered, here), those(taken, here), {"protocol"}), r, {"protocol", "threads"},
                    "messages one way were not measured");
  };
  return all_of({at(clients.back(), from(1)), at(clients.front(), up_to(1))}, "");
}

}  // namespace judges
}  // namespace synchro::claims
