// How coherence.local is shown.

#include <fmt/format.h>

#include "experiments/coherence/coherence.hpp"
#include "results/units.hpp"
#include "views/findings.hpp"
#include "views/table.hpp"

namespace synchro::experiments {

namespace {

using views::cell;
using views::cells;
using views::own_cells;
using views::with_interval;
using sentences = std::vector<std::string>;

constexpr const char* ssync =
    "In cycles of each machine’s own clock. The paper: David, Guerraoui, Trigonakis, “Everything You Always Wanted to "
    "Know About Synchronization but Were Afraid to Ask”, SOSP 2013.";

sentences findings(const own_cells& own) {
  const cells all = own.of("latency");
  const cell* const near = views::first_precise(all, "level", "l1");
  const cell* const far = views::first_precise(all, "level", "ram");
  if (near == nullptr) return {};
  std::string text = "Reading a value from the processor's first cache takes " + with_interval(*near);
  if (far != nullptr)
    text += "; from main memory " + with_interval(*far) + ", " + views::more_than(*far->value, *near->value);
  return {text + "."};
}

std::optional<views::headline> headline(const own_cells& own) {
  const cells all = own.of("latency");
  const cell* const near = views::first_precise(all, "level", "l1");
  const cell* const far = views::first_precise(all, "level", "ram");
  if (near == nullptr || far == nullptr) return std::nullopt;
  return views::headline{
      results::digits(*far->value / *near->value) + "×",
      fmt::format("is how much longer a read from main memory takes ({}) than one from the first cache ({})",
                  views::figure_of(*far), views::figure_of(*near)),
      fmt::format("{} against {}", views::interval_of(*far), views::interval_of(*near)), "levels"};
}

std::vector<views::laid_out> tables(const cells& all, const views::style& s) {
  if (!views::all_have(all, {"level"})) return views::generic_tables(all, s);
  return {views::local_table(all, s)};
}

}  // namespace

void present_coherence_local(experiment& e) {
  e.tour = [](const setting&) { return tour_stop{}; };
  e.view = {
      tables,
      findings,
      headline,
      {{"levels",
        "What a read costs, by where the value lies",
        "A processor looks in its own small caches first, then in the one it shares, and last in main memory. Each "
        "step is several times slower than the one before.",
        views::bars("level"),
        "",
        {},
        {},
        {{"page", "4k"}}},
       {"paper",
        "Beside Table 3 of the paper",
        "Cycles for a load from each level, here and on the four machines of the paper.",
        views::beside_published({"level"}, "", ssync),
        "",
        {"latency_cycles"}}}};
}

}  // namespace synchro::experiments
