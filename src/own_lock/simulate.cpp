// A lock of the user's own in the program that simulates.

#include SYNCHRO_OWN_HEADER

#include "experiments/locks/lock_body_rows.hpp"
#include "simulations/replay.hpp"
#include "simulations/simulated_locks.hpp"
#include "simulator/laboratory.hpp"
#include "terminal/own_lock.hpp"

extern "C" void synchroscope_own_lock(std::vector<std::string>& names) {
  using namespace synchro;
  std::vector<experiments::lock_bodies> rows;
  experiments::add_own<SYNCHRO_OWN_LINE, simulator::laboratory>(rows);
  simulations::take_locks(rows);
  std::vector<simulations::replayed_lock> replayed;
  simulations::add_replayed<SYNCHRO_OWN_LINE>(replayed);
  simulations::take_replayed(replayed);
  for (const experiments::lock_bodies& row : rows) names.push_back(row.name);
}

static_assert(std::is_same_v<decltype(&synchroscope_own_lock), synchro::terminal::own_lock_entry>);
