// Mutexes where threads are many: `./dev bench`, or contention [ROUNDS] [SEED].
//
// Two mutexes, threads that are pinned nowhere, and each acquisition takes one of the two. Heavy: as often as they can.
// Light: with about ten uncontended acquisitions' worth of work between. Ours and a peer take turns, in random order, in
// every round; compared are the time and the processor time of an acquisition, and the longest wait of the round.
//
// Exit status: 0 if ours was resolved slower nowhere, 1 if it was (the other two are printed, and not judged), 2 for a bad
// argument, 3 if this machine cannot hold a contest.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../promise.hpp"
#include "contention_peers.hpp"
#include "contests.hpp"
#include "measure/host.hpp"
#include "synchro/locks/fair_mutex.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/os.hpp"

namespace {

using synchro::measure::host;

struct crowd {
  std::string name;
  unsigned threads;
  std::uint64_t pause_cycles;
  std::uint64_t nanoseconds;
  std::uint32_t turns = 0;  ///< If not 0, so many acquisitions by one of them, however long that takes.
};

/// Nanoseconds, each.
struct outcome {
  double time, processor_time;  ///< Of one acquisition: of all threads together.
  double longest_wait;
};

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

template <class Mutex>
struct alignas(2 * synchro::cpu::cache_line) place {
  Mutex mutex;
  std::uint64_t acquisitions = 0;
};

struct alignas(2 * synchro::cpu::cache_line) account {
  std::uint64_t begin = 0, end = 0, longest_wait = 0;
  double processor_time = 0;
};

template <class Mutex>
[[gnu::noinline]] void take_part(std::array<place<Mutex>, 2>& places, account& mine, std::atomic<bool>& stop,
                                 const crowd& c, unsigned me) {
  const double before = processor_time();
  mine.begin = host::now();
  std::uint64_t random = me;
  std::uint32_t taken = 0;
  for (std::uint64_t now = mine.begin; !stop.load(std::memory_order_relaxed); now = host::now()) {
    random = random * 6364136223846793005 + 1442695040888963407;
    place<Mutex>& any = places[random >> 63];
    any.mutex.lock();
    const std::uint64_t waited = host::now() - now;
    ++any.acquisitions;
    any.mutex.unlock();
    mine.longest_wait = std::max(mine.longest_wait, waited);
    host::work(c.pause_cycles);
    const bool time_is_over = host::to_ns(now - mine.begin) > static_cast<double>(c.nanoseconds);
    if (c.turns != 0 ? ++taken == c.turns : time_is_over) stop.store(true, std::memory_order_relaxed);
  }
  mine.end = host::now();
  mine.processor_time = processor_time() - before;
}

template <class Mutex>
outcome run(const crowd& c) {
  const auto places = std::make_unique<std::array<place<Mutex>, 2>>();
  std::vector<account> accounts(c.threads);
  std::atomic<bool> stop{false};
  host::team({}, c.threads, [&](unsigned me) { take_part(*places, accounts[me], stop, c, me); });
  std::uint64_t begin = accounts[0].begin, end = 0, longest = 0;
  double processor_time = 0;
  for (const account& a : accounts) {
    begin = std::min(begin, a.begin);
    end = std::max(end, a.end);
    longest = std::max(longest, a.longest_wait);
    processor_time += a.processor_time;
  }
  const auto n = static_cast<double>((*places)[0].acquisitions + (*places)[1].acquisitions);
  return {host::to_ns(end - begin) / n, processor_time / n, host::to_ns(longest)};
}

using contest = synchro::bench::contest_of<crowd, outcome>;

template <class Ours>
void add_contests(std::vector<contest>& all, const std::string& ours, const crowd& where) {
  using namespace synchro::bench;
  all.push_back({ours, "std/mutex", where, run<Ours>, run<std::mutex>});
#ifdef SYNCHRO_RUST
  all.push_back({ours, "parking_lot", where, run<Ours>, run<parking_lot>});
#endif
#ifdef SYNCHRO_NSYNC
  all.push_back({ours, "nsync/mu", where, run<Ours>, run<nsync_mutex>});
#endif
}

/// Prints one line; true if ours is resolved slower.
bool tell(const contest& c) {
  using synchro::bench::instructions_text, synchro::bench::ratio_text;
  bool slower = false, costlier = false, longer = false;
  const std::string time = ratio_text(c, &outcome::time, 2, slower);
  const std::string processor = ratio_text(c, &outcome::processor_time, 2, costlier);
  const std::string wait = ratio_text(c, &outcome::longest_wait, 2, longer);
  fmt::print("{:<10} {:<11} {:<17} {} {} {} {} {}\n", c.ours, c.theirs, c.where.name, time, processor, wait,
             instructions_text(c), slower ? "SLOWER" : "");
  return slower;
}

std::vector<contest> contests_here() {
  std::vector<contest> all;
  for (const unsigned pause : {0U, 1000U})
    for (const unsigned threads : {1U, 2U, 8U, 32U}) {
      const crowd where{fmt::format("{}, {} threads", pause == 0 ? "heavy" : "light", threads), threads, pause,
                        20'000'000};
      add_contests<synchro::basic_mutex_lock<>>(all, "mutex", where);
      add_contests<synchro::basic_fair_mutex_lock<>>(all, "fair_mutex", where);
    }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (synchro::bench::asks_for_table(argc, argv)) {
    synchro::bench::print_table(
        "contention",
        {{{"mutexes where threads are many (processor time and the longest wait are printed)", "the locks themselves",
           "the standard library, parking_lot, nsync; two locks, 1 to 32 threads, pinned nowhere"},
          synchro::bench::told_bounds(0, 1)}});
    return 0;
  }
  const std::string headings = fmt::format("{:<10} {:<11} {:<17} {:<39} {:<39} {:<39} {}", "ours", "theirs",
                                           "situation", "time of an acquisition", "processor time of an acquisition",
                                           "longest wait of a round", "instructions");
  return synchro::bench::hold_all("contention", argc, argv, contests_here, headings, tell);
}
