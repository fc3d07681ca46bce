// The table of all locks and peers that this program was built with, and the experiments' bodies for each.
//
// Rows come from the catalog (src/catalog/catalog.txt). Generated units instantiate the bodies: those of the tour's locks are in
// the program, the others are on demand (framework/on_demand.hpp). A generated function calls every unit, so that no linker
// leaves one out.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_LOCK_TABLE_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_LOCK_TABLE_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/on_demand.hpp"
#include "experiments/framework/primitive_kind.hpp"
#include "experiments/locks/tasks.hpp"
#include "synchro/traits.hpp"

namespace synchro::experiments {

/// A lock by its name, without its type.
struct lock_bodies {
  std::string name;     ///< "mcs/park", "tbb/spin_mutex"
  std::string family;   ///< The stem, or a peer's library: "mcs", "tbb"
  std::string waiting;  ///< How a waiter waits: "spin", "yield" or "park"
  primitive_kind kind = primitive_kind::own;
  bool first = true;         ///< The first of its catalog line: it goes by the bare stem.
  bool in_tour = false;      ///< The guided tour measures it.
  bool native_node = false;  ///< Measured with the caller's own node, for it has no other native form.
  lock_description what;

  on_demand<locks::contention_result(const locks::contention_task&)> contend;
  on_demand<locks::previous_holder_result(const locks::previous_holder_task&)> succeed;

  /// Waiters never give their processor away: with more threads than processors every hand-off may wait for one.
  [[nodiscard]] bool only_spins() const { return waiting == "spin"; }
};

/// As generated: all lines of the catalog, without bodies.
void add_lock_rows(std::vector<lock_bodies>& rows);
/// As generated: give the rows of some lines their bodies. The first is in this program, the second where the bodies on demand are.
void add_tour_bodies(std::vector<lock_bodies>& rows);
void add_other_bodies(std::vector<lock_bodies>& rows);

/// Our own locks, then those of others, each in the order of the catalog.
[[nodiscard]] const std::vector<lock_bodies>& all_locks();

/// Takes these in as well, behind all others: locks that this program was not built with. What all_locks() had given before must
/// not be used any more. Throws std::invalid_argument, and takes none, if one of their names is taken.
void take_locks(const std::vector<lock_bodies>& more);

/// Adds them to the rows of a table of locks, by the same rule.
void append_locks(std::vector<lock_bodies>& rows, const std::vector<lock_bodies>& more);

/// Gives rows of the table their bodies.
void complete_locks(void (*complete)(std::vector<lock_bodies>& rows));

/// The row of that name. Throws std::out_of_range.
[[nodiscard]] const lock_bodies& find_lock(const std::string& name);
/// The same among these rows.
[[nodiscard]] lock_bodies& row_called(const std::string& name, std::vector<lock_bodies>& rows);

/// One repetition of a cell of locks.throughput, whatever lock its coordinates name: of this one.
[[nodiscard]] repetition measure_throughput(const lock_bodies& lock, const setting& s, const coordinates& at,
                                            std::uint64_t seed);

/// Its task, and what is told of the outcome. The clock that timed the waits advances in steps of `clock_step_ns`; 0: exactly.
[[nodiscard]] locks::contention_task throughput_task(const setting& s, const coordinates& at, std::uint64_t seed);
[[nodiscard]] repetition record_throughput(const locks::contention_result& seen, double clock_step_ns);

/// Those that the tour compares, as the catalog says and as far as this build has them.
[[nodiscard]] std::vector<coordinate> tour_locks();

/// The axis `lock`: the names of the rows that `takes` accepts, at every level.
[[nodiscard]] axis lock_axis(const std::function<bool(const lock_bodies&)>& takes = [](const lock_bodies&) {
  return true;
});

}  // namespace synchro::experiments

#endif
