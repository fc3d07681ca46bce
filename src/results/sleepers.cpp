#include "results/sleepers.hpp"

namespace synchro::results {

namespace {

/// On which side of a half a number is; nothing if that is not sure.
std::optional<bool> above_half(const cell* c) {
  const bool sure = c != nullptr && c->valid && c->ci && (c->quality == flag::ok || c->quality == flag::noisy);
  if (sure && c->ci->first > 0.5) return true;
  if (sure && c->ci->second < 0.5) return false;
  return std::nullopt;
}

}  // namespace

std::optional<bool> slept(const std::string& primitive, const cell* switches, const cell* cpu_share) {
  // Who sleeps is switched in every wait. Who spins may be, too: others want the processor, or the spin gives it away.
  const bool never_switched = above_half(switches) == false;
  std::optional<bool> sleeps = sleeps_by_catalog(primitive);
  if (!sleeps)
    if (const auto busy = above_half(cpu_share)) sleeps = !*busy;
  if (sleeps == true && never_switched) return std::nullopt;
  return sleeps;
}

}  // namespace synchro::results
