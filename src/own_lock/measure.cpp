// A lock of the user's own in the program that measures.

#include SYNCHRO_OWN_HEADER

#include "experiments/locks/lock_body_rows.hpp"
#include "terminal/own_lock.hpp"

extern "C" void synchroscope_own_lock(std::vector<std::string>& names) {
  using namespace synchro::experiments;
  std::vector<lock_bodies> rows;
  add_own<SYNCHRO_OWN_LINE>(rows);
  take_locks(rows);
  for (const lock_bodies& row : rows) names.push_back(row.name);
}

static_assert(std::is_same_v<decltype(&synchroscope_own_lock), synchro::terminal::own_lock_entry>);
