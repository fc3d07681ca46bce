// Our locks against the same algorithm elsewhere: `./dev bench`, or versus [ROUNDS] [SEED].
//
// Exit status: 0 if no contest was lost, 1 if ours was resolved slower somewhere, 2 for a bad argument, 3 if this
// machine cannot hold a contest.

#include <fmt/format.h>

#include <exception>
#include <mutex>
#include <stdexcept>

#include "../argument.hpp"
#include "../promise.hpp"
#include "contenders.hpp"
#include "contest.hpp"
#include "measure/mode.hpp"
#include "peers.hpp"
#include "platform/placement.hpp"
#include "platform/topology.hpp"

namespace {

using synchro::bench::contest;
using synchro::bench::situation;

/// The situations of this machine: one thread on one lock, and on many; one per processor on one lock, as often as they
/// can and seldom; eight per processor.
struct situations {
  situation alone, many, contended, seldom, crowded;
  bool has_two;
};

situations situations_here() {
  const auto machine = synchro::platform::read_topology();
  const auto n = static_cast<unsigned>(machine.processors.size());
  const auto cpus = synchro::platform::place(machine, synchro::platform::placement::compact, n);
  // Longer than the largest transfer, so that a thread does not simply take the line it still has.
  double transfer_ns = 100;
  if (n > 1) transfer_ns = synchro::measure::probe_pair(cpus.front(), cpus.back()).value_or(transfer_ns);
  const auto pause = static_cast<std::uint64_t>(2 * transfer_ns / synchro::measure::host::cycles_to_ns(1));
  return {{"alone", {cpus.front()}, 1, 0, 200'000, 0},
          {"alone, 512 locks", {cpus.front()}, 1, 0, 200'000, 0, 512},
          {fmt::format("{} threads", n), cpus, n, pause, 0, 5'000'000},
          {fmt::format("{} threads, seldom", n), cpus, n, 10 * pause, 0, 5'000'000},
          {fmt::format("{} threads, free", 8 * n), {}, 8 * n, pause, 0, 20'000'000},
          n > 1};
}

}  // namespace

int main(int argc, char** argv) try {
  if (synchro::bench::asks_for_table(argc, argv)) {
    synchro::bench::print_table("versus",
                                {{{"our locks against others'", "the locks themselves",
                                   "Concurrency Kit, oneTBB, the standard library, parking_lot; inlined and called"},
                                  synchro::bench::told_bounds(0, 1)}});
    return 0;
  }
  const auto [rounds, seed] = synchro::bench::rounds_and_seed_of("versus", argc, argv);
  const situations s = situations_here();
  using namespace synchro::bench;
  std::vector<contest> contests;
  for (const situation* where : {&s.alone, &s.many}) {
    add_spin_locks(contests, *where);
    add_queue_locks(contests, *where);
    add_mutexes(contests, *where);
  }
  add_shared_locks(contests, s.alone);
  if (s.has_two) {
    for (const situation* where : {&s.contended, &s.seldom}) {
      add_spin_locks(contests, *where);
      add_queue_locks(contests, *where);
      add_mutexes(contests, *where);
    }
    add_shared_locks(contests, s.contended);
  }
  add_mutexes(contests, s.crowded);
  const unsigned lost = hold(contests, rounds, seed);
  fmt::print("{} of {} contests lost\n", lost, contests.size());
  return lost == 0 ? 0 : 1;
} catch (const std::invalid_argument& e) {
  fmt::print(stderr, "versus: {}\n", e.what());
  return 2;
} catch (const std::exception& e) {
  fmt::print(stderr, "versus: {}\n", e.what());
  return 3;
}
