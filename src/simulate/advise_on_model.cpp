#include <fmt/format.h>

#include "cli/advise.hpp"
#include "simulate/commands.hpp"
#include "simulate/modelled.hpp"
#include "simulate/simulation.hpp"
#include "simulator/world.hpp"
#include "terminal/console.hpp"

namespace synchro::simulate {

namespace {

/// What so many threads cost to simulate is bounded.
void check_threads_on(const simulator::model& m, const advice::workload& w) {
  constexpr std::int64_t most_each = 4;
  if (w.threads > most_each * std::int64_t{m.processors()})
    fail_usage(fmt::format("--threads {} is more than {} for each of the {} processors of the model {}", w.threads,
                           most_each, m.processors(), m.name()));
}

std::optional<results::document> modelled(const std::string& machine, advice::workload w) {
  const auto m = read_model(machine);
  check_threads_on(*m, w);
  if (w.threads == 0) w.threads = m->processors();
  simulator::world::stop_when(interrupt_watch::raised);
  const interrupt_watch watch;
  try {
    return simulated_for(w, m);
  } catch (const simulator::stopped&) {
    return std::nullopt;
  }
}

}  // namespace

command advise_on_model_command() {
  return cli::advise_command([](const words&) { return modelled; });
}

}  // namespace synchro::simulate
