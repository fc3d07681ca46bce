#include "views/systems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/experiment_names.hpp"
#include "results/system.hpp"
#include "results/units.hpp"
#include "views/paper/tables.hpp"

namespace synchro::views {

using namespace results;

namespace {

/// The name by which the system stands in the table.
cells own_calls(const document& d) {
  cells all;
  for (const cell& c : d.cells)
    if (c.experiment == experiment_names::overhead_calls && c.metric == "delay" && c.unit == "ns" &&
        as_in_the_table_of_calls(to_string(at_or_blank(c, "primitive"))))
      all.push_back(&c);
  return all;
}

cells of_row(const cells& all, std::size_t rank) {
  cells there;
  std::copy_if(all.begin(), all.end(), std::back_inserter(there),
               [&](const cell* c) { return paper::call_rank(to_string(at_or_blank(*c, "call"))) == rank; });
  return there;
}

column column_of(const std::string& group, const cells& all, const std::string& unit, remarks& notes) {
  column col{group, unit, {}, unit};
  for (std::size_t rank = 0; rank != paper::calls().size(); ++rank)
    col.entries.push_back(notes.entry_for(of_row(all, rank), {1e3, unit}));
  return col;
}

column quotients(const cells& a, const cells& b) {
  column col{"", "B / A", {}, "1"};
  for (std::size_t rank = 0; rank != paper::calls().size(); ++rank) {
    const cells x = of_row(a, rank), y = of_row(b, rank);
    const bool both = x.size() == 1 && y.size() == 1 && x.front()->value && y.front()->value && *x.front()->value > 0;
    const double ratio = both ? *y.front()->value / *x.front()->value : 0;
    col.entries.push_back({both ? results::significant(ratio, 3) : "", "", "", tone::plain});
    if (both) col.entries.back().value = ratio;
  }
  return col;
}

column of_the_paper(const std::string& system, const std::string& unit) {
  column col{"the paper, " + unit, paper::system_title(system), {}, unit};
  for (const std::string& call : paper::calls()) {
    const auto us = paper::call_microseconds(call, system);
    col.entries.push_back({us ? fmt::format("{:g}", *us) : "", "", "", tone::dim});
    col.entries.back().value = us;
  }
  return col;
}

void add_wine(std::vector<std::string>& notes, const document& d) {
  if (system_of(d) == measured_on::wine)
    notes.push_back(fmt::format("{} answers Windows's calls on another system: its figures say nothing about Windows.",
                                name_of_system(d)));
}

}  // namespace

std::optional<laid_out> systems_table(const document& a, const document& b, const style& s) {
  const cells in_a = own_calls(a), in_b = own_calls(b);
  if (in_a.empty() || in_b.empty() || system_of(a) == system_of(b)) return std::nullopt;
  const std::string micro = s.utf8 ? "\u00b5s" : "us";
  remarks notes{s};
  std::vector<std::vector<coordinate>> rows;
  for (const std::string& call : paper::calls()) rows.push_back({call});
  std::vector<column> columns{column_of("A: " + name_of_system(a), in_a, micro, notes),
                              column_of("B: " + name_of_system(b), in_b, micro, notes), quotients(in_a, in_b)};
  for (const std::string& system : paper::systems()) columns.push_back(of_the_paper(system, micro));
  laid_out t{"The two systems in the paper's Table 1: what one call costs, by each system's own primitives", "",
             label_columns({"call"}, rows, s), std::move(columns), notes.sentences()};
  add_wine(t.notes, a);
  add_wine(t.notes, b);
  t.notes.push_back(paper::calls_source());
  return t;
}

}  // namespace synchro::views
