#include "simulations/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>

#include "claims/paper/paper.hpp"
#include "results/experiment_names.hpp"
#include "simulations/paper_locks.hpp"
#include "simulations/settled.hpp"
#include "simulations/simulations.hpp"

namespace synchro::simulations {

using claims::deviation;
using claims::finding;
using claims::from;
using claims::off_number;
using claims::off_range;
using claims::up_to;
using claims::verdict;

namespace {

const std::string die = "same_die", mcm = "same_mcm", one = "one_hop", two = "two_hops";

/// `off`: how far each of the figures is from what is claimed.
finding scored(bool holds, std::string found, std::initializer_list<std::optional<deviation>> off = {}) {
  return {holds ? verdict::holds : verdict::fails, std::move(found), std::nullopt, claims::farthest(off)};
}

bool near(double found, double claimed, double tolerance) { return std::abs(found / claimed - 1) <= tolerance; }
constexpr double rounding = 0.02;  // as the text rounds
constexpr double prediction = 0.30;

/// A number of the text, of one or two machines.
finding number(double found, double claimed, double tolerance, const char* unit = "") {
  return scored(near(found, claimed, tolerance), fmt::format("{:.4g}{}", found, unit), {off_number(found, claimed)});
}
finding numbers(double a, double claimed_a, double b, double claimed_b, double tolerance) {
  return scored(near(a, claimed_a, tolerance) && near(b, claimed_b, tolerance), fmt::format("{:.4g} and {:.4g}", a, b),
                {off_number(a, claimed_a), off_number(b, claimed_b)});
}

double mops(double ops) { return ops * 1e-6; }

// ---- the hardware (sections 1, 3, 5.1 and 5.2)

/// Whether all sharers cost a read-modify-write more where they cost a store more, and nothing where they do not.
finding atomics_follow_stores(prover& p) {
  std::string found;
  bool all = true;
  const std::pair<std::string, std::string> places[] = {
      {"opteron", two}, {"xeon", two}, {"niagara", "other_core"}, {"tilera", "max_hops"}};
  for (const auto& [m, d] : places) {
    const double store = p.cycles(m, "store", "shared_all", d) - p.cycles(m, "store", "shared", d);
    const double cas = p.cycles(m, "cas", "shared_all", d) - p.cycles(m, "cas", "shared", d);
    all = all && (store > 0.5) == (cas > 0.5);
    found += fmt::format("{}{}: {:+.0f}/{:+.0f}", found.empty() ? "" : ", ", m, store, cas);
  }
  return scored(all, found + " cycles (store/cas)");
}

finding prefetch_spares_the_broadcast(prover& p) {
  const double with = p.read_then_write(true), without = p.read_then_write(false);
  return scored(with < without / 2,
                fmt::format("to read and then write another's line: {:.0f} instead of {:.0f} cycles", with, without),
                {off_range(with / without, up_to(0.5))});
}

// ---- atomic operations under contention (5.4)

double cycles_per_operation(prover& p, const std::string& machine, std::int64_t threads) {
  return p.machine(machine).ghz() * 1e9 / p.atomic(machine, "fai", threads);
}

/// Whether pauses decide a rate, as the judges have it.
bool paused_too_long(prover& p, const std::string& machine, const char* experiment,
                     std::vector<std::pair<std::string, experiments::coordinate>> at, const char* rate) {
  at.emplace_back("protocol", "paused");
  return p.value(machine, experiment, at, rate) > claims::below_ceiling * p.value(machine, experiment, at, "ceiling");
}

/// A failure stands; what pauses decide does not hold by that.
finding scored_below_ceiling(bool holds, bool paused, const std::string& found,
                             std::initializer_list<std::optional<deviation>> off) {
  if (!paused || !holds) return scored(holds, found, off);
  return {.is = verdict::unresolved,
          .sentence = found + " (but threads pause for longer than their operations take)",
          .by_the_protocol = true};
}

/// A thread alone does not pause (scripts/test.sh of libslock). What several do must not be decided by their pauses.
finding latency_jumps(prover& p) {
  const double a = cycles_per_operation(p, "opteron", 1), b = cycles_per_operation(p, "opteron", 2);
  const double c = cycles_per_operation(p, "xeon", 1), d = cycles_per_operation(p, "xeon", 2);
  const auto paused = [&](const char* machine) {
    return paused_too_long(p, machine, results::experiment_names::atomics_throughput,
                           {{"operation", "fai"}, {"threads", std::int64_t{2}}}, "attempts");
  };
  return scored_below_ceiling(
      near(a, 20, prediction) && near(c, 20, prediction) && near(b, 120, prediction) && near(d, 120, prediction),
      paused("opteron") || paused("xeon"), fmt::format("{:.0f} to {:.0f}, {:.0f} to {:.0f}", a, b, c, d),
      {off_number(a, 20), off_number(c, 20), off_number(b, 120), off_number(d, 120)});
}

finding rises_then_flat(prover& p) {
  const double nia1 = p.atomic("niagara", "cas", 1), nia8 = p.atomic("niagara", "cas", 8),
               nia64 = p.atomic("niagara", "cas", 64);
  const double til1 = p.atomic("tilera", "cas", 1), til6 = p.atomic("tilera", "cas", 6),
               til36 = p.atomic("tilera", "cas", 36);
  const bool flat = near(nia64, nia8, 0.1) && near(til36, til6, 0.1);
  const bool rises = nia8 > 1.05 * nia1 && til6 > 1.05 * til1;
  return scored(flat && rises,
                fmt::format("Niagara {:.1f}, {:.1f}, {:.1f}; Tilera {:.1f}, {:.1f}, {:.1f} Mops/s with one, a few, all",
                            mops(nia1), mops(nia8), mops(nia64), mops(til1), mops(til6), mops(til36)),
                {off_range(nia64 / nia8, {0.9, 1.1}), off_range(til36 / til6, {0.9, 1.1}),
                 off_range(nia8 / nia1, from(1.05)), off_range(til6 / til1, from(1.05))});
}

finding twenty_in_a_socket(prover& p) {
  const double o6 = mops(p.atomic("opteron", "fai", 6)), o12 = mops(p.atomic("opteron", "fai", 12));
  const double x10 = mops(p.atomic("xeon", "fai", 10)), x20 = mops(p.atomic("xeon", "fai", 20));
  const bool drops = o12 < 0.9 * o6 && x20 < 0.9 * x10 && x20 / x10 < o12 / o6;
  return scored(near(o6, 20, prediction) && near(x10, 20, prediction) && drops,
                fmt::format("{:.1f} and {:.1f} Mops/s, then {:.1f} and {:.1f}", o6, x10, o12, x20),
                {off_number(o6, 20), off_number(x10, 20)});
}

finding no_later_decrease(prover& p) {
  const double nia = p.atomic("niagara", "fai", 64) / p.atomic("niagara", "fai", 8);
  const double til = p.atomic("tilera", "fai", 36) / p.atomic("tilera", "fai", 6);
  return scored(nia > 0.9 && til > 0.9, fmt::format("all against a few threads: {:.2f} and {:.2f}", nia, til),
                {off_range(nia, from(0.9)), off_range(til, from(0.9))});
}

finding best_atomics(prover& p) {
  const auto at = [&](const std::string& m, const std::string& o) {
    return mops(p.atomic(m, o, m == "niagara" ? 32 : 18));
  };
  const bool same = near(at("niagara", "fai"), at("niagara", "cas_fai"), prediction);
  const bool tas = at("niagara", "tas") > at("niagara", "cas") && at("niagara", "tas") > at("niagara", "swap");
  const bool fai = at("tilera", "fai") > at("tilera", "cas") && at("tilera", "fai") > at("tilera", "swap");
  return scored(
      same && tas && fai,
      fmt::format("Niagara fai {:.1f}, cas_fai {:.1f}, tas {:.1f}; Tilera fai {:.1f}, cas {:.1f}, swap {:.1f} "
                  "Mops/s",
                  at("niagara", "fai"), at("niagara", "cas_fai"), at("niagara", "tas"), at("tilera", "fai"),
                  at("tilera", "cas"), at("tilera", "swap")),
      {off_range(at("niagara", "fai") / at("niagara", "cas_fai"), {1 - prediction, 1 + prediction}),
       off_range(at("niagara", "tas") / std::max(at("niagara", "cas"), at("niagara", "swap")), from(1)),
       off_range(at("tilera", "fai") / std::max(at("tilera", "cas"), at("tilera", "swap")), from(1))});
}

// ---- locks (5.3 and 6.1)

double remote_over_local(prover& p, const std::string& machine, const std::string& far) {
  return p.acquire(machine, "ticket", far) / p.acquire(machine, "ticket", "same_cpu");
}

finding uncontended_on_single_sockets(prover& p) {
  const double nia = p.acquire("niagara", "ticket", "other_core") / p.acquire("niagara", "ticket", "same_core");
  const double til = p.acquire("tilera", "ticket", "max_hops") / p.acquire("tilera", "ticket", one);
  return scored(nia <= 1.1 && til <= 1.5, fmt::format("farthest against nearest: {:.2f} and {:.2f}", nia, til),
                {off_range(nia, up_to(1.1)), off_range(til, up_to(1.5))});
}

/// A thread alone does not pause, as in latency_jumps.
finding order_of_magnitude(prover& p) {
  bool paused = false;
  const auto ratio = [&](const std::string& m, std::int64_t many) {
    const auto best = p.best_lock(m, 1, many);
    paused =
        paused || paused_too_long(p, m, results::experiment_names::locks_throughput,
                                  {{"lock", best.first}, {"locks", std::int64_t{1}}, {"threads", many}}, "throughput");
    return best.second / p.best_lock(m, 1, 1).second;
  };
  const double o = ratio("opteron", 12), x = ratio("xeon", 20), n = ratio("niagara", 8), t = ratio("tilera", 6);
  return scored_below_ceiling(
      near(o, 0.1, prediction) && near(x, 0.1, prediction) && near(n, 1, prediction) && near(t, 1, prediction), paused,
      fmt::format("{:.3f}, {:.3f}; {:.2f}, {:.2f} of one thread's", o, x, n, t),
      {off_number(o, 0.1), off_number(x, 0.1), off_number(n, 1), off_number(t, 1)});
}

/// The slowest lock's part of the fastest one's throughput.
double evenness(prover& p, const std::string& machine, std::int64_t threads) {
  double least = std::numeric_limits<double>::max();
  for (const std::string& lock : prover::locks_of(machine))
    least = std::min(least, p.lock(machine, lock, 512, threads));
  return least / p.best_lock(machine, 512, threads).second;
}

finding best_of_one_lock(prover& p) {
  const auto xeon = p.best_lock("xeon", 1, 40);
  bool all = xeon.first[0] == 'h';
  std::string found = "xeon " + xeon.first;
  for (const std::string m : {"opteron", "niagara", "tilera"}) {
    const auto best = p.best_lock(m, 1, 36);
    all = all && (best.first == "mcs" || best.first == "clh");
    found += ", " + m + " " + best.first;
  }
  return scored(all, found);
}

finding ticket_at_low_contention(prover& p) {
  constexpr double matches = 0.95;
  bool all = true;
  std::string found;
  std::optional<deviation> off;
  for (const std::string m : {"opteron", "niagara", "tilera"}) {
    const auto best = p.best_lock(m, 512, 36);
    const double ticket = p.lock(m, "ticket", 512, 36) / best.second;
    all = all && ticket >= matches;
    off = claims::farthest({off, off_range(ticket, from(matches))});
    found += fmt::format("{}{} {:.2f} of {}'s", found.empty() ? "ticket: " : ", ", m, ticket, best.first);
  }
  const double few = evenness(p, "xeon", 10), many = evenness(p, "xeon", 80);
  return scored(all && many > few,
                fmt::format("{}; Xeon's slowest {:.2f} of the fastest with 10, {:.2f} with 80", found, few, many),
                {off, off_range(many / few, from(1))});
}

finding one_socket_is_best(prover& p) {
  bool all = true;
  std::string found;
  std::optional<deviation> off;
  for (const std::int64_t locks : {1, 512}) {
    const double socket = p.best_lock("xeon", locks, 10).second;
    double beyond = 0;
    for (const std::int64_t n : {20, 40, 80}) beyond = std::max(beyond, p.best_lock("xeon", locks, n).second);
    all = all && socket > beyond;
    off = claims::farthest({off, off_range(socket / beyond, from(1))});
    found +=
        fmt::format("{}{} locks: {:.1f} against {:.1f}", found.empty() ? "" : ", ", locks, mops(socket), mops(beyond));
  }
  return scored(all, found + " Mops/s", {off});
}

double scalability(prover& p, const std::string& m, std::int64_t locks, std::int64_t threads) {
  return p.best_lock(m, locks, threads).second / p.best_lock(m, locks, 1).second;
}

finding single_sockets_scale(prover& p) {
  const double n4 = scalability(p, "niagara", 4, 36), n128 = scalability(p, "niagara", 128, 36);
  const double t4 = scalability(p, "tilera", 4, 36), t128 = scalability(p, "tilera", 128, 36);
  return scored(n4 > 1 && t4 > 1 && n128 > 10 && t128 > 10,
                fmt::format("4 locks {:.1f}, {:.1f}; 128 locks {:.1f}, {:.1f} times", n4, t4, n128, t128),
                {off_range(n4, from(1)), off_range(t4, from(1)), off_range(n128, from(10)), off_range(t128, from(10))});
}

finding multi_sockets_do_not(prover& p) {
  const double o128 = scalability(p, "opteron", 128, 36), x128 = scalability(p, "xeon", 128, 36);
  const double x10 = p.best_lock("xeon", 4, 10).second, x11 = p.best_lock("xeon", 4, 11).second;
  return scored(o128 < 10 && x128 < 10 && x11 < 0.8 * x10,
                fmt::format("128 locks {:.1f}, {:.1f} times; Xeon 10 to 11 threads {:.3f}", o128, x128, x11 / x10),
                {off_range(o128, up_to(10)), off_range(x128, up_to(10)), off_range(x11 / x10, up_to(0.8))});
}

/// The fastest lock of each cell of Figs. 5 to 8: contended with one thread, a socket of them and 36, two threads to a
/// core, and uncontended at each distance.
std::set<std::string> winners(prover& p) {
  std::set<std::string> all;
  const std::pair<std::string, std::int64_t> sockets[] = {{"opteron", 6}, {"xeon", 10}, {"niagara", 8}, {"tilera", 6}};
  for (const auto& [m, socket] : sockets) {
    for (const std::int64_t threads : {std::int64_t{1}, socket, std::int64_t{36}})
      for (const std::int64_t locks : {1, 4, 128, 512}) all.insert(p.best_lock(m, locks, threads).first);
    for (const std::string& d : p.machine(m).distances()) all.insert(p.best_uncontended(m, d));
  }
  all.insert(p.best_lock("opteron", 1, 96).first);
  return all;
}

finding each_is_best_somewhere(prover& p) {
  const std::set<std::string> best = winners(p);
  return scored(best.size() == 9, fmt::format("{} of nine are best somewhere: {}", best.size(), fmt::join(best, ", ")));
}

double ratio_of(prover& p, const std::string& m) {
  return p.cycles(m, "load", "modified", one) / p.cycles(m, "load", "modified", die);
}

// ---- messages (5.3 and 6.2)

double one_way(prover& p, const std::string& means, const std::string& distance) {
  return p.value("opteron", results::experiment_names::messages_pair,
                 {{"means", means}, {"size", "line"}, {"distance", distance}}, "one_way");
}

finding prefetch_speeds_messages(prover& p) {
  double most = 0;
  for (const std::string& d : p.machine("opteron").distances())
    most = std::max(most, one_way(p, paper_channel_plain_name, d) / one_way(p, paper_channel_name, d));
  return number(most, 2.5, prediction, " times at most");
}

/// Millions a second of a server that does nothing else.
double served(prover& p, const std::string& machine, const std::string& means, const std::string& protocol,
              const std::string& size, std::int64_t clients) {
  return mops(p.value(
      machine, results::experiment_names::messages_server,
      {{"means", means}, {"protocol", protocol}, {"size", size}, {"threads", clients}, {"work", std::int64_t{0}}},
      "messages"));
}

/// One way, which is the faster within a socket: with nine clients and the server it is full.
finding one_remote_client(prover& p) {
  const auto on_xeon = [&](std::int64_t clients) {
    return served(p, "xeon", paper_mailbox_name, "one_way", "line", clients);
  };
  return numbers(on_xeon(9), 25, on_xeon(10), 8, prediction);
}

double by_hardware(prover& p, const std::string& protocol, const std::string& size) {
  return served(p, "tilera", by_network, protocol, size, 35);
}

finding words_by_hardware(prover& p) {
  const double answered = by_hardware(p, "round_trip", "word"), taken = by_hardware(p, "one_way", "word");
  return scored(near(answered, 27, prediction) && taken > 100,
                fmt::format("{:.4g} there and back, {:.4g} one way", answered, taken),
                {off_number(answered, 27), off_range(taken, from(100))});
}

// ---- the list

void add_of_the_tables(std::vector<proof>& all) {
  using p = prover;
  all.push_back({"S3", "single", kind::prediction,
                 "4 locks, 36 threads over one, the best lock of each number; the Niagara's ratio over the Tilera's: "
                 "1.7 within 30 %, to both sides because section 1 says approximately",
                 [](p& v) {
                   return number(scalability(v, "niagara", 4, 36) / scalability(v, "tilera", 4, 36), 1.7, prediction);
                 }});
  all.push_back({"S5b", "all", kind::rank,
                 "the fastest of nine locks in each cell: 1, 4, 128 and 512 locks with one thread, a socket and 36; "
                 "one lock with 96 threads on the 48 processors of the Opteron; a free lock at each distance: each of "
                 "the nine wins at least once",
                 each_is_best_somewhere});
  all.push_back({"S6", "Xeon", kind::identity, "cycles, exactly", [](p& v) {
                   return numbers(v.level("xeon", "llc"), 44, v.cycles("xeon", "load", "shared", die), 44, 0);
                 }});
  all.push_back({"S7", "Opteron", kind::identity, "cycles, within 10 %, as roughly 12 is told of 11", [](p& v) {
                   return number(
                       v.cycles("opteron", "load", "modified", one) - v.cycles("opteron", "load", "modified", mcm), 12,
                       0.1);
                 }});
  all.push_back({"S8", "Opteron", kind::identity, "cycles, exactly", [](p& v) {
                   return number(
                       v.cycles("opteron", "load", "modified", two) - v.cycles("opteron", "load", "modified", one), 80,
                       0);
                 }});
  all.push_back({"S9", "Opteron", kind::identity, "within 5 %", [](p& v) {
                   return number(
                       v.cycles("opteron", "load", "modified", two) / v.cycles("opteron", "load", "modified", die), 3,
                       0.05);
                 }});
  all.push_back(
      {"S10", "Opteron", kind::identity, "cycles of a load of a modified line, home two hops from both, exactly",
       [](p& v) { return number(v.cycles("opteron", "load", "modified", one, "third"), 312, 0); }, origin::fitted});
  all.push_back({"S11", "Opteron", kind::rank,
                 "a load within a die, in cycles, home two hops away against home at the holder: more than twice (this "
                 "project's bound)",
                 [](p& v) {
                   const double far = v.cycles("opteron", "load", "modified", die, "third");
                   const double near = v.cycles("opteron", "load", "modified", die);
                   return scored(far > 2 * near, fmt::format("{:.0f} instead of {:.0f} cycles", far, near));
                 },
                 origin::fitted});
  all.push_back({"S12", "Xeon", kind::identity, "within 2 %, as the text rounds", [](p& v) {
                   return number(v.cycles("xeon", "load", "shared", two) / v.cycles("xeon", "load", "shared", die), 7.5,
                                 rounding);
                 }});
  all.push_back({"S13", "Niagara", kind::identity, "cycles, exactly", [](p& v) {
                   return numbers(v.cycles("niagara", "load", "modified", "same_core"), 3,
                                  v.cycles("niagara", "load", "modified", "other_core"), 24, 0);
                 }});
  all.push_back({"S14", "Tilera", kind::identity, "cycles, exactly", [](p& v) {
                   return numbers(v.cycles("tilera", "load", "modified", one), 45,
                                  v.cycles("tilera", "load", "modified", "max_hops"), 65, 0);
                 }});
}

void add_of_stores(std::vector<proof>& all) {
  using p = prover;
  all.push_back({"S15", "Opteron", kind::identity, "cycles, exactly", [](p& v) {
                   return numbers(v.cycles("opteron", "store", "modified", die), 83,
                                  v.cycles("opteron", "store", "owned", die), 244, 0);
                 }});
  all.push_back({"S16", "Opteron", kind::identity, "cycles, exactly",
                 [](p& v) { return number(v.cycles("opteron", "store", "shared_all", two), 296, 0); }});
  all.push_back({"S17", "Xeon", kind::identity, "cycles, exactly",
                 [](p& v) { return number(v.cycles("xeon", "store", "shared_all", two), 445, 0); }});
  all.push_back({"S18", "Niagara", kind::identity, "cycles, exactly", [](p& v) {
                   return numbers(v.cycles("niagara", "store", "modified", "other_core"), 24,
                                  v.cycles("niagara", "store", "shared_all", "other_core"), 24, 0);
                 }});
  all.push_back({"S19", "Tilera", kind::identity, "cycles, exactly",
                 [](p& v) { return number(v.cycles("tilera", "store", "shared_all", "max_hops"), 200, 0); }});
  all.push_back({"S21", "all", kind::rank,
                 "cycles of a store and a compare-and-swap, line shared by all against by two, at the farthest "
                 "distance: both more or both as much",
                 atomics_follow_stores});
  all.push_back({"S22", "Opteron", kind::rank,
                 "cycles to read and then write a line of the same die, with a prefetch for writing against without: "
                 "below half (this project's bound)",
                 prefetch_spares_the_broadcast, origin::prices});
  all.push_back(
      {"S23", "Opteron", kind::prediction, "ticket_plain, one lock, 48 threads: 720,000 cycles within 30 %",
       [](p& v) { return number(v.ticket("opteron", paper_ticket_plain_name, 48), 720e3, prediction, " cycles"); }});
}

void add_of_contention(std::vector<proof>& all) {
  using p = prover;
  all.push_back({"S27b", "multi", kind::prediction,
                 "cycles for one fetch-and-add of all threads together, one thread and two: 20 and 120 within 30 %, on "
                 "each of the two",
                 latency_jumps});
  all.push_back({"S28", "single", kind::rank,
                 "compare-and-swap, one, a few (8 Niagara, 6 Tilera) and all threads: a few do more than 1.05 times "
                 "one, all as much as a few within 10 % (this project's bounds)",
                 rises_then_flat});
  all.push_back({"S29b", "multi", kind::prediction,
                 "fetch-and-add, millions a second: 20 within 30 % with 6 threads (Opteron) and 10 (Xeon); with two "
                 "sockets below 0.9 times (this project's bound), and less on the Xeon",
                 twenty_in_a_socket});
  all.push_back(
      {"S30", "single", kind::bound,
       "fetch-and-add, all threads over a few (64 over 8 Niagara, 36 over 6 Tilera): above 0.9 times (this project's "
       "bound, to one side)",
       no_later_decrease});
  all.push_back({"S31", "single", kind::prediction,
                 "millions a second with 32 threads (Niagara) and 18 (Tilera): fai as cas_fai within 30 %, tas above "
                 "cas and swap; fai above cas and swap",
                 best_atomics});
  all.push_back({"S33", "single", kind::bound,
                 "ticket lock, cycles of taking it, the farthest previous owner against the nearest: at most 1.1 "
                 "(Niagara) and 1.5 times (Tilera; this project's bounds). No other thread acts, and the Tilera's "
                 "price depends on the way to the home alone: prices decide it",
                 uncontended_on_single_sockets, origin::prices});
  all.push_back({"S35", "multi", kind::prediction,
                 "ticket lock, cycles of taking it, held two hops away against by oneself, the larger of Opteron and "
                 "Xeon: 10 within 30 %",
                 [](p& v) {
                   const double o = remote_over_local(v, "opteron", two), x = remote_over_local(v, "xeon", two);
                   return scored(near(std::max(o, x), 10, prediction), fmt::format("{:.1f} and {:.1f}", o, x),
                                 {off_number(std::max(o, x), 10)});
                 }});
  all.push_back({"S38", "all", kind::prediction,
                 "the best lock, one lock, 12 (Opteron), 20 (Xeon), 8 (Niagara), 6 threads (Tilera) over one thread: "
                 "0.1 within 30 % on the first two, 1 within 30 % on the others",
                 order_of_magnitude});
  all.push_back({"S39b", "all", kind::rank,
                 "one lock: the best one with 40 threads on the Xeon is hierarchical, with 36 elsewhere mcs or clh",
                 best_of_one_lock});
  all.push_back({"S40b", "all", kind::rank,
                 "512 locks, 36 threads: ticket has 0.95 times the best one or more (this project's bound) but on the "
                 "Xeon; there the slowest lock's share of the fastest is larger with 80 threads than with 10",
                 ticket_at_low_contention});
  all.push_back({"S41", "Xeon", kind::rank,
                 "the best lock with 10 threads against the best with 20, 40 and 80, for one lock and for 512: more",
                 one_socket_is_best});
  all.push_back({"S43", "single", kind::bound,
                 "the best lock, 36 threads over one: with 4 locks more than once, with 128 more than 10 times (this "
                 "project's bounds, to one side)",
                 single_sockets_scale});
  all.push_back({"S44b", "multi", kind::bound,
                 "the best lock: with 128 locks 36 threads do less than 10 times one; with 4 locks 11 threads of the "
                 "Xeon do less than 0.8 times 10. Both are this project's bounds, to one side: the text says limited "
                 "scalability and severely degrades, without a number or how many locks",
                 multi_sockets_do_not});
  all.push_back({"S61", "2 sockets", kind::identity, "within 2 %, as the text rounds", [](p& v) {
                   return numbers(ratio_of(v, "opteron-2384"), 1.6, ratio_of(v, "xeon-x5660"), 2.7, rounding);
                 }});
}

void add_of_messages(std::vector<proof>& all) {
  all.push_back({"S26", "Opteron", kind::prediction,
                 "messages of a line, one way, by libssmp's way: time with plain looks over that with looks that "
                 "fetch, the most over all "
                 "distances: 2.5 within 30 %",
                 prefetch_speeds_messages});
  all.push_back({"S47", "Tilera", kind::prediction,
                 "millions a second there and back, messages of a line, 35 clients: 16 within 30 %",
                 [](prover& p) { return number(by_hardware(p, "round_trip", "line"), 16, prediction); }});
  all.push_back({"S48", "Tilera", kind::prediction,
                 "millions a second, messages of a word, 35 clients: there and back 27 within 30 %, one way more than "
                 "100, as the text says",
                 words_by_hardware});
  all.push_back(
      {"S49", "Xeon", kind::prediction,
       "millions a second one way, messages of a line, by libssmp's way, 9 and 10 clients: 25 and 8 within 30 %",
       one_remote_client});
}

// ---- the judges, on cells of the models

/// What a judge needs, and on which machines the paper says so.
struct trial {
  std::string id;
  std::vector<std::string> machines;
  std::vector<request> (*needs)(const std::string& machine);
};

const std::vector<std::string> multi{"opteron", "xeon"}, &every = machines_of_the_paper();

using words = std::vector<experiments::coordinate>;

words counts(std::initializer_list<std::int64_t> all) { return words(all.begin(), all.end()); }

request states(const words& operations, const words& of) {
  return {results::experiment_names::coherence_states,
          {{"operation", operations}, {"state", of}, {"home", {"holder"}}}};
}

std::int64_t socket_of(const std::string& machine) { return machine == "xeon" ? 10 : machine == "niagara" ? 8 : 6; }

words own_locks(const std::string& machine) {
  const auto names = prover::locks_of(machine);
  return {names.begin(), names.end()};
}

/// With one lock threads pause, as the paper has it, with several not.
request rates(const words& locks, std::int64_t how_many, const words& threads) {
  return {results::experiment_names::locks_throughput,
          {{"lock", locks},
           {"locks", counts({how_many})},
           {"threads", threads},
           {"protocol", words(1, std::string{how_many == 1 ? "paused" : "saturated"})}}};
}

words about_a_socket(const std::string& m) { return counts({1, 2, socket_of(m), 2 * socket_of(m)}); }

std::int64_t two_on_each(const std::string& machine) {
  return machine == "opteron" ? 96 : machine == "xeon" ? 160 : machine == "niagara" ? 128 : 72;
}

using machine_name = const std::string&;

std::vector<trial> trials_of_hardware() {
  return {{"S1", multi,
           [](machine_name) {
             return std::vector{states({"load"}, {"modified", "shared"})};
           }},
          {"S2",
           {"opteron"},
           [](machine_name) {
             return std::vector{states({"load", "store"}, {"modified", "shared"})};
           }},
          {"S4", multi,
           [](machine_name) {
             return std::vector{states({"load", "cas"}, {"modified", "exclusive"})};
           }},
          {"S20", every,
           [](machine_name) {
             return std::vector{states({"cas", "fai", "tas", "swap"}, {"modified"})};
           }},
          {"S27", multi,
           [](machine_name) {
             return std::vector{states({"load", "fai"}, {"modified"})};
           }},
          {"S29", multi, [](machine_name m) {
             return std::vector{request{results::experiment_names::atomics_throughput,
                                        {{"operation", {"fai", "swap"}}, {"threads", about_a_socket(m)}}}};
           }}};
}

std::vector<request> ticket_locks(machine_name) {
  return {{results::experiment_names::locks_ticket,
           {{"lock", {paper_ticket_plain_name, paper_ticket_name, paper_ticket_prefetch_name}}, {"threads", {48}}}}};
}

std::vector<request> free_locks(machine_name) {
  return {states({"fai"}, {"modified"}),
          {results::experiment_names::locks_uncontested, {{"lock", {"ticket", "mcs", "clh"}}}}};
}

std::vector<trial> trials_of_locks() {
  return {{"S5", every,
           [](machine_name m) {
             std::vector<request> all;
             for (const std::int64_t locks : {1, 4, 128, 512})
               all.push_back(rates(own_locks(m), locks, counts({1, socket_of(m), 36})));
             return all;
           }},
          {"S24", {"opteron"}, ticket_locks},
          {"S25", {"opteron"}, ticket_locks},
          {"S32", multi, free_locks},
          {"S34", every, free_locks},
          {"S36", every, free_locks},
          {"S37", multi, [](machine_name m) { return std::vector{rates(own_locks(m), 1, about_a_socket(m))}; }},
          {"S39", every,
           [](machine_name) {
             return std::vector{rates({"tas", "ttas", "ticket", "mcs", "clh"}, 1, {36})};
           }},
          {"S40", every, [](machine_name m) { return std::vector{rates(own_locks(m), 512, {36})}; }},
          {"S42", every,
           [](machine_name m) {
             return std::vector{rates(own_locks(m), 1, {36}), rates(own_locks(m), 512, {36}),
                                rates({"mutex", "tas", "ttas", "ticket"}, 1, counts({two_on_each(m)}))};
           }},
          {"S44", multi, [](machine_name m) {
             return std::vector{rates(own_locks(m), 4, {1, 36})};
           }}};
}

std::vector<request> pairs_of_messages(machine_name) {
  return {states({"load"}, {"modified"}), {results::experiment_names::messages_pair, {{"size", {"line"}}}}};
}

/// What the Tilera's cost follows from its network, not from lines.
std::vector<trial> trials_of_messages() {
  const std::vector<std::string> over_coherence{"opteron", "xeon", "niagara"};
  return {{"S45", over_coherence, pairs_of_messages},
          {"S46", over_coherence, pairs_of_messages},
          {"S50", {"xeon"}, [](machine_name) {
             return std::vector{request{
                 results::experiment_names::messages_server,
                 {{"protocol", {"one_way", "round_trip"}}, {"size", {"line"}}, {"threads", counts({1, 9, 35})}}}};
           }}};
}

/// Tables of the paper's two sizes.
request tables(const words& locks, const words& threads, const words& buckets = counts({12, 512})) {
  return {results::experiment_names::hashtable_throughput,
          {{"lock", locks}, {"threads", threads}, {"buckets", buckets}, {"load", counts({12, 48})}}};
}

/// With the most threads that every machine has a processor for. Threads of models are pinned.
std::vector<trial> trials_of_tables() {
  return {{"S52",
           {"niagara"},
           [](machine_name m) {
             return std::vector{tables(own_locks(m), counts({1, 36}))};
           }},
          {"S53", every,
           [](machine_name m) {
             words means = own_locks(m);
             means.emplace_back(paper_served_table);
             return std::vector{tables(means, counts({36}))};
           }},
          {"S55", every,
           [](machine_name m) {
             return std::vector{tables(own_locks(m), counts({1, 36}), counts({512}))};
           }},
          {"S56", {"xeon"}, [](machine_name m) {
             return std::vector{tables(own_locks(m), counts({socket_of(m), 36}))};
           }}};
}

/// Threads as for the tables. Not on the Tilera, whose messages the paper sent by hardware.
std::vector<trial> trials_of_transactions() {
  return {{"S64", {"opteron", "xeon", "niagara"}, [](machine_name) {
             return std::vector{request{
                 results::experiment_names::stm_bank,
                 {{"means", {paper_served_transactions, "stm", "stm/tas", "stm/ticket", "stm/mcs", "stm/mutex"}},
                  {"threads", counts({36})},
                  {"elements", counts({16, 1024})},
                  {"updates", counts({100})}}}};
           }}};
}

const std::vector<trial>& trials() {
  static const std::vector<trial> all = [] {
    std::vector<trial> list = trials_of_hardware();
    for (trial& t : trials_of_locks()) list.push_back(std::move(t));
    for (trial& t : trials_of_messages()) list.push_back(std::move(t));
    for (trial& t : trials_of_tables()) list.push_back(std::move(t));
    for (trial& t : trials_of_transactions()) list.push_back(std::move(t));
    return list;
  }();
  return all;
}

const std::vector<proof>& proofs() {
  static const std::vector<proof> all = [] {
    std::vector<proof> list;
    add_of_the_tables(list);
    add_of_stores(list);
    add_of_contention(list);
    add_of_messages(list);
    return list;
  }();
  return all;
}

/// Of a claim that no model decides.
finding not_simulated(const claims::claim& c) {
  return c.not_modelled.empty() ? claims::finding_on(c, results::document{})
                                : claims::missing(std::string{c.not_modelled});
}

/// One finding for several machines, each named.
finding on_machines(const std::vector<std::pair<std::string, finding>>& each) {
  std::vector<finding> named;
  for (const auto& [machine, f] : each)
    named.push_back({f.is, machine + ": " + f.sentence, f.measured, f.off, f.by_the_protocol});
  finding whole = claims::all_of(named, "");
  whole.sentence.clear();
  for (const auto& [machine, f] : each)
    whole.sentence +=
        fmt::format("{}{} ({}): {}", whole.sentence.empty() ? "" : "; ", machine, to_string(f.is), f.sentence);
  return whole;
}

}  // namespace

std::vector<std::pair<std::string, results::document>> evidence_for(std::string_view id, prover& p) {
  std::vector<std::pair<std::string, results::document>> all;
  for (const trial& t : trials())
    if (t.id == id)
      for (const std::string& m : t.machines) all.emplace_back(m, p.simulated(m, t.needs(m)));
  return all;
}

namespace {

char letter_of(kind what) {
  constexpr std::string_view letters = "TPRB";
  return letters[static_cast<std::size_t>(what)];
}

score score_by(const claims::claim& c, prover& p, bool surely) {
  for (const proof& own : proofs())
    if (own.id == c.id) {
      return {own.platform, letter_of(own.what), surely ? sure_finding(own.check, p) : own.check(p), own.asked,
              own.from};
    }
  const auto documents = evidence_for(c.id, p);
  if (documents.empty()) return {"-", '-', not_simulated(c)};
  std::vector<std::pair<std::string, finding>> each;
  std::string names;
  for (const auto& [machine, d] : documents) {
    each.emplace_back(machine, claims::finding_on(c, d));
    names += (names.empty() ? "" : ", ") + machine;
  }
  return {documents.size() == every.size() ? "all" : names, 'J', on_machines(each), std::string{c.rule}};
}

}  // namespace

const std::vector<std::string>& machines_of_the_paper() {
  static const std::vector<std::string> all{"opteron", "xeon", "niagara", "tilera"};
  return all;
}

score score_of(const claims::claim& c, prover& p, bool surely) {
  static_cast<void>(p.only_read_prices());
  score s = score_by(c, p, surely);
  if (s.letter != '-' && p.only_read_prices() && s.from == origin::simulated) s.from = origin::prices;
  if (s.found.by_the_protocol) s.from = origin::by_the_protocol;
  return s;
}

}  // namespace synchro::simulations
