// The body of atomics.throughput: all threads apply one operation to one word.
//
// Each thread repeats: the operation, then, if the protocol asks for it, a pause (framework/protocol.hpp).
//
//   operation   an attempt                                         succeeds        pauses after it
//   fai         fetch_add(1)                                       always          yes
//   swap        exchange(a value that names the thread)            always          yes
//   cas         compare_exchange(what I saw last, that plus 1)     if unchanged    yes
//   cas_fai     the same                                           if unchanged    yes, but after a failure tries at once
//   tas         exchange(taken); whoever found it free             if it was free  yes
//               stores a free value again
//
// A cas that failed has learnt what the word held before its pause: of two threads in step one may fail for long. That is
// what such a loop does to a program, and fairness and handoff_share show it. An attempt of cas_fai that failed is no
// fetch-and-add: it is one operation until it succeeds.
//
// Read-modify-writes are acq_rel, as locks use them (tas: acquire, and release for the store).
//
// Every operation shows in its own values whether the success before it was the same thread's, so hand-offs are
// counted without touching anything else; and what the word holds in the end must agree with what the threads did.
//
// A thread plays until its own clock says that the time is over, looked at once in a few microseconds (measure/batch.hpp):
// there is no shared flag beside the word. The duration of the repetition is from the first thread's start to the last
// one's end.

#ifndef SYNCHRO_EXPERIMENTS_ATOMICS_THROUGHPUT_HPP
#define SYNCHRO_EXPERIMENTS_ATOMICS_THROUGHPUT_HPP

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/tallies.hpp"
#include "measure/batch.hpp"
#include "measure/laboratory.hpp"
#include "synchro/os.hpp"

namespace synchro::experiments::atomics {

/// What all threads work on: one line.
template <class Machine>
struct alignas(cpu::cache_line) target {
  typename Machine::template atomic<std::uint64_t> word{0};
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

/// Values of one thread: its number in the upper bits, and below how many there were before. Each stands for one operation,
/// so what was stored less what was found, summed over all threads, is what the word holds in the end.
struct signatures {
  static constexpr unsigned count_bits = 40;

  explicit signatures(std::uint64_t id) : id_{id}, last_{id << count_bits} {}
  std::uint64_t next() noexcept { return ++last_; }
  [[nodiscard]] bool by_another(std::uint64_t value) const noexcept { return value != 0 && value >> count_bits != id_; }

 private:
  std::uint64_t id_, last_;
};

template <class Machine>
struct swap {
  swap(target<Machine>& t, std::uint64_t id) : shared{t}, mine{id} {}

  target<Machine>& shared;
  signatures mine;
  std::uint64_t balance = 0;

  stroke operator()() {
    const std::uint64_t put = mine.next();
    const std::uint64_t old = shared.word.exchange(put, memory_order::acq_rel);
    balance += put - old;
    return {true, mine.by_another(old)};
  }
};

template <class Machine, bool PausesAfterFailure>
struct basic_cas {
  target<Machine>& shared;
  std::uint64_t id;
  std::uint64_t seen = 0;
  std::uint64_t balance = 0;
  bool missed = false;  // since the last success another thread changed the word

  stroke operator()() {
    std::uint64_t expected = seen;  // a copy, whose address nobody else has: it stays in a register
    const bool swapped =
        shared.word.compare_exchange_strong(expected, expected + 1, memory_order::acq_rel, memory_order::relaxed);
    if (!swapped) {
      seen = expected;
      missed = true;
      return {false, false, PausesAfterFailure};
    }
    const bool others = missed;
    missed = false;
    ++seen;
    ++balance;
    return {true, others};
  }
};
template <class Machine>
using cas = basic_cas<Machine, true>;
template <class Machine>
using cas_fai = basic_cas<Machine, false>;

/// The word is 1 when taken; when free the signature of who stored it, shifted so that it is even. What is stored does
/// not depend on what was found, so a thread does not wait for it.
template <class Machine>
struct tas {
  static constexpr std::uint64_t taken = 1;

  tas(target<Machine>& t, std::uint64_t id) : shared{t}, mine{id} {}

  target<Machine>& shared;
  signatures mine;
  std::uint64_t balance = 0;

  stroke operator()() {
    const std::uint64_t old = shared.word.exchange(taken, memory_order::acquire);
    if ((old & taken) != 0) return {false, false};
    const std::uint64_t put = mine.next() << 1;
    shared.word.store(put, memory_order::release);
    balance += put - old;
    return {true, mine.by_another(old >> 1)};
  }
};

/// What one thread did.
struct tally {
  std::uint64_t attempts = 0, successes = 0, hand_offs = 0, balance = 0;
  std::uint64_t begin = 0, end = 0;  ///< Stamps of the laboratory's clock.
};

/// A pause of no length is none: calling for it would cost more than an operation.
template <class Lab, bool Pauses, class Operation>
tally play(Operation operation, std::uint64_t pause_cycles, double duration_ns) {
  const double ns_per_tick = Lab::to_ns(1);
  // The end is seen up to a span late, by one thread later than by another.
  const double span_ns = std::min(5000.0, duration_ns / 1000);
  const auto window = static_cast<std::uint64_t>(duration_ns / ns_per_tick);
  measure::batch batch{static_cast<std::uint64_t>(span_ns / ns_per_tick)};
  tally t;
  std::uint64_t successes = 0, hand_offs = 0;
  t.begin = t.end = Lab::now();
  while (t.end - t.begin < window) {
    for (std::uint64_t left = batch.size(); left != 0; --left) {
      const stroke s = operation();
      successes += s.success ? 1 : 0;
      hand_offs += s.handed_over ? 1 : 0;
      if constexpr (Pauses)
        if (s.pause) Lab::work(pause_cycles);
    }
    t.attempts += batch.size();
    const std::uint64_t now = Lab::now();
    batch.took(now - t.end);
    t.end = now;
  }
  t.successes = successes;
  t.hand_offs = hand_offs;
  t.balance = operation.balance;
  return t;
}

/// What the team did.
struct outcome : tallies<tally> {
  measure::team_report team;
  std::optional<std::string> broken;  ///< The word does not hold what the threads' operations amount to.
};

struct conditions {
  std::vector<unsigned> cpus;  ///< As for a laboratory's team.
  unsigned threads;
  double duration_ns;
  double pause_ns;  ///< 0: none.
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
    const Operation<machine> mine{**shared, std::uint64_t{index} + 1};
    all.threads[index] =
        pause == 0 ? play<Lab, false>(mine, 0, c.duration_ns) : play<Lab, true>(mine, pause, c.duration_ns);
  });
  const std::uint64_t holds = (*shared)->word.load(memory_order::acquire);
  if (const std::uint64_t due = all.sum(&tally::balance); holds != due)
    all.broken = fmt::format("the operations amount to {}, but the word holds {}", due, holds);
  return all;
}

}  // namespace synchro::experiments::atomics

namespace synchro::experiments {

/// What an outcome of so long a duration says.
[[nodiscard]] repetition record_atomics(const atomics::outcome& o, double duration_ns);

}  // namespace synchro::experiments

#endif
