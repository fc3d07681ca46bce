// The body of hashtable.throughput: threads that get, put and remove for a while.
//
// A table under test is made for a number of buckets and a team, and has get(key, payload&), put(key, payload), remove(key),
// each true if the key was there (put: was not), and count(). Threads look at the clock between batches of operations
// (measure/batch.hpp). The first to see that the time is over stops the others.

#ifndef SYNCHRO_EXPERIMENTS_HASHTABLE_TRIAL_HPP
#define SYNCHRO_EXPERIMENTS_HASHTABLE_TRIAL_HPP

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "experiments/framework/drawn_again.hpp"
#include "experiments/hashtable/workload.hpp"
#include "experiments/locks/guarded_locks.hpp"
#include "measure/batch.hpp"
#include "measure/laboratory.hpp"
#include "synchro/hash_table/hash_table.hpp"
#include "synchro/os.hpp"
#include "synchro/shape.hpp"

namespace synchro::experiments::hashtable {

/// Ours, with a lock or without.
template <class Machine, class Locking>
class own_table {
 public:
  own_table(unsigned buckets, const shape& team) : own_table{fixed_buckets{buckets}, team} {}
  bool get(key k, payload& to) const { return table_.find(k, to); }
  bool put(key k, const payload& p) { return table_.insert(k, p); }
  bool remove(key k) { return table_.erase(k); }
  [[nodiscard]] std::size_t count() const { return table_.size(); }

 protected:
  template <class Room>
  own_table(Room room, const shape& team) : table_{room, {}, {}, team} {}

 private:
  basic_hash_table<key, payload, Machine, Locking> table_;
};

/// Ours, which chooses its buckets itself, as others' tables do.
template <class Machine, class Locking>
class growing_own_table : public own_table<Machine, Locking> {
 public:
  growing_own_table(unsigned buckets, const shape& team) : own_table<Machine, Locking>{std::size_t{buckets}, team} {}
};

/// What a thread does between two looks at the clock.
template <class Table>
class user {
 public:
  user(Table& table, const std::vector<operation>& all) : table_{table}, drawn_{all} {}

  void work(std::uint64_t operations) {
    seen_.operations += operations;
    for (; operations != 0; --operations) {
      const auto [where, what] = drawn_.next();
      once(where.on(), what.what());
    }
  }
  [[nodiscard]] const counts& seen() const { return seen_; }

 private:
  void once(key k, act what) {
    if (what == act::get) {
      payload p;
      if (table_.get(k, p) && !p.is_of(k)) ++seen_.torn;
    } else if (what == act::put) {
      seen_.added += table_.put(k, payload::of(k)) ? 1U : 0U;
    } else {
      seen_.removed += table_.remove(k) ? 1U : 0U;
    }
  }

  Table& table_;
  drawn_again<operation> drawn_;
  counts seen_;
};

/// When the team began, and whether it is over: written twice in all.
template <class Machine>
struct hours {
  alignas(2 * cpu::cache_line) typename Machine::template atomic<std::uint64_t> begun{0};
  alignas(2 * cpu::cache_line) typename Machine::template atomic<std::uint32_t> over{0};
};

/// Lets `work(n)` be done again and again until the time is over; returns when it was.
template <class Lab, class Hours, class Work>
std::uint64_t while_it_lasts(Hours& when, double window_ns, Work work) {
  const double ns_per_tick = Lab::to_ns(1);
  const auto window = static_cast<std::uint64_t>(window_ns / ns_per_tick);
  measure::batch batch{static_cast<std::uint64_t>(std::min(5000.0, window_ns / 100) / ns_per_tick)};
  std::uint64_t now = Lab::now(), begin = 0;
  if (when.begun.compare_exchange_strong(begin, now, memory_order::relaxed, memory_order::relaxed)) begin = now;
  while (when.over.load(memory_order::relaxed) == 0) {
    work(batch.size());
    const std::uint64_t then = Lab::now();
    batch.took(then - now);
    now = then;
    if (now - begin >= window) when.over.store(1, memory_order::relaxed);
  }
  return now;
}

/// Of each of the threads that use the table.
[[nodiscard]] inline std::vector<std::vector<operation>> operations_of(const std::vector<key>& keys,
                                                                       const table_task& task, unsigned users) {
  const std::optional<zipf> skew =
      task.skewed ? std::optional<zipf>{std::in_place, static_cast<std::uint32_t>(keys.size())} : std::nullopt;
  std::vector<std::vector<operation>> all;
  for (unsigned me = 0; me != users; ++me)
    all.push_back(draw_operations(keys, skew ? &*skew : nullptr, task.window_ns, task.seed * 1000 + me + 1));
  return all;
}

[[nodiscard]] inline counts sum_of(const std::vector<counts>& all) {
  counts sum;
  for (const counts& c : all)
    sum.operations += c.operations, sum.added += c.added, sum.removed += c.removed, sum.torn += c.torn;
  return sum;
}

/// One repetition with a table that is made in this place: by place.emplace(buckets, team), then *place.
template <measure::laboratory Lab, class Place>
[[nodiscard]] table_outcome use_table_in(Place& place, const table_task& task) {
  using machine = typename Lab::machine;
  const std::vector<key> keys = keys_of(task.buckets, task.load, task.seed);
  const std::vector<std::vector<operation>> operations = operations_of(keys, task, task.threads);
  std::optional<typename Lab::template fresh<hours<machine>>> when;
  const shape team = locks::shape_for<machine>(task.threads);
  locks::at_first<Lab>(task.cpus, [&] {
    place.emplace(task.buckets, team);
    when.emplace();
    for (std::size_t i = 0; i < keys.size(); i += 2) (*place).put(keys[i], payload::of(keys[i]));
  });
  std::vector<counts> seen(task.threads);
  std::vector<std::uint64_t> ends(task.threads);
  table_outcome o;
  o.team = Lab::team(task.cpus, task.threads, [&](unsigned me) {
    user mine{*place, operations[me]};
    ends[me] = while_it_lasts<Lab>(**when, task.window_ns, [&](std::uint64_t n) { mine.work(n); });
    seen[me] = mine.seen();
  });
  const std::uint64_t begun = (**when).begun.load(memory_order::relaxed);
  o.elapsed_ns = Lab::to_ns(*std::max_element(ends.begin(), ends.end()) - begun);
  for (const counts& c : seen) o.operations.push_back(static_cast<double>(c.operations));
  o.broken = fault((keys.size() + 1) / 2, sum_of(seen), (*place).count());
  return o;
}

/// Memory of its own for a table.
template <class Lab, class Table>
class own_place {
 public:
  void emplace(unsigned buckets, const shape& team) { table_.emplace(buckets, team); }
  Table& operator*() { return **table_; }

 private:
  std::optional<typename Lab::template fresh<Table>> table_;
};

template <measure::laboratory Lab, class Table>
[[nodiscard]] table_outcome use_table(const table_task& task) {
  own_place<Lab, Table> place;
  return use_table_in<Lab>(place, task);
}

/// With so many elements in it, `look` is called.
template <class Table>
void fill_table(std::uint64_t elements, const std::function<void()>& look) {
  Table table{1, {}};
  for (key k = 1; k <= elements; ++k) table.put(k, payload::of(k));
  look();
}

}  // namespace synchro::experiments::hashtable

#endif
