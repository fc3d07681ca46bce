#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "results/text.hpp"
#include "simulate/asked.hpp"
#include "simulate/ledger.hpp"
#include "simulate/teller.hpp"
#include "simulations/sensitivity.hpp"

namespace synchro::simulate {

using namespace cli;

namespace {

using constants = std::map<std::string, std::vector<std::string>>;

constants asked_for(const std::string& list) {
  constants all = simulations::constants_with_a_range(simulations::machines_of_the_paper());
  if (list == "all") return all;
  constants some;
  for (const std::string& name : results::split(list)) {
    const auto found = all.find(name);
    if (found == all.end()) {
      std::vector<std::string> names;
      for (const auto& [known, machines] : all) names.push_back(known);
      fail_usage(fmt::format("no assumed constant of the paper's machines is called {}; there are {}, or all",
                             results::printable(name), fmt::join(names, ", ")));
    }
    some.insert(*found);
  }
  return some;
}

/// What is predicted, as the models are.
std::vector<simulations::said> predictions(std::uint64_t seed, const teller& out) {
  simulations::prover as_they_are{seed};
  std::vector<simulations::said> all;
  for (const claims::claim& c : claims::catalog()) {
    if (!c.id.starts_with('S')) continue;
    out.progress(fmt::format("{}: {}", c.id, c.says));
    row r{c, simulations::score_of(c, as_they_are)};
    if (r.predicted()) all.push_back({c, r.nominal});
  }
  return all;
}

}  // namespace

/// By six seeds: --validate takes as many as a verdict needs.
status vary_constants(const simulate_options& o) {
  const constants which = asked_for(*o.vary);
  teller out{o};
  const std::uint64_t seed = o.asked.seed.value_or(1);
  const auto claims = predictions(seed, out);
  out.tell(simulations::head_of_effects());
  for (const auto& [constant, machines] : which)
    for (const bool most : {false, true}) {
      out.progress(fmt::format("{} at the {} that is plausible", constant, most ? "most" : "least"));
      out.tell(simulations::in_words(simulations::effect_of(constant, most, claims, seed), machines));
    }
  out.tell(fmt::format("\nof {} claims that are predicted, each constant alone, in all models that have it\n",
                       claims.size()));
  if (o.output_given) say("written: " + results::printable(o.how.output));
  return status::done;
}

}  // namespace synchro::simulate
