// A hash table on the simulated machine, of whatever class: what uses it is compiled once, and not for each lock.

#ifndef SYNCHRO_SIMULATIONS_ANY_TABLE_HPP
#define SYNCHRO_SIMULATIONS_ANY_TABLE_HPP

#include <type_traits>
#include <vector>

#include "experiments/hashtable/table_rows.hpp"
#include "experiments/hashtable/trial.hpp"
#include "simulator/laboratory.hpp"

namespace synchro::simulations {

/// As a table under test (experiments/hashtable/trial.hpp).
class any_table {
 public:
  virtual bool get(experiments::hashtable::key k, experiments::hashtable::payload& to) = 0;
  virtual bool put(experiments::hashtable::key k, const experiments::hashtable::payload& p) = 0;
  virtual bool remove(experiments::hashtable::key k) = 0;
  [[nodiscard]] virtual std::size_t count() = 0;

 protected:
  ~any_table() = default;
};

/// Where a table is made, which is then here.
class any_place {
 public:
  virtual void emplace(unsigned buckets, const shape& team) = 0;
  virtual any_table& operator*() = 0;

 protected:
  ~any_place() = default;
};

[[nodiscard]] experiments::hashtable::table_outcome use_any_table(any_place& place,
                                                                  const experiments::hashtable::table_task& task);

template <class Table>
class place_of final : public any_place, any_table {
  using key = experiments::hashtable::key;
  using payload = experiments::hashtable::payload;

 public:
  void emplace(unsigned buckets, const shape& team) override { place_.emplace(buckets, team); }
  any_table& operator*() override { return *this; }

 private:
  bool get(key k, payload& to) override { return (*place_).get(k, to); }
  bool put(key k, const payload& p) override { return (*place_).put(k, p); }
  bool remove(key k) override { return (*place_).remove(k); }
  std::size_t count() override { return (*place_).count(); }

  experiments::hashtable::own_place<simulator::laboratory, Table> place_;
};

template <class Table>
[[nodiscard]] experiments::hashtable::table_outcome use_simulated(const experiments::hashtable::table_task& task) {
  place_of<Table> place;
  return use_any_table(place, task);
}

/// What the experiment does with a lock, for each waiting policy of a line of the catalog.
template <class Line>
void add_simulated_line(std::vector<experiments::table_bodies>& rows) {
  experiments::add_own_tables<Line, simulator::simulated>(
      rows, []<class Table>(std::type_identity<Table>) { return &use_simulated<Table>; });
}

}  // namespace synchro::simulations

#endif
