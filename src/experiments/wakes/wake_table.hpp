// The table of all wake primitives that this program was built with.
//
// Rows come from the catalog (src/catalog/catalog.txt): generated units make them, and a generated function calls every unit, so
// that no linker leaves one out.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_WAKE_TABLE_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_WAKE_TABLE_HPP

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/primitive_kind.hpp"
#include "experiments/wakes/any_wake.hpp"

namespace synchro::experiments {

/// A wake primitive by its name.
struct wake_row {
  std::string name;     ///< "event", "linux/futex"
  std::string family;   ///< The stem, or who offers it: "event", "linux"
  std::string runtime;  ///< The runtime library it belongs to, with its version; "synchro", or "linux".
  primitive_kind kind = primitive_kind::own;
  wake_traits words;
  bool sleeps = true;     ///< A waiting thread comes to sleep; false: it keeps looking.
  bool region = false;    ///< The sleepers are a runtime's own threads.
  bool has_each = false;  ///< What one call does can also be done by a call for each sleeper.

  std::unique_ptr<any_wake> (*make)(unsigned sleepers) = nullptr;
  /// With `group` sleepers on each of several objects, or what the primitive itself takes a group for. Null if it cannot.
  std::unique_ptr<any_wake> (*make_groups)(unsigned sleepers, unsigned group) = nullptr;
  /// Why it cannot be had here, as far as that is known without trying.
  std::optional<std::string> (*unavailable)() = nullptr;
};

/// Our own, then those of others, each in the order of the catalog.
[[nodiscard]] const std::vector<wake_row>& all_wakes();
/// As generated: all lines of the catalog.
void add_wake_rows(std::vector<wake_row>& rows);

/// The row of that name. Throws std::out_of_range.
[[nodiscard]] const wake_row& find_wake(const std::string& name);

/// The axis `primitive`: the names of the rows that `takes` accepts, at every level.
[[nodiscard]] axis primitive_axis(const std::function<bool(const wake_row&, level)>& takes);

}  // namespace synchro::experiments

#endif
