// How coherence.local is shown.

#include <fmt/format.h>

#include "experiments/coherence/coherence.hpp"
#include "results/units.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

sentences local_findings(const own_cells& own) {
  const cells all = own.of("latency");
  const cell* const near = first_precise(all, "level", "l1");
  const cell* const far = first_precise(all, "level", "ram");
  if (near == nullptr) return {};
  std::string text = "Reading from the first cache takes " + with_interval(*near);
  if (far != nullptr) text += "; from main memory " + with_interval(*far) + ", " + more_than(*far->value, *near->value);
  return {text + "."};
}

std::optional<views::headline> local_headline(const own_cells& own) {
  const cells all = own.of("latency");
  const cell* const near = first_precise(all, "level", "l1");
  const cell* const far = first_precise(all, "level", "ram");
  if (near == nullptr || far == nullptr) return std::nullopt;
  return views::headline{
      results::digits(*far->value / *near->value) + "×",
      fmt::format("is how much longer a read from main memory takes ({}) than one from the first cache ({})",
                  figure_of(*far), figure_of(*near)),
      details({interval_of(*far, "main memory"), interval_of(*near, "first cache")}, *far), "levels"};
}

std::vector<laid_out> local_tables(const cells& all, const style& s) {
  if (!all_have(all, {"level"})) return generic_tables(all, s);
  return {local_table(all, s)};
}

}  // namespace

void present_coherence_local(experiment& e) {
  e.tour = [](const setting&) { return tour_stop{}; };
  e.view = {
      local_tables,
      local_findings,
      local_headline,
      {{"levels",
        "What a read costs, by where the value lies",
        "A processor looks in its own small caches first, then in the one it shares, and last in main memory. Each "
        "step is several times slower than the one before.",
        bars("level"),
        "",
        {},
        {},
        {{"page", "4k"}}},
       {"paper",
        "Beside Table 3 of the paper",
        "Cycles for a load from each level, here and on the four machines of the paper.",
        beside_published({"level"}, "", beside_the_paper),
        "",
        {"latency_cycles"}}}};
  e.view.about = "cache";
}

}  // namespace synchro::experiments
