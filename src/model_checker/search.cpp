#include "model_checker/search.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <random>

#include "model_checker/hashing.hpp"

namespace synchro::model_checker {

namespace {

constexpr unsigned nobody = max_threads;

/// The states met so far, by hash: with how few preemptions, and which threads were asleep. A flat table, for it is
/// asked at every step.
class met_states {
 public:
  struct entry {
    std::uint64_t key = 0;
    std::uint8_t sleep = 0;
    std::uint8_t used = 0;
  };

  /// The entry of this state, and whether it is new.
  std::pair<entry*, bool> find(std::uint64_t key) {
    if (key == 0) key = 1;
    if (count_ * 2 >= entries_.size()) grow();
    std::size_t i = key & (entries_.size() - 1);
    while (entries_[i].key != 0 && entries_[i].key != key) i = (i + 1) & (entries_.size() - 1);
    const bool is_new = entries_[i].key == 0;
    if (is_new) ++count_;
    entries_[i].key = key;
    return {&entries_[i], is_new};
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  void grow() {
    std::vector<entry> old(entries_.size() * 2);
    old.swap(entries_);
    count_ = 0;
    for (const entry& e : old)
      if (e.key != 0) *find(e.key).first = e;
  }

  std::vector<entry> entries_{1 << 12};
  std::size_t count_ = 0;
};

world_options world_for(const program& what, const search_options& how, bool with_fences) {
  world_options o;
  o.freed = what.freed;
  o.with_fences = with_fences;
  o.mutant = how.mutant;
  o.census = how.census;
  return o;
}

class stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class depth_first {
 public:
  depth_first(const program& what, const search_options& how, bool with_fences)
      : how_{how},
        uses_sleep_{how.sleep_sets && !how.preemptions && !what.watches_order},
        world_{what, world_for(what, how, with_fences)} {}

  search_result run() {
    do {
      if (!run_once()) {
        result_.why = world_.refuted();
        result_.result = result_.why->undecided ? search_result::undecided : search_result::refuted;
        for (std::size_t d = 0; d < taken_; ++d) {
          const choice& c = path_[d].choices[path_[d].next];
          result_.schedule.push_back({c.thread, c.number});
        }
        break;
      }
      if (how_.most_states != 0 && met_.count() > how_.most_states) {
        result_.result = search_result::unfinished;
        break;
      }
    } while (back_up());
    result_.states = met_.count();
    result_.wrapped = world_.met_wrap();
    return result_;
  }

  [[nodiscard]] bool met_fence() const { return world_.met_fence(); }

 private:
  struct choice {
    std::uint8_t thread;
    std::uint16_t number;
    bool lively;
    outcome what;
  };
  struct node {
    std::vector<choice> choices;
    std::size_t next = 0;
    std::uint32_t sleep = 0;
    unsigned last = nobody;  // who took the step to here
    unsigned used = 0;       // preemptions
    std::uint32_t lively = 0;
  };

  /// One execution along the path, and on from its end; false if it refutes the program.
  bool run_once() {
    taken_ = 0;
    if (!world_.begin()) return false;
    std::uint32_t sleep = 0;
    for (;;) {
      if (taken_ == size_) {
        if (world_.all_finished()) {
          ++result_.executions;
          return world_.end();
        }
        if (!push(sleep)) return !world_.refuted();
      }
      const node& n = path_[taken_];
      const choice& c = n.choices[n.next];
      ++taken_;
      if (taken_ == size_) sleep = sleep_after(n, c);
      ++result_.steps;
      if (!world_.execute(c.thread, c.what)) return false;
      if (world_.met_fence() && !world_.follows_fences()) return true;
      if (world_.is_impossible()) return true;
    }
  }

  [[nodiscard]] std::uint32_t sleep_after(const node& n, const choice& c) const {
    std::uint32_t sleep = 0;
    for (unsigned t = 0; t < world_.threads(); ++t)
      if ((n.sleep >> t & 1U) != 0 && t != c.thread && world_.independent(t, c.thread)) sleep |= 1U << t;
    return sleep;
  }

  /// A node for the state reached; false if there is nothing to do from here, or it is a deadlock.
  bool push(std::uint32_t sleep) {
    if (path_.size() == size_) path_.emplace_back();
    node& n = path_[size_];
    n.next = 0;
    n.choices.clear();
    n.lively = 0;
    n.used = 0;
    n.last = nobody;
    if (size_ != 0) inherit(n, path_[size_ - 1]);
    // To destroy an atomic is no step of its own, and not independent of its use.
    for (unsigned t = 0; t < world_.threads(); ++t)
      if ((sleep >> t & 1U) != 0 && world_.uses_dead_word(t)) sleep &= ~(1U << t);
    std::uint32_t wanted = 0;
    if (!is_worthwhile(n, sleep, wanted)) return false;  // whether it is a deadlock was seen when it was met first
    list(n, wanted);
    if (world_.is_deadlock(n.lively)) return false;
    n.sleep = sleep;
    forbid_preemption(n);
    if (n.choices.empty()) return false;
    ++size_;
    return true;
  }

  void inherit(node& n, const node& from) const {
    const choice& c = from.choices[from.next];
    n.last = c.thread;
    n.used = from.used + (costs(from, c.thread) ? 1 : 0);
  }

  static bool costs(const node& n, unsigned thread) {
    return n.last != nobody && n.last != thread && (n.lively >> n.last & 1U) != 0;
  }

  /// Which threads' steps have not been explored from this state; on return `sleep` is what the node is to have.
  bool is_worthwhile(const node& n, std::uint32_t& sleep, std::uint32_t& wanted) {
    constexpr std::uint32_t everybody = (1U << max_threads) - 1;
    if (!uses_sleep_) sleep = 0;
    wanted = everybody & ~sleep;
    if (!how_.caching) return true;
    std::uint64_t key = world_.hash();
    if (how_.preemptions) key = chain(key, n.last);
    const auto [entry, is_new] = met_.find(key);
    if (is_new) {
      entry->sleep = static_cast<std::uint8_t>(sleep);
      entry->used = static_cast<std::uint8_t>(n.used);
      return true;
    }
    if (how_.preemptions) {
      if (entry->used <= n.used) return false;
      entry->used = static_cast<std::uint8_t>(n.used);
      return true;
    }
    wanted = entry->sleep & ~sleep;
    sleep &= entry->sleep;
    entry->sleep = static_cast<std::uint8_t>(sleep);
    return wanted != 0;
  }

  /// The choices of the wanted threads, first of the one that runs already; and who is lively at all.
  void list(node& n, std::uint32_t wanted) {
    for (unsigned i = 0; i <= world_.threads(); ++i) {
      const unsigned t = i == 0 ? n.last : i - 1;
      if (t >= world_.threads() || (i != 0 && t == n.last) || world_.finished(t)) continue;
      world_.outcomes(t, outcomes_);
      std::uint16_t number = 0;
      for (const outcome& o : outcomes_) {
        if (o.lively) n.lively |= 1U << t;
        if ((wanted >> t & 1U) != 0) n.choices.push_back({static_cast<std::uint8_t>(t), number, o.lively, o});
        ++number;
      }
    }
  }

  void forbid_preemption(node& n) const {
    if (!how_.preemptions || n.used < *how_.preemptions) return;
    std::erase_if(n.choices, [&n](const choice& c) { return costs(n, c.thread); });
  }

  /// To the last step that can go otherwise; false if there is none.
  bool back_up() {
    for (; size_ != 0; --size_) {
      node& n = path_[size_ - 1];
      const std::uint8_t thread = n.choices[n.next].thread;
      ++n.next;
      const bool more = n.next != n.choices.size();
      if (more && n.choices[n.next].thread != thread && uses_sleep_) n.sleep |= 1U << thread;
      if (more) return true;
    }
    return false;
  }

  const search_options how_;
  const bool uses_sleep_;
  world world_;
  met_states met_;
  std::vector<node> path_;  // of which `size_` are in use
  std::size_t size_ = 0;
  std::size_t taken_ = 0;  // steps in this execution
  std::vector<outcome> outcomes_;
  search_result result_;
};

}  // namespace

search_result explore(const program& what, const search_options& how) {
  const stopwatch watch;
  search_result result;
  {
    depth_first search{what, how, false};
    result = search.run();
    if (!search.met_fence()) {
      result.seconds = watch.seconds();
      return result;
    }
  }
  // What relaxed accesses leave to a fence multiplies the states, so it is followed only where there is one.
  depth_first search{what, how, true};
  result = search.run();
  result.seconds = watch.seconds();
  return result;
}

search_result shortened(const program& what, const search_options& how, search_result long_one) {
  if (long_one.result != search_result::refuted) return long_one;
  search_options few = how;
  few.most_states = 20'000;
  for (unsigned preemptions = 0; preemptions < 3; ++preemptions) {
    few.preemptions = preemptions;
    const search_result shorter = explore(what, few);
    if (shorter.result != search_result::refuted || shorter.schedule.size() >= long_one.schedule.size()) continue;
    long_one.why = shorter.why;
    long_one.schedule = shorter.schedule;
  }
  return long_one;
}

// ---- random schedules

namespace {

class sampler {
 public:
  sampler(const program& what, const search_options& how, std::uint64_t seed)
      : random_{seed}, world_{what, world_for(what, how, true)} {}

  /// False if this schedule refutes the program.
  bool run_once(unsigned changes, search_result& result) {
    result.schedule.clear();
    if (!world_.begin()) return false;
    shuffle(changes);
    std::vector<std::vector<outcome>> all(world_.threads());
    while (!world_.all_finished()) {
      std::uint32_t lively = 0;
      for (unsigned t = 0; t < world_.threads(); ++t) {
        all[t].clear();
        if (world_.finished(t)) continue;
        world_.outcomes(t, all[t]);
        if (std::any_of(all[t].begin(), all[t].end(), [](const outcome& o) { return o.lively; })) lively |= 1U << t;
      }
      if (world_.is_deadlock(lively)) return false;
      const unsigned t = first_by_priority(all, lively);
      const auto number = pick(all[t]);
      result.schedule.push_back({static_cast<std::uint8_t>(t), static_cast<std::uint16_t>(number)});
      ++result.steps;
      if (!world_.execute(t, all[t][number])) return false;
      if (world_.is_impossible()) return true;
      if (std::find(change_at_.begin(), change_at_.end(), result.schedule.size()) != change_at_.end())
        priority_[t] = --lowest_;
    }
    longest_ = std::max(longest_, result.schedule.size());
    ++result.executions;
    return world_.end();
  }

  [[nodiscard]] const std::optional<refutation>& why() const { return world_.refuted(); }

 private:
  void shuffle(unsigned changes) {
    lowest_ = 0;
    for (unsigned t = 0; t < max_threads; ++t) priority_[t] = static_cast<int>(t) + 1;
    std::shuffle(priority_.begin(), priority_.begin() + world_.threads(), random_);
    change_at_.clear();
    for (unsigned i = 0; i < changes; ++i) change_at_.push_back(1 + random_() % longest_);
  }

  unsigned first_by_priority(const std::vector<std::vector<outcome>>& all, std::uint32_t lively) const {
    unsigned best = nobody;
    for (unsigned t = 0; t < world_.threads(); ++t) {
      const bool can = lively != 0 ? (lively >> t & 1U) != 0 : !all[t].empty();
      if (can && (best == nobody || priority_[t] > priority_[best])) best = t;
    }
    return best;
  }

  /// Mostly the ordinary outcome, the first.
  std::size_t pick(const std::vector<outcome>& some) {
    return some.size() == 1 || random_() % 4 != 0 ? 0 : random_() % some.size();
  }

  std::mt19937_64 random_;
  world world_;
  std::array<int, max_threads> priority_{};
  int lowest_ = 0;
  std::size_t longest_ = 50;
  std::vector<std::size_t> change_at_;
};

}  // namespace

search_result sample(const program& what, const search_options& how, std::uint64_t seed, unsigned schedules,
                     unsigned changes) {
  const stopwatch watch;
  search_result result;
  result.result = search_result::unfinished;
  sampler s{what, how, seed};
  for (unsigned i = 0; i < schedules; ++i) {
    if (s.run_once(changes, result)) continue;
    result.why = s.why();
    result.result = result.why->undecided ? search_result::undecided : search_result::refuted;
    result.seconds = watch.seconds();
    return result;
  }
  result.schedule.clear();
  result.seconds = watch.seconds();
  return result;
}

// ---- schedules

std::string encode(const std::vector<move>& schedule) {
  std::string text;
  for (const move& m : schedule) {
    text += static_cast<char>('a' + m.thread);
    if (m.choice != 0) text += std::to_string(m.choice);
  }
  return text;
}

std::optional<std::vector<move>> decode(std::string_view text) {
  std::vector<move> schedule;
  for (std::size_t i = 0; i < text.size();) {
    const unsigned thread = static_cast<unsigned>(text[i++] - 'a');
    if (thread >= max_threads) return std::nullopt;
    unsigned choice = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
      choice = choice * 10 + static_cast<unsigned>(text[i] - '0');
    if (choice > 60'000) return std::nullopt;
    schedule.push_back({static_cast<std::uint8_t>(thread), static_cast<std::uint16_t>(choice)});
  }
  return schedule;
}

replay_trace replay(const program& what, const std::vector<move>& schedule, const mutation* mutant) {
  search_options how;
  how.mutant = mutant;
  world w{what, world_for(what, how, true)};
  replay_trace trace;
  const auto done = [&](bool fits) {
    trace.fits = fits;
    trace.why = w.refuted();
    return trace;
  };
  if (!w.begin()) return done(schedule.empty());
  std::vector<outcome> some;
  for (const move& m : schedule) {
    if (m.thread >= w.threads() || w.finished(m.thread)) return done(false);
    w.outcomes(m.thread, some);
    if (m.choice >= some.size()) return done(false);
    trace.steps.push_back(std::string{static_cast<char>('a' + m.thread)} + "  " + w.describe(m.thread, some[m.choice]));
    if (!w.execute(m.thread, some[m.choice])) return done(true);
    if (w.is_impossible()) return done(false);
  }
  if (w.all_finished()) {
    w.end();
    return done(true);
  }
  std::uint32_t lively = 0;
  for (unsigned t = 0; t < w.threads(); ++t) {
    if (w.finished(t)) continue;
    w.outcomes(t, some);
    if (std::any_of(some.begin(), some.end(), [](const outcome& o) { return o.lively; })) lively |= 1U << t;
  }
  w.is_deadlock(lively);
  return done(true);
}

}  // namespace synchro::model_checker
