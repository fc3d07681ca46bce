// Threads add to one counter under one mutex until it has reached a number: a program that knows nothing of Synchroscope.
//
// counter THREADS ADDITIONS. They share the additions, and end together: no thread works alone in the end, which would
// favour a lock that lets one hog it.

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
unsigned long count = 0;

void add_until(unsigned long due) {
  for (bool more = true; more;) {
    pthread_mutex_lock(&mutex);
    more = count < due;
    if (more) ++count;
    pthread_mutex_unlock(&mutex);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const unsigned long due = std::strtoul(argv[2], nullptr, 10);
  std::vector<std::thread> team;
  for (int left = std::atoi(argv[1]); left > 0; --left) team.emplace_back(add_until, due);
  for (std::thread& t : team) t.join();
  std::printf("%lu\n", count);
  return count == due ? 0 : 1;
}
