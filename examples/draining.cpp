// A worker that drains a queue: it is woken by an auto_event, takes all that is there, and goes home by its stop token when
// nothing is left. The sets that come while it works count as one, for it looks until the queue is empty.

#include <cstdio>
#include <mutex>
#include <stop_token>
#include <synchro/locks/mutex.hpp>
#include <synchro/wakes/auto_event.hpp>
#include <synchro/wakes/stop_token.hpp>
#include <thread>
#include <vector>

int main() {
  synchro::mutex lock;
  synchro::auto_event work;
  std::vector<int> queue;
  int sum = 0;

  const auto drain = [&] {
    std::vector<int> taken;
    {
      const std::lock_guard guard{lock};
      taken.swap(queue);
    }
    for (const int each : taken) sum += each;
  };
  std::jthread worker{[&](const std::stop_token& token) {
    while (synchro::wait(work, token)) drain();
    drain();  // what came before the request
  }};

  for (int i = 1; i <= 1000; ++i) {
    {
      const std::lock_guard guard{lock};
      queue.push_back(i);
    }
    work.set();
  }
  worker.request_stop();
  worker.join();
  std::printf("%d\n", sum);
  return sum == 500500 ? 0 : 1;
}
