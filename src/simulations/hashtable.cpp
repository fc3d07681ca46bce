// Hash tables on a model.

#include "experiments/hashtable/hashtable.hpp"

#include <vector>

#include "experiments/framework/axes.hpp"
#include "experiments/hashtable/all_tables.hpp"
#include "experiments/hashtable/served.hpp"
#include "simulations/any_table.hpp"
#include "simulations/copying.hpp"
#include "simulations/networked.hpp"
#include "simulations/paper_tables.hpp"
#include "simulations/simulated_tables.hpp"
#include "simulations/simulations.hpp"
#include "simulator/laboratory.hpp"

namespace synchro::simulations {

using namespace experiments;
using simulator::model;

hashtable::table_outcome use_any_table(any_place& place, const hashtable::table_task& task) {
  return hashtable::use_table_in<simulator::laboratory>(place, task);
}

namespace {

hashtable::table_outcome use_network_table(const hashtable::table_task& task) {
  return hashtable::served_trial<copying_laboratory, network_table>{task}.run();
}

const std::vector<table_bodies>& simulated_tables() {
  using hashtable::own_table, hashtable::use_served;
  static const std::vector<table_bodies> all = [] {
    std::vector<table_bodies> rows{
        {optimistic_table, "spin", primitive_kind::own, true, &use_simulated<own_table<simulated, own_word<spin>>>},
        {served_table, "spin", primitive_kind::own, true, &use_served<copying_laboratory, spin>},
        {network_served_table, "spin", primitive_kind::own, true, &use_network_table}};
    add_simulated_tables(rows);
    add_paper_tables(rows);
    return rows;
  }();
  return all;
}

double table_window_cycles(level l) { return l == level::quick ? 1e5 : l == level::standard ? 2e5 : 1e6; }

/// One thread that is served is two.
std::vector<unsigned> team_for(const model& m, const setting& s, const coordinates& at) {
  coordinates all = at;
  if (at.word("lock").starts_with(served_table) && at.number("threads") == 1) all.set("threads", std::int64_t{2});
  return team_of(m, s, all);
}

repetition measure_tables(const model& m, const setting& s, const coordinates& at, std::uint64_t seed) {
  hashtable::table_task task = table_task_of(at, seed);
  task.cpus = team_for(m, s, at);
  task.window_ns = table_window_cycles(s.thoroughness) / m.ghz();
  simulator::world w{m, seed};
  simulator::world::current().home_here();
  return record_tables(find_table(simulated_tables(), at.word("lock")).run(task));
}

}  // namespace

experiment hashtable_throughput(const model_ptr& m) {
  experiment e = on_model(experiments::hashtable_throughput(), m, 0.05, measure_tables);
  for (axis& a : e.axes) {
    if (a.name == "lock")
      a.values = [m](const setting& s) {
        std::vector<coordinate> names;
        for (const table_bodies& row : simulated_tables())
          if ((row.first || s.thoroughness == level::full) && (m->network() || row.name != network_served_table))
            names.emplace_back(row.name);
        return names;
      };
    if (a.name == "keys") a.values = [](const setting&) { return std::vector<coordinate>{coordinate{"uniform"}}; };
  }
  e.skip = [](const setting& s, const coordinates& at) { return same_as_compact(s, at); };
  e.unavailable = [m](const setting&, const coordinates& at) -> std::optional<std::string> {
    const auto threads = static_cast<unsigned>(at.number("threads"));
    if (threads > m->processors()) return "threads that only spin need a processor each";
    if (at.word("lock").starts_with(served_table) && hashtable::clients_of(threads) > hashtable::most_clients)
      return "a server has 64 clients at most";
    return std::nullopt;
  };
  e.processors = [m](const setting& s, const coordinates& at) { return team_for(*m, s, at); };
  return e;
}

}  // namespace synchro::simulations
