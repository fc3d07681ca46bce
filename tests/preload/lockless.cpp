// A program that calls no pthread mutex: its threads exclude each other by an atomic flag, as PostgreSQL's processes do by
// their own. With the word `once` it locks one mutex, and before that makes the folder that follows its root.

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace {

std::atomic<bool> taken{false};
long shared_count = 0;

void add() {
  for (int i = 0; i < 1000; ++i) {
    while (taken.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
    ++shared_count;
    taken.store(false, std::memory_order_release);
  }
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::thread> team;
  for (int i = 0; i < 2; ++i) team.emplace_back(add);
  for (std::thread& each : team) each.join();
  static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
  if (count > 2 && chroot(words[2]) != 0) return 2;
  if (count > 1 && std::strcmp(words[1], "once") == 0) {
    pthread_mutex_lock(&once);
    pthread_mutex_unlock(&once);
  }
  return shared_count == 2000 ? 0 : 1;
}
