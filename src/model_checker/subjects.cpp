#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model_checker/subject.hpp"

namespace synchro::model_checker {

void add_locks(subjects& to);
void add_wakes(subjects& to);
void add_node_pool(subjects& to);
void add_abandoned(subjects& to);
void add_give_ups(subjects& to);
void add_own_nodes(subjects& to);
void add_no_nodes(subjects& to);
void add_taken_over(subjects& to);
void add_shared_mutex(subjects& to);
void add_fair_mutex(subjects& to);
void add_elision(subjects& to);
void add_condition(subjects& to);
void add_sync(subjects& to);
void add_messages(subjects& to);
void add_named(subjects& to);
void add_moments(subjects& to);
void add_queues(subjects& to);
void add_closed(subjects& to);
void add_delegation(subjects& to);
void add_stm(subjects& to);
void add_stm_calls(subjects& to);
void add_stm_parts(subjects& to);
void add_stm_attempts(subjects& to);
void add_served_stm(subjects& to);
void add_pool(subjects& to);
void add_histories(subjects& to);
void add_tables(subjects& to);
void add_table_calls(subjects& to);
void add_joined(subjects& to);
void add_flags(subjects& to);
void add_stop_tokens(subjects& to);
void add_parking(subjects& to);

namespace {

subjects made_subjects() {
  subjects made;
  add_locks(made);
  add_wakes(made);
  add_node_pool(made);
  add_abandoned(made);
  add_give_ups(made);
  add_own_nodes(made);
  add_no_nodes(made);
  add_taken_over(made);
  add_shared_mutex(made);
  add_fair_mutex(made);
  add_elision(made);
  add_condition(made);
  add_sync(made);
  add_messages(made);
  add_named(made);
  add_moments(made);
  add_queues(made);
  add_closed(made);
  add_delegation(made);
  add_stm(made);
  add_stm_calls(made);
  add_stm_parts(made);
  add_stm_attempts(made);
  add_served_stm(made);
  add_pool(made);
  add_histories(made);
  add_tables(made);
  add_table_calls(made);
  add_joined(made);
  add_flags(made);
  add_stop_tokens(made);
  add_parking(made);
  return made;
}

subjects& known_subjects() {
  static subjects all = made_subjects();
  return all;
}

}  // namespace

const subjects& all_subjects() { return known_subjects(); }

void take_subjects(const subjects& more) {
  for (const subject& s : more)
    if (find_subject(s.name) != nullptr)
      throw std::invalid_argument{"a lock is called '" + s.name +
                                  "' already; call its class basic_<another name>_lock"};
  known_subjects().insert(known_subjects().end(), more.begin(), more.end());
}

subject seeded(const std::string& name, program finds_it) {
  subject s{"seeded/" + name, "", {{std::move(finds_it), depth::exhausted}}};
  s.seeded_bug = true;
  return s;
}

const subject* find_subject(std::string_view name) {
  for (const subjects* some : {&all_subjects(), &seeded_bugs()}) {
    const auto it = std::find_if(some->begin(), some->end(), [name](const subject& s) { return s.is_called(name); });
    if (it != some->end()) return &*it;
  }
  return nullptr;
}

}  // namespace synchro::model_checker
