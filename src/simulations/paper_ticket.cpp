#include "simulations/paper_ticket.hpp"

#include "experiments/locks/contention.hpp"
#include "simulator/laboratory.hpp"
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
  static look retry(std::uint32_t round, std::uint32_t distance) {
    constexpr std::uint32_t turns_per_place = 512, turns_if_next = 128, cycles_of_a_turn = 2, yields_beyond = 20;
    const simulator::model& m = simulator::world::current().machine();
    simulator::ticks rest =
        (distance > 1 ? distance * turns_per_place : turns_if_next) * cycles_of_a_turn * simulator::per_cycle;
    if (distance > yields_beyond) rest += m.wake().call;  // each thread has a core, so the call comes back at once
    const look answer = Waiting::retry(round, static_cast<std::uint32_t>(rest / m.pause()));
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

experiments::locks::contention_result paper_ticket(bool prefetching, const experiments::locks::contention_task& task) {
  using simulator::laboratory;
  return prefetching ? experiments::locks::contend<laboratory, paper_lock<true>>(task)
                     : experiments::locks::contend<laboratory, paper_lock<false>>(task);
}

}  // namespace synchro::simulations
