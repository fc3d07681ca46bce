// How overhead.calls is shown.

#include <fmt/format.h>

#include "experiments/overhead/overhead.hpp"
#include "results/system.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

constexpr const char* bogner =
    "The paper: Bogner, Schütz, Wiesinger, “Retrieving the Performance Overhead of Synchronization Mechanisms of "
    "Various Popular Operating Systems”, Table 1; its 1 µs means 1 µs or less.";

/// What enters the system against what does not, by one and the same mutex.
sentences findings(const own_cells& own) {
  const cells all = own.of_any_mode("delay");
  for (const cell* handed : where(all, "call", "ReleaseMutex")) {
    const cells same = where(all, "primitive", at_or_blank(*handed, "primitive"));
    const cell* const free = first_at(same, "call", "EnterCriticalSection");
    if (free == nullptr) continue;
    return {fmt::format("Locking a free {} takes {}; handing it to a thread that sleeps takes {}, {}.",
                        name_at(*handed, "primitive"), with_interval(*free), with_interval(*handed),
                        more_than(*handed->value, *free->value))};
  }
  return {};
}

/// Of each call the one row by which a system stands in the paper's table.
nlohmann::ordered_json by_system() {
  auto table = beside_published({"call"}, "", bogner);
  table["only"] = {{"primitive", results::primitives_in_the_table_of_calls()}};
  return table;
}

std::vector<laid_out> tables(const cells& all, const style& s) {
  if (!all_have(all, {"call"})) return generic_tables(all, s);
  return {calls_table(all, s)};
}

}  // namespace

void present_overhead_calls(experiment& e) {
  e.tour = [](const setting&) {
    return tour_stop{{{"call", {"EnterCriticalSection", "ReleaseMutex"}}, {"primitive", {"pthread/mutex"}}}};
  };
  e.view = {tables,
            findings,
            {},
            {{"calls",
              "What a system call costs",
              "The thirteen rows of the paper’s Table 1, each by the flow it describes.",
              bars("call", {"primitive"}),
              "",
              {},
              {},
              {},
              "",
              false,
              {"delay"}},
             {"systems", "Each system in Table 1 of the paper",
              "A row for each call, as the paper has it, and a column for each run: its system by its own primitives.",
              by_system()},
             {"paper", "Beside Table 1 of the paper", "The same rows here and on the three systems of the paper.",
              beside_published({"call", "primitive"}, "", bogner)}}};
}

}  // namespace synchro::experiments
