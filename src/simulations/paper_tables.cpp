#include "simulations/paper_tables.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "experiments/hashtable/trial.hpp"
#include "simulations/all_of_libslock.hpp"
#include "simulations/asked_ssht.hpp"
#include "simulations/networked.hpp"
#include "simulations/paper_messages.hpp"
#include "simulations/simulations.hpp"
#include "simulations/ssht.hpp"

namespace synchro::simulations {

namespace {

using experiments::hashtable::counts;
using experiments::hashtable::key;
using experiments::hashtable::table_outcome;
using experiments::hashtable::table_task;
using simulator::laboratory;

using clock_of_run = laboratory::fresh<experiments::hashtable::hours<simulated>>;

std::size_t keys_in(const table_task& task) { return std::size_t{2} * task.buckets * task.load; }
std::size_t at_first_in(const table_task& task) { return keys_in(task) / 2; }
std::uint64_t seed_of_thread(const table_task& task, unsigned me) { return task.seed * 1000 + me + 1; }

/// Works until the time is over, and says when that was.
template <class User>
std::uint64_t use_until_over(User& mine, clock_of_run& when, const table_task& task) {
  return experiments::hashtable::while_it_lasts<laboratory>(*when, task.window_ns,
                                                            [&](std::uint64_t n) { mine.work(n); });
}

table_outcome outcome_of(const table_task& task, const std::vector<counts>& seen,
                         const std::vector<std::uint64_t>& ends, clock_of_run& when, std::size_t there) {
  table_outcome o;
  o.elapsed_ns =
      laboratory::to_ns(*std::max_element(ends.begin(), ends.end()) - when->begun.load(memory_order::relaxed));
  for (const counts& c : seen) o.operations.push_back(static_cast<double>(c.operations));
  o.broken = experiments::hashtable::fault(at_first_in(task), experiments::hashtable::sum_of(seen), there);
  return o;
}

template <class Lock>
struct alignas(cpu::cache_line) on_its_lines {
  explicit on_its_lines(const shape& team) : lock{team} {}
  Lock lock;
};

/// The first of the threads makes the table and the locks, all put their share of keys into it.
template <class Lock>
table_outcome use_under_locks(const table_task& task) {
  const shape team = experiments::locks::shape_for<simulated>(task.threads);
  const ssht::spread keys{task.buckets, keys_in(task), task.seed};
  std::optional<ssht::table> table;
  std::optional<clock_of_run> when;
  std::vector<Lock*> locks;
  experiments::locks::at_first<laboratory>(task.cpus, [&] {
    table.emplace(task.buckets);
    when.emplace();
    for (unsigned b = 0; b != task.buckets; ++b) locks.push_back(&simulated::make<on_its_lines<Lock>>(team)->lock);
  });
  std::vector<ssht::user<ssht::under_locks<Lock>>> users;
  for (unsigned me = 0; me != task.threads; ++me)
    users.emplace_back(ssht::under_locks<Lock>{*table, keys, locks}, keys.keys(), seed_of_thread(task, me));
  laboratory::team(task.cpus, task.threads, [&](unsigned me) {
    users[me].fill(at_first_in(task) / task.threads + (me < at_first_in(task) % task.threads ? 1 : 0));
  });
  std::vector<std::uint64_t> ends(task.threads);
  const auto report = laboratory::team(task.cpus, task.threads,
                                       [&](unsigned me) { ends[me] = use_until_over(users[me], *when, task); });
  std::vector<counts> seen;
  for (const auto& u : users) seen.push_back(u.seen());
  table_outcome o = outcome_of(task, seen, ends, *when, table->count());
  o.team = report;
  return o;
}

/// Half of the keys.
std::vector<key> first_keys(const table_task& task) {
  std::vector<key> all(keys_in(task));
  std::iota(all.begin(), all.end(), key{1});
  experiments::hashtable::dice d{task.seed};
  for (std::size_t i = 0; i != at_first_in(task); ++i)
    std::swap(all[i], all[i + d.below(static_cast<std::uint32_t>(all.size() - i))]);
  all.resize(at_first_in(task));
  return all;
}

template <class Ways>
table_outcome use_asked(const table_task& task) {
  using table_type = ssht::asked_table<Ways>;
  const unsigned servers = experiments::hashtable::servers_of(task.threads),
                 clients = experiments::hashtable::clients_of(task.threads);
  const std::vector<unsigned> cpus = with_servers_first(task.cpus, servers);
  const ssht::spread keys{task.buckets, keys_in(task), task.seed};
  const std::vector<key> first = first_keys(task);
  std::optional<table_type> table;
  std::optional<clock_of_run> when;
  experiments::locks::at_first<laboratory>(cpus, [&] {
    table.emplace(served_by{servers, clients}, task.buckets, keys);
    when.emplace();
  });
  laboratory::team(cpus, servers, [&](unsigned me) { table->fill(me, first); });
  std::vector<counts> seen(clients);
  std::vector<std::uint64_t> ends(clients);
  const auto report = laboratory::team(cpus, servers + clients, [&](unsigned me) {
    if (me < servers) return table->serve(me);
    const unsigned number = me - servers;
    typename table_type::client asks{*table, number};
    ssht::user<typename table_type::client> mine{asks, keys.keys(), seed_of_thread(task, number)};
    ends[number] = use_until_over(mine, *when, task);
    asks.leave();
    seen[number] = mine.seen();
  });
  table_outcome o = outcome_of(task, seen, ends, *when, table->count());
  o.team = report;
  return o;
}

table_outcome use_asked_by_the_machine(const table_task& task) {
  return simulator::world::current().machine().network() ? use_asked<network_ways>(task) : use_asked<paper_ways>(task);
}

}  // namespace

void add_paper_tables(std::vector<experiments::table_bodies>& rows) {
  using experiments::primitive_kind;
  rows.push_back({{paper_served_table, "spin", primitive_kind::peer, true}, &use_asked_by_the_machine});
  libslock::for_each_lock(
      [&]<class Lock>(std::type_identity<Lock>, const std::string& name, const std::string& waiting) {
        rows.push_back({{name, waiting, primitive_kind::peer, false}, &use_under_locks<Lock>});
      });
}

}  // namespace synchro::simulations
