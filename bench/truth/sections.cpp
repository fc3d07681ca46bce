#include "sections.hpp"

#include <fmt/format.h>

#include <string>

#include "experiments/delegation/delegation.hpp"
#include "experiments/hashtable/hashtable.hpp"
#include "experiments/stm/stm.hpp"
#include "plain.hpp"

namespace synchro::bench {

namespace {

using experiments::coordinates;

constexpr unsigned teams[] = {1, 2};

/// Of several threads the order in which they come decides, and no two programs have the same.
struct bounds {
  double least, most;
};
bounds bounds_for(unsigned threads) { return threads == 1 ? bounds{0.9, 1.1} : bounds{0.67, 1.5}; }

std::string by(const std::string& what, const std::string& means, unsigned threads) {
  return fmt::format("{}, {}, {} thread{}", what, means, threads, threads == 1 ? "" : "s");
}

struct workload {
  experiments::experiment is;
  std::int64_t elements, updates;
  double (*other)(const std::vector<int>& cpus, bool by_stm);
};

}  // namespace

std::vector<duel> transactions(const here& h) {
  std::vector<duel> all;
  for (const workload& w : {workload{experiments::stm_bank(), 1024, 90, plain::bank},
                            workload{experiments::stm_list(), 128, 20, plain::sorted_list},
                            workload{experiments::stm_hashtable(), 1024, 20, plain::sorted_lists}})
    for (const std::string means : {"std/mutex", "stm"})
      for (const unsigned threads : teams) {
        const coordinates at{{"means", means},
                             {"threads", std::int64_t{threads}},
                             {"elements", w.elements},
                             {"updates", w.updates},
                             {"placement", "compact"}};
        const auto [least, most] = bounds_for(threads);
        all.push_back({by(w.is.name, means, threads), h.time_of(w.is, at, "throughput"),
                       [w, means, cpus = h.team(threads)] { return w.other(cpus, means == "stm"); }, least, most});
      }
  return defending({"(not in the tour) transactions on a bank, a list and a hash table, under one lock and by `stm`",
                    "`stm.bank`, `stm.list`, `stm.hashtable`, `throughput`",
                    "bare loops over a `std::mutex`, and over the library's `stm`; what they do was drawn before"},
                   std::move(all));
}

std::vector<duel> tables(const here& h) {
  std::vector<duel> all;
  const auto row = [&](const std::string& table, double (*other)(const std::vector<int>&), unsigned threads) {
    const coordinates at{{"lock", table},
                         {"threads", std::int64_t{threads}},
                         {"buckets", std::int64_t{512}},
                         {"load", std::int64_t{12}},
                         {"keys", "uniform"},
                         {"placement", "compact"}};
    const experiments::experiment e = experiments::hashtable_throughput();
    const auto [least, most] = bounds_for(threads);
    all.push_back({by(e.name, table, threads), h.time_of(e, at, "throughput"),
                   [other, cpus = h.team(threads)] { return other(cpus); }, least, most});
  };
  for (const unsigned threads : teams) row("std/unordered_map", plain::unordered_map, threads);
  for (const unsigned threads : teams) row("optimistic", plain::own_table, threads);
  return defending({"(not in the tour) operations on a hash table", "`hashtable.throughput`, `throughput`",
                    "bare loops over the same tables; what they do was drawn before"},
                   std::move(all));
}

std::vector<duel> delegation(const here& h) {
  std::vector<duel> all;
  const auto row = [&](const std::string& delegate, unsigned threads, std::function<double()> other) {
    const coordinates at{{"delegate", delegate},
                         {"threads", std::int64_t{threads}},
                         {"lines", std::int64_t{1}},
                         {"gap", std::int64_t{0}},
                         {"placement", "compact"}};
    const experiments::experiment e = experiments::delegation_throughput();
    const auto [least, most] = bounds_for(threads);
    all.push_back({by(e.name, delegate, threads), h.time_of(e, at, "throughput"), std::move(other), least, most});
  };
  for (const unsigned threads : teams) {
    const std::vector<int> cpus = h.team(threads);
    row("ticket", threads, [cpus] { return plain::sections_under_ticket(cpus); });
    row("mutex", threads, [cpus] { return plain::sections_under_mutex(cpus); });
    row("cc_synch", threads, [cpus] { return plain::sections_by_cc_synch(cpus); });
  }
  const std::vector<int> both = h.team(2);
  row("delegation_server", 1, [both] { return plain::served(both[0], both[1]); });
  all.back().least = 0.7, all.back().most = 1.5;  // two threads
  return defending({"(not in the tour) sections that are run one at a time, under a lock, by a combiner or by a server",
                    "`delegation.throughput`, `throughput`",
                    "bare loops over the same locks, the same combiner and the same server"},
                   std::move(all));
}

}  // namespace synchro::bench
