#include "bare.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "../bare_thread.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"

namespace {

using bare::now_ns, bare::pin;

constexpr double duration_ns = 20e6;
constexpr std::uint64_t between_looks = 20'000;

/// Runs chunk(n), which returns how many of n attempts succeeded, on each processor until the time is over.
template <class MakeChunk>
double time_each(const std::vector<int>& cpus, std::uint64_t looks, MakeChunk make_chunk) {
  struct part {
    double begin = 0, end = 0;
    std::uint64_t done = 0;
  };
  std::vector<part> parts(cpus.size());
  std::atomic<std::size_t> ready{0};
  std::atomic<bool> unpinned{false};
  std::vector<std::thread> team;
  for (std::size_t me = 0; me < cpus.size(); ++me)
    team.emplace_back([&, me] {
      if (!pin(cpus[me])) unpinned = true;
      auto chunk = make_chunk(static_cast<unsigned>(me));
      ++ready;
      while (ready.load() != cpus.size()) std::this_thread::yield();
      part p;
      p.begin = now_ns();
      do {
        p.done += chunk(looks);
        p.end = now_ns();
      } while (p.end - p.begin < duration_ns);
      parts[me] = p;
    });
  for (std::thread& t : team) t.join();
  if (unpinned) return -1;
  double begin = parts[0].begin, end = parts[0].end;
  std::uint64_t done = 0;
  for (const part& p : parts) {
    begin = std::min(begin, p.begin);
    end = std::max(end, p.end);
    done += p.done;
  }
  return (end - begin) / static_cast<double>(done);
}

struct alignas(4096) cell {
  std::atomic<std::uint64_t> word{0};
};

template <class Attempt>
double repeat(const std::vector<int>& cpus, Attempt attempt) {
  const auto shared = std::make_unique<cell>();
  const std::uint64_t looks = cpus.size() == 1 ? between_looks : 100;
  return time_each(cpus, looks, [&](unsigned me) {
    return [&word = shared->word, attempt, seen = std::uint64_t{0}, me](std::uint64_t n) mutable {
      std::uint64_t mine = seen, successes = 0;  // in registers
      for (; n != 0; --n) successes += attempt(word, mine, me) ? 1U : 0U;
      seen = mine;
      return successes;
    };
  });
}

/// What the experiment's critical section does is its work, and is done here, too: who holds the lock adds to a word, and
/// counts if another thread held it before. Where lock and data lie is the experiment's as well: what is measured depends
/// on it (a called lock is 8 % faster 256 bytes from the next than 320).
template <class Lock>
struct alignas(64) guarded {
  static constexpr std::size_t lock_lines = (sizeof(Lock) + 63) / 64;
  static constexpr std::size_t data_at = 64 * (lock_lines + 1), size = 64 * ((lock_lines + 3) | 1);

  Lock lock;
  std::byte gap[data_at - sizeof(Lock)];
  volatile std::uint64_t begun = 0, word = 0;
  volatile std::uint32_t last_holder = ~0U;
  std::byte end[size - data_at - 24];
};

/// Takes n times one of so many locks. A function of its own, in which all that it needs is in registers.
template <class Lock>
[[gnu::noinline]] void take_some(std::uint64_t n, guarded<Lock>* const all, const unsigned locks, const unsigned me,
                                 std::uint64_t& state) {
  std::uint64_t x = state;
  unsigned handed_over = 0;
  for (; n != 0; --n) {
    if (locks > 1) x = x * 6364136223846793005 + 1442695040888963407;  // as the experiment picks: that is its work
    guarded<Lock>& g = all[locks > 1 ? (x >> 32) * locks >> 32 : 0];
    g.lock.lock();
    if (g.last_holder != me) {
      g.last_holder = me;
      ++handed_over;
    }
    g.word = g.word + 1;
    g.lock.unlock();
  }
  state = x;
  asm volatile("" ::"r"(handed_over));  // else the compiler counts nothing
}

template <class Lock>
double take(unsigned locks, const std::vector<int>& cpus) {
  const std::unique_ptr<guarded<Lock>[]> all { new guarded<Lock>[ locks ] };
  const std::uint64_t looks = cpus.size() == 1 ? between_looks / 4 : 100;
  return time_each(cpus, looks, [&](unsigned me) {
    return [&, me, x = std::uint64_t{88172645463325252} + me](std::uint64_t n) mutable {
      take_some(n, all.get(), locks, me, x);
      return n;
    };
  });
}

class spin {
 public:
  spin() { pthread_spin_init(&inner_, PTHREAD_PROCESS_PRIVATE); }
  void lock() { pthread_spin_lock(&inner_); }
  void unlock() { pthread_spin_unlock(&inner_); }

 private:
  pthread_spinlock_t inner_;
};

}  // namespace

#if PLACE == 0
double bare::atomics(const std::string& operation, const std::vector<int>& cpus) {
  using word = std::atomic<std::uint64_t>;
  constexpr auto both = std::memory_order_acq_rel;
  if (operation == "fai")
    return repeat(cpus, [](word& w, std::uint64_t&, unsigned) { return w.fetch_add(1, both), true; });
  if (operation == "swap")
    return repeat(cpus, [](word& w, std::uint64_t& mine, unsigned) { return w.exchange(++mine, both), true; });
  if (operation == "tas")
    return repeat(cpus, [](word& w, std::uint64_t&, unsigned) {
      if (w.exchange(1, std::memory_order_acquire) != 0) return false;
      w.store(0, std::memory_order_release);
      return true;
    });
  if (operation == "cas" || operation == "cas_fai")
    return repeat(cpus, [](word& w, std::uint64_t& seen, unsigned) {
      const std::uint64_t next = seen + 1;  // not of what the operation returns, which would have to be waited for
      if (!w.compare_exchange_strong(seen, next, both, std::memory_order_relaxed)) return false;
      seen = next;
      return true;
    });
  throw std::invalid_argument("there is no operation '" + operation + "'");
}

#endif

template <>
double bare::locks<PLACE>(const std::string& lock, unsigned n, const std::vector<int>& cpus) {
  if (lock == "tas") return take<synchro::tas_lock>(n, cpus);
  if (lock == "ticket") return take<synchro::ticket_lock>(n, cpus);
  if (lock == "mcs") return take<synchro::mcs_lock>(n, cpus);
  if (lock == "mutex") return take<synchro::mutex>(n, cpus);
  if (lock == "std/mutex") return take<std::mutex>(n, cpus);
  if (lock == "pthread/spin") return take<spin>(n, cpus);
  throw std::invalid_argument("there is no lock '" + lock + "'");
}
