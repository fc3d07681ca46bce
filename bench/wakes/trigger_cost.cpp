// What a trigger costs the thread that triggers: ours against a bare word and the system's futex, by turns.
//
// Ours may meet a stop or a call of one sleeper, and changes its word by a compare-and-swap; the bare one exchanges. The first
// situation has nobody asleep, so that the instruction is all there is; in the second a sleeper sleeps on another processor, and
// the trigger wakes it. The ratios are printed and not judged: neither promises to be the faster one.
//
// Usage: trigger_cost [PAIRS]. Exit 0, 2 for a bad argument, 3 if there are no two processors to pin to.

#include <sched.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../argument.hpp"
#include "../bare_thread.hpp"
#include "../duel.hpp"
#include "bare_team.hpp"
#include "synchro/wakes/event_group.hpp"

namespace {

/// Ours as the bare one is used: one group, of which one sleeper is there.
class ours {
 public:
  void trigger() { team_.trigger(); }
  std::uint32_t wait(std::uint32_t seen) {
    team_.wait(0);
    return seen + 1;
  }

 private:
  synchro::basic_event_group<> team_{4, 4};
};

/// Nanoseconds of a trigger of which nobody knows.
template <class Team>
double nobody_asleep() {
  constexpr int times = 20'000;
  Team team;
  const double begin = bare::now_ns();
  for (int i = 0; i != times; ++i) team.trigger();
  return (bare::now_ns() - begin) / times;
}

/// Nanoseconds of a trigger that wakes a sleeper on `there`; the mean of so many. Not above 0 if a thread cannot be pinned.
template <class Team>
double one_asleep(int here, int there) {
  constexpr std::uint32_t times = 40;
  constexpr timespec until_it_sleeps{0, 300'000};
  Team team;
  std::atomic<std::uint32_t> returned{0};
  std::atomic<bool> pinned{true};
  std::thread sleeper{[&] {
    pinned = bare::pin(there);
    for (std::uint32_t seen = 0; seen != times; returned = seen) seen = team.wait(seen);
  }};
  double sum = 0;
  if (!bare::pin(here)) pinned = false;
  for (std::uint32_t i = 0; i != times; ++i) {
    while (returned != i) bare::rest();
    nanosleep(&until_it_sleeps, nullptr);
    const double begin = bare::now_ns();
    team.trigger();
    sum += bare::now_ns() - begin;
  }
  sleeper.join();
  return pinned ? sum / times : -1;
}

std::vector<int> processors() {
  cpu_set_t allowed;
  std::vector<int> all;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return all;
  for (unsigned cpu = 0; cpu != CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) all.push_back(static_cast<int>(cpu));
  return all;
}

}  // namespace

int main(int argc, char** argv) try {
  const unsigned pairs = argc > 1 ? synchro::bench::number_in(argv[1], "trigger_cost [PAIRS]") : 101;
  const std::vector<int> cpus = processors();
  if (cpus.size() < 2) {
    fmt::print(stderr, "trigger_cost: there are no two processors to pin to\n");
    return 3;
  }
  const int here = cpus[0];
  const int there = cpus[1];
  using synchro::bench::duel;
  using synchro::bench::unbounded;
  synchro::bench::hold_all({duel{"a trigger, nobody asleep", [](std::uint64_t) { return nobody_asleep<ours>(); },
                                 [] { return nobody_asleep<bare::team>(); }, 0, unbounded},
                            duel{"a trigger that wakes one on another processor",
                                 [=](std::uint64_t) { return one_asleep<ours>(here, there); },
                                 [=] { return one_asleep<bare::team>(here, there); }, 0, unbounded}},
                           pairs);
  return 0;
} catch (const std::invalid_argument& e) {
  fmt::print(stderr, "trigger_cost: {}\n", e.what());
  return 2;
}
