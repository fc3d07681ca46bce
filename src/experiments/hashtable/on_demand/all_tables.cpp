#include "experiments/hashtable/all_tables.hpp"

#include "experiments/hashtable/served.hpp"
#include "experiments/hashtable/trial.hpp"
#include "measure/host.hpp"
#include "synchro/domains.hpp"

namespace synchro::experiments {

const std::vector<table_bodies>& all_tables() {
  static const std::vector<table_bodies> all = [] {
    using measure::host;
    using hashtable::own_table, hashtable::growing_own_table, hashtable::use_served, hashtable::use_table;
    using growing = growing_own_table<hardware, own_word<>>;
    std::vector<table_bodies> rows{
        {optimistic_table, "yield", primitive_kind::own, true, &use_table<host, own_table<hardware, own_word<>>>},
        {growing_table, "yield", primitive_kind::own, true, &use_table<host, growing>, &hashtable::fill_table<growing>},
        {served_table, "spin", primitive_kind::own, true, &use_served<host, spin>},
        {served_table_yielding, "yield", primitive_kind::own, false, &use_served<host, spin_yield>}};
    add_table_rows(rows);
    return rows;
  }();
  return all;
}

namespace {

const bool defined = use_table_called.is([](const std::string& name, const hashtable::table_task& task) {
  return find_table(all_tables(), name).run(task);
});

}  // namespace

}  // namespace synchro::experiments
