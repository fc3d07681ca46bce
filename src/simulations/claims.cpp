#include "simulations/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace synchro::simulations {

char letter(kind k) {
  switch (k) {
    case kind::identity:
      return 'T';
    case kind::prediction:
      return 'P';
    case kind::rank:
      return 'R';
    case kind::out_of_scope:
      return 'X';
    case kind::set_up:
      break;
  }
  return '-';
}

std::string to_string(verdict v) {
  switch (v) {
    case verdict::holds:
      return "holds";
    case verdict::fails:
      return "FAILS";
    case verdict::pending:
      return "pending";
    case verdict::out_of_scope:
      return "out of scope";
    case verdict::set_up:
      break;
  }
  return "set-up";
}

namespace {

const std::string die = "same_die", mcm = "same_mcm", one = "one_hop", two = "two_hops";

score scored(bool holds, std::string found) { return {holds ? verdict::holds : verdict::fails, std::move(found)}; }

bool near(double found, double claimed, double tolerance) { return std::abs(found / claimed - 1) <= tolerance; }
constexpr double rounding = 0.02;  // as the text rounds
constexpr double prediction = 0.30;

/// A number of the text, of one or two machines.
score number(double found, double claimed, double tolerance, const char* unit = "") {
  return scored(near(found, claimed, tolerance), fmt::format("{:.4g}{}", found, unit));
}
score numbers(double a, double claimed_a, double b, double claimed_b, double tolerance) {
  return scored(near(a, claimed_a, tolerance) && near(b, claimed_b, tolerance), fmt::format("{:.4g} and {:.4g}", a, b));
}

std::function<score(prover&)> waits_for(const std::string& what) {
  return [what](prover&) { return score{verdict::pending, "waits for " + what + " on the simulated machine"}; };
}
std::function<score(prover&)> beyond(const std::string& why) {
  return [why](prover&) { return score{verdict::out_of_scope, why}; };
}
std::function<score(prover&)> describes(const std::string& what) {
  return [what](prover&) { return score{verdict::set_up, what}; };
}

double mops(double ops) { return ops * 1e-6; }

// ---- the hardware (sections 1, 3, 5.1 and 5.2)

double cas_over_load(prover& p, const std::string& machine, const std::vector<std::string>& states,
                     const std::vector<std::string>& distances) {
  double sum = 0;
  for (const auto& s : states)
    for (const auto& d : distances) sum += p.cycles(machine, "cas", s, d) / p.cycles(machine, "load", s, d);
  return sum / static_cast<double>(states.size() * distances.size());
}

score across_sockets(prover& p) {
  return numbers(p.cycles("opteron", "load", "modified", mcm) / p.cycles("opteron", "load", "modified", die), 2,
                 p.cycles("xeon", "load", "shared", two) / p.cycles("xeon", "load", "shared", die), 7.5, rounding);
}

score same_atomics(prover& p) {
  bool alike = true;
  for (const std::string m : {"opteron", "xeon"})
    for (const std::string o : {"fai", "tas", "swap"})
      alike = alike && p.cycles(m, o, "modified", one) == p.cycles(m, "cas", "modified", one);
  const auto best = [&](const std::string& m, const std::string& d, const std::string& winner) {
    for (const std::string o : {"cas", "fai", "tas", "swap"})
      if (o != winner && p.cycles(m, o, "modified", d) <= p.cycles(m, winner, "modified", d)) return false;
    return true;
  };
  const bool differ = best("tilera", one, "fai") && best("niagara", "other_core", "tas");
  return scored(alike && differ, alike && differ ? "alike on both; fai first on Tilera, tas on Niagara" : "otherwise");
}

/// Whether all sharers cost a read-modify-write more where they cost a store more, and nothing where they do not.
score atomics_follow_stores(prover& p) {
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

score prefetch_spares_the_broadcast(prover& p) {
  const double with = p.read_then_write(true), without = p.read_then_write(false);
  return scored(with < without / 2,
                fmt::format("to read and then write another's line: {:.0f} instead of {:.0f} cycles", with, without));
}

// ---- atomic operations under contention (5.4)

double cycles_per_operation(prover& p, const std::string& machine, std::int64_t threads) {
  return p.machine(machine).ghz() * 1e9 / p.atomic(machine, "fai", threads);
}

score latency_jumps(prover& p) {
  const double a = cycles_per_operation(p, "opteron", 1), b = cycles_per_operation(p, "opteron", 2);
  const double c = cycles_per_operation(p, "xeon", 1), d = cycles_per_operation(p, "xeon", 2);
  return scored(
      near(a, 20, prediction) && near(c, 20, prediction) && near(b, 120, prediction) && near(d, 120, prediction),
      fmt::format("{:.0f} to {:.0f}, {:.0f} to {:.0f}", a, b, c, d));
}

score rises_then_flat(prover& p) {
  const double nia1 = p.atomic("niagara", "cas", 1), nia8 = p.atomic("niagara", "cas", 8),
               nia64 = p.atomic("niagara", "cas", 64);
  const double til1 = p.atomic("tilera", "cas", 1), til6 = p.atomic("tilera", "cas", 6),
               til36 = p.atomic("tilera", "cas", 36);
  const bool flat = near(nia64, nia8, 0.1) && near(til36, til6, 0.1);
  const bool rises = nia8 > 1.05 * nia1 && til6 > 1.05 * til1;
  return scored(flat && rises,
                fmt::format("Niagara {:.1f}, {:.1f}, {:.1f}; Tilera {:.1f}, {:.1f}, {:.1f} Mops/s with one, a few, all",
                            mops(nia1), mops(nia8), mops(nia64), mops(til1), mops(til6), mops(til36)));
}

score twenty_in_a_socket(prover& p) {
  const double o6 = mops(p.atomic("opteron", "fai", 6)), o12 = mops(p.atomic("opteron", "fai", 12));
  const double x10 = mops(p.atomic("xeon", "fai", 10)), x20 = mops(p.atomic("xeon", "fai", 20));
  const bool drops = o12 < 0.9 * o6 && x20 < 0.9 * x10 && x20 / x10 < o12 / o6;
  return scored(near(o6, 20, prediction) && near(x10, 20, prediction) && drops,
                fmt::format("{:.1f} and {:.1f} Mops/s, then {:.1f} and {:.1f}", o6, x10, o12, x20));
}

score no_later_decrease(prover& p) {
  const double nia = p.atomic("niagara", "fai", 64) / p.atomic("niagara", "fai", 8);
  const double til = p.atomic("tilera", "fai", 36) / p.atomic("tilera", "fai", 6);
  return scored(nia > 0.9 && til > 0.9, fmt::format("all against a few threads: {:.2f} and {:.2f}", nia, til));
}

score best_atomics(prover& p) {
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
                  at("tilera", "cas"), at("tilera", "swap")));
}

// ---- locks (5.3 and 6.1)

double remote_over_local(prover& p, const std::string& machine, const std::string& far) {
  return p.acquire(machine, "ticket", far) / p.acquire(machine, "ticket", "same_cpu");
}

score uncontended_on_single_sockets(prover& p) {
  const double nia = p.acquire("niagara", "ticket", "other_core") / p.acquire("niagara", "ticket", "same_core");
  const double til = p.acquire("tilera", "ticket", "max_hops") / p.acquire("tilera", "ticket", one);
  return scored(nia <= 1.1 && til <= 1.5, fmt::format("farthest against nearest: {:.2f} and {:.2f}", nia, til));
}

score uncontended_cycles(prover& p) {
  const double o = p.acquire("opteron", "ticket", two), x = p.acquire("xeon", "ticket", two);
  const double n = p.acquire("niagara", "ticket", "other_core"), t = p.acquire("tilera", "ticket", "max_hops");
  const auto within = [](double v, double low, double high) {
    return v >= low * (1 - prediction) && v <= high * (1 + prediction);
  };
  return scored(within(o, 350, 450) && within(x, 350, 450) && within(n, 200, 200) && within(t, 200, 200),
                fmt::format("ticket: {:.0f}, {:.0f}; {:.0f}, {:.0f} cycles", o, x, n, t));
}

score complex_locks_cost_more(prover& p) {
  std::string found;
  bool all = true;
  const std::pair<std::string, std::string> places[] = {
      {"opteron", two}, {"xeon", two}, {"niagara", "other_core"}, {"tilera", "max_hops"}};
  for (const auto& [m, far] : places) {
    const double simple = p.acquire(m, "ticket", far);
    const double complex = std::max(p.acquire(m, "mcs", far), p.acquire(m, "clh", far));
    all = all && complex > simple;
    found += fmt::format("{}{} {:.0f}/{:.0f}", found.empty() ? "" : ", ", m, simple, complex);
  }
  return scored(all, found + " (ticket/queue)");
}

score drops_of_one_lock(prover& p) {
  bool all = true;
  std::string found;
  const std::tuple<std::string, std::int64_t> sockets[] = {{"opteron", 6}, {"xeon", 10}};
  for (const auto& [m, in] : sockets) {
    const double v1 = p.lock(m, "clh", 1, 1), v2 = p.lock(m, "clh", 1, 2), vin = p.lock(m, "clh", 1, in),
                 v2in = p.lock(m, "clh", 1, 2 * in);
    all = all && v2 < v1 / 5 && near(vin, v2, 0.5) && v2in < 0.9 * vin;
    found += fmt::format("{}{} {:.1f}, {:.1f}, {:.1f}, {:.1f}", found.empty() ? "" : "; ", m, mops(v1), mops(v2),
                         mops(vin), mops(v2in));
  }
  return scored(all, found + " Mops/s with 1, 2, a socket, two (clh)");
}

score order_of_magnitude(prover& p) {
  const auto ratio = [&](const std::string& m, std::int64_t many) {
    return p.best_lock(m, 1, many).second / p.best_lock(m, 1, 1).second;
  };
  const double o = ratio("opteron", 12), x = ratio("xeon", 20), n = ratio("niagara", 8), t = ratio("tilera", 6);
  return scored(o < 1 / 7.0 && x < 1 / 7.0 && n > 0.5 && t > 0.5,
                fmt::format("{:.2f}, {:.2f}; {:.2f}, {:.2f} of one thread's", o, x, n, t));
}

score best_of_one_lock(prover& p) {
  const auto xeon = p.best_lock("xeon", 1, 40);
  bool all = xeon.first[0] == 'h';
  std::string found = "xeon " + xeon.first;
  const std::pair<std::string, std::int64_t> others[] = {{"opteron", 36}, {"niagara", 36}, {"tilera", 36}};
  for (const auto& [m, n] : others) {
    const auto best = p.best_lock(m, 1, n);
    all = all && (best.first == "mcs" || best.first == "clh");
    found += ", " + m + " " + best.first;
  }
  for (const std::string m : {"opteron", "xeon", "niagara", "tilera"})
    for (const std::string spin : {"tas", "ttas"})
      if (p.lock(m, "ticket", 1, 36) < p.lock(m, spin, 1, 36)) {
        all = false;
        found += ", ticket behind " + spin + " on " + m;
      }
  return scored(all, found);
}

double best_of(prover& p, const std::string& machine, const std::vector<std::string>& locks) {
  double best = 0;
  for (const std::string& lock : locks) best = std::max(best, p.lock(machine, lock, 512, 36));
  return best;
}

/// The slowest lock's part of the fastest one's throughput.
double evenness(prover& p, const std::string& machine, std::int64_t threads) {
  double least = std::numeric_limits<double>::max();
  for (const std::string& lock : prover::locks_of(machine))
    least = std::min(least, p.lock(machine, lock, 512, threads));
  return least / p.best_lock(machine, 512, threads).second;
}

score simple_locks_at_low_contention(prover& p) {
  constexpr double matches = 0.95;
  const std::vector<std::string> simple{"tas", "ttas", "ticket"};
  bool all = true;
  std::string found;
  for (const std::string m : {"opteron", "niagara", "tilera", "xeon"}) {
    std::vector<std::string> others = prover::locks_of(m);
    std::erase_if(
        others, [&](const std::string& lock) { return std::find(simple.begin(), simple.end(), lock) != simple.end(); });
    const double ratio = best_of(p, m, simple) / best_of(p, m, others);
    const auto best = p.best_lock(m, 512, 36);
    const double ticket = p.lock(m, "ticket", 512, 36) / best.second;
    all = all && ratio >= matches && (m == "xeon" || ticket >= matches);
    found += fmt::format("{}{} {:.2f} of the others', ticket {:.2f} of {}'s", found.empty() ? "" : ", ", m, ratio,
                         ticket, best.first);
  }
  const double few = evenness(p, "xeon", 10), many = evenness(p, "xeon", 80);
  return scored(all && many > few,
                fmt::format("{}; Xeon's slowest {:.2f} of the fastest with 10, {:.2f} with 80", found, few, many));
}

score one_socket_is_best(prover& p) {
  bool all = true;
  std::string found;
  for (const std::int64_t locks : {1, 512}) {
    const double socket = p.best_lock("xeon", locks, 10).second;
    double beyond = 0;
    for (const std::int64_t n : {20, 40, 80}) beyond = std::max(beyond, p.best_lock("xeon", locks, n).second);
    all = all && socket > beyond;
    found +=
        fmt::format("{}{} locks: {:.1f} against {:.1f}", found.empty() ? "" : ", ", locks, mops(socket), mops(beyond));
  }
  return scored(all, found + " Mops/s");
}

score mutex_is_for_shared_cores(prover& p) {
  for (const std::string m : {"opteron", "xeon", "niagara", "tilera"})
    for (const std::int64_t locks : {1, 512})
      if (p.best_lock(m, locks, 36).first == "mutex") return scored(false, "best on " + m);
  const double mutex = p.lock("opteron", "mutex", 1, 96), ticket = p.lock("opteron", "ticket", 1, 96);
  return scored(mutex > 2 * ticket,
                fmt::format("never best; two threads a core on Opteron: {:.2f} against ticket's {:.3f} Mops/s",
                            mops(mutex), mops(ticket)));
}

double scalability(prover& p, const std::string& m, std::int64_t locks, std::int64_t threads) {
  return p.best_lock(m, locks, threads).second / p.best_lock(m, locks, 1).second;
}

score single_sockets_scale(prover& p) {
  const double n4 = scalability(p, "niagara", 4, 36), n128 = scalability(p, "niagara", 128, 36);
  const double t4 = scalability(p, "tilera", 4, 36), t128 = scalability(p, "tilera", 128, 36);
  return scored(n4 > 1 && t4 > 1 && n128 > 10 && t128 > 10,
                fmt::format("4 locks {:.1f}, {:.1f}; 128 locks {:.1f}, {:.1f} times", n4, t4, n128, t128));
}

score multi_sockets_do_not(prover& p) {
  const double o4 = scalability(p, "opteron", 4, 36), x4 = scalability(p, "xeon", 4, 36);
  const double o128 = scalability(p, "opteron", 128, 36), x128 = scalability(p, "xeon", 128, 36);
  const double x10 = p.best_lock("xeon", 4, 10).second, x11 = p.best_lock("xeon", 4, 11).second;
  return scored(o4 < 1 && x4 < 1 && o128 < 10 && x128 < 10 && x11 < 0.8 * x10,
                fmt::format("4 locks {:.2f}, {:.2f}; 128 locks {:.1f}, {:.1f} times; Xeon 10 to 11 threads {:.2f}", o4,
                            x4, o128, x128, x11 / x10));
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

score no_lock_is_always_best(prover& p) {
  const std::set<std::string> best = winners(p);
  return scored(best.size() == 9, fmt::format("{} of nine are best somewhere: {}", best.size(), fmt::join(best, ", ")));
}

double ratio_of(prover& p, const std::string& m) {
  return p.cycles(m, "load", "modified", one) / p.cycles(m, "load", "modified", die);
}

// ---- the list

void add_hardware(std::vector<claim>& all) {
  using p = prover;
  all.push_back({1, "1, 5.2", "multi", "communication across sockets costs 2 to 7.5 times that within one",
                 kind::identity, across_sockets});
  all.push_back(
      {2, "1, 5.2", "Opteron", "the incomplete directory makes a store 3 times as dear", kind::identity, [](p& v) {
         return number(v.cycles("opteron", "store", "shared", die) / v.cycles("opteron", "store", "modified", die), 3,
                       rounding);
       }});
  all.push_back(
      {3, "1, 6.1.3", "single", "Niagara scales up to 1.7 times better than Tilera", kind::prediction, [](p& v) {
         return number(scalability(v, "niagara", 4, 36) / scalability(v, "tilera", 4, 36), 1.7, prediction);
       }});
  all.push_back({4, "1", "multi", "a CAS costs 1.35 (Opteron) and 1.15 (Xeon) times a load", kind::identity, [](p& v) {
                   return numbers(cas_over_load(v, "opteron", {"modified"}, {die}), 1.35,
                                  cas_over_load(v, "xeon", {"modified", "exclusive"}, {die, one, two}), 1.15, rounding);
                 }});
  all.push_back({5, "1, 8", "all", "each of nine locks is the best somewhere, none everywhere", kind::rank,
                 no_lock_is_always_best});
  all.push_back(
      {6, "5.1", "Xeon", "44 cycles of the last level are the fastest way between cores", kind::identity,
       [](p& v) { return numbers(v.level("xeon", "llc"), 44, v.cycles("xeon", "load", "shared", die), 44, 0); }});
  all.push_back(
      {7, "5.2", "Opteron", "the dies of a module are 12 cycles nearer than linked ones", kind::identity, [](p& v) {
         return number(v.cycles("opteron", "load", "modified", one) - v.cycles("opteron", "load", "modified", mcm), 12,
                       0.1);
       }});
  all.push_back({8, "5.2", "Opteron", "one more hop costs 80 cycles", kind::identity, [](p& v) {
                   return number(
                       v.cycles("opteron", "load", "modified", two) - v.cycles("opteron", "load", "modified", one), 80,
                       0);
                 }});
  all.push_back({9, "5.2", "Opteron", "two hops cost about 3 times as much as within a die", kind::identity, [](p& v) {
                   return number(
                       v.cycles("opteron", "load", "modified", two) / v.cycles("opteron", "load", "modified", die), 3,
                       0.05);
                 }});
  all.push_back({10, "5.2", "Opteron",
                 "312 cycles when both are two hops from the directory (the model is fitted on it)", kind::identity,
                 [](p& v) { return number(v.cycles("opteron", "load", "modified", one, "third"), 312, 0); }});
  all.push_back(
      {11, "5.2", "Opteron", "cores of one node lose their locality to a remote directory", kind::rank, [](p& v) {
         const double far = v.cycles("opteron", "load", "modified", die, "third");
         const double near = v.cycles("opteron", "load", "modified", die);
         return scored(far > 2 * near, fmt::format("{:.0f} instead of {:.0f} cycles", far, near));
       }});
  all.push_back(
      {12, "5.2", "Xeon", "a load of a shared line costs 7.5 times as much over two hops", kind::identity, [](p& v) {
         return number(v.cycles("xeon", "load", "shared", two) / v.cycles("xeon", "load", "shared", die), 7.5,
                       rounding);
       }});
  all.push_back({13, "5.2", "Niagara", "a load costs an L1 or an L2 access: 3 or 24", kind::identity, [](p& v) {
                   return numbers(v.cycles("niagara", "load", "modified", "same_core"), 3,
                                  v.cycles("niagara", "load", "modified", "other_core"), 24, 0);
                 }});
  all.push_back({14, "5.2", "Tilera", "45 cycles to a neighbour, 20 more to the farthest", kind::identity, [](p& v) {
                   return numbers(v.cycles("tilera", "load", "modified", one), 45,
                                  v.cycles("tilera", "load", "modified", "max_hops"), 65, 0);
                 }});
}

void add_stores(std::vector<claim>& all) {
  using p = prover;
  all.push_back(
      {15, "5.2", "Opteron", "a store that other cores of the die share: from 83 to 244", kind::identity, [](p& v) {
         return numbers(v.cycles("opteron", "store", "modified", die), 83, v.cycles("opteron", "store", "owned", die),
                        244, 0);
       }});
  all.push_back({16, "5.2", "Opteron", "a store on a line shared by all: 296", kind::identity,
                 [](p& v) { return number(v.cycles("opteron", "store", "shared_all", two), 296, 0); }});
  all.push_back({17, "5.2", "Xeon", "a store on a line shared by all 80: 445 (the model holds it)", kind::identity,
                 [](p& v) { return number(v.cycles("xeon", "store", "shared_all", two), 445, 0); }});
  all.push_back({18, "5.2", "Niagara", "a store costs an L2 access whatever the state", kind::identity, [](p& v) {
                   return numbers(v.cycles("niagara", "store", "modified", "other_core"), 24,
                                  v.cycles("niagara", "store", "shared_all", "other_core"), 24, 0);
                 }});
  all.push_back({19, "5.2", "Tilera", "a store on a line shared by all 36: up to 200 (the model holds it)",
                 kind::identity,
                 [](p& v) { return number(v.cycles("tilera", "store", "shared_all", "max_hops"), 200, 0); }});
  all.push_back({20, "5.2", "all", "atomic operations cost alike on the multi-sockets, not on the others",
                 kind::identity, same_atomics});
  all.push_back({21, "5.2", "all", "on lines that all share they follow the store", kind::rank, atomics_follow_stores});
  all.push_back({22, "5.3", "Opteron", "prefetching for writing avoids the dear store", kind::rank,
                 prefetch_spares_the_broadcast});
  all.push_back({23, "5.3", "Opteron", "plain ticket lock, 48 cores: 720K cycles", kind::prediction,
                 [](p& v) { return number(v.ticket("opteron", "ticket_plain", 48), 720e3, prediction, " cycles"); }});
  all.push_back({24, "5.3", "Opteron", "proportional back-off scales far better", kind::rank, [](p& v) {
                   const double with = v.paper_ticket(false, 48), plain = v.ticket("opteron", "ticket_plain", 48);
                   return scored(with < plain / 2,
                                 fmt::format("{:.0f}K against {:.0f}K cycles", with / 1e3, plain / 1e3));
                 }});
  all.push_back(
      {25, "5.3", "Opteron", "prefetching for writing gains on top of it, up to 2 times", kind::rank, [](p& v) {
         const double with = v.paper_ticket(true, 48), without = v.paper_ticket(false, 48);
         return scored(with < without, fmt::format("{:.2f} times as fast", without / with));
       }});
  all.push_back(
      {26, "5.3", "Opteron", "messages are up to 2.5 times as fast with it", kind::prediction, waits_for("messages")});
}

void add_contention(std::vector<claim>& all) {
  using p = prover;
  all.push_back({27, "5.4", "multi", "an atomic operation: from 20 to 120 cycles when two cores share",
                 kind::prediction, latency_jumps});
  all.push_back({28, "5.4", "single", "throughput rises over the first cores and is flat beyond six", kind::rank,
                 rises_then_flat});
  all.push_back({29, "5.4", "multi", "20 Mops/s in a socket, less beyond, more so on the Xeon", kind::prediction,
                 twenty_in_a_socket});
  all.push_back({30, "5.4", "single", "no later decrease", kind::prediction, no_later_decrease});
  all.push_back(
      {31, "5.4", "single", "Niagara: fai as cas_fai, tas best; Tilera: fai best", kind::prediction, best_atomics});
  all.push_back(
      {32, "6.1.1", "multi", "a free lock last held far away costs 12.5 (Opteron), 11 (Xeon) times a local one",
       kind::prediction, [](p& v) {
         return numbers(remote_over_local(v, "opteron", two), 12.5, remote_over_local(v, "xeon", two), 11, prediction);
       }});
  all.push_back({33, "6.1.1", "single", "no (Niagara) or slight (Tilera) dependence on the place", kind::prediction,
                 uncontended_on_single_sockets});
  all.push_back({34, "6.1.1", "all", "350 to 450 cycles on multi-sockets, about 200 on the others", kind::prediction,
                 uncontended_cycles});
  all.push_back({35, "6.1.1", "multi", "up to an order of magnitude between sockets", kind::prediction, [](p& v) {
                   const double o = remote_over_local(v, "opteron", two), x = remote_over_local(v, "xeon", two);
                   return scored(std::max(o, x) >= 7, fmt::format("{:.1f} and {:.1f}", o, x));
                 }});
  all.push_back(
      {36, "6.1.1", "all", "spin locks follow Table 2, queue locks cost more", kind::rank, complex_locks_cost_more});
  all.push_back({37, "6.1.2", "multi", "one lock: a drop at two cores, stable in the socket, a drop beyond",
                 kind::prediction, drops_of_one_lock});
  all.push_back({38, "6.1.2", "all", "one lock: an order of magnitude below one core; comparable on the single-sockets",
                 kind::prediction, order_of_magnitude});
  all.push_back({39, "6.1.2", "all",
                 "one lock: hierarchical best on Xeon, queue locks elsewhere, ticket the best spin lock", kind::rank,
                 best_of_one_lock});
  all.push_back(
      {40, "6.1.2", "all",
       "512 locks: simple locks match or beat the others, ticket is the best but on the Xeon, where all become alike",
       kind::rank, simple_locks_at_low_contention});
  all.push_back({41, "6.1.2", "Xeon", "best with all threads on one socket, whatever the contention", kind::rank,
                 one_socket_is_best});
  all.push_back({42, "6.1.2", "all", "a mutex is never best with a core for each thread, but where threads share",
                 kind::rank, mutex_is_for_shared_cores});
  all.push_back({43, "6.1.3", "single", "no collapse with 4 locks, good scaling with 128", kind::prediction,
                 single_sockets_scale});
  all.push_back({44, "6.1.3", "multi",
                 "below one thread with 4 locks, limited with 128; the Xeon loses by one remote thread",
                 kind::prediction, multi_sockets_do_not});
}

void add_applications(std::vector<claim>& all) {
  using p = prover;
  all.push_back({45, "6.2", "all", "a one-way message costs 2 transfers", kind::prediction, waits_for("messages")});
  all.push_back({46, "6.2", "all", "a round trip costs 4 transfers", kind::prediction, waits_for("messages")});
  all.push_back({47, "6.2", "Tilera", "hardware messages: 16 Mops/s with 35 clients", kind::out_of_scope,
                 beyond("its message network is not modelled")});
  all.push_back({48, "6.2", "Tilera", "one-word messages: 27 and 100 Mops/s", kind::out_of_scope,
                 beyond("its message network is not modelled")});
  all.push_back(
      {49, "6.2", "Xeon", "client-server: 25 to 8 Mops/s by one remote client", kind::rank, waits_for("messages")});
  all.push_back(
      {50, "6.2", "multi", "round trips overtake one-way messages as cores grow", kind::rank, waits_for("messages")});
  all.push_back({51, "6.3", "-", "the hash table's set-up", kind::set_up, describes("a workload, no claim")});
  all.push_back(
      {52, "6.3", "Niagara", "10 times with 36 threads on 12 buckets", kind::prediction, waits_for("the hash table")});
  all.push_back({53, "6.3", "all", "messages beat locks on 3 of 4 at high contention, never at low", kind::rank,
                 waits_for("the hash table")});
  all.push_back({54, "6.3", "multi", "unpinned threads: 4 to 6 times slower", kind::out_of_scope,
                 beyond("the scheduler's migrations are not modelled")});
  all.push_back(
      {55, "6.3", "all", "longer sections scale better, but on Tilera", kind::rank, waits_for("the hash table")});
  all.push_back({56, "6.3", "Xeon", "scales slightly beyond 10 cores", kind::rank, waits_for("the hash table")});
  all.push_back(
      {57, "6.4", "3 of 4", "memcached set: 29 to 50 % over mutexes", kind::out_of_scope, beyond("a whole program")});
  all.push_back({58, "6.4", "Opteron", "memcached: at most 3.9 times", kind::out_of_scope, beyond("a whole program")});
  all.push_back(
      {59, "6.4", "multi", "bad placement of its threads costs 20 %", kind::out_of_scope, beyond("a whole program")});
  all.push_back(
      {60, "6.4", "all", "no scaling beyond 18 cores", kind::out_of_scope, beyond("a whole program and its network")});
  all.push_back(
      {61, "8", "2 sockets", "across against within: 1.6 (Opteron 2384), 2.7 (Xeon X5660) (the models are made of it)",
       kind::identity,
       [](p& v) { return numbers(ratio_of(v, "opteron-2384"), 1.6, ratio_of(v, "xeon-x5660"), 2.7, rounding); }});
  all.push_back({62, "Table 2", "all", "10000 repetitions, below 3 % deviation", kind::set_up,
                 describes("how the tables were measured")});
}

}  // namespace

const std::vector<claim>& claims() {
  static const std::vector<claim> all = [] {
    std::vector<claim> list;
    add_hardware(list);
    add_stores(list);
    add_contention(list);
    add_applications(list);
    return list;
  }();
  return all;
}

}  // namespace synchro::simulations
