// How wake.idle is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/wakes/wakes.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// How long the sleeper had waited in fact: a wait that is asked to be short lasts as long as it takes to fall asleep and
/// to be woken. Nothing where that is not surely known.
std::optional<double> sleep_before(const own_cells& own, const cell& wake) {
  const cell* const waited = own.beside(wake, "waited");
  return waited != nullptr && is_precise(*waited) ? waited->value : std::nullopt;
}

/// Sure wake-ups after a sleep of a length that is surely known, too.
cells sure_wakes(const own_cells& own) {
  cells all = only_precise(own.of_any_mode("wake"));
  std::erase_if(all, [&](const cell* c) { return !number_at(*c, "idle") || !sleep_before(own, *c); });
  return all;
}

/// After the shortest and the longest sleep, with the primitive that wakes soonest after the shortest.
sentences idle_findings(const own_cells& own) {
  const cells all = sure_wakes(own);
  if (all.empty()) return {};
  const auto asked = [](const cell* a, const cell* b) { return number_at(*a, "idle") < number_at(*b, "idle"); };
  const auto [shortest, longest] = std::minmax_element(all.begin(), all.end(), asked);
  const cells first = where(all, "idle", at_or_blank(**shortest, "idle"));
  const cell* const soon = least(first);
  const cell* const late =
      first_at(where(all, "primitive", at_or_blank(*soon, "primitive")), "idle", at_or_blank(**longest, "idle"));
  if (late == nullptr) return {};
  const double brief = *sleep_before(own, *soon), deep = *sleep_before(own, *late);
  if (deep <= brief) return {};
  const bool overlap = soon->ci->first <= late->ci->second && late->ci->first <= soon->ci->second;
  const bool apart = !overlap && differ(*soon, *late, all.size());
  return {fmt::format("After {} of sleep a thread wakes in {}, after {} in {}{}{}, with {}.", time_text(brief),
                      with_interval(*soon), time_text(deep), with_interval(*late), far_note(*late),
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
  e.view.about = "sleep";
}

}  // namespace synchro::experiments
