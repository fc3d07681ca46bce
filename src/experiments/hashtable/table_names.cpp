#include "catalog/rows.hpp"
#include "experiments/hashtable/all_tables.hpp"
#include "experiments/locks/lock_table.hpp"

namespace synchro::experiments {

const std::vector<table_name>& table_names() {
  static const std::vector<table_name> all = [] {
    std::vector<table_name> names{{optimistic_table, "yield"},
                                  {growing_table, "yield"},
                                  {served_table, "spin"},
                                  {served_table_yielding, "yield", primitive_kind::own, false}};
    for (const lock_bodies& lock : catalog::rows_of(add_lock_rows))
      if (lock.kind == primitive_kind::own) names.push_back({lock.name, lock.waiting, lock.kind, lock.first});
    add_table_peer_names(names);
    return names;
  }();
  return all;
}

}  // namespace synchro::experiments
