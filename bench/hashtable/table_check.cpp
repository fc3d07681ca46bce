// Is the library's hash table ahead of those of others?
//
// Memory: bytes for each element, against a flat map of one thread, of which the library's may take 1.5 times. Then the
// contests: the table that
// chooses its buckets itself (growing), as theirs do, against each of the others, in the paper's four configurations and in
// one that is larger than the caches, keys alike and by Zipf's law, with one thread, one for each processor, and four.
//
// Usage: table_check [PAIRS [WORD]]; with WORD only the lines in whose name it is. Exit 0 if nothing is resolved to be out
// of its bounds, 1 if something is.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "../duel.hpp"
#include "experiments/hashtable/all_tables.hpp"
#include "memory.hpp"
#ifdef SYNCHRO_RUST
#include "dash_map.hpp"
#include "experiments/hashtable/trial.hpp"
#include "measure/host.hpp"
#endif
#include "platform/placement.hpp"
#include "platform/topology.hpp"

namespace {

using namespace synchro;
using experiments::table_bodies;
using experiments::hashtable::table_task;

/// Nanoseconds from one operation to the next, of all threads together; -1 if the table was not what it should be.
double cost(const table_bodies& table, table_task task, std::uint64_t seed) {
  task.seed = seed;
  const experiments::hashtable::table_outcome o = table.run(task);
  if (o.broken) {
    fmt::print(stderr, "table_check: {}: {}\n", table.name, *o.broken);
    return -1;
  }
  double operations = 0;
  for (const double n : o.operations) operations += n;
  return o.elapsed_ns / operations;
}

const table_bodies& ours() { return find_table(experiments::all_tables(), experiments::growing_table); }

std::vector<const table_bodies*> others() {
  std::vector<const table_bodies*> all;
  for (const table_bodies& t : experiments::all_tables())
    if (t.kind == experiments::primitive_kind::peer) all.push_back(&t);
#ifdef SYNCHRO_RUST
  static const table_bodies dash{{bench::dash_map::name, bench::dash_map::waits, experiments::primitive_kind::peer},
                                 &experiments::hashtable::use_table<measure::host, bench::dash_map>,
                                 &experiments::hashtable::fill_table<bench::dash_map>};
  all.push_back(&dash);
#endif
  return all;
}

struct shape {
  const char* name;
  unsigned buckets, load;
};
constexpr shape shapes[] = {
    {"12 x 12", 12, 12}, {"12 x 48", 12, 48}, {"512 x 12", 512, 12}, {"512 x 48", 512, 48}, {"65536 x 12", 65536, 12}};

/// Threads without a processor each are not pinned, and take turns of milliseconds.
table_task task_of(const platform::topology& machine, const shape& s, unsigned threads, bool skewed) {
  const bool crowded = threads > machine.processors.size();
  table_task t;
  if (!crowded) t.cpus = platform::place(machine, platform::placement::compact, threads);
  t.threads = threads;
  t.buckets = s.buckets;
  t.load = s.load;
  t.skewed = skewed;
  t.window_ns = crowded ? 50e6 : 10e6;
  return t;
}

std::vector<bench::duel> contests(const platform::topology& machine) {
  const auto cpus = static_cast<unsigned>(machine.processors.size());
  std::vector<unsigned> teams{1, cpus, 4 * cpus};
  if (cpus == 1) teams.erase(teams.begin());
  std::vector<bench::duel> all;
  for (const shape& s : shapes)
    for (const bool skewed : {false, true})
      for (const unsigned threads : teams)
        for (const table_bodies* other : others()) {
          const table_task t = task_of(machine, s, threads, skewed);
          all.push_back({fmt::format("{}, {}, {} thr., {}", s.name, skewed ? "zipf" : "uniform", threads, other->name),
                         [t](std::uint64_t seed) { return cost(ours(), t, seed); },
                         [t, other] { return cost(*other, t, 1); }, 0, 1});
        }
  return bench::defending({"(not in the tour) our hash table is ahead of others'", "the tables themselves",
                           "libcuckoo, oneTBB, Userspace RCU, Concurrency Kit, Boost, dashmap, the standard library"},
                          std::move(all));
}

constexpr double most_memory = 1.5;  ///< Of a flat map's.

/// Prints a line for each table; false if ours takes more memory somewhere than it may.
bool tell_memory() {
  constexpr std::uint64_t sizes[] = {300'000, 400'000, 458'000, 459'000, 600'000, 900'000};
  std::vector<const table_bodies*> all{&ours()};
  for (const table_bodies* t : others()) all.push_back(t);
  fmt::print("{:<28}", "memory: times a flat map's");
  for (const std::uint64_t n : sizes) fmt::print(" {:>8}", n);
  bool good = true;
  for (const table_bodies* t : all) {
    fmt::print("\n{:<28}", t->name);
    for (const std::uint64_t n : sizes) {
      const double times = bench::bytes_of(*t, n) / bench::bytes_of_flat_map(n);
      fmt::print(" {:>8.2f}", times);
      if (t == all.front() && times > most_memory) good = false;
    }
  }
  fmt::print("  (elements)\n{}: {} times at most {}\n", ours().name, most_memory, good ? "agrees" : "DISAGREES");
  return good;
}

}  // namespace

int main(int argc, char** argv) try {
  constexpr std::size_t pairs = 11;
  const bool only_tells = bench::asks_for_table(argc, argv);
  if (only_tells)
    bench::print_table("table_check", {{{"(not in the tour) the memory of our hash table", "the table itself",
                                         "a flat map of one thread with as many elements"},
                                        fmt::format("to {}", most_memory)}});
  else
    static_cast<void>(bench::pairs_of("table_check", argc, argv, pairs));  // a wrong one is told at once
  const std::string word = argc > 2 ? argv[2] : "";
  // Before any thread is there: children of a process with threads are none of them.
  const bool asked = !only_tells && std::string{"memory"}.find(word) != std::string::npos;
  const bool small = !asked || tell_memory();
  return bench::answer("table_check", contests(platform::read_topology()), argc, argv, pairs) && small ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "table_check: {}\n", e.what());
  return 2;
}
