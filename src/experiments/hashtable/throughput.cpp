// hashtable.throughput

#include <vector>

#include "experiments/framework/axes.hpp"
#include "experiments/hashtable/all_tables.hpp"
#include "experiments/hashtable/hashtable.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

/// The cell with all of its team as threads: one that is served is two.
coordinates with_servers_tables(const coordinates& at) {
  if (!at.word("lock").starts_with(served_table)) return at;
  const auto threads = static_cast<unsigned>(at.number("threads"));
  coordinates all = at;
  all.set("threads", std::int64_t{hashtable::servers_of(threads)} + hashtable::clients_of(threads));
  return all;
}

/// Threads that share a processor take turns of milliseconds: each should have several.
double tables_window_s(const setting& s, const coordinates& at) {
  if (more_threads_than_processors(s, with_servers_tables(at))) return 0.1;
  return s.thoroughness == level::full ? 0.05 : 0.02;
}

/// Those that only spin take a processor for each thread.
bool is_overcrowded_tables(const setting& s, const coordinates& at) {
  return find_table(table_names(), at.word("lock")).only_spins() &&
         more_threads_than_processors(s, with_servers_tables(at));
}

repetition measure_tables(const setting& s, const coordinates& at, std::uint64_t seed) {
  hashtable::table_task task = table_task_of(at, seed);
  task.cpus = team_of(s, with_servers_tables(at));
  task.window_ns = tables_window_s(s, at) * 1e9;
  const hashtable::table_outcome o = use_table_called(at.word("lock"), task);
  repetition r = record_tables(o);
  add_to(r, o.team);
  return r;
}

axis table_lock_axis() {
  return {"lock",
          "the table under test: ours with this lock in each bucket, for readers, too; with readers that take none "
          "(optimistic), and with buckets of its own choice (growing); by messages to one server for three threads; or "
          "(family/name) another's",
          [](const setting& s) {
            std::vector<coordinate> names;
            for (const table_name& row : table_names())
              if (s.thoroughness == level::full || row.first || row.name == served_table_yielding)
                names.emplace_back(row.name);
            return names;
          }};
}

std::vector<axis> tables_axes() {
  const auto keys = [](const setting& s) -> std::vector<coordinate> {
    if (s.thoroughness == level::quick) return {coordinate{"uniform"}};
    return {coordinate{"uniform"}, coordinate{"zipf"}};
  };
  const auto both = [](std::int64_t few, std::int64_t many) {
    return [few, many](const setting&) { return std::vector<coordinate>{coordinate{few}, coordinate{many}}; };
  };
  return {table_lock_axis(),
          threads_axis(),
          bounded({"buckets", "buckets in use; each has a lock", both(12, 512)}, 1, 1 << 16),
          bounded({"load", "elements in a bucket, in the mean", both(12, 48)}, 1, 1024),
          {"keys", "how keys are drawn: all alike, or by Zipf's law with exponent 0.99", keys},
          placement_axis()};
}

std::vector<metric> tables_metrics() {
  return {{"throughput", "op/s", better::higher,
           "Operations of the whole team, 80 % get, 10 % put, 10 % remove, from the first thread's start to the last "
           "one's end, divided by that time. What they are was drawn before; a get copies a payload of 64 bytes and "
           "looks at "
           "two words of it, a put writes one; a look at the clock in 5 us or more is in that time."},
          {"fairness", "1", better::higher,
           "Jain's index of the operations of the threads: 1 is equal shares, 1/threads one winner."}};
}

}  // namespace

hashtable::table_task table_task_of(const coordinates& at, std::uint64_t seed) {
  hashtable::table_task task;
  task.threads = static_cast<unsigned>(at.number("threads"));
  task.buckets = static_cast<unsigned>(at.number("buckets"));
  task.load = static_cast<unsigned>(at.number("load"));
  task.skewed = at.word("keys") == "zipf";
  task.seed = seed;
  return task;
}

repetition record_tables(const hashtable::table_outcome& o) {
  repetition r;
  double sum = 0;
  for (const double n : o.operations) sum += n;
  r.observations = {{"throughput", sum / (o.elapsed_ns * 1e-9)}};
  if (o.operations.size() < 2)
    r.unavailable["fairness"] = "there is only one thread that uses the table";
  else
    r.observations.push_back({"fairness", results::jain_index(o.operations)});
  r.broken = o.broken;
  return r;
}

experiment hashtable_throughput() {
  experiment e;
  e.name = "hashtable.throughput";
  e.line = "operations a second of threads that get, put and remove in one hash table";
  e.source = "SSYNC (SOSP 2013), 6.3, Fig. 11";
  e.on_demand = for_every_cell;
  e.axes = tables_axes();
  e.metrics = tables_metrics();
  e.skip = [](const setting& s, const coordinates& at) {
    return same_as_compact(s, with_servers_tables(at)) || (is_overcrowded_tables(s, at) && !s.chosen.contains("lock"));
  };
  e.unavailable = [](const setting& s, const coordinates& at) -> std::optional<std::string> {
    if (at.word("lock").starts_with(served_table) && at.number("threads") > 1 &&
        hashtable::clients_of(static_cast<unsigned>(at.number("threads"))) > hashtable::most_clients)
      return "a server has 64 clients at most";
    if (!is_overcrowded_tables(s, at)) return std::nullopt;
    return "threads that only spin need a processor each";
  };
  e.seconds = [](const setting& s, const coordinates& at) { return tables_window_s(s, at) + 0.01; };
  e.processors = [](const setting& s, const coordinates& at) { return processors_of(s, with_servers_tables(at)); };
  e.measure = measure_tables;
  present_hashtable_throughput(e);
  return e;
}

}  // namespace synchro::experiments
