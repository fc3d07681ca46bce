// stm.bank, stm.list, stm.hashtable: they differ in what the transactions work on.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/framework/axes.hpp"
#include "experiments/stm/means.hpp"
#include "experiments/stm/stm.hpp"
#include "measure/host.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using namespace transactions;

bool by_server(const coordinates& at) { return at.word("means").starts_with("messages"); }

/// The cell with all of its team as threads: one that is served is two.
coordinates with_servers_stm(const coordinates& at) {
  if (!by_server(at)) return at;
  const auto threads = static_cast<unsigned>(at.number("threads"));
  coordinates all = at;
  all.set("threads", std::int64_t{servers_of(threads)} + clients_of(threads));
  return all;
}

/// Threads that share a processor take turns of milliseconds: each should have several.
double stm_duration_s(const setting& s, const coordinates& at) {
  if (more_threads_than_processors(s, with_servers_stm(at))) return 0.1;
  return s.thoroughness == level::full ? 0.05 : 0.02;
}

axis means_axis() {
  return {"means", "what makes several accesses atomic", [](const setting& s) {
            std::vector<coordinate> names;
            for (const means& m : all_means())
              if (m.is_quick || s.thoroughness != level::quick) names.emplace_back(m.name);
            return names;
          }};
}

axis stm_numbers(std::string name, std::string line, std::vector<std::int64_t> quick, std::vector<std::int64_t> more) {
  return {std::move(name), std::move(line), [=](const setting& s) {
            std::vector<coordinate> all(quick.begin(), quick.end());
            if (s.thoroughness != level::quick) all.insert(all.end(), more.begin(), more.end());
            return all;
          }};
}

std::vector<metric> stm_metrics() {
  return {{"throughput", "op/s", better::higher,
           "Transactions of all threads that committed, divided by the time from the first start to the last end. What "
           "they "
           "are about was drawn before; a look at the clock in 5 us or more is in that time."},
          {"aborts", "1", better::lower,
           "Share of the runs of a transaction's function that did not commit and began again."},
          {"fairness", "1", better::higher,
           "Jain's index of the threads' transactions: 1 is equal shares, 1/threads one winner."}};
}

std::optional<std::string> stm_unavailable(const setting& s, const coordinates& at) {
  if (!means_of(at.word("means")).is_here) return "this program was built by a compiler without -fgnu-tm";
  if (!by_server(at)) return std::nullopt;
  if (clients_of(static_cast<unsigned>(at.number("threads"))) > most_clients) return "a server has 64 clients at most";
  // More of them than processors is what such a cell is about; but one is the measure of the others.
  if (at.number("threads") > 1 || !more_threads_than_processors(s, with_servers_stm(at))) return std::nullopt;
  return "one thread alone is a client beside a server, and they need a processor each";
}

/// All but the name, the axes of its own, and the body.
experiment on_transactions(std::string line, axis elements, axis updates) {
  experiment e;
  e.line = std::move(line);
  e.source = "SSYNC (SOSP 2013), TM2C";
  e.on_demand = for_every_cell;
  e.axes = {means_axis(), threads_axis(), bounded(std::move(elements), 1, 1'000'000),
            bounded(std::move(updates), 0, 100), placement_axis()};
  e.metrics = stm_metrics();
  e.skip = [](const setting& s, const coordinates& at) { return same_as_compact(s, with_servers_stm(at)); };
  e.unavailable = stm_unavailable;
  e.seconds = [](const setting& s, const coordinates& at) { return stm_duration_s(s, at) + 0.005; };
  e.processors = [](const setting& s, const coordinates& at) { return processors_of(s, with_servers_stm(at)); };
  return e;
}

/// How cells are measured on this machine.
auto measured_stm(const workload& on) {
  return [&on](const setting& s, const coordinates& at, std::uint64_t seed) {
    const outcome o = (bodies_of_means(at.word("means")).*on.by)(stm_task_of(s, at, seed, on));
    repetition r = record_stm(o, measure::host::to_ns(o.duration()));
    add_to(r, o.team);
    return r;
  };
}

}  // namespace

task stm_task_of(const setting& s, const coordinates& at, std::uint64_t seed, const workload& on) {
  return {team_of(s, with_servers_stm(at)),
          static_cast<unsigned>(at.number("threads")),
          static_cast<unsigned>(at.number("elements")),
          on.buckets(at.number("elements")),
          static_cast<unsigned>(at.number("updates")),
          stm_duration_s(s, at) * 1e9,
          seed};
}

repetition record_stm(const outcome& o, double duration_ns) {
  repetition r;
  r.broken = o.broken;
  const auto committed = static_cast<double>(o.sum(&tally::transactions));
  r.observations = {{"throughput", committed / (duration_ns * 1e-9)}};
  const auto attempts = static_cast<double>(o.sum(&tally::attempts));
  if (o.counts_attempts)
    r.observations.push_back({"aborts", 1 - committed / attempts});
  else
    r.unavailable["aborts"] = "it does not report how often it restarted";
  std::vector<double> shares;
  for (const tally& t : o.threads) shares.push_back(static_cast<double>(t.transactions));
  if (shares.size() < 2)
    r.unavailable["fairness"] = "there is only one thread";
  else
    r.observations.push_back({"fairness", results::jain_index(shares)});
  return r;
}

experiment stm_bank() {
  experiment e =
      on_transactions("transfers between accounts and audits of all of them, as transactions",
                      stm_numbers("elements", "number of accounts", {1024}, {16}),
                      stm_numbers("updates", "share of transfers, percent; the others are audits", {90}, {100}));
  e.name = "stm.bank";
  e.measure = measured_stm(accounts);
  present_stm_bank(e);
  return e;
}

experiment stm_list() {
  experiment e =
      on_transactions("insert, erase and look up in a sorted list, as transactions",
                      stm_numbers("elements", "keys in the list at the start, of twice as many", {128}, {1024}),
                      stm_numbers("updates", "share of insertions and erasures, percent", {20}, {100}));
  e.name = "stm.list";
  e.measure = measured_stm(one_list);
  present_stm_list(e);
  return e;
}

experiment stm_hashtable() {
  experiment e = on_transactions(
      "insert, erase and look up in a hash table of sorted lists, as transactions",
      stm_numbers("elements", "keys in the table at the start, of twice as many; eight to a bucket", {1024}, {16384}),
      stm_numbers("updates", "share of insertions and erasures, percent", {20}, {100}));
  e.name = "stm.hashtable";
  e.measure = measured_stm(lists_of_eight);
  present_stm_hashtable(e);
  return e;
}

}  // namespace synchro::experiments
