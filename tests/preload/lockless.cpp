// A program that calls no pthread mutex: its threads exclude each other by an atomic flag, as PostgreSQL's processes do by
// their own. With the word `once` it locks one mutex, and before that makes the folder that follows its root;
// with `read` or `spin` a lock of that kind, with `read_first` before there are threads, with `read_alone` without any,
// with `read_in_child` in a process that has only the thread that forked it.

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string_view>
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

void read_once() {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
}

void spin_once() {
  static pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
}

}  // namespace

int main(int count, char** words) {
  const std::string_view word = count > 1 ? words[1] : "";
  if (word == "read_first" || word == "read_alone") read_once();
  if (word == "read_alone") return 0;
  std::vector<std::thread> team;
  for (int i = 0; i < 2; ++i) team.emplace_back(add);
  for (std::thread& each : team) each.join();
  static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
  if (count > 2 && chroot(words[2]) != 0) return 2;
  if (word == "once") {
    pthread_mutex_lock(&once);
    pthread_mutex_unlock(&once);
  }
  if (word == "read") read_once();
  if (word == "spin") spin_once();
  if (word == "read_in_child") {
    const pid_t child = fork();
    if (child == 0) {
      read_once();
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  return shared_count == 2000 ? 0 : 1;
}
