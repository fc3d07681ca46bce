// How overhead.calls is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/overhead/call_rows.hpp"
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

/// What enters the system against what does not: on Windows by one of each of its two kinds, elsewhere by one mutex.
sentences calls_findings(const own_cells& own) {
  const cells all = only_precise(own.of_any_mode("delay"));
  const auto told = [&](const cell& free, const cell& handed, const std::string& which) -> sentences {
    return {fmt::format("Locking a free {} takes {}; handing {} to a thread that sleeps takes {}, {}.",
                        name_at(free, "primitive"), with_interval(free), which, with_interval(handed),
                        more_than(*handed.value, *free.value))};
  };
  const cell* const system = first_at(where(all, "primitive", "win32/mutex"), "call", "ReleaseMutex");
  const cell* const user = first_at(where(all, "primitive", "win32/critical_section"), "call", "EnterCriticalSection");
  if (system != nullptr && user != nullptr) return told(*user, *system, name_at(*system, "primitive"));
  for (const cell* handed : where(all, "call", "ReleaseMutex")) {
    const cells same = where(all, "primitive", at_or_blank(*handed, "primitive"));
    if (const cell* const free = first_at(same, "call", "EnterCriticalSection"); free != nullptr)
      return told(*free, *handed, "it");
  }
  return {};
}

/// Of each call the one row by which a system stands in the paper's table.
nlohmann::ordered_json by_system(nlohmann::ordered_json drawing) {
  drawing["only"] = {{"primitive", results::primitives_in_the_table_of_calls()}};
  return drawing;
}

/// `runs`: only where there are several; `papers`: with the paper's systems as if they were runs.
nlohmann::ordered_json marked(const char* what, nlohmann::ordered_json drawing) {
  drawing[what] = true;
  return drawing;
}

std::vector<laid_out> calls_tables(const cells& all, const style& s) {
  if (!all_have(all, {"call"})) return generic_tables(all, s);
  return {calls_table(all, s)};
}

/// What this system has for each of the calls.
std::vector<coordinate> nearest_to_the_papers(const std::vector<std::string>& calls) {
  std::vector<coordinate> first;
  for (const std::string& call : calls) {
    const auto& rows = overhead::call_rows();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.call == call; });
    if (row == rows.end()) continue;
    const coordinate name{row->primitive};
    if (std::find(first.begin(), first.end(), name) == first.end()) first.push_back(name);
  }
  return first;
}

}  // namespace

void present_overhead_calls(experiment& e) {
  e.tour = [](const setting&) {
    const std::vector<std::string> calls{"EnterCriticalSection", "ReleaseMutex"};
    return tour_stop{{{"call", {calls.begin(), calls.end()}}, {"primitive", nearest_to_the_papers(calls)}}};
  };
  e.view = {
      calls_tables,
      calls_findings,
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
        marked("runs", by_system(beside_published({"call"}, "", bogner)))},
       {"difference",
        "The systems beside each other",
        "What each call costs here and on the three systems of the paper, by each system’s own primitives: the paper’s "
        "Figure 10. Its 1 µs means 1 µs or less.",
        marked("papers", by_system(bars("call", {}, {.runs = true}))),
        "",
        {"delay"}},
       {"paper", "Beside Table 1 of the paper", "The same rows here and on the three systems of the paper.",
        beside_published({"call", "primitive"}, "", bogner)}}};
  e.view.about = "lock";
}

}  // namespace synchro::experiments
