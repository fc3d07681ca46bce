#include "simulations/paper_ticket.hpp"

#include <vector>

#include "experiments/locks/contention.hpp"
#include "results/statistics.hpp"
#include "simulations/simulations.hpp"
#include "simulator/laboratory.hpp"
#include "simulator/random.hpp"
#include "synchro/locks/ticket.hpp"

namespace synchro::simulations {

namespace {

/// How the authors' published libslock looks on the Opteron (src/ticket.c): it rests 512 turns of an empty loop for each
/// place in the line, 128 if it is next, and yields, too, beyond 20 places. A turn takes two cycles there (NOP_DURATION in
/// include/platform_defs.h). The library's own lock rests 4 pauses a place, which suits the longer pause of later
/// processors.
template <bool Prefetching>
struct paper_look {
  static constexpr std::string_view judgement = "to compare with the paper";

  template <class Waiting>
  static look again(std::uint32_t round, std::uint32_t distance) {
    constexpr std::uint32_t turns_per_place = 512, turns_if_next = 128, cycles_of_a_turn = 2, yields_beyond = 20;
    const simulator::model& m = simulator::world::current().machine();
    simulator::ticks rest =
        (distance > 1 ? distance * turns_per_place : turns_if_next) * cycles_of_a_turn * simulator::per_cycle;
    if (distance > yields_beyond) rest += m.wake().call;  // each thread has a core, so the call comes back at once
    const look answer = Waiting::again(round, static_cast<std::uint32_t>(rest / m.pause()));
    return Prefetching ? answer.fetching() : answer;
  }
};

/// With prefetching libslock asks for the line before the release, too.
template <bool Prefetching>
class paper_lock : public ticket_lock_with<simulator::simulated, spin, paper_look<Prefetching>> {
  using base = ticket_lock_with<simulator::simulated, spin, paper_look<Prefetching>>;

 public:
  void unlock() {
    if (Prefetching) simulator::simulated::prefetch_for_write(this);
    base::unlock();
  }
};

template <bool Prefetching>
double median_cycles(const simulator::model& m, unsigned threads, std::uint64_t seed) {
  experiments::locks::contention_task task;
  for (unsigned i = 0; i < threads; ++i) task.cpus.push_back(i);
  task.threads = threads;
  task.gap = lock_pause;
  task.pairs = 1;
  task.window_ns = 8e6 / m.ghz();
  task.seed = seed;
  simulator::world w{m, seed};
  return results::median(experiments::locks::contend<simulator::laboratory, paper_lock<Prefetching>>(task).waits_ns) *
         m.ghz();
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
