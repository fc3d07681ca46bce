// How wake.idle is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/wakes/wakes.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// After the shortest and the longest sleep, with the primitive that wakes soonest after the shortest.
sentences idle_findings(const own_cells& own) {
  const cells all = own.of_any_mode("wake");
  std::vector<std::int64_t> slept;
  for (const cell* c : all)
    if (const auto ns = number_at(*c, "idle")) slept.push_back(*ns);
  if (slept.empty()) return {};
  const auto [shortest, longest] = std::minmax_element(slept.begin(), slept.end());
  const cells first = where(all, "idle", *shortest);
  const cell* const soon = least(first);
  const cell* const late = first_at(where(all, "primitive", at_or_blank(*soon, "primitive")), "idle", *longest);
  if (late == nullptr || *shortest == *longest) return {};
  const bool apart = soon->ci->second < late->ci->first || late->ci->second < soon->ci->first;
  return {fmt::format("After {} of sleep a thread wakes in {}, after {} in {}{}{}, with {}.",
                      time_text(static_cast<double>(*shortest)), with_interval(*soon),
                      time_text(static_cast<double>(*longest)), with_interval(*late), far_note(*late),
                      apart ? "" : " (no difference resolved)",
                      name_at(*soon, "primitive") + rivals(tied_with(*soon, first), "primitive"))};
}

}  // namespace

void present_wake_idle(experiment& e) {
  e.tour = [](const setting&) {
    return tour_stop{{{"primitive", {"event"}}, {"idle", {std::int64_t{100'000}, std::int64_t{100'000'000}}}}};
  };
  e.view = {{},
            idle_findings,
            {},
            {{"slept", "The longer it slept, the later it wakes",
              "A processor without work saves energy in deeper and deeper steps, and takes longer to come back.",
              lines("idle", {"distance", "primitive"}, {.ordinal = true})}}};
}

}  // namespace synchro::experiments
