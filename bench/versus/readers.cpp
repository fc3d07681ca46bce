// Reader-writer locks against those of other libraries: `./dev bench`, or readers [ROUNDS] [SEED].
//
// Sections that read a word, or write it, as often as the threads can: all of them read, 5 of 100 write, every second one does. One
// thread; one on each processor; and eight for each processor, which the system places. Each thread counts for itself, so that
// readers share nothing but the lock and the word. What only spins is not tried where threads outnumber processors. Ours and a
// peer take turns, in random order, in every round; compared are the time and the processor time of a section.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contests.hpp"
#include "measure/host.hpp"
#include "platform/placement.hpp"
#include "platform/topology.hpp"
#include "synchro/domains.hpp"
#include "synchro/locks/big_reader.hpp"
#include "synchro/locks/phase_fair.hpp"
#include "synchro/locks/shared_mutex.hpp"
#include "synchro/os.hpp"
#include "turns.hpp"
#ifdef SYNCHRO_ONETBB
#include <oneapi/tbb/rw_mutex.h>
#include <oneapi/tbb/spin_rw_mutex.h>
#endif
#ifdef SYNCHRO_CK
#include "peers_ck.hpp"
#endif
#ifdef SYNCHRO_RUST
#include "../rust/rust.hpp"
#endif

namespace {

using synchro::bench::turns::outcome;
using synchro::measure::host;

struct situation {
  std::string name;
  unsigned threads;
  std::vector<unsigned> cpus;  ///< One per thread; empty: wherever the system places them.
  unsigned writes;             ///< Of 100 sections.
  std::uint64_t nanoseconds;
  std::uint32_t turns = 0;  ///< If not 0, so many sections by one of the threads, however long that takes.
};

/// A lock with the functions of std::shared_mutex. A thread brings nothing along.
template <class Lock>
struct plain {
  struct reader {
    explicit reader(plain&) {}
  };
  void lock(reader&) { inner.lock(); }
  void unlock(reader&) { inner.unlock(); }
  void lock_shared(reader&) { inner.lock_shared(); }
  void unlock_shared(reader&) { inner.unlock_shared(); }
  Lock inner;
};

#ifdef SYNCHRO_CK
struct brlock {
  using reader = synchro::bench::ck::brlock_read::context;
  void lock(reader& r) { inner.brlock_write::lock(r); }
  void unlock(reader& r) { inner.brlock_write::unlock(r); }
  void lock_shared(reader& r) { inner.lock(r); }
  void unlock_shared(reader& r) { inner.unlock(r); }
  operator synchro::bench::ck::brlock_read&() { return inner; }
  using brlock_write = synchro::bench::ck::brlock_write;
  synchro::bench::ck::brlock_read inner;
};
struct pflock {
  struct reader {
    explicit reader(pflock&) {}
  };
  void lock(reader&) { ck_pflock_write_lock(&inner); }
  void unlock(reader&) { ck_pflock_write_unlock(&inner); }
  void lock_shared(reader&) { ck_pflock_read_lock(&inner); }
  void unlock_shared(reader&) { ck_pflock_read_unlock(&inner); }
  ck_pflock_t inner{};
};
#endif

/// The lock alone on its lines, what it protects on another.
template <class Lock>
struct place {
  alignas(2 * synchro::cpu::cache_line) Lock lock;
  alignas(2 * synchro::cpu::cache_line) std::uint64_t one = 0;
  std::uint64_t two = 0;
};

struct alignas(2 * synchro::cpu::cache_line) account {
  std::uint64_t begin = 0, end = 0, sections = 0, writes = 0;
  bool torn = false;
};

template <class Lock>
[[gnu::noinline]] void take_part(place<Lock>& p, account& mine, std::atomic<bool>& stop, const situation& s,
                                 unsigned me) {
  typename Lock::reader own{p.lock};
  account counted;
  std::uint64_t random = me + 1;
  counted.begin = host::now();
  for (; !stop.load(std::memory_order_relaxed); ++counted.sections) {
    random = random * 6364136223846793005 + 1442695040888963407;
    if ((random >> 33) % 100 < s.writes) {
      p.lock.lock(own);
      p.one = ++p.two;
      p.lock.unlock(own);
      ++counted.writes;
    } else {
      p.lock.lock_shared(own);
      counted.torn |= p.one != p.two;
      p.lock.unlock_shared(own);
    }
    const bool is_over = s.turns != 0 ? counted.sections + 1 == s.turns
                                      : counted.sections % 64 == 0 && host::to_ns(host::now() - counted.begin) >
                                                                          static_cast<double>(s.nanoseconds);
    if (is_over) stop.store(true, std::memory_order_relaxed);
  }
  counted.end = host::now();
  mine = counted;
}

template <class Lock>
outcome run(const situation& s) {
  const auto p = std::make_unique<place<Lock>>();
  std::vector<account> accounts(s.threads);
  std::atomic<bool> stop{false};
  double before = 0;
  host::team(s.cpus, s.threads, [&](unsigned me) {
    if (me == 0) before = synchro::bench::turns::processor_time();
    take_part(*p, accounts[me], stop, s, me);
  });
  const double used = synchro::bench::turns::processor_time() - before;
  account all = accounts[0];
  all.sections = all.writes = 0;
  for (const account& a : accounts) {
    all.begin = std::min(all.begin, a.begin);
    all.end = std::max(all.end, a.end);
    all.sections += a.sections;
    all.writes += a.writes;
    all.torn = all.torn || a.torn;
  }
  if (all.torn || p->one != all.writes) throw std::runtime_error{"a reader saw half a write, or a write was lost"};
  const auto n = static_cast<double>(all.sections);
  return {host::to_ns(all.end - all.begin) / n, used / n};
}

using contest = synchro::bench::contest_of<situation, outcome>;

template <class Ours, class Theirs>
void meet(std::vector<contest>& all, const std::string& ours, const std::string& theirs, const situation& s) {
  all.push_back({ours, theirs, s, run<Ours>, run<Theirs>});
}

template <class Ours>
void meet_all(std::vector<contest>& all, const std::string& ours, const situation& s) {
  meet<plain<Ours>, plain<std::shared_mutex>>(all, ours, "std/shared_mutex", s);
#ifdef SYNCHRO_RUST
  meet<plain<Ours>, plain<synchro::bench::parking_lot_shared>>(all, ours, "parking_lot", s);
#endif
#ifdef SYNCHRO_ONETBB
  meet<plain<Ours>, plain<oneapi::tbb::rw_mutex>>(all, ours, "tbb/rw_mutex", s);
#endif
  if (s.threads != 1 && s.cpus.empty()) return;
#ifdef SYNCHRO_CK
  meet<plain<Ours>, brlock>(all, ours, "ck/brlock", s);
  meet<plain<Ours>, pflock>(all, ours, "ck/pflock", s);
#endif
}

std::vector<contest> contests_here() {
  const auto machine = synchro::platform::read_topology();
  const auto n = static_cast<unsigned>(machine.processors.size());
  const auto cpus = synchro::platform::place(machine, synchro::platform::placement::compact, n);
  std::vector<contest> all;
  for (const unsigned writes : {0U, 5U, 50U}) {
    const std::string often = fmt::format("{} % writes", writes);
    std::vector<situation> pinned{{"1 thread, " + often, 1, {cpus.front()}, writes, 2'000'000}};
    if (n > 1) pinned.push_back({fmt::format("{} pinned, {}", n, often), n, cpus, writes, 5'000'000});
    const situation many{fmt::format("{} threads, {}", 4 * n, often), 4 * n, {}, writes, 20'000'000};
    for (const situation& s : pinned) {
      meet_all<synchro::basic_shared_mutex_lock<>>(all, "shared_mutex", s);
      meet_all<synchro::basic_big_reader_lock<>>(all, "big_reader", s);
      meet_all<synchro::basic_phase_fair_lock<>>(all, "phase_fair", s);
    }
    meet_all<synchro::basic_shared_mutex_lock<>>(all, "shared_mutex", many);
  }
  return all;
}

/// Prints one line; true if ours is resolved slower. Processor time is printed, and not judged.
bool tell(const contest& c) {
  using synchro::bench::instructions_text, synchro::bench::ratio_text;
  bool slower = false, costlier = false;
  const std::string time = ratio_text(c, &outcome::time, 3, slower);
  const std::string processor = ratio_text(c, &outcome::processor_time, 3, costlier);
  fmt::print("{:<12} {:<16} {:<23} {} {} {} {}\n", c.ours, c.theirs, c.where.name, time, processor,
             instructions_text(c), slower ? "SLOWER" : "");
  return slower;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string headings = fmt::format("{:<12} {:<16} {:<23} {:<43} {:<43} {}", "ours", "theirs", "situation",
                                           "time of a section", "processor time of a section", "instructions");
  return synchro::bench::hold_all("readers", argc, argv, contests_here, headings, tell);
}
