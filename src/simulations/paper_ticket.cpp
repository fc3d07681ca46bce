#include "simulations/paper_ticket.hpp"

#include <vector>

#include "experiments/locks/contention.hpp"
#include "experiments/locks/lock_cells.hpp"
#include "results/statistics.hpp"
#include "simulator/laboratory.hpp"
#include "simulator/random.hpp"
#include "synchro/locks/ticket.hpp"

namespace synchro::simulations {

namespace {

/// libslock rests 512 turns of a loop of one cycle for each place in the line; the library's own lock rests 4 pauses,
/// which suits the longer pause of later processors.
template <bool Prefetching>
struct paper_look {
  static constexpr std::string_view judgement = "to compare with the paper";

  template <class Waiting>
  static look again(std::uint32_t round, std::uint32_t distance) {
    constexpr std::uint32_t cycles_per_place = 512, cycles_of_a_pause = 10;
    const look answer = Waiting::again(round, std::max(1U, distance * cycles_per_place / cycles_of_a_pause));
    return Prefetching ? answer.fetching() : answer;
  }
};

template <bool Prefetching>
double median_cycles(const simulator::model& m, unsigned threads, std::uint64_t seed) {
  using lock = ticket_lock_with<simulator::simulated, spin, paper_look<Prefetching>>;
  experiments::locks::contention_task task;
  for (unsigned i = 0; i < threads; ++i) task.cpus.push_back(i);
  task.threads = threads;
  task.gap = experiments::locks::transfer_gap;
  task.pairs = 1;
  task.window_ns = 8e6 / m.ghz();
  task.seed = seed;
  simulator::world w{m, seed};
  return results::median(experiments::locks::contend<simulator::laboratory, lock>(task).waits_ns) * m.ghz();
}

}  // namespace

double read_then_write_cycles(const simulator::model& m, bool prefetching) {
  using simulator::laboratory;
  using simulator::simulated;
  simulator::world w{m, 1};
  laboratory::fresh<simulated::atomic<std::uint64_t>> word;
  laboratory::team({1}, 1, [&](unsigned) { word->store(1, memory_order::relaxed); });
  std::uint64_t took = 0;
  laboratory::team({0}, 1, [&](unsigned) {
    const std::uint64_t begin = laboratory::now();
    if (prefetching) simulated::prefetch_for_write(&*word);
    word->store(word->load(memory_order::relaxed) + 1, memory_order::relaxed);
    simulated::settle();
    took = laboratory::now() - begin;
  });
  return static_cast<double>(took) / simulator::per_cycle;
}

double paper_ticket_cycles(const simulator::model& m, bool prefetching, unsigned threads, std::uint64_t seed) {
  simulator::random_numbers seeds{seed};
  std::vector<double> all;
  for (int i = 0; i < 6; ++i) {
    const std::uint64_t s = seeds.next();
    all.push_back(prefetching ? median_cycles<true>(m, threads, s) : median_cycles<false>(m, threads, s));
  }
  return results::median(all);
}

}  // namespace synchro::simulations
