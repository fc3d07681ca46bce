// A team that one thread starts and waits for, some of it at a time, and sends home in the end. Beside it a thread of its own
// that waits for work or for its stop token.

#include <array>
#include <atomic>
#include <iostream>
#include <stop_token>
#include <synchro/wakes/cascade.hpp>
#include <synchro/wakes/event_group.hpp>
#include <synchro/wakes/joined.hpp>
#include <synchro/wakes/stop_token.hpp>
#include <thread>
#include <vector>

int main() {
  constexpr unsigned workers = 4;
  synchro::joined<synchro::cascade> team{workers};
  std::array<unsigned, workers> done{};

  synchro::event_group bell{1};
  std::atomic<unsigned> rung{0};
  std::jthread keeper{[&](const std::stop_token& asked_to_stop) {
    while (synchro::wait(bell, 0, asked_to_stop)) rung.fetch_add(1);
  }};

  std::vector<std::thread> threads;
  for (unsigned i = 0; i < workers; ++i)
    threads.emplace_back([&, i] {
      while (team.wait(i)) ++done[i];  // to come back to the wait is to have finished
    });

  bell.trigger();
  for (unsigned jobs = 1; jobs <= workers; ++jobs) {
    team.trigger_first(jobs);
    team.join();
  }
  team.trigger(0);
  team.join();
  std::cout << "rounds of each:";
  for (const unsigned rounds : done) std::cout << ' ' << rounds;
  std::cout << '\n';

  team.stop();
  for (std::thread& t : threads) t.join();
  keeper.request_stop();
  keeper.join();
  return done == std::array{5U, 3U, 2U, 1U} && rung <= 1 ? 0 : 1;
}
