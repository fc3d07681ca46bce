// Threads that are started again and again: one call wakes them all, and each woken one helps to wake the rest. A
// semaphore counts who is done, and an event lets all of them end.

#include <atomic>
#include <iostream>
#include <synchro/sync/counting_semaphore.hpp>
#include <synchro/wakes/cascade.hpp>
#include <synchro/wakes/event.hpp>
#include <thread>
#include <vector>

int main() {
  constexpr unsigned workers = 4, rounds = 3;
  synchro::cascade start{workers};
  synchro::counting_semaphore done{0};
  synchro::event all_over;
  std::atomic<unsigned> shares{0};

  std::vector<std::thread> team;
  for (unsigned i = 0; i < workers; ++i)
    team.emplace_back([&, i] {
      for (unsigned round = 0; round < rounds; ++round) {
        start.wait(i);
        shares.fetch_add(1);
        done.release();
      }
      all_over.wait();
    });
  for (unsigned round = 0; round < rounds; ++round) {
    start.trigger();
    for (unsigned i = 0; i < workers; ++i) done.acquire();
  }
  std::cout << shares << " shares in " << rounds << " rounds\n";
  all_over.set();
  for (std::thread& t : team) t.join();
  return shares == workers * rounds ? 0 : 1;
}
