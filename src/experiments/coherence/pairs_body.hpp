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

#include <algorithm>
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
  unsigned lead = 100;  ///< Round trips or messages before the first batch, at least one.
};

struct pair_outcome {
  std::vector<double> hand_off_ns;  ///< One value for each batch.
  std::uint64_t from_turns = 0;     ///< Counted by each side for itself.
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
    outcome_.hand_off_ns.reserve(job.samples);
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
    outcome_.word = (job_.how == protocol::cas ? *ball_ : *answer_).load(memory_order::relaxed);
    return outcome_;
  }

  /// Turns that each side makes in an undisturbed run.
  [[nodiscard]] static std::uint64_t turns_of(const pair_job& job) {
    return job.lead + std::uint64_t{job.samples} * job.rounds;
  }

 private:
  using word = typename machine::template atomic<std::uint64_t>;

  static constexpr std::uint32_t patience = 1'000'000;  // looks: milliseconds
  static constexpr double longest_lead_ns = 10e9;
  static constexpr double side_by_side_ns = 200e3;  // no round trip takes so long, and no time slice is so short
  static constexpr std::uint64_t rest = 400;  // cycles before a message: the receiver has acknowledged and looks again

  // Waits are of two kinds. In the lead they look at the clock now and then, and at its end `from` decides whether the
  // two run side by side at all: on one processor every turn waits for the scheduler. After that nobody gives up, and
  // waits look at nothing but the word, because a loop that counts its looks is measurably slower. `to` learns of the
  // decision in its next turn, so it stays careful for one more.
  //
  // Each side keeps its turns and the addresses of its words in locals, hence in registers: the object is shared.

  enum class side : std::uint8_t { from, to };

  bool gives_up(side who) {
    if (who == side::from && L::to_ns(L::now() - started_) > longest_lead_ns) given_up_.store(1, memory_order::relaxed);
    return given_up_.load(memory_order::relaxed) != 0;
  }

  /// False if the game is over.
  template <class Step>
  bool wait_carefully(side who, const word& w, Step step) {
    while (!machine::await_until(w, memory_order::acquire, step, looks{patience}))
      if (gives_up(who)) return false;
    return true;
  }

  static auto is(std::uint64_t value) {
    return [=](std::uint64_t seen) { return seen == value ? look::done() : look::retry(0); };
  }
  static auto is_not(std::uint64_t value) {
    return [=](std::uint64_t seen) { return seen != value ? look::done() : look::retry(0); };
  }

  /// The lead on the side of `from`. False if the game is over.
  template <class Careful>
  bool leads_in(Careful careful) {
    double shortest_ns = longest_lead_ns;
    for (std::uint64_t turn = 0; turn < job_.lead; ++turn) {
      const std::uint64_t start = L::now();
      if (!careful(turn)) return false;
      shortest_ns = std::min(shortest_ns, L::to_ns(L::now() - start));
    }
    if (shortest_ns > side_by_side_ns) given_up_.store(1, memory_order::relaxed);
    return shortest_ns <= side_by_side_ns;
  }

  /// `careful(turn)` makes a round trip of the lead, `plain(turn)` one that is timed; each ends where it began, so that
  /// batches consist of whole ones.
  template <class Careful, class Plain>
  void time_round_trips(Careful careful, Plain plain) {
    if (!leads_in(careful)) return;
    std::uint64_t turn = job_.lead;
    const std::uint64_t rounds = job_.rounds;
    std::uint64_t start = L::now();
    for (unsigned sample = 0; sample < job_.samples; ++sample) {
      for (const std::uint64_t end = turn + rounds; turn < end; ++turn) plain(turn);
      const std::uint64_t stop = L::now();
      outcome_.hand_off_ns.push_back(L::to_ns(stop - start) / (2.0 * static_cast<double>(rounds)));
      start = stop;
    }
    outcome_.from_turns = turn;
  }

  template <class Careful, class Plain>
  void answer_round_trips(Careful careful, Plain plain) {
    const std::uint64_t turns = turns_of(job_);
    std::uint64_t turn = 0;
    for (; turn < std::min<std::uint64_t>(job_.lead + 1, turns); ++turn)
      if (!careful(turn)) return;
    for (; turn < turns; ++turn) plain(turn);
    outcome_.to_turns = turn;
  }

  // cas

  static bool swaps(word& ball, std::uint64_t seen) {
    return ball.compare_exchange_strong(seen, seen + 1, memory_order::acq_rel, memory_order::relaxed);
  }
  static void swap_when(word& ball, std::uint64_t seen) {
    while (!swaps(ball, seen)) {
    }
  }
  bool swap_carefully(side who, word& ball, std::uint64_t seen) {
    for (std::uint32_t tries = 0; !swaps(ball, seen); ++tries)
      if (tries % patience == patience - 1 && gives_up(who)) return false;
    return true;
  }

  void cas_from() {
    word& ball = *ball_;
    time_round_trips([this, &ball](std::uint64_t turn) { return swap_carefully(side::from, ball, 2 * turn); },
                     [&ball](std::uint64_t turn) { swap_when(ball, 2 * turn); });
  }
  void cas_to() {
    word& ball = *ball_;
    answer_round_trips([this, &ball](std::uint64_t turn) { return swap_carefully(side::to, ball, 2 * turn + 1); },
                       [&ball](std::uint64_t turn) { swap_when(ball, 2 * turn + 1); });
  }

  // handover

  void handover_from() {
    word& ball = *ball_;
    const word& answer = *answer_;
    const auto careful = [this, &ball, &answer](std::uint64_t turn) {
      ball.store(turn + 1, memory_order::release);
      return wait_carefully(side::from, answer, is(turn + 1));
    };
    const auto plain = [&ball, &answer](std::uint64_t turn) {
      ball.store(turn + 1, memory_order::release);
      machine::await(answer, memory_order::acquire, is(turn + 1));
    };
    time_round_trips(careful, plain);
  }
  void handover_to() {
    const word& ball = *ball_;
    word& answer = *answer_;
    const auto careful = [this, &ball, &answer](std::uint64_t turn) {
      if (!wait_carefully(side::to, ball, is(turn + 1))) return false;
      answer.store(turn + 1, memory_order::release);
      return true;
    };
    const auto plain = [&ball, &answer](std::uint64_t turn) {
      machine::await(ball, memory_order::acquire, is(turn + 1));
      answer.store(turn + 1, memory_order::release);
    };
    answer_round_trips(careful, plain);
  }

  // oneway

  void oneway_from() {
    word& ball = *ball_;
    const word& answer = *answer_;
    auto send = [&ball, last = std::uint64_t{0}]() mutable {
      L::work(rest);
      std::uint64_t stamp = L::now();
      while (stamp == last) stamp = L::now();  // of a coarse counter: two messages with one stamp are one for `to`
      last = stamp;
      ball.store(stamp, memory_order::release);
    };
    const bool led_in = leads_in([&](std::uint64_t message) {
      send();
      return wait_carefully(side::from, answer, is(message + 1));
    });
    if (!led_in) return;
    const std::uint64_t messages = turns_of(job_);
    for (std::uint64_t message = job_.lead; message < messages; ++message) {
      send();
      machine::await(answer, memory_order::acquire, is(message + 1));
    }
    outcome_.from_turns = messages;
  }

  void oneway_to() {
    const word& ball = *ball_;
    word& answer = *answer_;
    std::uint64_t last = 0;
    std::int64_t sum = 0;  // signed: clocks that are apart give negative times, and those are told
    const auto careful = [&](std::uint64_t message) {
      if (!wait_carefully(side::to, ball, is_not(last))) return false;
      receive(message, ball.load(memory_order::relaxed), last, sum, answer);
      return true;
    };
    const auto plain = [&](std::uint64_t message) {
      receive(message, machine::await(ball, memory_order::acquire, is_not(last)), last, sum, answer);
    };
    answer_round_trips(careful, plain);
  }

  void receive(std::uint64_t message, std::uint64_t sent, std::uint64_t& last, std::int64_t& sum, word& answer) {
    const auto took = static_cast<std::int64_t>(L::now() - sent);
    last = sent;
    if (message >= job_.lead) {
      sum += took;
      if ((message - job_.lead + 1) % job_.rounds == 0)
        outcome_.hand_off_ns.push_back(signed_ns(std::exchange(sum, 0)) / job_.rounds);
    }
    answer.store(message + 1, memory_order::release);
  }

  static double signed_ns(std::int64_t ticks) {
    return ticks < 0 ? -L::to_ns(static_cast<std::uint64_t>(-ticks)) : L::to_ns(static_cast<std::uint64_t>(ticks));
  }

  pair_job job_;
  word* ball_;
  word* answer_;
  std::uint64_t started_ = L::now();
  typename machine::template atomic<std::uint32_t> given_up_{0};
  pair_outcome outcome_;  // from_turns is written by `from`, to_turns by `to`, hand_off_ns by the one that measures
};

}  // namespace synchro::experiments::coherence

#endif
