// Threads that take one mutex again and again, and know what they did: known_gap THREADS ROUNDS GAP_NS HOLD_NS.
//
// Between two acquisitions each passes so much time without it, and so much with it. Prints what came of that by the program's own
// clock: the mean time without (from unlocked until it asks again), the mean time with it, and the acquisitions.

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"

pthread_mutex_t known_mutex = PTHREAD_MUTEX_INITIALIZER;  // its name is to be found

namespace {

struct seen {
  double without_ns = 0, with_ns = 0;
};

double pass(double from, double ns) {
  double now = from;
  while (now < from + ns) now = bare::now_ns();
  return now;
}

void work(long rounds, double gap_ns, double hold_ns, seen& mine) {
  double left = bare::now_ns();
  for (long i = 0; i < rounds; ++i) {
    mine.without_ns += pass(left, gap_ns) - left;
    pthread_mutex_lock(&known_mutex);
    const double got = bare::now_ns();
    mine.with_ns += pass(got, hold_ns) - got;
    pthread_mutex_unlock(&known_mutex);
    left = bare::now_ns();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int threads = std::atoi(argv[1]);
  const long rounds = std::atol(argv[2]);
  std::vector<seen> all(static_cast<std::size_t>(threads));
  std::vector<std::thread> team;
  for (seen& mine : all) team.emplace_back(work, rounds, std::atof(argv[3]), std::atof(argv[4]), std::ref(mine));
  for (std::thread& t : team) t.join();
  const double acquisitions = static_cast<double>(threads) * static_cast<double>(rounds);
  seen sum;
  for (const seen& s : all) sum.without_ns += s.without_ns, sum.with_ns += s.with_ns;
  std::printf("{\"gap_ns\": %.3f, \"critical_ns\": %.3f, \"acquisitions\": %.0f}\n", sum.without_ns / acquisitions,
              sum.with_ns / acquisitions, acquisitions);
}
