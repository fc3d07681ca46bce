// One word that threads reach by std::atomic_ref, under a lock and without, and then, behind a barrier, as a plain one
// under the lock: ThreadSanitizer has nothing to say. With "race" the barrier is left out, and it has.

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "synchro/locks/mutex.hpp"
#include "synchro/sync/barrier.hpp"

namespace {

constexpr int threads = 4, turns = 1000;
synchro::mutex lock;
long word = 0;

void take_part(synchro::barrier<>& all, bool waits) {
  for (int i = 0; i != turns; ++i) {
    std::atomic_ref{word}.fetch_add(1, std::memory_order_relaxed);
    const std::scoped_lock held{lock};
    std::atomic_ref{word}.fetch_add(1, std::memory_order_relaxed);
  }
  if (waits) all.arrive_and_wait();
  for (int i = 0; i != turns; ++i) {
    const std::scoped_lock held{lock};
    ++word;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool waits = argc < 2 || std::string_view{argv[1]} != "race";
  synchro::barrier<> all{threads};
  std::vector<std::thread> team;
  for (int i = 0; i != threads; ++i) team.emplace_back([&] { take_part(all, waits); });
  for (std::thread& t : team) t.join();
  std::printf("%ld\n", word);
  return waits && word != 3L * threads * turns ? 1 : 0;
}
