// The bodies of coherence.pairs: two threads that hand something back and forth.
//
//   cas        One line. The word counts the turns; each side makes the next one by compare-and-swap and tries nothing
//              else, so a side that waits fetches the line again and again, as the known core-to-core tools do.
//   handover   Two lines. Each side stores to its own and loads the other's until the answer is there.
//   oneway     Two lines. The sender stores the time, the receiver, who is looking, subtracts it from its own time as
//              soon as it sees it, and acknowledges on the other line.
//
// Only the verbs of the machine wait on shared words elsewhere; the compare-and-swap loop of `cas` is the one loop that
// does not, because its attempts are what is measured.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_PAIRS_BODY_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_PAIRS_BODY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experiments/coherence/lines.hpp"
#include "measure/laboratory.hpp"

namespace synchro::experiments::coherence {

enum class protocol : std::uint8_t { cas, handover, oneway };

struct pair_job {
  protocol how;
  unsigned from;
  unsigned to;
  unsigned samples;     ///< Batches, of which one value each.
  unsigned rounds;      ///< Round trips (cas, handover) or messages (oneway) of a batch.
  unsigned lead = 100;  ///< Round trips before the first batch (cas, handover).
};

struct pair_outcome {
  std::vector<double> hand_over_ns;  ///< One value for each batch.
  std::uint64_t from_turns = 0;      ///< Counted by each side for itself.
  std::uint64_t to_turns = 0;
  std::uint64_t word = 0;  ///< The turns as the shared word tells them (oneway: those acknowledged).
  measure::team_report team = {};
};

template <measure::laboratory L>
class pair_trial {
 public:
  using machine = typename L::machine;

  pair_trial(const pair_job& job, field_lines<machine> lines, std::uint64_t seed) : job_{job} {
    std::mt19937_64 random{seed};
    const visit<machine> chosen =
        scattered<machine>(lines, random);  // other offsets, other slices of the cache, each time
    ball_ = &chosen[0]->word;
    answer_ = &chosen[1]->word;
    ball_->store(0, memory_order::relaxed);
    answer_->store(0, memory_order::relaxed);
    outcome_.hand_over_ns.reserve(job.samples);
  }

  /// Throws std::runtime_error with one sentence if the two threads never ran side by side.
  [[nodiscard]] pair_outcome run() {
    const std::vector<unsigned> cpus{job_.from, job_.to};
    switch (job_.how) {
      case protocol::cas:
        outcome_.team = L::team(cpus, 2, [this](unsigned i) { i == 0 ? cas_from() : cas_to(); });
        break;
      case protocol::handover:
        outcome_.team = L::team(cpus, 2, [this](unsigned i) { i == 0 ? handover_from() : handover_to(); });
        break;
      case protocol::oneway:
        outcome_.team = L::team(cpus, 2, [this](unsigned i) { i == 0 ? oneway_from() : oneway_to(); });
        break;
    }
    if (given_up_.load(memory_order::relaxed) != 0)
      throw std::runtime_error("the two threads did not run side by side: something else keeps a processor");
    outcome_.from_turns = from_.turns;
    outcome_.to_turns = to_.turns;
    outcome_.word = (job_.how == protocol::cas ? *ball_ : *answer_).load(memory_order::relaxed);
    return outcome_;
  }

  /// Turns that each side makes in an undisturbed run.
  [[nodiscard]] static std::uint64_t turns_of(const pair_job& job) {
    const std::uint64_t timed = std::uint64_t{job.samples} * job.rounds;
    return timed + (job.how == protocol::oneway ? 0 : job.lead);
  }

 private:
  using word = typename machine::template atomic<std::uint64_t>;

  static constexpr std::uint32_t patience = 1'000'000;  // looks: milliseconds
  static constexpr double longest_ns = 3e9;
  static constexpr std::uint64_t rest = 400;  // cycles before a message: the receiver has acknowledged and looks again

  bool may_go_on() {
    if (L::to_ns(L::now() - started_) > longest_ns) given_up_.store(1, memory_order::relaxed);
    return given_up_.load(memory_order::relaxed) == 0;
  }

  // cas

  bool take_turn(std::uint64_t turn) {
    do {
      for (std::uint32_t tries = 0; tries < patience; ++tries) {
        std::uint64_t seen = turn;
        if (ball_->compare_exchange_strong(seen, turn + 1, memory_order::acq_rel, memory_order::relaxed)) return true;
      }
    } while (may_go_on());
    return false;
  }

  void cas_from() {
    std::uint64_t turn = 0;
    const auto volley = [&](std::uint64_t rounds) {
      for (; rounds != 0; --rounds, turn += 2, ++from_.turns)
        if (!take_turn(turn)) return false;
      return true;
    };
    time_volleys(volley);
  }

  void cas_to() {
    for (std::uint64_t i = 0; i < turns_of(job_); ++i, ++to_.turns)
      if (!take_turn(2 * i + 1)) break;
  }

  /// `volley(n)` makes n round trips and ends where it began, so that all of them are whole.
  template <class Volley>
  void time_volleys(Volley volley) {
    if (!volley(job_.lead)) return;
    std::uint64_t start = L::now();
    for (unsigned sample = 0; sample < job_.samples; ++sample) {
      if (!volley(job_.rounds)) return;
      const std::uint64_t stop = L::now();
      outcome_.hand_over_ns.push_back(L::to_ns(stop - start) / (2.0 * job_.rounds));
      start = stop;
    }
  }

  // handover

  bool arrives(const word& w, std::uint64_t value) {
    const auto there = [=](std::uint64_t seen) { return seen == value ? look::content() : look::again(0); };
    do {
      if (machine::await_until(w, memory_order::acquire, there, looks{patience})) return true;
    } while (may_go_on());
    return false;
  }

  void handover_from() {
    std::uint64_t turn = 0;
    const auto volley = [&](std::uint64_t rounds) {
      for (; rounds != 0; --rounds, ++from_.turns) {
        ball_->store(++turn, memory_order::release);
        if (!arrives(*answer_, turn)) return false;
      }
      return true;
    };
    time_volleys(volley);
  }

  void handover_to() {
    for (std::uint64_t turn = 1; turn <= turns_of(job_); ++turn, ++to_.turns) {
      if (!arrives(*ball_, turn)) break;
      answer_->store(turn, memory_order::release);
    }
  }

  // oneway

  void oneway_from() {
    for (std::uint64_t message = 1; message <= turns_of(job_); ++message, ++from_.turns) {
      L::work(rest);
      ball_->store(L::now(), memory_order::release);
      if (!arrives(*answer_, message)) return;
    }
  }

  void oneway_to() {
    std::uint64_t last = 0;
    for (unsigned sample = 0; sample < job_.samples; ++sample) {
      std::int64_t sum = 0;  // signed: clocks that are apart give negative times, and those are told
      for (unsigned i = 0; i < job_.rounds; ++i, ++to_.turns) {
        const std::optional<std::uint64_t> sent = other_than(last);
        if (!sent) return;
        sum += static_cast<std::int64_t>(L::now() - *sent);
        last = *sent;
        answer_->store(to_.turns + 1, memory_order::release);
      }
      outcome_.hand_over_ns.push_back(signed_ns(sum) / job_.rounds);
    }
  }

  std::optional<std::uint64_t> other_than(std::uint64_t last) {
    const auto news = [=](std::uint64_t seen) { return seen != last ? look::content() : look::again(0); };
    do {
      const auto seen = machine::await_until(*ball_, memory_order::acquire, news, looks{patience});
      if (seen) return seen;
    } while (may_go_on());
    return std::nullopt;
  }

  static double signed_ns(std::int64_t ticks) {
    return ticks < 0 ? -L::to_ns(static_cast<std::uint64_t>(-ticks)) : L::to_ns(static_cast<std::uint64_t>(ticks));
  }

  pair_job job_;
  word* ball_;
  word* answer_;
  std::uint64_t started_ = L::now();
  typename machine::template atomic<std::uint32_t> given_up_{0};
  pair_outcome outcome_;  // written between batches only
  // What a side writes at every turn is on lines of its own: the other reads the members above at every turn.
  struct alignas(2 * cpu::cache_line) side {
    std::uint64_t turns = 0;
  };
  side from_;
  side to_;
};

}  // namespace synchro::experiments::coherence

#endif
