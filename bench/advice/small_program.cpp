// A program that knows nothing of Synchroscope: threads take one lock again and again.
//
//   small_program THREADS ROUNDS INSIDE BETWEEN READERS BURST
//
// INSIDE and BETWEEN are work with the lock and without, in steps of a multiplication each. READERS is the percentage of rounds
// that only read: above 0 the lock is a readers-writers lock, else a mutex. After BURST rounds a thread sleeps for a millisecond;
// never if BURST is 0. The threads take rounds from one store until it is empty, so they end together: a lock that one of them
// keeps is not paid for by the others' working alone in the end.

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

struct plan {
  long threads, rounds, inside, between, readers, burst;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
std::atomic<long> left{0};
std::uint64_t guarded[8];

/// Each step needs the one before.
std::uint64_t work(std::uint64_t x, long steps) {
  for (; steps > 0; --steps) {
    x = x * 6364136223846793005U + 1442695040888963407U;
    asm volatile("" : "+r"(x));
  }
  return x;
}

void write(std::uint64_t x, long steps) {
  for (std::uint64_t& word : guarded) word += x & 1;
  guarded[0] ^= work(x, steps);
}

std::uint64_t read(std::uint64_t x, long steps) {
  for (const std::uint64_t word : guarded) x ^= word;
  return work(x, steps);
}

/// Of so many numbers in a row, that share.
bool is_among(std::uint64_t number, long percent) {
  const std::uint64_t mixed = (number ^ number >> 33) * 0x9E3779B97F4A7C15U;
  return static_cast<long>((mixed >> 33) % 100) < percent;
}

std::uint64_t pass(const plan& p, std::uint64_t x, std::uint64_t number) {
  if (p.readers == 0) {
    pthread_mutex_lock(&mutex);
    write(x, p.inside);
    pthread_mutex_unlock(&mutex);
  } else if (is_among(number, p.readers)) {
    pthread_rwlock_rdlock(&rwlock);
    x ^= read(x, p.inside);
    pthread_rwlock_unlock(&rwlock);
  } else {
    pthread_rwlock_wrlock(&rwlock);
    write(x, p.inside);
    pthread_rwlock_unlock(&rwlock);
  }
  return work(x, p.between);
}

void pass_all(const plan& p, std::uint64_t x) {
  constexpr long portion = 16;
  long passed = 0;
  for (long number; (number = left.fetch_sub(portion, std::memory_order_relaxed)) > 0;)
    for (long i = 0; i < portion; ++i) {
      x = pass(p, x, static_cast<std::uint64_t>(number + i));
      if (p.burst != 0 && ++passed % p.burst == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) return 2;
  const auto number = [&](int i) { return std::atol(argv[i]); };
  const plan p{number(1), number(2), number(3), number(4), number(5), number(6)};
  left = p.rounds;
  std::vector<std::thread> team;
  for (long i = 0; i < p.threads; ++i) team.emplace_back([&p, i] { pass_all(p, static_cast<std::uint64_t>(i) + 1); });
  for (std::thread& t : team) t.join();
  std::printf("%ld rounds\n", p.rounds);
}
