// The threads of the experiments on transactional memory: each runs one transaction after the other until its own clock says
// that the time is over, looked at between batches (measure/batch.hpp). What they do was drawn before (choices.hpp).

#ifndef SYNCHRO_EXPERIMENTS_STM_TEAM_HPP
#define SYNCHRO_EXPERIMENTS_STM_TEAM_HPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "experiments/framework/drawn_again.hpp"
#include "experiments/framework/tallies.hpp"
#include "experiments/stm/choices.hpp"
#include "measure/batch.hpp"
#include "measure/host.hpp"
#include "synchro/stm/in_place.hpp"

namespace synchro::experiments::transactions {

struct task {
  std::vector<unsigned> cpus;  ///< As for a laboratory's team.
  unsigned threads;
  unsigned elements;  ///< Accounts, or keys that are in the set at the start.
  unsigned buckets;   ///< Lists that the keys are spread over; a bank has none.
  unsigned updates;   ///< Share of the transactions that write, percent.
  double duration_ns;
  std::uint64_t seed;
};

/// Of the threads of transactions by message passing one in three serves; one thread alone is a client beside one server.
inline constexpr unsigned most_clients = 64;
[[nodiscard]] inline unsigned servers_of(unsigned threads) { return std::clamp(threads / 3, 1U, 64U); }
[[nodiscard]] inline unsigned clients_of(unsigned threads) { return threads > 1 ? threads - servers_of(threads) : 1; }

/// What one thread did.
struct tally {
  std::uint64_t transactions = 0;
  std::uint64_t attempts = 0;  ///< Runs of a transaction's function, where they are counted.
  std::uint64_t wrong = 0;     ///< Transactions that saw what cannot be.
  std::int64_t added = 0;      ///< Keys inserted less keys erased.
  std::uint64_t begin = 0, end = 0;
  std::uint64_t found = 0;  ///< Keys looked up that were there; compilers drop a search of which nobody asks.
};

struct outcome : tallies<tally> {
  bool counts_attempts = false;
  std::optional<std::string> broken;
  measure::team_report team = {};
};

/// Some have to know how many threads there will be.
template <class Memory>
Memory memory_for(const task& t) {
  if constexpr (std::is_constructible_v<Memory, const task&>)
    return Memory{t};
  else
    return Memory{};
}

/// Of this thread.
template <class Workload>
std::vector<choice> choices_of(const task& t, unsigned index) {
  return draw_choices(Workload::places(t), t.seed * 1'000'003 + index);
}

template <class Workload>
tally work_on(Workload& shared, const task& t, const std::vector<choice>& choices) {
  using Lab = typename Workload::laboratory;
  const double ns_per_tick = Lab::to_ns(1);
  const auto window = static_cast<std::uint64_t>(t.duration_ns / ns_per_tick);
  measure::batch batch{static_cast<std::uint64_t>(std::min(5000.0, t.duration_ns / 1000) / ns_per_tick)};
  drawn_again<choice> drawn{choices};
  tally mine;
  const std::uint64_t begun_again = attempts_begun_again<typename Lab::machine>();
  mine.begin = mine.end = Lab::now();
  while (mine.end - mine.begin < window) {
    for (std::uint64_t left = batch.size(); left != 0; --left) {
      const auto [where, what] = drawn.next();
      shared.step({where.one, where.other, what.kind, where.amount}, t.updates, mine);
    }
    mine.transactions += batch.size();
    const std::uint64_t now = Lab::now();
    batch.took(now - mine.end);
    mine.end = now;
  }
  if (Workload::counts_attempts)
    mine.attempts = mine.transactions + attempts_begun_again<typename Lab::machine>() - begun_again;
  return mine;
}

/// The workload is made by the first participant, so that its pages are on that one's node.
template <class Workload>
outcome play(const task& t) {
  using Lab = typename Workload::laboratory;
  std::optional<Workload> shared;
  Lab::team(t.cpus, 1, [&](unsigned) { shared.emplace(t); });
  outcome o;
  o.threads.resize(t.threads);
  o.counts_attempts = Workload::counts_attempts;
  std::vector<std::vector<choice>> choices(t.threads);
  Lab::team(t.cpus, t.threads, [&](unsigned index) { choices[index] = choices_of<Workload>(t, index); });
  o.team =
      Lab::team(t.cpus, t.threads, [&](unsigned index) { o.threads[index] = work_on(*shared, t, choices[index]); });
  o.broken = shared->broken(o.threads);
  return o;
}

}  // namespace synchro::experiments::transactions

#endif
