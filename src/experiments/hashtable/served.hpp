// The body of hashtable.throughput for the table by message passing: one server for three threads, and the others ask. One
// thread alone is a client beside one server.

#ifndef SYNCHRO_EXPERIMENTS_HASHTABLE_SERVED_HPP
#define SYNCHRO_EXPERIMENTS_HASHTABLE_SERVED_HPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/hashtable/trial.hpp"
#include "experiments/hashtable/workload.hpp"
#include "measure/laboratory.hpp"
#include "synchro/hash_table/served_hash_table.hpp"

namespace synchro::experiments::hashtable {

/// Of a table that is made as basic_served_hash_table is, and used likewise.
template <measure::laboratory Lab, class Table>
class served_trial {
  using machine = typename Lab::machine;

  /// A client's view of the table, as of one under test.
  class asked {
   public:
    asked(Table& of, unsigned number) : through_{of.join(number)} {}
    bool get(key k, payload& to) {
      const std::optional<payload> found = through_.find(k);
      if (found) to = *found;
      return found.has_value();
    }
    bool put(key k, const payload& p) { return through_.insert(k, p); }
    bool remove(key k) { return through_.erase(k); }

   private:
    typename Table::client through_;
  };

 public:
  explicit served_trial(const table_task& task)
      : task_{task},
        keys_{keys_of(task.buckets, task.load, task.seed)},
        servers_{servers_of(task.threads)},
        clients_{clients_of(task.threads)},
        operations_{operations_of(keys_, task, clients_)},
        seen_(clients_),
        ends_(clients_) {}

  [[nodiscard]] table_outcome run() {
    std::optional<typename Lab::template fresh<hours<machine>>> when;
    locks::at_first<Lab>(task_.cpus, [&] {
      table_.emplace(served_by{servers_, clients_}, fixed_buckets{task_.buckets});
      when.emplace();
      for (std::size_t i = 0; i < keys_.size(); i += 2)
        (*table_)->part((*table_)->part_of(keys_[i])).insert(keys_[i], payload::of(keys_[i]));
    });
    table_outcome o;
    o.team = Lab::team(task_.cpus, servers_ + clients_, [&](unsigned me) {
      if (me < servers_)
        (*table_)->serve(me);
      else
        use(**when, me - servers_);
    });
    o.elapsed_ns =
        Lab::to_ns(*std::max_element(ends_.begin(), ends_.end()) - (**when).begun.load(memory_order::relaxed));
    for (const counts& c : seen_) o.operations.push_back(static_cast<double>(c.operations));
    o.broken = fault((keys_.size() + 1) / 2, sum_of(seen_), (*table_)->size());
    return o;
  }

 private:
  void use(hours<machine>& when, unsigned client) {
    asked through{**table_, client};
    user<asked> mine{through, operations_[client]};
    ends_[client] = while_it_lasts<Lab>(when, task_.window_ns, [&](std::uint64_t n) { mine.work(n); });
    seen_[client] = mine.seen();
  }

  table_task task_;
  std::vector<key> keys_;
  unsigned servers_, clients_;
  std::vector<std::vector<operation>> operations_;
  std::vector<counts> seen_;
  std::vector<std::uint64_t> ends_;
  std::optional<typename Lab::template fresh<Table>> table_;
};

template <measure::laboratory Lab, unsigned Room, class Waiting>
using channels_trial = served_trial<Lab, basic_served_hash_table<key, payload, typename Lab::machine, Waiting, Room>>;

/// With the smallest room of 4, 16 and 64 that is enough.
template <measure::laboratory Lab, class Waiting>
[[nodiscard]] table_outcome use_served(const table_task& task) {
  const unsigned clients = clients_of(task.threads);
  if (clients <= 4) return channels_trial<Lab, 4, Waiting>{task}.run();
  if (clients <= 16) return channels_trial<Lab, 16, Waiting>{task}.run();
  return channels_trial<Lab, most_clients, Waiting>{task}.run();
}

}  // namespace synchro::experiments::hashtable

#endif
