#include "simulations/replay.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "statistics/random.hpp"

namespace synchro::simulations {

namespace {

using profile::closed_system;
using profile::lock_kind;
using simulator::simulated;
using simulator::ticks;

class sleeping_mutex {
 public:
  void lock() {
    std::uint32_t seen = free;
    if (state_.compare_exchange_strong(seen, held, memory_order::acquire, memory_order::relaxed)) return;
    while (state_.exchange(held_with_sleepers, memory_order::acquire) != free)
      static_cast<void>(simulated::park(state_, held_with_sleepers, simulated::never));
  }
  void unlock() {
    if (state_.exchange(free, memory_order::release) == held_with_sleepers) simulated::unpark(&state_, 1);
  }

 private:
  static constexpr std::uint32_t free = 0, held = 1, held_with_sleepers = 2;
  simulated::atomic<std::uint32_t> state_{free};
};

std::vector<replayed_lock>& known_replays() {
  static std::vector<replayed_lock> all = [] {
    std::vector<replayed_lock> rows{{native_mutex, true, &make_locks<sleeping_mutex>}};
    add_replayed_locks(rows);
    return rows;
  }();
  return all;
}

/// A choice by shares.
class choice {
 public:
  choice() = default;
  explicit choice(const std::vector<double>& shares) : below_(shares.size()) {
    std::partial_sum(shares.begin(), shares.end(), below_.begin());
  }
  [[nodiscard]] bool none() const { return below_.empty(); }
  [[nodiscard]] std::size_t at(double which) const {
    const auto found = std::lower_bound(below_.begin(), below_.end(), which * below_.back());
    return static_cast<std::size_t>(std::min(found, below_.end() - 1) - below_.begin());
  }

 private:
  std::vector<double> below_;
};

/// Where the locks of a kind are among all, and how a thread finds one of them.
struct place {
  std::size_t begin = 0, each = 0;  ///< `each` of a thread, of those that it does not share; else of all.
  bool own = false;
  choice which;
};

/// What the team shares besides the locks: nothing of it is in the simulated memory.
struct stage {
  explicit stage(const replay_task& t) : task{t}, first{t.system->first} {
    for (const lock_kind& k : t.system->kinds) {
      constexpr std::size_t most_own = 16, most_shared = 65536;
      const std::size_t recorded = k.shares.size();
      const std::size_t a_thread = std::clamp<std::size_t>(recorded / t.system->threads, 1, most_own);
      const std::size_t each = k.own ? a_thread : std::min(recorded, most_shared);
      places.push_back({count, each, k.own, k.own ? choice{} : choice{k.shares}});
      next.emplace_back(k.next);
      count += k.own ? each * t.threads : each;
    }
    const double rounds = t.window_ns / least_ns(*t.system, t.threads, static_cast<unsigned>(t.cpus.size()), 1);
    if (const double thinks = rounds * t.system->thinks(); thinks > 0)
      shorter = std::min(1.0, thinks / thinks_wanted(t.threads));
  }

  const replay_task& task;
  choice first;
  std::vector<choice> next;
  std::vector<place> places;
  std::size_t count = 0;  ///< Locks.
  double shorter = 1;     ///< Think times, than recorded: and so many times as frequent.
  std::unique_ptr<any_locks> locks = nullptr;
  std::vector<bool> taken = {};
  ticks opens = 0, closes = 0;
  bool broken = false;
};

/// One thread.
class player {
 public:
  player(stage& on, unsigned me)
      : on_{on}, me_{me}, random_{on.task.seed * 0x9e37'79b9'7f4a'7c15 + me}, waited_(on.places.size()) {}

  void run() {
    const double begun = random(), think = system().think_ns();
    work(begun * (system().round_ns() - think));
    if (think > 0) sleep(begun * think);
    for (std::size_t kind = on_.first.at(random()); simulator::laboratory::now() < on_.closes;) {
      hold(kind);
      if (within(simulator::laboratory::now())) ++rounds_;
      work(drawn(system().kinds[kind].gap));
      perhaps(system().kinds[kind].gap_think);
      const choice& next = on_.next[kind];
      kind = (next.none() ? on_.first : next).at(random());
    }
  }

  [[nodiscard]] double rounds() const { return rounds_; }
  /// Ticks.
  [[nodiscard]] const std::vector<double>& waited() const { return waited_; }

 private:
  [[nodiscard]] const closed_system& system() const { return *on_.task.system; }
  [[nodiscard]] bool within(ticks t) const { return t >= on_.opens && t < on_.closes; }
  double random() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }
  double drawn(const profile::times& t) {
    const double which = random();
    return t.at(which, random());
  }
  /// Nothing is seen of what comes when the window has closed, and a recording may have times of any length.
  [[nodiscard]] ticks within_window(double ns) const {
    const ticks now = simulator::laboratory::now(), left = now < on_.closes ? on_.closes - now : 0;
    const double its = ns * simulator::world::current().machine().ghz() * simulator::per_cycle / on_.task.costs;
    return its < static_cast<double>(left) ? static_cast<ticks>(std::llround(its)) : left;
  }
  void work(double ns) { simulator::world::current().work(within_window(ns * on_.task.work)); }
  /// On the stage: there is nobody who would wake it before its time.
  void sleep(double ns) {
    simulator::world& w = simulator::world::current();
    w.settle();
    static_cast<void>(w.park(&on_, true, simulator::laboratory::now() + within_window(ns)));
  }
  void perhaps(const profile::think_time& t) {
    const double chance = std::min(1.0, t.chance / on_.shorter);
    if (chance > 0 && random() < chance) sleep(drawn(t.length) * t.chance / chance);
  }

  /// So many in the mean.
  unsigned times_of(double mean) {
    const double whole = std::floor(mean);
    return static_cast<unsigned>(whole) + (random() < mean - whole ? 1 : 0);
  }

  std::size_t one_of(const place& p) {
    if (!p.own) return p.begin + p.which.at(random());
    return p.begin + me_ * p.each + static_cast<std::size_t>(random() * static_cast<double>(p.each));
  }

  void hold(std::size_t kind) {
    const std::size_t which = one_of(on_.places[kind]);
    const ticks asked = simulator::laboratory::now();
    on_.locks->hold(which, [&] {
      // A wait that outlasts the window counts as far as it lies within.
      const ticks from = std::max(asked, on_.opens), to = std::min(simulator::laboratory::now(), on_.closes);
      if (to > from) waited_[kind] += static_cast<double>(to - from);
      on_.broken = on_.broken || on_.taken[which];
      on_.taken[which] = true;
      inside(system().kinds[kind]);
      on_.taken[which] = false;
    });
  }

  /// What is taken meanwhile is spread over the work.
  void inside(const lock_kind& k) {
    std::vector<unsigned> taken;
    for (const double mean : k.inside) taken.push_back(mean > 0 ? times_of(mean) : 0);
    const double all = drawn(k.hold);
    const double part = all / (1.0 + std::accumulate(taken.begin(), taken.end(), 0U));
    work(part);
    perhaps(k.hold_think);
    for (std::size_t j = 0; j < taken.size(); ++j)
      for (unsigned i = 0; i < taken[j]; ++i) hold(j), work(part);
  }

  stage& on_;
  unsigned me_;
  statistics::random_numbers random_;
  double rounds_ = 0;
  std::vector<double> waited_;
};

}  // namespace

const std::vector<replayed_lock>& replayed_locks() { return known_replays(); }

void take_replayed(const std::vector<replayed_lock>& more) {
  known_replays().insert(known_replays().end(), more.begin(), more.end());
}

double thinks_wanted(unsigned threads) {
  constexpr double in_all = 200, of_each = 10;
  return std::max(in_all, of_each * threads);
}

replay_result replay(const simulator::model& m, const replay_task& task) {
  simulator::world w{m, task.seed};
  stage on{task};
  const shape team = experiments::locks::shape_for<simulated>(task.threads);
  experiments::locks::at_first<simulator::laboratory>(task.cpus, [&] { on.locks = task.lock->make(on.count, team); });
  on.taken.resize(on.count);
  const double window = task.window_ns * m.ghz() * simulator::per_cycle / task.costs;
  on.opens = simulator::laboratory::now() + static_cast<ticks>(window / 5);
  on.closes = on.opens + static_cast<ticks>(window);
  replay_result r;
  r.waiting.resize(on.places.size());
  simulator::laboratory::team(task.cpus, task.threads, [&](unsigned me) {
    player p{on, me};
    p.run();
    r.rounds += p.rounds();
    for (std::size_t k = 0; k < r.waiting.size(); ++k) r.waiting[k] += p.waited()[k] / (window * task.threads);
  });
  r.rounds /= task.window_ns * 1e-9;
  if (on.broken) r.broken = "two threads held one lock at a time";
  on.locks.reset();  // before the world in which they are
  return r;
}

double least_ns(const closed_system& system, unsigned threads, unsigned processors, double rounds) {
  const double round = system.round_ns();
  double longest = std::max(round / threads, (round - system.think_ns()) / std::min(threads, processors));
  const std::vector<double> holds = system.whole_holds(), times = system.holds_in_a_round();
  for (std::size_t k = 0; k < system.kinds.size(); ++k)
    if (const lock_kind& kind = system.kinds[k]; !kind.own)
      longest = std::max(longest, holds[k] * times[k] * *std::max_element(kind.shares.begin(), kind.shares.end()));
  return rounds * longest;
}

}  // namespace synchro::simulations
