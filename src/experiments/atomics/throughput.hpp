// The body of atomics.throughput: all threads apply one operation to one word.
//
// Each thread repeats: the operation, then a pause. The pause is longer than a transfer of the line takes, for otherwise
// the thread that has the line goes on with hits in its own cache and the figure tells nothing of contention. With one
// thread there is no pause.
//
//   operation   an attempt                                         succeeds        after it
//   fai         fetch_add(1)                                       always          pause
//   swap        exchange(a value that names the thread)            always          pause
//   cas         compare_exchange(what I saw last, that plus 1)     if unchanged    pause
//   cas_fai     the same                                           if unchanged    pause, but after a failure try at once
//   tas         exchange(1); whoever found 0 stores 0 again        if it found 0   pause
//
// A cas that failed has learnt what the word held before its pause: of two threads in step one may fail for long. That is
// what such a loop does to a program, and fairness and hand_off show it.
//
// Read-modify-writes are acq_rel, as locks use them (tas: acquire, and release for the store).
//
// Every operation shows in its own values whether the success before it was the same thread's, so hand-overs are
// counted without touching anything else; and what the word holds in the end must agree with what the threads did.
//
// A thread plays until its own clock says that the time is over, looked at once in a few attempts: there is no shared
// flag beside the word. The duration of the repetition is from the first thread's start to the last one's end.

#ifndef SYNCHRO_EXPERIMENTS_ATOMICS_THROUGHPUT_HPP
#define SYNCHRO_EXPERIMENTS_ATOMICS_THROUGHPUT_HPP

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "measure/laboratory.hpp"
#include "synchro/os.hpp"

namespace synchro::experiments::atomics {

/// What all threads work on: one line.
template <class Machine>
struct alignas(cpu::cache_line) target {
  typename Machine::template atomic<std::uint64_t> word{0};
  // Only tas: written by the thread that found 0, until it stores 0 again.
  typename Machine::template plain<std::uint64_t> passes{0};
  typename Machine::template plain<std::uint64_t> last{0};
};

/// How one attempt came out.
struct stroke {
  bool success;
  bool handed_over;  ///< The success before this one was another thread's.
  bool pause = true;
};

/// One thread's part in an operation. `balance` is what the thread has added to the word in all (modulo 2^64).
template <class Machine>
struct fai {
  target<Machine>& shared;
  std::uint64_t id;
  std::uint64_t next_if_alone = 0;
  std::uint64_t balance = 0;

  stroke operator()() {
    const std::uint64_t old = shared.word.fetch_add(1, memory_order::acq_rel);
    const bool others = old != next_if_alone;
    next_if_alone = old + 1;
    ++balance;
    return {true, others};
  }
};

template <class Machine>
struct swap {
  target<Machine>& shared;
  std::uint64_t id;
  std::uint64_t count = 0;
  std::uint64_t balance = 0;

  stroke operator()() {
    const std::uint64_t mine = id << 40 | (++count & ((std::uint64_t{1} << 40) - 1));
    const std::uint64_t old = shared.word.exchange(mine, memory_order::acq_rel);
    balance += mine - old;
    return {true, old != 0 && old >> 40 != id};
  }
};

template <class Machine, bool PausesAfterFailure>
struct basic_cas {
  target<Machine>& shared;
  std::uint64_t id;
  std::uint64_t seen = 0;
  std::uint64_t next_if_alone = 0;
  std::uint64_t balance = 0;

  stroke operator()() {
    if (!shared.word.compare_exchange_strong(seen, seen + 1, memory_order::acq_rel, memory_order::relaxed))
      return {false, false, PausesAfterFailure};
    const bool others = seen != next_if_alone;
    next_if_alone = ++seen;
    ++balance;
    return {true, others};
  }
};
template <class Machine>
using cas = basic_cas<Machine, true>;
template <class Machine>
using cas_fai = basic_cas<Machine, false>;

template <class Machine>
struct tas {
  target<Machine>& shared;
  std::uint64_t id;
  std::uint64_t balance = 0;

  stroke operator()() {
    if (shared.word.exchange(1, memory_order::acquire) != 0) return {false, false};
    const std::uint64_t before_me = shared.last;
    shared.last = id;
    shared.passes = static_cast<std::uint64_t>(shared.passes) + 1;
    shared.word.store(0, memory_order::release);
    return {true, before_me != 0 && before_me != id};
  }
};

/// What one thread did.
struct tally {
  std::uint64_t attempts = 0, successes = 0, hand_overs = 0, balance = 0;
  std::uint64_t begin = 0, end = 0;  ///< Stamps of the laboratory's clock.
};

template <class Lab, class Operation>
tally play(Operation operation, std::uint64_t pause_cycles, double duration_ns) {
  constexpr unsigned attempts_between_looks_at_the_clock = 16;
  tally t;
  t.begin = t.end = Lab::now();
  while (Lab::to_ns(t.end - t.begin) < duration_ns) {
    for (unsigned i = 0; i < attempts_between_looks_at_the_clock; ++i) {
      const stroke s = operation();
      ++t.attempts;
      t.successes += s.success ? 1 : 0;
      t.hand_overs += s.handed_over ? 1 : 0;
      if (s.pause) Lab::work(pause_cycles);
    }
    t.end = Lab::now();
  }
  t.balance = operation.balance;
  return t;
}

/// What the team did.
struct outcome {
  std::vector<tally> threads;
  measure::team_report team;
  std::optional<std::string> broken;  ///< The word does not hold what the threads' operations amount to.

  [[nodiscard]] std::uint64_t sum(std::uint64_t tally::*what) const {
    std::uint64_t all = 0;
    for (const tally& t : threads) all += t.*what;
    return all;
  }
  /// From the first start to the last end, in ticks.
  [[nodiscard]] std::uint64_t duration() const {
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max(), end = 0;
    for (const tally& t : threads) begin = std::min(begin, t.begin), end = std::max(end, t.end);
    return end - begin;
  }
};

struct conditions {
  std::vector<unsigned> cpus;  ///< As for a laboratory's team.
  unsigned threads;
  double duration_ns;
  double pause_ns;
};

template <measure::laboratory Lab, template <class> class Operation>
outcome contend(const conditions& c) {
  using machine = typename Lab::machine;
  std::optional<typename Lab::template fresh<target<machine>>> shared;
  // Made by the first participant, so that the page is on its node.
  Lab::team(c.cpus, 1, [&](unsigned) { shared.emplace(); });
  const auto pause = static_cast<std::uint64_t>(c.pause_ns / Lab::cycles_to_ns(1.0));
  outcome all{std::vector<tally>(c.threads), {}, {}};
  all.team = Lab::team(c.cpus, c.threads, [&](unsigned index) {
    all.threads[index] = play<Lab>(Operation<machine>{**shared, std::uint64_t{index} + 1}, pause, c.duration_ns);
  });
  const std::uint64_t holds = (*shared)->word.load(memory_order::acquire);
  const std::uint64_t passes = (*shared)->passes;
  if (const std::uint64_t due = all.sum(&tally::balance); holds != due)
    all.broken = fmt::format("the operations amount to {}, but the word holds {}", due, holds);
  // Only tas names a last one.
  if (const std::uint64_t won = all.sum(&tally::successes); (*shared)->last != 0 && passes != won)
    all.broken = fmt::format("{} test-and-sets found 0, but {} passed one after the other", won, passes);
  return all;
}

}  // namespace synchro::experiments::atomics

#endif
